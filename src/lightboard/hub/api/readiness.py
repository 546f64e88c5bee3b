"""Whether the hub can do its work, looked at by whoever asks, though not more often than every second or two."""

import threading
from collections.abc import Callable
from pathlib import Path

from lightboard.errors import DatabaseUnreachable, LightboardError
from lightboard.hub import data_directory
from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.base import Launcher

REMEMBERED_SECS = 2.0
"""Anybody may ask, and each look writes to the disk."""


class Readiness:
    """`faults` may be asked from any thread. `directory` is the hub's own."""

    def __init__(self, database: Database, launcher: Launcher, directory: Path, clock: Callable[[], float]) -> None:
        self._database = database
        self._launcher = launcher
        self._directory = directory
        self._clock = clock
        self._looking = threading.Lock()
        self._found: tuple[float, list[str]] | None = None

    def faults(self) -> list[str]:
        """What keeps the hub from its work, in words that do not say where anything is; empty where it is ready.

        While one caller looks, the others get what was found before.
        """
        if not self._looking.acquire(blocking=self._found is None):
            return self._found[1] if self._found else []
        try:
            now = self._clock()
            if self._found is None or not 0 <= now - self._found[0] < REMEMBERED_SECS:
                self._found = (
                    now,
                    [text for text in (self._database_fault(), self._home_fault(), self._worker_fault()) if text],
                )
            return self._found[1]
        finally:
            self._looking.release()

    def _database_fault(self) -> str:
        try:
            self._database.check()
        except DatabaseUnreachable:
            return "the database does not answer"
        except LightboardError:
            return "the database cannot be written, or has other tables"
        return ""

    def _home_fault(self) -> str:
        try:
            data_directory.check_writable(self._directory)
        except OSError:
            return "the hub's folder cannot be written"
        return ""

    def _worker_fault(self) -> str:
        try:
            self._launcher.warm()
        except LightboardError:
            return "no worker answers"
        return ""
