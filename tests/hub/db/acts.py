"""What people ask of boards, what the loop does with them, and what a list then shows."""

from typing import Any

from cast import AT, Cast

from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import leases, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.tensorboards import TensorboardQuestion


def settled(cast: Cast, board: Tensorboard, *events: lifecycle.Event, at: float = AT) -> Tensorboard:
    """The board after what the loop did with it."""
    for event in events:
        with cast.database.write() as session:
            board, _ = leases.apply_event(session, "loop", board, event, at)
    return board


def running(cast: Cast, board: Tensorboard, at: float = AT) -> Tensorboard:
    """The board when it runs."""
    return settled(cast, board, lifecycle.BoardPlaced("handle", spec_version=1), lifecycle.BoardReady(), at=at)


def happen(cast: Cast, who: Principal, board: Tensorboard, event: lifecycle.Event, at: float = AT) -> Tensorboard:
    """What somebody asked for."""
    right = {lifecycle.StartRequested: "start", lifecycle.StopRequested: "stop", lifecycle.DeleteRequested: "delete"}[
        type(event)
    ]
    with cast.database.write() as session:
        return tensorboards.apply_event(session, who, board.id, f"tensorboards.{right}", event, at)


def found(cast: Cast, who: Principal, **question: Any) -> list[str]:
    """The names of what a question finds."""
    with cast.database.read() as session:
        return [board.name for board in tensorboards.find(session, who, TensorboardQuestion(**question))[0]]
