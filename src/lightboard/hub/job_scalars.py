"""Collects the scalars of jobs: of those that run every few seconds, and once more after the end of each.

A process reads the logs (`scalar_reader`), and a thread asks it for one job after another and stores what it finds. The
thread learns from commits which jobs run. While nothing changes in the logs of a job, they are looked at less often.
Between two rounds it rests for longer than the last one took, however many jobs write at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lightboard.errors import LaunchError, LightboardError
from lightboard.hub.db import changes, job_scalars, jobs
from lightboard.hub.db.engine import Database
from lightboard.hub.db.job_scalars import GONE, Progress
from lightboard.hub.resources.job_scalars import Reading, SavedLog
from lightboard.hub.resources.jobs import RESTING, Job
from lightboard.hub.scalar_reader.process import ScalarReader

SOON_SECS = 2.0
"""After a change in the logs of a job. Without one, the time grows up to IDLE_SECS."""
IDLE_SECS = 10.0
GROWTH = 1.5
RETRY_SECS = 10.0
MAX_RETRY_SECS = 600.0
MAX_FAILURES = 4
"""After so many, the logs of an ended job are read again only when the job changes or the hub is started."""
ROUND_SECS = 0.5
REST = 1.5
"""How much longer than a round the rest after it is: so at most two fifths of a processor are used."""
MAX_REST_SECS = 60.0
STEP_SECS = 5.0
"""After this time the thread rests, also if more is due."""
SHARE = 10
"""A job that has been read completely rests for so many times the time that it took."""
BATCH = 20
"""Jobs whose scalars are stored in one transaction."""
LINGER_SECS = 60.0
"""How long the process stays when no job runs."""

log = logging.getLogger(__name__)

FindFolder = Callable[[Job], str]
"""The real path of the log folder of a job, as `workloads.Workloads.log_folder`. Raises LaunchError."""


@dataclass
class Watch:
    """A job whose logs are read: `due` is when next, `pause` the time between two readings.

    `late`: it had ended before the hub was started, and others come first.
    """

    attempt: int
    ended: bool
    due: float = 0.0
    pause: float = SOON_SECS
    failures: int = 0
    folder: str = ""
    late: bool = False


class ScalarCollector:
    """`step` reads what is due, `run` loops until `close`. `clock` gives seconds since the epoch."""

    def __init__(
        self,
        database: Database,
        find_folder: FindFolder,
        refused: Sequence[str],
        reader: ScalarReader | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._find_folder = find_folder
        self._refused = refused
        self._reader = reader or ScalarReader()
        self._clock = clock
        self._watches: dict[str, Watch] = {}
        self._touched: set[str] = set()
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._idle_since = 0.0

    # The thread

    def start(self) -> None:
        """Starts the thread."""
        self._database.listeners.append(self.on_commit)
        self._thread = threading.Thread(target=self.run, name="job-scalars", daemon=True)
        self._thread.start()

    def on_commit(self, commit: changes.Commit) -> None:
        """Notes which jobs have changed. Called from any thread."""
        found = {change.target for change in commit.changed if change.kind == jobs.KIND}
        if found:
            with self._lock:
                self._touched |= found
            self._awake.set()

    def run(self) -> None:
        """Runs rounds until `close`. What fails is tried again."""
        loaded = False
        while not self._closed.is_set():
            self._awake.clear()
            began = time.monotonic()
            try:
                if not loaded:
                    self.load()
                    loaded = True
                self.step(self._clock())
            except LightboardError as error:
                log.warning("scalars of jobs: %s", error.message)
            except Exception:
                log.exception("scalars of jobs")
            rest = max(ROUND_SECS, min(MAX_REST_SECS, REST * (time.monotonic() - began)))
            if not self._closed.wait(rest):
                self._awake.wait(self._secs_to_next(self._clock()) if loaded else RETRY_SECS)

    def close(self) -> None:
        """Ends the thread and the process."""
        self._closed.set()
        self._awake.set()
        self._reader.kill()
        if self._thread is not None:
            self._thread.join()
        self._reader.close()

    def _secs_to_next(self, now: float) -> float | None:
        """The time until something is due; None for never."""
        due = [watch.due for watch in self._watches.values()]
        if self._reader.is_running and not due:
            due = [self._idle_since + LINGER_SECS]
        return max(0.0, min(due) - now) if due else None

    # Rounds

    def load(self) -> None:
        """Finds the jobs that run, and those whose logs were not read to the end before the hub was stopped."""
        with self._database.read() as session:
            found = job_scalars.unfinished(session)
        self._follow(found)
        for watch in self._watches.values():
            watch.late = watch.ended

    def step(self, now: float) -> None:
        """Reads logs that are due, for some seconds at most. Raises DatabaseError."""
        until = time.monotonic() + STEP_SECS
        self._follow_touched()
        due = [id for id, watch in self._watches.items() if watch.due <= now]
        due.sort(key=lambda id: (self._watches[id].late, self._watches[id].due))
        for first in range(0, len(due), BATCH):
            if self._closed.is_set() or time.monotonic() > until:
                break
            self._read_batch(due[first : first + BATCH], now)
        if self._watches:
            self._idle_since = now
        elif self._reader.is_running and now - self._idle_since >= LINGER_SECS:
            self._reader.close()

    def _follow_touched(self) -> None:
        with self._lock:
            touched, self._touched = self._touched, set()
        if touched:
            with self._database.read() as session:
                found = job_scalars.progress_of(session, touched)
            self._follow(found)

    def _follow(self, found: Iterable[Progress]) -> None:
        for id, status, attempt, read_attempt in found:
            if status in GONE or (status in RESTING and read_attempt == attempt):
                self._unfollow(id)
                continue
            watch = self._watches.get(id)
            if watch is None or watch.attempt != attempt:
                self._unfollow(id)  # the storage of the project may be another by now
                self._watches[id] = Watch(attempt, status in RESTING)
            elif status in RESTING and not watch.ended:
                watch.ended, watch.due = True, 0.0

    def _unfollow(self, id: str) -> None:
        if self._watches.pop(id, None):
            self._reader.forget(id)

    def _read_batch(self, ids: Sequence[str], now: float) -> None:
        readings, done = {}, set()
        for id in ids:
            if self._closed.is_set():
                break
            began = time.monotonic()
            readings[id] = self._read(id)
            if schedule(self._watches[id], readings[id], now, time.monotonic() - began):
                done.add(id)
        new = {id: each for id, each in readings.items() if id in done or is_new(each)}
        if new:
            self._store(new, done, now)
        for id in done:
            self._unfollow(id)

    def _read(self, id: str) -> Reading | str:
        """What is new in the logs of a job, or why they cannot be read."""
        watch = self._watches[id]
        try:
            if not watch.folder:
                with self._database.read() as session:
                    job = jobs.get(session, id)
                watch.folder = self._find_folder(job)
            return self._reader.read(id, watch.folder, self._refused, lambda: self._load(id))
        except LaunchError as error:
            return error.message

    def _load(self, id: str) -> SavedLog:
        with self._database.read() as session:
            return job_scalars.load(session, id)

    def _store(self, readings: Mapping[str, Reading | str], done: Collection[str], now: float) -> None:
        try:
            with self._database.write() as session:
                for id, reading in readings.items():
                    attempt = self._watches[id].attempt if id in done else 0
                    if isinstance(reading, str):
                        job_scalars.store_failure(session, id, reading, now)
                    else:
                        job_scalars.store(session, id, reading, now, read_attempt=attempt)
        except BaseException:
            for id in readings:  # the process is ahead of the database
                self._reader.forget(id)
            raise


def is_new(reading: Reading | str) -> bool:
    """Whether there is anything to store."""
    return isinstance(reading, str) or reading.files is not None


def schedule(watch: Watch, reading: Reading | str, now: float, took: float = 0.0) -> bool:
    """Sets when the logs of a job are read next. Returns whether nobody waits for that any more, as it has ended.

    `took` are the seconds of the reading: a job with very many files must not delay those of others.
    """
    if isinstance(reading, str):
        watch.failures += 1
        watch.due = now + min(MAX_RETRY_SECS, RETRY_SECS * 2.0 ** (watch.failures - 1))
        return watch.ended and watch.failures >= MAX_FAILURES
    watch.failures = 0
    if reading.more:
        watch.due = now
        return False
    watch.pause = SOON_SECS if reading.files is not None else min(IDLE_SECS, watch.pause * GROWTH)
    watch.due = now + max(watch.pause, SHARE * took)
    return watch.ended
