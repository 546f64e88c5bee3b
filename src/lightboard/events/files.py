"""Reads many files in one call, in pure Python."""

import os
import stat
from collections.abc import Sequence

from lightboard.events.crc32c import crc32c
from lightboard.events.python_decoder import Decoder

_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

FileReadResult = tuple[int, int, int, int, int, int, int]


def read_files(
    items: Sequence[tuple[str | int, Decoder]], limit: int, sample_bytes: int
) -> list[FileReadResult | None]:
    """See `decode.read_files`."""
    return [_read(source, decoder, limit, sample_bytes) for source, decoder in items]


def _read(source: str | int, decoder: Decoder, limit: int, sample_bytes: int) -> FileReadResult | None:
    if isinstance(source, int):
        return _read_open(source, decoder, limit, sample_bytes)
    try:
        fd = os.open(source, _OPEN)
    except OSError:
        return None
    try:
        return _read_open(fd, decoder, limit, sample_bytes)
    finally:
        os.close(fd)


def _read_open(fd: int, decoder: Decoder, limit: int, sample_bytes: int) -> FileReadResult | None:
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        consumed = decoder.read(fd, limit)
        sample_size = min(sample_bytes, decoder.offset)
        head = crc32c(os.pread(fd, sample_size, 0))
        tail = crc32c(os.pread(fd, sample_size, decoder.offset - sample_size))
        return consumed, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino, head, tail
    except (OSError, OverflowError):  # invalid descriptor
        return None
