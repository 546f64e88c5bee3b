"""The state machine of a TensorBoard, as pure functions.

`apply` returns the board after an event, `due_event` the event caused by time alone, `task` what the hub has to do for
the board now. Storing boards and running tasks is done elsewhere.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lightboard.hub.resources.tensorboards import RESTING, Status, Tensorboard, Transition
from lightboard.types import START_TIMEOUT

START_TIMEOUT_SECS = 300.0
"""How long a board may be Pending or Creating before it becomes Creating_Failed."""
MAX_RESTARTS = 5
"""Consecutive restarts before the hub gives up. Running for STEADY_SECS resets the count."""
STEADY_SECS = 60.0
"""A board that ran this long after a restart is healthy. Workers are shared, so a worker that is killed now and then,
for example for lack of memory, must not make all of its boards fail for good."""
WARNING_SECS = 600.0
"""How long before the end of its life span a board warns about it."""


class Task(StrEnum):
    """Work the hub does for a board."""

    START = "start"
    OBSERVE = "observe"
    STOP = "stop"
    REMOVE = "remove"
    NOTHING = "nothing"


TASKS = {
    Status.PENDING: Task.START,
    Status.CREATING: Task.OBSERVE,
    Status.RUNNING: Task.OBSERVE,
    Status.STOPPING: Task.STOP,
    Status.DELETING: Task.REMOVE,
}


def task(board: Tensorboard) -> Task:
    """The next task for a board."""
    return TASKS.get(board.status, Task.NOTHING)


@dataclass(frozen=True)
class StartRequested:
    """A user asked to start the board."""


@dataclass(frozen=True)
class StopRequested:
    """A user or a rule asked to stop the board; `reason` says which."""

    reason: str = "UserRequested"
    message: str = ""


@dataclass(frozen=True)
class DeleteRequested:
    """A user asked to delete the board. Its logs are kept."""

    reason: str = "UserRequested"


@dataclass(frozen=True)
class BoardPlaced:
    """The launcher has accepted the board at `spec_version` and returned `handle`."""

    handle: str
    reason: str = "ProcessStarting"
    spec_version: int = 0


@dataclass(frozen=True)
class BoardReady:
    """The board answers requests."""

    message: str = ""


@dataclass(frozen=True)
class BoardLost:
    """The process that served the board is gone, or never existed.

    `seen_at` is when the board was last known to run, None for now. `counted` is False if it ended with the hub's own
    machine or process rather than by a fault of the board.
    """

    reason: str = "Error"
    message: str = ""
    seen_at: float | None = None
    counted: bool = True


@dataclass(frozen=True)
class StartFailed:
    """The board cannot be started in its current form."""

    reason: str
    message: str = ""


@dataclass(frozen=True)
class BoardEnded:
    """The board has been removed from its worker, as requested."""


Event = (
    StartRequested | StopRequested | DeleteRequested | BoardPlaced | BoardReady | BoardLost | StartFailed | BoardEnded
)

GONE = frozenset({Status.DELETING, Status.DELETED})
UNPLACED: dict[str, Any] = {"executor_ref": "", "placed_version": 0}
"""The fields of a board that the launcher does not hold."""


def apply(board: Tensorboard, event: Event, at: float) -> Tensorboard:
    """The board after `event` at `at` (seconds since the epoch), or the same object if nothing changes.

    Events that arrive too late, such as a lost process of a board that was stopped meanwhile, are ignored.
    """
    match event:
        case StartRequested():
            if board.status not in RESTING:
                return board
            return transition(
                board, Status.PENDING, at, "Restarted", restarts=0, ran_secs=0.0, last_active_at=at, **UNPLACED
            )
        case StopRequested(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING, Status.RUNNING):
                return board
            return transition(board, Status.STOPPING, at, reason, message)
        case DeleteRequested(reason):
            return board if board.status in GONE else transition(board, Status.DELETING, at, reason)
        case BoardPlaced(handle, reason, spec_version):
            if board.status is not Status.PENDING:
                return board
            return transition(board, Status.CREATING, at, reason, executor_ref=handle, placed_version=spec_version)
        case BoardReady(message):
            if board.status is not Status.CREATING:
                return board
            reads = replace(board.progress, loading=True)
            # A restart by the hub is not a visit. Only a new board gets its first visit here.
            active_at = at if board.last_active_at is None else board.last_active_at
            return transition(
                board,
                Status.RUNNING,
                at,
                "Ready",
                message,
                running_since=at,
                last_active_at=active_at,
                progress=reads,
            )
        case BoardLost():
            return apply_loss(board, event, at)
        case StartFailed(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING):
                return board
            if is_restart(board) and reason != START_TIMEOUT:
                return apply_loss(board, BoardLost(reason, message), at)
            return transition(board, Status.CREATING_FAILED, at, reason, message, **UNPLACED)
        case BoardEnded():
            if board.status is Status.STOPPING:
                return transition(board, Status.STOPPED, at, board.reason, board.message, **UNPLACED)
            if board.status is Status.DELETING:
                return transition(board, Status.DELETED, at, board.reason, **UNPLACED)
            return board


def is_restart(board: Tensorboard) -> bool:
    """Whether the hub starts a board again that ran since a user started it.

    Its sources were readable then. What fails now may be over in a moment, such as a share that is being mounted again.
    """
    return board.restarts > 0 or board.ran_secs > 0.0


def apply_loss(board: Tensorboard, event: BoardLost, at: float) -> Tensorboard:
    """The board after its process died: it is restarted unless it has used up its restarts."""
    if board.status not in (Status.PENDING, Status.CREATING, Status.RUNNING):
        return board
    seen_at = at if event.seen_at is None else min(at, event.seen_at)
    ran = {"ran_secs": board.running_secs(seen_at), **UNPLACED}
    steady = board.status is Status.RUNNING and seen_at - board.status_since >= STEADY_SECS
    restarts = (0 if steady else board.restarts) + event.counted
    if restarts <= MAX_RESTARTS:
        return transition(board, Status.PENDING, at, "Restarting", event.message, restarts=restarts, **ran)
    end = Status.FAILED if board.status is Status.RUNNING else Status.CREATING_FAILED
    return transition(board, end, at, event.reason, event.message, **ran)


def start_at(board: Tensorboard) -> float:
    """When to start a Pending board: at once, then with exponential backoff after failed restarts."""
    return board.status_since + (2.0 ** (board.restarts - 2) if board.restarts > 1 else 0.0)


def may_start(board: Tensorboard, now: float) -> bool:
    """Whether a Pending board need not wait any longer. It never waits for a clock that was set back."""
    return board.status_since > now or start_at(board) <= now


def due_event(board: Tensorboard, now: float) -> Event | None:
    """The event that is due because of time alone, such as a timeout or the end of a life span."""
    if board.status in (Status.PENDING, Status.CREATING) and now - board.status_since >= START_TIMEOUT_SECS:
        return StartFailed(START_TIMEOUT, f"the board did not respond within {START_TIMEOUT_SECS:.0f} seconds")
    if board.status is not Status.RUNNING:
        return None
    expires = board.expires_at(now)
    if expires is not None and expires <= now:
        return StopRequested("LifeSpanEnded")
    idle = board.idle_at()
    if idle is not None and idle <= now:
        return StopRequested("IdleTimeout")
    return None


def transition(
    board: Tensorboard, status: Status, at: float, reason: str = "", message: str = "", **changes: Any
) -> Tensorboard:
    """The board in another status, with its clocks updated and its version incremented."""
    if status is not Status.RUNNING:
        changes = {"memory_bytes": None, "cpu_secs": None, **changes}
    if board.running_since is not None and status is not Status.RUNNING:
        changes = {"ran_secs": board.running_secs(at), **changes, "running_since": None}
    return replace(
        board,
        status=status,
        reason=reason,
        message=message,
        status_since=at,
        updated_at=at,
        version=board.version + 1,
        **changes,
    )


def span_change(before: Tensorboard, after: Tensorboard, at: float, actor: str) -> Transition | None:
    """The history entry for a changed life span, None if it is unchanged."""
    if after.life_span_secs == before.life_span_secs:
        return None
    longer = (after.life_span_secs or math.inf) > (before.life_span_secs or math.inf)
    return Transition(
        at=at,
        status=after.status,
        reason="Extended" if longer else "Shortened",
        actor=actor,
        life_span_secs=after.life_span_secs,
        expires_at=after.expires_at(at),
    )


def transition_of(board: Tensorboard, actor: str = "") -> Transition:
    """The history entry for the current status of a board."""
    return Transition(
        at=board.status_since, status=board.status, reason=board.reason, message=board.message, actor=actor
    )
