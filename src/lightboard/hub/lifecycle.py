"""What becomes of a TensorBoard when something happens: pure, the whole of the state machine.

`after` gives the board as it is after an event, `due` the event that time alone brings, `task` what is to be done for
it now. Who stores the board, and who does the task, is no matter of this file.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lightboard.hub.resources.tensorboards import RESTING, Status, Tensorboard, Transition

START_TIMEOUT_SECS = 300.0
"""From Pending or Creating to Creating_Failed when nothing came up."""
MOST_RESTARTS = 5
"""Restarts in a row before the hub gives up; a stretch of STEADY_SECS begins the count anew."""
STEADY_SECS = 60.0
"""A restart after which a board was there so long has helped: workers are shared, and what ends one of them now and
then, be it the system for want of memory, must not end all of its boards for good."""
WARNING_SECS = 600.0
"""So long before its end a board says that its life span ends."""


class Task(StrEnum):
    """What the hub does for a board."""

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
    """What to do next for it."""
    return TASKS.get(board.status, Task.NOTHING)


@dataclass(frozen=True)
class StartAsked:
    """Somebody wants it to run."""


@dataclass(frozen=True)
class StopAsked:
    """Somebody wants it to end; `reason` names who or what."""

    reason: str = "UserRequested"
    message: str = ""


@dataclass(frozen=True)
class DeleteAsked:
    """Somebody wants it gone; the logs stay."""

    reason: str = "UserRequested"


@dataclass(frozen=True)
class Placed:
    """The launcher has taken it, as of `spec_version`; `handle` is how the launcher calls it."""

    handle: str
    reason: str = "ProcessStarting"
    spec_version: int = 0


@dataclass(frozen=True)
class Ready:
    """It answers."""

    message: str = ""


@dataclass(frozen=True)
class Lost:
    """What ran it is gone, or was never there.

    `seen_at` is when it was last known to run, None for now. One that is not `counted` went with the hub's own machine
    or process, and not by a fault of the board.
    """

    reason: str = "Error"
    message: str = ""
    seen_at: float | None = None
    counted: bool = True


@dataclass(frozen=True)
class Refused:
    """It cannot be started as it is."""

    reason: str
    message: str = ""


@dataclass(frozen=True)
class Ended:
    """What ran it has been taken away, as was asked."""


Event = StartAsked | StopAsked | DeleteAsked | Placed | Ready | Lost | Refused | Ended

GONE = frozenset({Status.DELETING, Status.DELETED})
NOWHERE: dict[str, Any] = {"executor_ref": "", "placed_version": 0}
"""The launcher has nothing of it any more."""


def after(board: Tensorboard, event: Event, at: float) -> Tensorboard:
    """`board` as it is once `event` has happened at `at` seconds since the epoch; itself where that changes nothing.

    What comes too late, such as news of a board that was stopped meanwhile, changes nothing.
    """
    match event:
        case StartAsked():
            if board.status not in RESTING:
                return board
            return moved(board, Status.PENDING, at, "Restarted", restarts=0, ran_secs=0.0, last_active_at=at, **NOWHERE)
        case StopAsked(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING, Status.RUNNING):
                return board
            return moved(board, Status.STOPPING, at, reason, message)
        case DeleteAsked(reason):
            return board if board.status in GONE else moved(board, Status.DELETING, at, reason)
        case Placed(handle, reason, spec_version):
            if board.status is not Status.PENDING:
                return board
            return moved(board, Status.CREATING, at, reason, executor_ref=handle, placed_version=spec_version)
        case Ready(message):
            if board.status is not Status.CREATING:
                return board
            reads = replace(board.progress, loading=True)
            # A restart by the hub is no visit: only a board that nobody could open before gets its first one here.
            active_at = at if board.last_active_at is None else board.last_active_at
            return moved(
                board, Status.RUNNING, at, "Ready", message, running_since=at, last_active_at=active_at, progress=reads
            )
        case Lost():
            return lost(board, event, at)
        case Refused(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING):
                return board
            return moved(board, Status.CREATING_FAILED, at, reason, message, **NOWHERE)
        case Ended():
            if board.status is Status.STOPPING:
                return moved(board, Status.STOPPED, at, board.reason, board.message, **NOWHERE)
            if board.status is Status.DELETING:
                return moved(board, Status.DELETED, at, board.reason, **NOWHERE)
            return board


def lost(board: Tensorboard, event: Lost, at: float) -> Tensorboard:
    """After its process died: begun again, unless that has not helped so often already."""
    if board.status not in (Status.PENDING, Status.CREATING, Status.RUNNING):
        return board
    seen_at = at if event.seen_at is None else min(at, event.seen_at)
    ran = {"ran_secs": board.running_secs(seen_at), **NOWHERE}
    steady = board.status is Status.RUNNING and seen_at - board.status_since >= STEADY_SECS
    restarts = (0 if steady else board.restarts) + event.counted
    if restarts <= MOST_RESTARTS:
        return moved(board, Status.PENDING, at, "Restarting", event.message, restarts=restarts, **ran)
    end = Status.FAILED if board.status is Status.RUNNING else Status.CREATING_FAILED
    return moved(board, end, at, event.reason, event.message, **ran)


def start_at(board: Tensorboard) -> float:
    """When a Pending board is to be started: at once, and later each time that has not helped."""
    return board.status_since + (2.0 ** (board.restarts - 2) if board.restarts > 1 else 0.0)


def due(board: Tensorboard, now: float) -> Event | None:
    """What time alone makes of it now."""
    if board.status in (Status.PENDING, Status.CREATING) and now - board.status_since >= START_TIMEOUT_SECS:
        return Refused("StartTimeout", f"nothing answered within {START_TIMEOUT_SECS:.0f} seconds")
    if board.status is not Status.RUNNING:
        return None
    expires = board.expires_at(now)
    if expires is not None and expires <= now:
        return StopAsked("LifeSpanEnded")
    idle = board.idle_at()
    if idle is not None and idle <= now:
        return StopAsked("IdleTimeout")
    return None


def moved(
    board: Tensorboard, status: Status, at: float, reason: str = "", message: str = "", **changes: Any
) -> Tensorboard:
    """`board` in another status, its clocks kept right and its version risen."""
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
    """The line of history for another life span; None where it is the same."""
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
    """The line of history that says how `board` came to stand as it does."""
    return Transition(
        at=board.status_since, status=board.status, reason=board.reason, message=board.message, actor=actor
    )
