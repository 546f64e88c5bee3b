"""Checks whether the hub can work. Results are cached for a short time."""

import threading
from collections.abc import Callable
from pathlib import Path

from lightboard.errors import DatabaseUnreachable, LightboardError
from lightboard.hub import data_directory
from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.base import Launcher

CACHE_SECS = 2.0
"""Anybody may send the request, and each check writes to the disk."""


class Readiness:
    """`problems` may be called from any thread. `directory` is the data directory."""

    def __init__(self, database: Database, launcher: Launcher, directory: Path, clock: Callable[[], float]) -> None:
        self._database = database
        self._launcher = launcher
        self._directory = directory
        self._clock = clock
        self._check_lock = threading.Lock()
        self._cached: tuple[float, list[str]] | None = None

    def problems(self) -> list[str]:
        """The problems that keep the hub from working, without paths or addresses; empty if it is ready.

        While one caller checks, others get the previous result.
        """
        if not self._check_lock.acquire(blocking=self._cached is None):
            return self._cached[1] if self._cached else []
        try:
            now = self._clock()
            if self._cached is None or not 0 <= now - self._cached[0] < CACHE_SECS:
                self._cached = (
                    now,
                    [
                        text
                        for text in (self._database_problem(), self._directory_problem(), self._worker_problem())
                        if text
                    ],
                )
            return self._cached[1]
        finally:
            self._check_lock.release()

    def _database_problem(self) -> str:
        try:
            self._database.check()
        except DatabaseUnreachable:
            return "the database does not respond"
        except LightboardError:
            return "the database is not writable, or has other tables"
        return ""

    def _directory_problem(self) -> str:
        try:
            data_directory.check_writable(self._directory)
        except OSError:
            return "the hub's folder is not writable"
        return ""

    def _worker_problem(self) -> str:
        try:
            self._launcher.warm()
        except LightboardError:
            return "no worker responds"
        return ""
