"""Starts a worker for boards in advance, when somebody opens the console: the first board then starts quickly.

A hub of which nobody sees the console, because it runs jobs for programs, starts none before there is a board.
"""

import contextlib

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LightboardError
from lightboard.hub.launchers.base import Launcher


class WorkerPrestart:
    """Starts a worker at the first request. Its errors are reported when the worker is needed. Not thread-safe."""

    def __init__(self, launcher: Launcher, pool: AsyncThreadPool) -> None:
        self._launcher = launcher
        self._pool = pool
        self._requested = False

    def request(self) -> None:
        """Start it in a thread, unless that was requested before."""
        if not self._requested:
            self._requested = True
            self._pool.run(self._start)

    def _start(self) -> None:
        with contextlib.suppress(LightboardError):
            self._launcher.warm()
