"""How many TensorBoards an account may have in use, and what counts."""

import pytest
from acts import happen, settled
from cast import AT, Cast

from lightboard.errors import Conflict, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, projects, settings, tensorboards
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.tensorboards import Access


def test_five_are_the_limit(cast: Cast) -> None:
    """The sixth is refused, with those that fill it, longest idle first, and what can be done."""
    boards = [cast.board(at=AT + n, display_name=f"Run {n}") for n in range(5)]
    with cast.database.write() as session:
        tensorboards.touch(session, {boards[0].id: AT + 100})

    with pytest.raises(TensorboardLimitExceeded) as raised:
        cast.board()

    order = [*boards[1:], boards[0]]
    assert raised.value.details == {
        "limit": 5,
        "active": [
            {
                "id": board.id,
                "display_name": board.display_name,
                "created_at": board.created_at,
                "last_active_at": AT + 100 if board is boards[0] else None,
            }
            for board in order
        ],
        "remedies": ["stop", "delete"],
    }


@pytest.mark.parametrize(
    ("events", "counts"),
    [
        ((), True),
        ((lifecycle.BoardPlaced("h"),), True),
        ((lifecycle.BoardPlaced("h"), lifecycle.BoardReady()), True),
        ((lifecycle.StopRequested(),), True),
        ((lifecycle.StopRequested(), lifecycle.BoardEnded()), False),
        ((lifecycle.StartFailed("SourceNotFound"),), False),
        ((lifecycle.DeleteRequested(),), False),
    ],
)
def test_what_counts_towards_the_limit(cast: Cast, events: tuple[lifecycle.Event, ...], counts: bool) -> None:
    """Pending, Creating, Running and Stopping do."""
    board = settled(cast, cast.board(), *events)
    with cast.database.read() as session:
        assert [one.id for one in tensorboards.in_use(session, cast.editor.account)] == ([board.id] if counts else [])


def test_starting_again_needs_a_place(cast: Cast) -> None:
    """The limit holds for the way from Stopped to Pending as well."""
    stopped = settled(cast, cast.board(), lifecycle.StopRequested(), lifecycle.BoardEnded())
    for _ in range(5):
        cast.board()
    with pytest.raises(TensorboardLimitExceeded):
        happen(cast, cast.editor, stopped, lifecycle.StartRequested())


def test_starting_what_runs_needs_no_place(cast: Cast) -> None:
    """It succeeds and changes nothing."""
    boards = [cast.board() for _ in range(5)]

    assert happen(cast, cast.editor, boards[0], lifecycle.StartRequested()) == boards[0]


def test_the_limit_is_the_owners(cast: Cast) -> None:
    """Somebody else who starts a board uses a place of its owner, and sees only what they may of the others."""
    stopped = settled(cast, cast.board(access=Access.PROJECT), lifecycle.StopRequested(), lifecycle.BoardEnded())
    seen = cast.board(access=Access.PROJECT)
    for _ in range(4):
        cast.board()
    colleague = cast.join("colleague")
    with cast.database.write() as session:
        projects.set_member(session, cast.admin, cast.vision, "colleague", Role.EDITOR, AT)

    with pytest.raises(TensorboardLimitExceeded) as raised:
        happen(cast, colleague, stopped, lifecycle.StartRequested())
    assert [board["id"] for board in raised.value.details["active"]] == [seen.id]


def test_an_administrator_sets_another_limit(cast: Cast) -> None:
    """For one account, or for all."""
    with cast.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "1")
        accounts.change(session, cast.admin, "editor", {"limit": 2}, AT)
    cast.board()
    cast.board()
    cast.board(cast.owner)

    for who, limit in ((cast.editor, 2), (cast.owner, 1)):
        with pytest.raises(TensorboardLimitExceeded, match=f"{limit} is the limit"):
            cast.board(who)


def test_a_disabled_account_starts_nothing(cast: Cast) -> None:
    """Not by somebody else's hand either."""
    stopped = settled(cast, cast.board(access=Access.PROJECT), lifecycle.StopRequested(), lifecycle.BoardEnded())
    with cast.database.write() as session:
        accounts.change(session, cast.admin, "editor", {"disabled": True}, AT)
    with pytest.raises(Conflict, match="disabled"):
        happen(cast, cast.owner, stopped, lifecycle.StartRequested())
