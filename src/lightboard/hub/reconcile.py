"""Makes true what the database says should be: starts, watches, stops and clears away boards, and keeps their clocks.

Each pass claims boards, looks at how they are, and lets `lifecycle` decide; nothing is remembered between passes that a
restart would miss. What takes long, as a start, is done beside the pass, one thing at a time for a board.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub import lifecycle
from lightboard.hub.db import leases, retention
from lightboard.hub.db.engine import Database, Session
from lightboard.hub.db.leases import ClaimedBoard, ObservedState
from lightboard.hub.launchers.base import (
    NODE_LOST,
    START_TIMEOUT,
    BoardSpec,
    Found,
    Launcher,
    Observation,
)
from lightboard.hub.launchers.base import Progress as ObservedProgress
from lightboard.hub.lifecycle import Task
from lightboard.hub.replicas import is_dead, name_of_this
from lightboard.hub.resources.tensorboards import Progress, Status, Tensorboard

LEASE_SECS = 30.0
MOST_BOARDS = 2_000
"""Boards that one replica works on in one pass."""
PASS_SECS = 1.0
"""Between looks at boards that change."""
FULL_PASS_SECS = 15.0
"""Between looks at all of them, by which clocks are kept."""
SOON_SECS = 0.05
"""Between looks while something comes up, so that it is Running as soon as it is."""
SOON_FOR_SECS = 10.0
RETIRE_SECS = 3_600.0
THREADS = 8
TRANSIENT_REASONS = frozenset({NODE_LOST, START_TIMEOUT})
"""Why a start failed that may work the next time; for all other reasons somebody must do something."""

SpecBuilder = Callable[[Session, Tensorboard], BoardSpec]
"""Builds the launcher's spec of a board, as `SourceResolver.board_spec`. Raises LaunchError if a source is denied."""

log = logging.getLogger(__name__)


class Reconciler:
    """One for each replica of the hub, which `replica` names: this process, unless it is said otherwise.

    `step` is one whole pass, `run` goes on until `close`. `wake` says from any thread that there is something to do.
    """

    def __init__(
        self,
        database: Database,
        launcher: Launcher,
        build_spec: SpecBuilder,
        clock: Callable[[], float] = time.time,
        *,
        replica: str = "",
    ) -> None:
        self._database = database
        self._launcher = launcher
        self._build_spec = build_spec
        self._clock = clock
        self._replica = replica or name_of_this()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="lightboard-reconcile")
        self._busy: dict[str, Future[None]] = {}
        self._observed_at: dict[str, float] = {}
        self._retry_at: dict[tuple[str, int], float] = {}
        self._awake = threading.Event()
        self._look_at_all = threading.Event()
        self._closed = threading.Event()
        self._is_any_starting = False

    # Running

    def wake(self) -> None:
        """Something was changed in the database."""
        self._awake.set()

    def on_launcher_change(self) -> None:
        """The launcher has something to tell of any board."""
        self._look_at_all.set()
        self._awake.set()

    def run(self) -> None:
        """Passes until `close`; what fails is told to the log and tried again."""
        self._database.listeners.append(lambda _commit: self.wake())
        self._launcher.on_change = self.on_launcher_change
        full_at = retire_at = 0.0
        while not self._closed.is_set():
            self._awake.clear()
            started = time.monotonic()
            full = started >= full_at or self._look_at_all.is_set()
            self._look_at_all.clear()
            try:
                if full:
                    self.release_dead_leases()
                self.run_pass(self._clock(), full=full)
                if started >= retire_at:
                    self.retire(self._clock())
                    retire_at = started + RETIRE_SECS
            except Exception as error:
                if not self._closed.is_set():
                    self._log_error("a pass failed", error)
            if full:
                full_at = started + FULL_PASS_SECS
            self._rest()
        self._release()

    def _rest(self) -> None:
        self._closed.wait(SOON_SECS / 5)  # many changes at once are one pass
        self._awake.wait(SOON_SECS if self._is_any_starting else PASS_SECS)

    def close(self) -> None:
        """Ends `run` soon and waits for what it has begun; boards go on for whoever takes over."""
        self._closed.set()
        self._awake.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def release_dead_leases(self) -> None:
        """Lets go of what a replica had that has died on this machine: nobody need wait for its leases to end."""
        try:
            with self._database.read() as session:
                dead = list(filter(is_dead, leases.holders(session)))
            if dead:
                with self._database.write() as session:
                    for holder in dead:
                        leases.release(session, holder, self._clock())
        except LightboardError as error:
            self._log_error("leases end by themselves", error)

    def _release(self) -> None:
        try:
            with self._database.write() as session:
                leases.release(session, self._replica, self._clock())
        except LightboardError as error:
            self._log_error("leases end by themselves", error)

    def retire(self, now: float) -> None:
        """Forgets what is old."""
        with self._database.write() as session:
            retention.retire(session, now)

    # One pass

    def step(self, now: float) -> None:
        """One pass over everything, and all that it begins, to the end."""
        for future in self.run_pass(now, full=True):
            future.result()

    def run_pass(self, now: float, *, full: bool) -> list["Future[None]"]:
        """One pass; gives back what goes on beside it. Raises DatabaseError."""
        with self._database.write() as session:
            claimed = leases.claim(session, self._replica, now, LEASE_SECS, MOST_BOARDS, busy_only=not full)
        idle = [item for item in claimed if not self._is_busy(item.board.id)]
        self._is_any_starting = any(is_starting(item.board, now) for item in claimed)
        begun = [self._submit(item, now) for item in idle if self._is_due(item.board, now)]
        watched = [item for item in idle if full or self._is_observation_due(item.board, now)]
        watched = [item for item in watched if item.board.executor_ref and lifecycle.task(item.board) is Task.OBSERVE]
        if full:
            self._observed_at = {}
            self._retry_at = {change: at for change, at in self._retry_at.items() if at > now}
        self._observed_at |= {item.board.id: now for item in watched}
        seen = self._launcher.observe([item.board.executor_ref for item in watched]) if watched else []
        states = [self.apply_observation(item, look, now) for item, look in zip(watched, seen, strict=True)]
        self._store_states([state for state in states if state is not None], now)
        return begun

    def _is_due(self, board: Tensorboard, now: float) -> bool:
        """Whether to work on it now; a change that the launcher refused is tried again in a while."""
        return needs_work(board, now) and now >= self._retry_at.get((board.id, board.spec_version), 0.0)

    def _is_observation_due(self, board: Tensorboard, now: float) -> bool:
        """Progress is told once a second, however often something else happens."""
        return board.status is not Status.RUNNING or now - self._observed_at.get(board.id, 0.0) >= PASS_SECS

    def _is_busy(self, id: str) -> bool:
        future = self._busy.get(id)
        if future is not None and future.done():
            del self._busy[id]
            return False
        return future is not None

    def _submit(self, item: ClaimedBoard, now: float) -> "Future[None]":
        future = self._pool.submit(self._work, item.board, now)
        self._busy[item.board.id] = future
        return future

    def _work(self, board: Tensorboard, now: float) -> None:
        try:
            match lifecycle.task(board):
                case Task.START:
                    self._start(board, now)
                case Task.STOP | Task.REMOVE:
                    self._stop(board, now)
                case Task.OBSERVE:
                    self._update(board, now)
                case Task.NOTHING:
                    pass
        except Exception as error:  # whatever it was: this board is tried again, and the others go on
            self._log_error(f"work on {board.id} failed", error)
        finally:
            self.wake()

    # What is done

    def _start(self, board: Tensorboard, now: float) -> None:
        try:
            spec = self._spec(board)
            handle = self._launcher.start(spec)
        except LightboardError as error:
            self._apply_event(board, failed_start(error), now)
            return
        after, applied = self._apply_event(board, lifecycle.BoardPlaced(handle, spec_version=spec.version), now)
        if applied or after.executor_ref == handle:
            return
        # It was stopped meanwhile, or another replica has started it: what we have started is nobody's.
        self._launcher.stop(handle)
        if after.status in (Status.STOPPING, Status.DELETING) and not after.executor_ref:
            self._apply_event(after, lifecycle.BoardEnded(), now)

    def _stop(self, board: Tensorboard, now: float) -> None:
        handle = board.executor_ref or self._find_handle(board)
        if handle:
            self._launcher.stop(handle)
        self._apply_event(board, lifecycle.BoardEnded(), now)

    def _find_handle(self, board: Tensorboard) -> str:
        """The handle of a board that the launcher may have, because somebody died between asking for it and hearing."""
        if not board.placed_version:
            return ""
        try:
            return self._launcher.start(replace(self._spec(board), version=board.placed_version))
        except LightboardError:
            return ""

    def _update(self, board: Tensorboard, now: float) -> None:
        handle, version, reason, message = board.executor_ref, board.spec_version, "Ready", ""
        try:
            handle = self._launcher.update(handle, self._spec(board))
        except LightboardError as error:
            self._retry_at[board.id, board.spec_version] = now + FULL_PASS_SECS
            version, reason, message = board.placed_version, reason_of(error), error_text(error)
        with self._database.write() as session:
            leases.acknowledge(session, board, handle, version, reason, message)

    def apply_observation(self, item: ClaimedBoard, look: Observation, now: float) -> ObservedState | None:
        """Lets what was seen of a board, or its clocks, change it; or gives what is to be kept."""
        board, event = item.board, event_of(item, look, now)
        if event is None:
            return observed_state_of(board, look)
        if isinstance(event, lifecycle.StartFailed) or look.found is Found.FAILED:
            self._launcher.stop(board.executor_ref)
        self._apply_event(board, event, now)
        return None

    def _store_states(self, states: Iterable[ObservedState], now: float) -> None:
        kept = list(states)
        if kept:
            with self._database.write() as session:
                leases.store_states(session, kept, now)

    def _apply_event(self, board: Tensorboard, event: lifecycle.Event, now: float) -> tuple[Tensorboard, bool]:
        with self._database.write() as session:
            return leases.apply_event(session, self._replica, board, event, now)

    def _spec(self, board: Tensorboard) -> BoardSpec:
        with self._database.read() as session:
            return self._build_spec(session, board)

    def _log_error(self, what: str, error: Exception) -> None:
        if isinstance(error, LightboardError):
            log.warning("%s: %s", what, error.message)
        else:
            log.error(what, exc_info=error)


# Decisions


def needs_work(board: Tensorboard, now: float) -> bool:
    """Whether something is to be done for it that may take long."""
    match lifecycle.task(board):
        case Task.START:
            return now >= lifecycle.start_at(board)
        case Task.OBSERVE:
            return board.spec_version != board.placed_version
        case Task.STOP | Task.REMOVE:
            return True
        case Task.NOTHING:
            return False


def is_starting(board: Tensorboard, now: float) -> bool:
    """Whether it may be Running any moment, and somebody waits for it."""
    return board.status in (Status.PENDING, Status.CREATING) and now - board.status_since < SOON_FOR_SECS


def event_of(item: ClaimedBoard, look: Observation, now: float) -> lifecycle.Event | None:
    """What a look at a board, or time, makes happen to it."""
    board = item.board
    match look.found:
        case Found.GONE:
            reason = NODE_LOST if item.lapsed_at is not None else look.reason or "Error"
            return lifecycle.BoardLost(reason, look.message, seen_at=item.lapsed_at, counted=item.lapsed_at is None)
        case Found.FAILED if board.status is Status.CREATING:
            return lifecycle.StartFailed(look.reason or "Error", look.message)
        case Found.FAILED:
            return lifecycle.BoardLost(look.reason or "Error", look.message)
        case Found.RUNNING if board.status is Status.CREATING:
            return lifecycle.BoardReady(look.message)
    if item.owner_disabled:
        return lifecycle.StopRequested("AccountDisabled")
    return lifecycle.due_event(board, now)


def failed_start(error: LightboardError) -> lifecycle.Event:
    """What a start that did not work does to the board."""
    reason = reason_of(error)
    return (
        lifecycle.BoardLost(reason, error_text(error))
        if reason in TRANSIENT_REASONS
        else lifecycle.StartFailed(reason, error_text(error))
    )


def reason_of(error: LightboardError) -> str:
    """The one word for it."""
    return error.reason if isinstance(error, LaunchError) else "Error"


def error_text(error: LightboardError) -> str:
    """An error in one line beside a status."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def observed_state_of(board: Tensorboard, look: Observation) -> ObservedState | None:
    """What is to be kept of a look at a Running board; None where it is as it was."""
    if board.status is not Status.RUNNING or look.found not in (Found.RUNNING, Found.SILENT):
        return None
    changes = board.placed_version != board.spec_version
    kept = ObservedState(
        id=board.id,
        version=board.version,
        progress=board.progress,
        reason=None if changes else board.reason,
        message=None if changes else board.message,
        memory_bytes=board.memory_bytes,
        cpu_secs=board.cpu_secs,
    )
    seen = replace(
        kept,
        progress=progress_of(look.progress) if look.progress else board.progress,
        reason=None if changes else look.reason or "Ready",
        message=None if changes else look.message,
        memory_bytes=look.memory_bytes,
        cpu_secs=look.cpu_secs,
    )
    return None if seen == kept else seen


def progress_of(seen: ObservedProgress) -> Progress:
    """As it is kept."""
    return Progress(
        runs=seen.runs,
        bytes_read=seen.bytes_read,
        bytes_total=seen.bytes_total,
        last_event_at=seen.last_event_time,
        loading=seen.loading,
    )
