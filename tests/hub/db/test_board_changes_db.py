"""Change notifications of TensorBoards."""

from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import changes, tensorboard_changes, tensorboards
from lightboard.hub.resources.tensorboards import Access
from support.board_events import apply_event, apply_events, find_names, mark_running
from support.personas import START_TIME, Personas


def news(personas: Personas, who: Principal, cursor: int) -> list[tuple[str, bool]]:
    """What is told past a cursor: the id, and whether the board is still there."""
    with personas.database.read() as session:
        return [
            (item.id, item.board is not None) for item in tensorboard_changes.changes_after(session, who, cursor)[0]
        ]


def cursor_of(personas: Personas) -> int:
    """Where to begin."""
    with personas.database.read() as session:
        return changes.latest(session)


def test_watchers_see_visible_boards_only(personas: Personas) -> None:
    """Others do not learn that anything changed."""
    board = personas.create_board(personas.owner)
    told = {name: news(personas, who, 0) for name, who in personas.people.items()}

    mine = [(board.id, True)]
    assert told == {"admin": mine, "owner": mine, "leader": mine, "editor": [], "viewer": [], "stranger": []}


def test_changes_of_a_board_are_merged(personas: Personas) -> None:
    """It is reported once, in its current state."""
    board = mark_running(personas, personas.create_board())

    assert news(personas, personas.editor, 0) == [(board.id, True)]
    assert news(personas, personas.editor, cursor_of(personas)) == []


def test_deletions_are_reported(personas: Personas) -> None:
    """To accounts that could see the board."""
    board = personas.create_board(access=Access.PROJECT)
    cursor = cursor_of(personas)
    apply_events(
        personas, apply_event(personas, personas.editor, board, lifecycle.DeleteRequested()), lifecycle.BoardEnded()
    )

    assert (news(personas, personas.viewer, cursor), news(personas, personas.stranger, cursor)) == (
        [(board.id, False)],
        [],
    )


def test_boards_that_become_private_are_reported_as_gone(personas: Personas) -> None:
    """To members who saw them, and nobody else."""
    board = personas.create_board(access=Access.PROJECT)
    cursor = cursor_of(personas)
    with personas.database.write() as session:
        tensorboards.change(session, personas.editor, board.id, {"access": Access.PRIVATE}, START_TIME)
    told = {name: news(personas, personas.people[name], cursor) for name in ("editor", "viewer", "stranger")}

    assert told == {"editor": [(board.id, True)], "viewer": [(board.id, False)], "stranger": []}


def test_listeners_are_called_after_the_commit(personas: Personas) -> None:
    """A failing listener does not keep others from being called."""
    seen: list[int] = []

    def fail(_commit: object) -> None:
        raise RuntimeError("a listener of the test")

    personas.database.listeners += [fail, lambda _commit: seen.append(len(find_names(personas, personas.editor)))]
    personas.create_board()

    assert seen == [1]
