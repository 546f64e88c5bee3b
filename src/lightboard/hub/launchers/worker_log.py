"""The log file of a worker (its stderr). No two workers write to the same file."""

import fcntl
import itertools
import os
import socket
import threading
from pathlib import Path

MAX_BYTES = 4096
"""How much of the end is searched for the last line."""


class WorkerLog:
    """The first unlocked file of `worker.log`, `worker.2.log` and so on in `folder`, truncated.

    Replicas share the folder. The lock is inherited by the worker with `fd`, so it is held until both processes have
    ended. Raises OSError.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.fd, self.path = claim(folder)
        os.ftruncate(self.fd, 0)
        self._lock = threading.Lock()
        self._last_line: str | None = None

    def last_line(self) -> str:
        """The last non-empty line. After `close`, as it was then, because others may use the file now."""
        with self._lock:
            return self._read_last_line() if self._last_line is None else self._last_line

    def _read_last_line(self) -> str:
        try:
            start = max(0, os.fstat(self.fd).st_size - MAX_BYTES)
            lines = os.pread(self.fd, MAX_BYTES, start).decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Releases the file after the worker has ended."""
        with self._lock:
            self._last_line = self._read_last_line()
            os.close(self.fd)


def claim(folder: Path) -> tuple[int, Path]:
    """Locks a log file and returns its descriptor and path. Raises OSError."""
    for number in itertools.count(1):
        path = folder / ("worker.log" if number == 1 else f"worker.{number}.log")
        fd = opened(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
        except OSError:  # a file system without locks: use one file per machine
            os.close(fd)
            path = folder / f"worker.{socket.gethostname()}.log"
            return opened(path), path
        else:
            return fd, path
    raise AssertionError


def opened(path: Path) -> int:
    """Opens a log file for reading and appending. Raises OSError."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
