"""Applies lifecycle events to boards in the database."""

from typing import Any

from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import leases, tensorboards
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.tensorboards import TensorboardRequest
from support.personas import START_TIME, Personas


def apply_events(
    personas: Personas, board: Tensorboard, *events: lifecycle.Event, at: float = START_TIME
) -> Tensorboard:
    """Apply events of the reconciler and return the board."""
    for event in events:
        with personas.database.write() as session:
            board, _ = leases.apply_event(session, "loop", board, event, at)
    return board


def mark_running(personas: Personas, board: Tensorboard, at: float = START_TIME) -> Tensorboard:
    """Take a board from Pending to Running."""
    return apply_events(personas, board, lifecycle.BoardPlaced("handle", spec_version=1), lifecycle.BoardReady(), at=at)


def apply_event(
    personas: Personas, who: Principal, board: Tensorboard, event: lifecycle.Event, at: float = START_TIME
) -> Tensorboard:
    """Apply a request of an account and return the board."""
    right = {lifecycle.StartRequested: "start", lifecycle.StopRequested: "stop", lifecycle.DeleteRequested: "delete"}[
        type(event)
    ]
    with personas.database.write() as session:
        return tensorboards.apply_event(session, who, board.id, f"tensorboards.{right}", event, at)


def find_names(personas: Personas, who: Principal, **question: Any) -> list[str]:
    """Names of the boards that a query finds."""
    with personas.database.read() as session:
        return [board.name for board in tensorboards.find(session, who, TensorboardRequest(**question))[0]]
