"""One capture that is read in a thread of its own, for all who ask for it, and what there is of it until it is read."""

import threading
import time
from collections.abc import Callable, Generator

from lightboard import cancellation
from lightboard.cancellation import Cancelled, CancelToken
from lightboard.query.capture_files import Capture
from lightboard.query.capture_progress import CaptureProgress, HostFile
from lightboard.query.loaded_capture import LoadedCapture

KEPT_SECS = 30.0
"""How long reading goes on after somebody was given a part, who is expected to ask again."""

WAIT_SECS = 0.01
"""How long a request keeps its thread before others may go on."""

SLOTS = threading.BoundedSemaphore(3)
"""Captures that are read at once, by all boards of the process: each may take a few hundred megabytes."""

SLOT_SECS = 0.2

Read = Callable[[CaptureProgress], LoadedCapture]


class CaptureReading:
    """Starts with the first who joins. Thread-safe.

    Who joins must then use `whole`, or `so_far` for a part. Reading ends at its next check for cancellation when nobody
    waits any more, and nobody was given a part within `KEPT_SECS`.
    """

    def __init__(
        self, capture: Capture, read: Read, ends: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`ends` is called when it has ended, before those who wait get to know."""
        self._capture = capture
        self._read = read
        self._ends = ends
        self._clock = clock
        self._changed = threading.Condition()
        self._token = ReadingToken(self)
        self._joined = self._watching = 0
        self._kept_until = -1.0
        self._is_abandoned = False
        self._part: LoadedCapture | None = None
        self._result: LoadedCapture | None = None
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._result is not None or self._error is not None

    def join(self, *, partial: bool) -> bool:
        """Wait for all of it, or a part. False if it was abandoned, so that another one has to be started."""
        with self._changed:
            if self._abandoned():
                return False
            self._joined += 1
            self._watching += partial
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lightboard-capture", daemon=True)
                self._thread.start()
            return True

    def whole(self) -> Generator[None, None, LoadedCapture]:
        """All of it. Yields to other work until that is there. Raises what reading it raises."""
        try:
            while not self._waited(lambda: self.is_over):
                yield None
        finally:
            self._leave()
        return self._found()

    def so_far(self) -> Generator[None, None, LoadedCapture]:
        """As `whole`, or what has been read of it if there is something."""
        try:
            while not self._waited(lambda: self.is_over or self._part is not None):
                yield None
            with self._changed:
                self._kept_until = self._clock() + KEPT_SECS
        finally:
            with self._changed:
                self._watching -= 1
            self._leave()
        return self._found()

    def check(self) -> None:
        """Raise Cancelled if nobody waits for it any more."""
        with self._changed:
            if self._abandoned():
                raise Cancelled

    def _waited(self, is_there: Callable[[], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(is_there, WAIT_SECS)

    def _leave(self) -> None:
        with self._changed:
            self._joined -= 1
            self._abandoned()

    def _abandoned(self) -> bool:
        """Whether nobody wants it, once for good. With the lock."""
        if not self._is_abandoned and self._thread and not self.is_over:
            self._is_abandoned = not self._joined and self._clock() >= self._kept_until
            if self._is_abandoned:
                self._token.cancel()
        return self._is_abandoned

    def _found(self) -> LoadedCapture:
        if self.is_over and self._thread:
            self._thread.join()  # it has nothing left to do
        if self._error is not None:
            raise self._error
        found = self._result or self._part
        assert found is not None
        return found

    def _is_watched(self) -> bool:
        return self._watching > 0 or self._clock() < self._kept_until

    def _publish(self, hosts: list[HostFile], problems: list[str], part: float) -> None:
        loaded = LoadedCapture(self._capture, hosts, problems, loaded=part)
        with self._changed:
            self._part = loaded
            self._changed.notify_all()

    def _run(self) -> None:
        cancellation.current.set(self._token)
        result: LoadedCapture | None = None
        error: BaseException | None = None
        try:
            while not SLOTS.acquire(timeout=SLOT_SECS):
                self.check()
            try:
                progress = CaptureProgress(self._capture, self._publish, self._is_watched, self._clock)
                result = self._read(progress)
            finally:
                SLOTS.release()
        except BaseException as raised:
            error = raised
        self._ends()
        with self._changed:
            self._result, self._error, self._part = result, error, None
            self._changed.notify_all()


class ReadingToken(CancelToken):
    """Cancelled when nobody waits for a reading any more."""

    __slots__ = ("_reading",)

    def __init__(self, reading: CaptureReading) -> None:
        super().__init__()
        self._reading = reading

    def check(self) -> None:
        """See CancelToken."""
        self._reading.check()
