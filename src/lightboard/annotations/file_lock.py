"""A lock on a file that excludes other processes. It is released when its holder is killed."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

TIMEOUT_SECS = 2.0
"""Processes hold the lock while they write one small file, so a longer wait means that one hangs."""

POLL_SECS = 0.01


@contextlib.contextmanager
def file_lock(path: str, timeout_secs: float = TIMEOUT_SECS) -> Iterator[None]:
    """Hold the lock of the file at `path`, which is created if missing.

    Raises:
        OSError: the file cannot be created.
        TimeoutError: another process still holds the lock after `timeout_secs`.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + timeout_secs
        while not try_lock(fd):
            if time.monotonic() > deadline:
                raise TimeoutError(None, "another process is writing and does not finish")
            time.sleep(POLL_SECS)
        yield
    finally:
        os.close(fd)  # releases the lock


def try_lock(fd: int) -> bool:
    """Lock without waiting, and return whether that worked. File systems without locks count as locked."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
