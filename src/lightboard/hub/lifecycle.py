"""What becomes of a TensorBoard when something happens: pure, the whole of the state machine.

`after` gives the board as it is after an event, `due` the event that time alone brings, `task` what is to be done for
it now. Who stores the board, and who does the task, is no matter of this file.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from lightboard.hub.resources.tensorboards import RESTING, Status, Tensorboard, Transition

START_TIMEOUT_SECS = 300.0
"""From Pending or Creating to Creating_Failed when nothing came up."""
MOST_RESTARTS = 5
"""Restarts in a row before the hub gives up; a stretch of STEADY_SECS begins the count anew."""
STEADY_SECS = 600.0
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
    """The launcher has taken it; `handle` is how the launcher calls it."""

    handle: str
    reason: str = "ProcessStarting"


@dataclass(frozen=True)
class Ready:
    """It answers."""

    message: str = ""


@dataclass(frozen=True)
class Lost:
    """What ran it is gone."""

    reason: str = "Error"
    message: str = ""


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


def after(board: Tensorboard, event: Event, at: float) -> Tensorboard:
    """`board` as it is once `event` has happened at `at` seconds since the epoch; itself where that changes nothing.

    What comes too late, such as news of a board that was stopped meanwhile, changes nothing.
    """
    match event:
        case StartAsked():
            if board.status not in RESTING:
                return board
            return moved(board, Status.PENDING, at, "Restarted", restarts=0, executor_ref="", ran_secs=0.0)
        case StopAsked(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING, Status.RUNNING):
                return board
            return moved(board, Status.STOPPING, at, reason, message)
        case DeleteAsked(reason):
            return board if board.status in GONE else moved(board, Status.DELETING, at, reason)
        case Placed(handle, reason):
            if board.status is not Status.PENDING:
                return board
            return moved(board, Status.CREATING, at, reason, executor_ref=handle)
        case Ready(message):
            if board.status is not Status.CREATING:
                return board
            return moved(board, Status.RUNNING, at, "Ready", message, running_since=at, last_active_at=at)
        case Lost(reason, message):
            return lost(board, at, reason, message)
        case Refused(reason, message):
            if board.status not in (Status.PENDING, Status.CREATING):
                return board
            return moved(board, Status.CREATING_FAILED, at, reason, message, executor_ref="")
        case Ended():
            if board.status is Status.STOPPING:
                return moved(board, Status.STOPPED, at, board.reason, board.message, executor_ref="")
            if board.status is Status.DELETING:
                return moved(board, Status.DELETED, at, board.reason, executor_ref="")
            return board


def lost(board: Tensorboard, at: float, reason: str, message: str) -> Tensorboard:
    """After its process died: begun again, unless that has not helped so often already."""
    if board.status not in (Status.CREATING, Status.RUNNING):
        return board
    steady = board.status is Status.RUNNING and at - board.status_since >= STEADY_SECS
    restarts = 0 if steady else board.restarts
    if restarts < MOST_RESTARTS:
        return moved(board, Status.PENDING, at, "Restarting", message, restarts=restarts + 1, executor_ref="")
    end = Status.FAILED if board.status is Status.RUNNING else Status.CREATING_FAILED
    return moved(board, end, at, reason, message, executor_ref="")


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
    board: Tensorboard, status: Status, at: float, reason: str = "", message: str = "", **changes: object
) -> Tensorboard:
    """`board` in another status, its clocks kept right and its version risen."""
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
        **changes,  # type: ignore[arg-type]
    )


def transition_of(board: Tensorboard, actor: str = "") -> Transition:
    """The line of history that says how `board` came to stand as it does."""
    return Transition(
        at=board.status_since, status=board.status, reason=board.reason, message=board.message, actor=actor
    )
