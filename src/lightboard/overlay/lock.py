"""One process at a time: a lock on a file, given back also when its holder is killed."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

PATIENCE_SECS = 2.0
"""Holders write one small file; who waits longer than this waits for a process that hangs."""

LOOK_SECS = 0.01


@contextlib.contextmanager
def held(path: str, patience_secs: float = PATIENCE_SECS) -> Iterator[None]:
    """Holds the lock of the file at `path`, which is made if it is not there.

    Raises:
        OSError: the file cannot be made; TimeoutError: somebody else holds it and does not let go.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        give_up = time.monotonic() + patience_secs
        while not taken(fd):
            if time.monotonic() > give_up:
                raise TimeoutError(None, "another process is writing and does not finish")
            time.sleep(LOOK_SECS)
        yield
    finally:
        os.close(fd)  # gives the lock back


def taken(fd: int) -> bool:
    """Is the lock ours now? Where a file system has no locks there is nothing to wait for."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
