"""The slow twin's way to read files by their paths, many at one call. Not here: what is in them."""

import os
import stat
from collections.abc import Sequence

from lightboard.events.crc32c import crc32c
from lightboard.events.reference import Decoder

_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

FileRead = tuple[int, int, int, int, int, int, int]


def read_files(items: Sequence[tuple[str, Decoder]], limit: int, sample_bytes: int) -> list[FileRead | None]:
    """See `decode.read_files`."""
    return [_read(path, decoder, limit, sample_bytes) for path, decoder in items]


def _read(path: str, decoder: Decoder, limit: int, sample_bytes: int) -> FileRead | None:
    try:
        fd = os.open(path, _OPEN)
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        consumed = decoder.read(fd, limit)
        sampled = min(sample_bytes, decoder.offset)
        head = crc32c(os.pread(fd, sampled, 0))
        tail = crc32c(os.pread(fd, sampled, decoder.offset - sampled))
        return consumed, status.st_size, status.st_mtime_ns, status.st_dev, status.st_ino, head, tail
    except OSError:
        return None
    finally:
        os.close(fd)
