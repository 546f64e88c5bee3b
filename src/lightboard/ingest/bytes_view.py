"""One visit of one file: its state, ranges of its bytes, and decoding of its next bytes.

There are two implementations: with a descriptor, which the decoder reads itself, or with ranges. Nothing stays open
between visits, so ten thousand files do not need ten thousand descriptors.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from lightboard.events.decode import Decoder
from lightboard.storage.base import ObjectInfo, Storage
from lightboard.storage.files import info_of, read_fd


class BytesView(Protocol):
    """A file during one visit. `local`: another identity always means other bytes."""

    info: ObjectInfo
    local: bool

    def read_at(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end."""
        ...

    def advance(self, decoder: Decoder, limit: int) -> int:
        """Decode about `limit` of the next bytes. Returns how many were consumed."""
        ...


@contextmanager
def open_view(storage: Storage, path: str, *, min_bytes: int = 0) -> Iterator[BytesView]:
    """Open the file for a visit. Raises `OSError`, and `FileNotFoundError` if it is gone.

    Without descriptors, every read fetches at least `min_bytes`.
    """
    fd = storage.open_fd(path)
    if fd is None:
        yield _RangeView(storage, path, min_bytes)
        return
    try:
        yield _DescriptorView(fd, path)
    finally:
        os.close(fd)


class _DescriptorView:
    local = True

    def __init__(self, fd: int, path: str) -> None:
        self._fd = fd
        self.info = info_of(path, os.fstat(fd))

    def read_at(self, offset: int, length: int) -> bytes:
        return read_fd(self._fd, offset, length)

    def advance(self, decoder: Decoder, limit: int) -> int:
        return decoder.read(self._fd, limit)


class _RangeView:
    """Each read is a request. Fetched bytes are kept during the visit, and short reads fetch more."""

    local = False

    def __init__(self, storage: Storage, path: str, min_bytes: int) -> None:
        self._storage = storage
        self._path = path
        self._min_bytes = min_bytes
        self._start = 0
        self._data = b""
        self._ended = False
        self.info = storage.stat(path)

    def read_at(self, offset: int, length: int) -> bytes:
        if not self._holds(offset, length):
            wanted = max(length, self._min_bytes)
            self._data = self._storage.read(self._path, offset, wanted)
            self._start, self._ended = offset, len(self._data) < wanted
        at = offset - self._start
        return self._data[at : at + length] if at or length < len(self._data) else self._data

    def _holds(self, offset: int, length: int) -> bool:
        end = self._start + len(self._data)
        return self._start <= offset <= end and (self._ended or offset + length <= end) and bool(self._data)

    def advance(self, decoder: Decoder, limit: int) -> int:
        window = limit
        # Reading past the size at the beginning of the visit would only cost a request.
        while decoder.offset < self.info.size:
            data = self.read_at(decoder.offset, window)
            consumed = decoder.feed(data) if data else 0
            # The record is longer than the window, and is consumed only as a whole.
            if consumed or len(data) < window:
                return consumed
            window *= 4
        return 0
