"""One look at one file: its state, ranges of it, and its next bytes into a decoder.

Two kinds: by descriptor where the storage has them (the decoder reads by itself), by ranges elsewhere. A look is short:
nothing is kept open between visits, so ten thousand files need no ten thousand descriptors.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from lightboard.events.decode import Decoder
from lightboard.storage.base import ObjectInfo, Storage
from lightboard.storage.files import info_of, read_fd


class BytesView(Protocol):
    """A file as one visit sees it. `local`: another identity means other bytes for certain."""

    info: ObjectInfo
    local: bool

    def read_at(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end."""
        ...

    def advance(self, decoder: Decoder, limit: int) -> int:
        """Give the decoder about `limit` of the bytes that come next; how many it consumed."""
        ...


@contextmanager
def open_view(storage: Storage, path: str, *, least_bytes: int = 0) -> Iterator[BytesView]:
    """Look at the file. Raises `OSError`, `FileNotFoundError` where it is gone.

    Where there are no descriptors, no read fetches less than `least_bytes`.
    """
    fd = storage.open_fd(path)
    if fd is None:
        yield _RangeView(storage, path, least_bytes)
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
    """Each read is a request, so that what was fetched is kept while the look lasts, and short reads fetch more."""

    local = False

    def __init__(self, storage: Storage, path: str, least_bytes: int) -> None:
        self._storage = storage
        self._path = path
        self._least = least_bytes
        self._start = 0
        self._held = b""
        self._ended = False
        self.info = storage.stat(path)

    def read_at(self, offset: int, length: int) -> bytes:
        if not self._holds(offset, length):
            wanted = max(length, self._least)
            self._held = self._storage.read(self._path, offset, wanted)
            self._start, self._ended = offset, len(self._held) < wanted
        at = offset - self._start
        return self._held[at : at + length] if at or length < len(self._held) else self._held

    def _holds(self, offset: int, length: int) -> bool:
        end = self._start + len(self._held)
        return self._start <= offset <= end and (self._ended or offset + length <= end) and bool(self._held)

    def advance(self, decoder: Decoder, limit: int) -> int:
        window = limit
        # Beyond the end as it was when we looked, a server would only be asked to say so.
        while decoder.offset < self.info.size:
            data = self.read_at(decoder.offset, window)
            consumed = decoder.feed(data) if data else 0
            # A record longer than the window: nothing is consumed until all of it is there.
            if consumed or len(data) < window:
                return consumed
            window *= 4
        return 0
