"""How many TensorBoards an account may have in use, and which count."""

import pytest

from lightboard.errors import Conflict, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, projects, settings, tensorboards
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.tensorboards import Access
from support.board_events import apply_event, apply_events
from support.personas import START_TIME, Personas


def test_the_default_limit_is_five(personas: Personas) -> None:
    """The error lists the active boards, longest idle first, and the remedies."""
    boards = [personas.create_board(at=START_TIME + n, display_name=f"Run {n}") for n in range(5)]
    with personas.database.write() as session:
        tensorboards.touch(session, {boards[0].id: START_TIME + 100})

    with pytest.raises(TensorboardLimitExceeded) as raised:
        personas.create_board()

    order = [*boards[1:], boards[0]]
    assert raised.value.details == {
        "limit": 5,
        "active": [
            {
                "id": board.id,
                "display_name": board.display_name,
                "created_at": board.created_at,
                "last_active_at": START_TIME + 100 if board is boards[0] else None,
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
def test_what_counts_towards_the_limit(personas: Personas, events: tuple[lifecycle.Event, ...], counts: bool) -> None:
    """Pending, Creating, Running and Stopping boards."""
    board = apply_events(personas, personas.create_board(), *events)
    with personas.database.read() as session:
        assert [one.id for one in tensorboards.in_use(session, personas.editor.account)] == (
            [board.id] if counts else []
        )


def test_restarting_counts_towards_the_limit(personas: Personas) -> None:
    """Also from Stopped to Pending."""
    stopped = apply_events(personas, personas.create_board(), lifecycle.StopRequested(), lifecycle.BoardEnded())
    for _ in range(5):
        personas.create_board()
    with pytest.raises(TensorboardLimitExceeded):
        apply_event(personas, personas.editor, stopped, lifecycle.StartRequested())


def test_starting_a_running_board_is_always_allowed(personas: Personas) -> None:
    """It succeeds and changes nothing."""
    boards = [personas.create_board() for _ in range(5)]

    assert apply_event(personas, personas.editor, boards[0], lifecycle.StartRequested()) == boards[0]


def test_the_limit_of_the_owner_counts(personas: Personas) -> None:
    """Whoever starts the board; they see only those active boards that they may see."""
    stopped = apply_events(
        personas, personas.create_board(access=Access.PROJECT), lifecycle.StopRequested(), lifecycle.BoardEnded()
    )
    seen = personas.create_board(access=Access.PROJECT)
    for _ in range(4):
        personas.create_board()
    colleague = personas.add_account("colleague")
    with personas.database.write() as session:
        projects.set_member(session, personas.admin, personas.vision, "colleague", Role.EDITOR, START_TIME)

    with pytest.raises(TensorboardLimitExceeded) as raised:
        apply_event(personas, colleague, stopped, lifecycle.StartRequested())
    assert [board["id"] for board in raised.value.details["active"]] == [seen.id]


def test_administrators_change_the_limit(personas: Personas) -> None:
    """For one account or for all."""
    with personas.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "1")
        accounts.change(session, personas.admin, "editor", {"limit": 2}, START_TIME)
    personas.create_board()
    personas.create_board()
    personas.create_board(personas.owner)

    for who, limit in ((personas.editor, 2), (personas.owner, 1)):
        with pytest.raises(TensorboardLimitExceeded, match=f"{limit} is the limit"):
            personas.create_board(who)


def test_boards_of_disabled_accounts_cannot_start(personas: Personas) -> None:
    """Not by anybody else either."""
    stopped = apply_events(
        personas, personas.create_board(access=Access.PROJECT), lifecycle.StopRequested(), lifecycle.BoardEnded()
    )
    with personas.database.write() as session:
        accounts.change(session, personas.admin, "editor", {"disabled": True}, START_TIME)
    with pytest.raises(Conflict, match="disabled"):
        apply_event(personas, personas.owner, stopped, lifecycle.StartRequested())
