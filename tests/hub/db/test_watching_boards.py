"""What who watches learns of TensorBoards that change."""

from acts import found, happen, running, settled
from cast import AT, Cast

from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import changes, tensorboards
from lightboard.hub.resources.tensorboards import Access


def news(cast: Cast, who: Principal, cursor: int) -> list[tuple[str, bool]]:
    """What is told past a cursor: the id, and whether the board is still there."""
    with cast.database.read() as session:
        return [(item.id, item.board is not None) for item in tensorboards.changes_after(session, who, cursor)[0]]


def cursor_of(cast: Cast) -> int:
    """Where to begin."""
    with cast.database.read() as session:
        return changes.latest(session)


def test_who_watches_is_told_what_they_may_see(cast: Cast) -> None:
    """Others do not even learn that something happened."""
    board = cast.board(cast.owner)
    told = {name: news(cast, who, 0) for name, who in cast.people.items()}

    mine = [(board.id, True)]
    assert told == {"admin": mine, "owner": mine, "leader": mine, "editor": [], "viewer": [], "stranger": []}


def test_each_board_is_told_once_as_it_is_now(cast: Cast) -> None:
    """However much happened meanwhile."""
    board = running(cast, cast.board())

    assert news(cast, cast.editor, 0) == [(board.id, True)]
    assert news(cast, cast.editor, cursor_of(cast)) == []


def test_a_deleted_board_is_told_as_gone(cast: Cast) -> None:
    """To who could see it."""
    board = cast.board(access=Access.PROJECT)
    cursor = cursor_of(cast)
    settled(cast, happen(cast, cast.editor, board, lifecycle.DeleteRequested()), lifecycle.BoardEnded())

    assert (news(cast, cast.viewer, cursor), news(cast, cast.stranger, cursor)) == ([(board.id, False)], [])


def test_a_board_that_becomes_private_is_told_as_gone(cast: Cast) -> None:
    """To those of the project who saw it, and to nobody else."""
    board = cast.board(access=Access.PROJECT)
    cursor = cursor_of(cast)
    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, board.id, {"access": Access.PRIVATE}, AT)
    told = {name: news(cast, cast.people[name], cursor) for name in ("editor", "viewer", "stranger")}

    assert told == {"editor": [(board.id, True)], "viewer": [(board.id, False)], "stranger": []}


def test_listeners_are_told_after_the_commit(cast: Cast) -> None:
    """When they look, it is there; one that fails does not keep the next from knowing."""
    seen: list[int] = []

    def fail(_commit: object) -> None:
        raise RuntimeError("a listener of the test")

    cast.database.listeners += [fail, lambda _commit: seen.append(len(found(cast, cast.editor)))]
    cast.board()

    assert seen == [1]
