"""The temporary folder of a demo. It is removed at the end, or by the next demo if this one was killed."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "lightboard-demo-"
LOCK = ".lock"
"""Locked while the demo runs. The system releases the lock when the process ends, for whatever reason."""


class DemoFolder:
    """A new, empty folder at `path`. Folders of demos that were killed are removed first."""

    def __init__(self) -> None:
        remove_abandoned(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        # Lock the file before it gets its name, so that another demo cannot find it unlocked and remove the folder.
        unnamed = self.path / f"{LOCK}.new"
        self._lock = os.open(unnamed, os.O_RDWR | os.O_CREAT)
        try_lock(self._lock)
        unnamed.rename(self.path / LOCK)

    def remove(self) -> None:
        """Remove the folder and everything in it."""
        shutil.rmtree(self.path, ignore_errors=True)


def remove_abandoned(parent: Path) -> None:
    """Remove the folders in `parent` of demos that no longer run."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it belongs to another user, or was removed meanwhile
            lock = os.open(folder / LOCK, os.O_RDWR)
            try:
                if try_lock(lock):
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def try_lock(lock: int) -> bool:
    """Lock an open file without waiting. False if another process has locked it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
