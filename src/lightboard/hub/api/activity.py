"""Records when boards, tokens and logins were last used.

Uses are collected in memory and written every few seconds, because an open board sends many requests a second; the same
token or login is written once a minute. A crash loses a few seconds of activity.
"""

import asyncio
import contextlib
import threading

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LightboardError
from lightboard.hub.db import sessions, tensorboards, tokens
from lightboard.hub.db.engine import Database

KEEP_SECS = 5.0
USED_SECS = 60.0
"""The interval between two writes for the same token or login."""


class Activity:
    """`board`, `token` and `login` may be called from any thread."""

    def __init__(self, database: Database, pool: AsyncThreadPool) -> None:
        self._database = database
        self._pool = pool
        self._lock = threading.Lock()
        self._boards: dict[str, float] = {}
        self._tokens: dict[str, float] = {}
        self._logins: dict[str, tuple[float, float]] = {}
        self._used: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None

    def board(self, id: str, at: float) -> None:
        """Records that somebody uses a board."""
        with self._lock:
            self._boards[id] = at

    def token(self, id: str, at: float) -> None:
        """Records the use of a token."""
        with self._lock:
            if self._is_news(id, at):
                self._tokens[id] = at

    def login(self, digest: str, at: float, until: float) -> None:
        """Records the use of a login, which extends it to `until`."""
        with self._lock:
            if self._is_news(digest, at):
                self._logins[digest] = (at, until)

    def _is_news(self, key: str, at: float) -> bool:
        if at - self._used.get(key, -USED_SECS) < USED_SECS:
            return False
        self._used[key] = at
        return True

    def begin(self) -> None:
        """Starts writing periodically, in the event loop."""
        self._task = asyncio.get_running_loop().create_task(self._go_on())

    def close(self) -> None:
        """Stops writing periodically. `keep` writes the rest."""
        if self._task:
            self._task.cancel()

    def keep(self) -> None:
        """Writes everything collected so far to the database."""
        with self._lock:
            latest = max(self._used.values(), default=0.0)
            self._used = {key: at for key, at in self._used.items() if latest - at < USED_SECS}
            boards, used, logins = self._boards, self._tokens, self._logins
            self._boards, self._tokens, self._logins = {}, {}, {}
        if boards or used or logins:
            with contextlib.suppress(LightboardError), self._database.write() as session:
                tensorboards.touch(session, boards)
                tokens.touch(session, used)
                sessions.touch(session, logins)

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(KEEP_SECS)
            await self._pool.call(self.keep)
