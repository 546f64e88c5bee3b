"""The reconcile loop: starts, observes, stops and removes boards until they match the database.

Each pass claims boards, observes them and lets `lifecycle` decide. No state that a restart would lose is kept between
passes. Slow work such as a start runs in a thread pool, one task at a time for each board.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub import lifecycle
from lightboard.hub.db import leases, retention
from lightboard.hub.db.engine import Database, Session
from lightboard.hub.db.leases import ClaimedBoard, ObservedState
from lightboard.hub.launchers.base import (
    NODE_LOST,
    START_TIMEOUT,
    BoardPhase,
    BoardSpec,
    Launcher,
    Observation,
)
from lightboard.hub.launchers.base import Progress as ObservedProgress
from lightboard.hub.lifecycle import Task
from lightboard.hub.replicas import is_dead, name_of_this
from lightboard.hub.resources.tensorboards import Progress, Status, Tensorboard

LEASE_SECS = 30.0
MAX_BOARDS = 2_000
"""The number of boards that one replica handles in one pass."""
PASS_SECS = 1.0
"""Between observations of boards that are changing."""
FULL_PASS_SECS = 15.0
"""Between observations of all boards, which also apply timeouts."""
SOON_SECS = 0.05
"""Between observations while a board is starting, so that it becomes Running without delay."""
SOON_FOR_SECS = 10.0
RETIRE_SECS = 3_600.0
THREADS = 8
TRANSIENT_REASONS = frozenset({NODE_LOST, START_TIMEOUT})
"""Reasons of failed starts that are retried. For all others a user has to change something."""

SpecBuilder = Callable[[Session, Tensorboard], BoardSpec]
"""Builds the launcher's spec of a board, as `SourceResolver.board_spec`. Raises LaunchError if a source is denied."""

log = logging.getLogger(__name__)


class KindReconciler(Protocol):
    """Passes over another kind of things that run, as `job_reconcile.JobReconciler`."""

    is_any_starting: bool

    def step(self, now: float) -> None:
        """Runs one pass and waits for all that it starts."""

    def run_pass(self, now: float) -> object:
        """Runs one pass. Raises DatabaseError."""

    def delete_expired(self, now: float) -> None:
        """Deletes what is past its retention. Raises DatabaseError, OSError."""

    def close(self) -> None:
        """Waits for tasks in progress."""


class Reconciler:
    """The reconcile loop of one replica, by default of this process. `kinds` have a pass after each one over boards.

    `step` runs one full pass, `run` loops until `close`. `wake` starts a pass early and may be called from any thread.
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
        self._full_pass_requested = threading.Event()
        self._closed = threading.Event()
        self._is_any_starting = False
        self.kinds: list[KindReconciler] = []

    # Running

    def wake(self) -> None:
        """Starts the next pass early, because the database has changed."""
        self._awake.set()

    def on_launcher_change(self) -> None:
        """Called by the launcher when the state of any board has changed."""
        self._full_pass_requested.set()
        self._awake.set()

    def run(self) -> None:
        """Runs passes until `close`. Errors are logged and the pass is retried."""
        self._database.listeners.append(lambda _commit: self.wake())
        self._launcher.on_change = self.on_launcher_change
        full_at = retire_at = 0.0
        while not self._closed.is_set():
            self._awake.clear()
            started = time.monotonic()
            full = started >= full_at or self._full_pass_requested.is_set()
            self._full_pass_requested.clear()
            try:
                if full:
                    self.release_dead_leases()
                self.run_pass(self._clock(), full=full)
                if started >= retire_at:
                    self.delete_expired(self._clock())
                    retire_at = started + RETIRE_SECS
            except Exception as error:
                if not self._closed.is_set():
                    self._log_error("a pass failed", error)
            for kind in self.kinds:
                self._run_pass_of(kind)
            if full:
                full_at = started + FULL_PASS_SECS
            self._rest()
        self._release()

    def _run_pass_of(self, kind: KindReconciler) -> None:
        try:
            kind.run_pass(self._clock())
        except Exception as error:  # retried in the next pass
            if not self._closed.is_set():
                self._log_error("a pass failed", error)

    def _rest(self) -> None:
        self._closed.wait(SOON_SECS / 5)  # combine changes that come together into one pass
        soon = self._is_any_starting or any(kind.is_any_starting for kind in self.kinds)
        self._awake.wait(SOON_SECS if soon else PASS_SECS)

    def close(self) -> None:
        """Ends `run` and waits for tasks in progress. Boards keep running for the replica that takes over."""
        self._closed.set()
        self._awake.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for kind in self.kinds:
            kind.close()

    def release_dead_leases(self) -> None:
        """Releases the leases of replicas that died on this machine, so that they need not expire."""
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

    def delete_expired(self, now: float) -> None:
        """Deletes what is past its retention."""
        with self._database.write() as session:
            retention.delete_expired(session, now)
        for kind in self.kinds:
            kind.delete_expired(now)

    # One pass

    def step(self, now: float) -> None:
        """Runs one full pass and waits for all tasks that it starts."""
        for future in self.run_pass(now, full=True):
            future.result()
        for kind in self.kinds:
            kind.step(now)

    def run_pass(self, now: float, *, full: bool) -> list["Future[None]"]:
        """Runs one pass and returns the tasks it has started. Raises DatabaseError."""
        with self._database.write() as session:
            claimed = leases.claim(session, self._replica, now, LEASE_SECS, MAX_BOARDS, busy_only=not full)
        idle = [item for item in claimed if not self._is_busy(item.board.id)]
        self._is_any_starting = any(is_starting(item.board, now) for item in claimed)
        begun = [self._submit(item, now) for item in idle if self._is_due(item.board, now)]
        watched = [item for item in idle if full or self._is_observation_due(item.board, now)]
        watched = [item for item in watched if item.board.executor_ref and lifecycle.task(item.board) is Task.OBSERVE]
        if full:
            self._observed_at = {}
            self._retry_at = {change: at for change, at in self._retry_at.items() if is_awaited(at, now)}
        self._observed_at |= {item.board.id: now for item in watched}
        observations = self._launcher.observe([item.board.executor_ref for item in watched]) if watched else []
        states = [
            self.apply_observation(item, observation, now)
            for item, observation in zip(watched, observations, strict=True)
        ]
        self._store_states([state for state in states if state is not None], now)
        return begun

    def _is_due(self, board: Tensorboard, now: float) -> bool:
        """Whether to work on a board now. A change that the launcher refused is retried later."""
        retry_at = self._retry_at.get((board.id, board.spec_version), 0.0)
        return needs_work(board, now) and not is_awaited(retry_at, now)

    def _is_observation_due(self, board: Tensorboard, now: float) -> bool:
        """Whether to observe a board now. Running boards are observed at most once a second."""
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
        except Exception as error:  # retried in the next pass; other boards are not affected
            self._log_error(f"work on {board.id} failed", error)
        finally:
            self.wake()

    # Tasks

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
        # The board was stopped meanwhile, or another replica has started it: stop what was started here.
        self._launcher.stop(handle)
        if after.status in (Status.STOPPING, Status.DELETING) and not after.executor_ref:
            self._apply_event(after, lifecycle.BoardEnded(), now)

    def _stop(self, board: Tensorboard, now: float) -> None:
        handle = board.executor_ref or self._find_handle(board)
        if handle:
            self._launcher.stop(handle)
        self._apply_event(board, lifecycle.BoardEnded(), now)

    def _find_handle(self, board: Tensorboard) -> str:
        """The handle of a board whose start was requested by a replica that died before it stored the handle."""
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

    def apply_observation(self, item: ClaimedBoard, observation: Observation, now: float) -> ObservedState | None:
        """Applies the event that follows from an observation; without one, returns the state to store."""
        board, event = item.board, event_of(item, observation, now)
        if event is None:
            return observed_state_of(board, observation)
        if isinstance(event, lifecycle.StartFailed) or observation.phase is BoardPhase.FAILED:
            self._launcher.stop(board.executor_ref)
        self._apply_event(board, event, now)
        return None

    def _store_states(self, states: Iterable[ObservedState], now: float) -> None:
        changed_states = list(states)
        if changed_states:
            with self._database.write() as session:
                leases.store_states(session, changed_states, now)

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
    """Whether a task is due for a board that may take long."""
    match lifecycle.task(board):
        case Task.START:
            return lifecycle.may_start(board, now)
        case Task.OBSERVE:
            return board.spec_version != board.placed_version
        case Task.STOP | Task.REMOVE:
            return True
        case Task.NOTHING:
            return False


def is_awaited(retry_at: float, now: float) -> bool:
    """Whether the time of a retry is still to come. One that is further away is from before the clock was set back."""
    return now < retry_at <= now + FULL_PASS_SECS


def is_starting(board: Tensorboard, now: float) -> bool:
    """Whether a board may become Running at any moment, with a user waiting for it."""
    return board.status in (Status.PENDING, Status.CREATING) and now - board.status_since < SOON_FOR_SECS


def event_of(item: ClaimedBoard, observation: Observation, now: float) -> lifecycle.Event | None:
    """The event that follows from an observation of a board, or from time."""
    board = item.board
    match observation.phase:
        case BoardPhase.GONE:
            reason = NODE_LOST if item.lapsed_at is not None else observation.reason or "Error"
            return lifecycle.BoardLost(
                reason, observation.message, seen_at=item.lapsed_at, counted=item.lapsed_at is None
            )
        case BoardPhase.FAILED if board.status is Status.CREATING:
            return lifecycle.StartFailed(observation.reason or "Error", observation.message)
        case BoardPhase.FAILED:
            return lifecycle.BoardLost(observation.reason or "Error", observation.message)
        case BoardPhase.RUNNING if board.status is Status.CREATING:
            return lifecycle.BoardReady(observation.message)
    if item.owner_disabled:
        return lifecycle.StopRequested("AccountDisabled")
    return lifecycle.due_event(board, now)


def failed_start(error: LightboardError) -> lifecycle.Event:
    """The event that follows from a failed start."""
    reason = reason_of(error)
    return (
        lifecycle.BoardLost(reason, error_text(error))
        if reason in TRANSIENT_REASONS
        else lifecycle.StartFailed(reason, error_text(error))
    )


def reason_of(error: LightboardError) -> str:
    """The reason of an error, as one word."""
    return error.reason if isinstance(error, LaunchError) else "Error"


def error_text(error: LightboardError) -> str:
    """An error as one line beside a status."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def observed_state_of(board: Tensorboard, observation: Observation) -> ObservedState | None:
    """The state to store after observing a running board, None if it is unchanged."""
    if board.status is not Status.RUNNING or observation.phase not in (BoardPhase.RUNNING, BoardPhase.UNRESPONSIVE):
        return None
    changes = board.placed_version != board.spec_version
    stored = ObservedState(
        id=board.id,
        version=board.version,
        progress=board.progress,
        reason=None if changes else board.reason,
        message=None if changes else board.message,
        memory_bytes=board.memory_bytes,
        cpu_secs=board.cpu_secs,
    )
    observed = replace(
        stored,
        progress=progress_of(observation.progress) if observation.progress else board.progress,
        reason=None if changes else observation.reason or "Ready",
        message=None if changes else observation.message,
        memory_bytes=observation.memory_bytes,
        cpu_secs=observation.cpu_secs,
    )
    return None if observed == stored else observed


def progress_of(progress: ObservedProgress) -> Progress:
    """Progress in the form in which it is stored."""
    return Progress(
        runs=progress.runs,
        bytes_read=progress.bytes_read,
        bytes_total=progress.bytes_total,
        last_event_at=progress.last_event_time,
        loading=progress.loading,
    )
