"""What a descriptor or a stat says of a file of this machine."""

import os

from lightboard.storage.base import ObjectInfo

MAX_VISITS = 64
"""How often one real folder is listed under different names: links that cross each other multiply without end."""


def info_of(path: str, status: os.stat_result) -> ObjectInfo:
    """What a stat says of the file at `path`."""
    return ObjectInfo(path, status.st_size, status.st_mtime_ns, identity_of(status.st_dev, status.st_ino))


def identity_of(device: int, inode: int) -> str:
    """What tells a file from all others on this machine."""
    return f"{device}:{inode}"


def read_fd(fd: int, offset: int, length: int) -> bytes:
    """Up to `length` bytes from `offset` of an open file; fewer only where it ends."""
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
