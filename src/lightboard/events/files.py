"""Reads many files in one call, in pure Python."""

import os
import stat
from collections.abc import Sequence

from lightboard.events.crc32c import crc32c
from lightboard.events.python_decoder import Decoder

_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

FileRead = tuple[int, int, int, int, int, int, int]


def read_files(items: Sequence[tuple[str | int, Decoder]], limit: int, sample_bytes: int) -> list[FileRead | None]:
    """See `decode.read_files`."""
    return [_read(place, decoder, limit, sample_bytes) for place, decoder in items]


def _read(place: str | int, decoder: Decoder, limit: int, sample_bytes: int) -> FileRead | None:
    if isinstance(place, int):
        return _read_open(place, decoder, limit, sample_bytes)
    try:
        fd = os.open(place, _OPEN)
    except OSError:
        return None
    try:
        return _read_open(fd, decoder, limit, sample_bytes)
    finally:
        os.close(fd)


def _read_open(fd: int, decoder: Decoder, limit: int, sample_bytes: int) -> FileRead | None:
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        consumed = decoder.read(fd, limit)
        sampled = min(sample_bytes, decoder.offset)
        head = crc32c(os.pread(fd, sampled, 0))
        tail = crc32c(os.pread(fd, sampled, decoder.offset - sampled))
        return consumed, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino, head, tail
    except (OSError, OverflowError):  # no descriptor has such a number
        return None
