"""Helpers for local files: stat results and reading from descriptors."""

import os

from lightboard.storage.base import ObjectInfo

MAX_VISITS = 64
"""How often the same folder is listed under different names, because links can multiply paths exponentially."""


def info_of(path: str, status: os.stat_result) -> ObjectInfo:
    """The ObjectInfo of a stat result."""
    return ObjectInfo(path, status.st_size, status.st_mtime_ns, identity_of(status.st_dev, status.st_ino))


def identity_of(device: int, inode: int) -> str:
    """Identifies a file on this machine."""
    return f"{device}:{inode}"


def read_fd(fd: int, offset: int, length: int) -> bytes:
    """Up to `length` bytes from `offset` of an open file; fewer only at its end."""
    data = os.pread(fd, length, offset)
    if not data or len(data) == length:
        return data
    parts = [data]
    have = len(data)
    while have < length:
        data = os.pread(fd, length - have, offset + have)
        if not data:
            break
        parts.append(data)
        have += len(data)
    return b"".join(parts)
