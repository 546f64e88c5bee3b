"""What a worker says on stderr, in a file that no other worker writes, whichever hub has started it."""

import fcntl
import itertools
import os
import socket
import threading
from pathlib import Path

MOST_BYTES = 4096
"""So much of the end is looked at for the last line."""


class WorkerLog:
    """The first of `worker.log`, `worker.2.log` and so on in `folder` that nobody has, emptied.

    Replicas share the folder. Who has a file holds a lock on it, which the worker inherits with `fd`: it lasts until
    both have ended, however they end. Raises OSError.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.fd, self.path = claim(folder)
        os.ftruncate(self.fd, 0)
        self._lock = threading.Lock()
        self._last_line: str | None = None

    def last_line(self) -> str:
        """The last line that is not empty; after `close` as it was then, since others may have the file now."""
        with self._lock:
            return self._read_last_line() if self._last_line is None else self._last_line

    def _read_last_line(self) -> str:
        try:
            start = max(0, os.fstat(self.fd).st_size - MOST_BYTES)
            lines = os.pread(self.fd, MOST_BYTES, start).decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Gives the file up once the worker has ended."""
        with self._lock:
            self._last_line = self._read_last_line()
            os.close(self.fd)


def claim(folder: Path) -> tuple[int, Path]:
    """A descriptor of a file that is now ours, and its path. Raises OSError."""
    for number in itertools.count(1):
        path = folder / ("worker.log" if number == 1 else f"worker.{number}.log")
        fd = opened(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
        except OSError:  # a file system without locks: machines at least do not write over each other
            os.close(fd)
            path = folder / f"worker.{socket.gethostname()}.log"
            return opened(path), path
        else:
            return fd, path
    raise AssertionError


def opened(path: Path) -> int:
    """A descriptor that is read, and written at the end only. Raises OSError."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
