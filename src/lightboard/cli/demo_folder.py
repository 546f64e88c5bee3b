"""The folder of a demo: gone when the demo ends, and if that was killed, when the next one begins."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "lightboard-demo-"
LOCK = ".lock"
"""Held as long as the demo lives; the system lets go of it whatever becomes of the process."""


class DemoFolder:
    """A new, empty folder at `path`; folders that killed demos left are removed first."""

    def __init__(self) -> None:
        remove_abandoned(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        # Held before it bears its name: nobody may find the folder unheld.
        unnamed = self.path / f"{LOCK}.new"
        self._lock = os.open(unnamed, os.O_RDWR | os.O_CREAT)
        take(self._lock)
        unnamed.rename(self.path / LOCK)

    def remove(self) -> None:
        """Removes the folder with all in it."""
        shutil.rmtree(self.path, ignore_errors=True)


def remove_abandoned(place: Path) -> None:
    """Removes the folders of demos that are no more."""
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # not ours to look at, or gone meanwhile
            lock = os.open(folder / LOCK, os.O_RDWR)
            try:
                if take(lock):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def take(lock: int) -> bool:
    """Takes the lock; False if somebody holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
