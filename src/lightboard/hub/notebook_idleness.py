"""Stops notebooks that are not used, and knows before when each of them will be.

The servers of notebooks are asked now and then, and again when the time is over: none is stopped on what was known
before. Jupyter would stop itself as well, later (`notebook_server.idle_options`): for a hub that is not running.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from lightboard.errors import LaunchError
from lightboard.hub.db import jobs
from lightboard.hub.db.engine import Database
from lightboard.hub.job_lifecycle import StopRequested, idle_text
from lightboard.hub.notebook_activity import NotebookActivity
from lightboard.hub.resources.jobs import Job

IDLE = "IdleTimeout"
CHECK_SECS = 20.0
"""Between two questions to a server."""
THREADS = 4

log = logging.getLogger(__name__)

ReadActivity = Callable[[Job], NotebookActivity]
"""Asks the server of a notebook, as `notebook_activity.read_activity`. Raises LaunchError."""


@dataclass(frozen=True)
class Use:
    """Of one attempt of a notebook: it was last used at `used_at`, as its server said at `asked_at`, or is `busy`.

    `asked_at` is 0.0 if the server has said nothing yet.
    """

    attempt: int
    used_at: float
    asked_at: float = 0.0
    busy: bool = False

    def idle_at(self, job: Job) -> float | None:
        """When the notebook is stopped if nothing runs; None while something does, or if that is not known."""
        return None if self.busy or not self.asked_at else self.used_at + job.idle_secs

    def is_idle(self, job: Job) -> bool:
        """Whether it was idle for too long when its server was asked."""
        at = self.idle_at(job)
        return at is not None and at <= self.asked_at


class NotebookIdleness:
    """Passes over notebooks. `clock` gives seconds since the epoch; `wake` is called when a server has answered."""

    is_any_starting = False

    def __init__(
        self,
        database: Database,
        runner: str,
        read_activity: ReadActivity,
        clock: Callable[[], float] = time.time,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._runner = runner
        self._read_activity = read_activity
        self._clock = clock
        self._wake = wake
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="lightboard-notebooks")
        self._lock = threading.Lock()
        self._uses: dict[str, Use] = {}
        self._asked: dict[str, float] = {}
        self._busy: dict[str, Future[None]] = {}

    def idle_at(self, job: Job) -> float | None:
        """When a notebook that runs is stopped if nothing runs in it, as far as that is known. For any thread."""
        use = self._uses.get(job.id)
        return use.idle_at(job) if use and use.attempt == job.attempt and job.has_idle_stop else None

    def record_use(self, job: Job) -> None:
        """Notes that its owner changes something now, such as a file, without a kernel. For any thread."""
        with self._lock:
            use = self._uses.get(job.id)
            if use and use.attempt == job.attempt:
                self._uses[job.id] = replace(use, used_at=max(use.used_at, self._clock()))

    def step(self, now: float) -> None:
        """Runs one pass and waits for all answers."""
        for future in self.run_pass(now):
            future.result()

    def run_pass(self, now: float) -> list["Future[None]"]:
        """Stops what is idle, and asks the servers that are due. Returns the questions. Raises DatabaseError."""
        with self._database.read() as session:
            found = jobs.with_idle_stop(session, self._runner)
        self._follow(found)
        self._stop([job for job in found if self._uses[job.id].is_idle(job)], now)
        for job in found:
            if job.id not in self._busy and self._is_due(job, now):
                self._asked[job.id] = now
                self._busy[job.id] = self._pool.submit(self._ask, job)
        return list(self._busy.values())

    def delete_expired(self, now: float) -> None:
        """Nothing is stored."""

    def close(self) -> None:
        """Waits for questions. Notebooks keep running."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _follow(self, found: Iterable[Job]) -> None:
        """Forgets what does not run any more, and begins to know new attempts."""
        attempts = {job.id: job.attempt for job in found}
        with self._lock:
            kept = {id: use for id, use in self._uses.items() if attempts.get(id) == use.attempt}
            self._uses = {id: kept.get(id, Use(attempt, 0.0)) for id, attempt in attempts.items()}
        self._asked = {id: at for id, at in self._asked.items() if id in kept}
        self._busy = {id: future for id, future in self._busy.items() if not future.done()}

    def _is_due(self, job: Job, now: float) -> bool:
        asked = self._asked.get(job.id)
        if asked is None or not asked <= now < asked + CHECK_SECS:  # clocks may be set back
            return True
        idle_at = self._uses[job.id].idle_at(job)
        return idle_at is not None and asked < idle_at <= now

    def _ask(self, job: Job) -> None:
        try:
            said = self._read_activity(job)
        except LaunchError as error:  # as while it starts; asked again
            log.debug("%s: %s", job.id, error.message)
            return
        now = self._clock()
        with self._lock:
            use = self._uses.get(job.id)
            if use is None or use.attempt != job.attempt:
                return
            # A hub that has just been started does not know of kernels that have ended.
            used_at = max(use.used_at, said.used_at, job.started_at or 0.0, 0.0 if use.asked_at else said.active_at)
            self._uses[job.id] = Use(job.attempt, min(now, used_at), now, said.busy)
        self._wake()

    def _stop(self, idle: list[Job], now: float) -> None:
        if idle:
            with self._database.write() as session:
                for job in idle:
                    jobs.apply_event(session, job, StopRequested(IDLE, idle_text(job)), now)
