"""The captures of a board, each read once for all requests."""

import threading
import time
import zlib
from collections.abc import Callable, Generator
from typing import TypeAlias

from lightboard.lru_cache import LruCache
from lightboard.query.capture_files import Capture
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.capture_listing import CaptureListing
from lightboard.query.capture_progress import CaptureProgress
from lightboard.query.capture_reading import CaptureReading
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.query.memory_store import MemoryStore
from lightboard.query.profiles import read_capture_files

MAX_CACHED_BYTES = 512 << 20
"""Limit of the captures in memory of one board. The last one is kept in any case."""

HELD_BYTES_PER_BYTE = 2
"""Estimated bytes held per byte of a file while it is read."""

CaptureKey: TypeAlias = tuple[str, str]
"""The name of a capture, and the key of its contents."""


class CaptureStore:
    """The captures among the assets of a board. Thread-safe."""

    def __init__(
        self,
        listing: CaptureListing,
        index: CaptureIndex | None = None,
        most_bytes: int = MAX_CACHED_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listing = listing
        self._index = index
        self.memory = MemoryStore()
        self._loaded: LruCache[LoadedCapture] = LruCache(most_bytes, lambda capture: capture.size_bytes)
        self._clock = clock
        self._lock = threading.Lock()
        self._readings: dict[CaptureKey, CaptureReading] = {}

    def captures(self) -> list[Capture]:
        """The captures, in the order of folders."""
        return self._listing.captures()

    def find(self, name: str) -> Capture:
        """The capture of this name. Raises NotFound."""
        return self._listing.find(name)

    def load(self, capture: Capture) -> Generator[int | None, None, LoadedCapture]:
        """The capture, read if it is not in memory. Yields an estimate of the bytes held before it reads.

        Raises Unshowable if nothing of it can be read, or if it is about memory alone.
        """
        key = capture.name, key_of(capture)
        found = self._loaded.find(key)
        if found is None:
            yield HELD_BYTES_PER_BYTE * capture.size_bytes
            found = yield from self._joined(capture, key, partial=False).whole()
        return found

    def load_so_far(self, capture: Capture) -> Generator[int | None, None, LoadedCapture]:
        """As `load`, but once a part of it was read, that part, while the rest is read on."""
        key = capture.name, key_of(capture)
        found = self._loaded.find(key)
        return found if found is not None else (yield from self._joined(capture, key, partial=True).so_far())

    def _joined(self, capture: Capture, key: CaptureKey, *, partial: bool) -> CaptureReading:
        """What reads it, which the caller has joined."""
        with self._lock:
            reading = self._readings.get(key)
            if reading is None or not reading.join(partial=partial):
                reading = self._readings[key] = self._new_reading(capture, key)
                reading.join(partial=partial)
            return reading

    def _new_reading(self, capture: Capture, key: CaptureKey) -> CaptureReading:
        def ends() -> None:
            with self._lock:
                if self._readings.get(key) is reading:
                    del self._readings[key]

        reading = CaptureReading(capture, lambda progress: self._read(capture, key, progress), ends, self._clock)
        return reading

    def _read(self, capture: Capture, key: CaptureKey, progress: CaptureProgress) -> LoadedCapture:
        loaded = LoadedCapture(capture, *read_capture_files(capture, self._index, progress))
        loaded.has_grown = lambda: self._loaded.measure(key)
        return self._loaded.get(key, lambda: loaded)


def key_of(capture: Capture) -> str:
    """A key of the contents of a capture, which changes when a file of it does."""
    infos = [(file.host, file.info) for file in capture.files]
    state = [(host, info.path, info.size, info.mtime_ns, info.identity) for host, info in infos]
    return f"{zlib.crc32(repr(state).encode('utf-8', 'surrogateescape')):08x}"
