"""Records when boards, tokens and logins were last used.

Uses are collected in memory and written every few seconds, because an open board sends many requests a second; the same
token or login is written once a minute. A crash loses a few seconds of activity.
"""

import asyncio
import contextlib
import threading

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LightboardError
from lightboard.hub.api.identity import LOGIN_SECS, Identity
from lightboard.hub.db import sessions, tensorboards, tokens
from lightboard.hub.db.engine import Database

FLUSH_SECS = 5.0
MIN_INTERVAL_SECS = 60.0
"""The interval between two writes for the same token or login."""


class Activity:
    """`record_board` and `record_identity` may be called from any thread."""

    def __init__(self, database: Database, pool: AsyncThreadPool) -> None:
        self._database = database
        self._pool = pool
        self._lock = threading.Lock()
        self._boards: dict[str, float] = {}
        self._tokens: dict[str, float] = {}
        self._logins: dict[str, tuple[float, float]] = {}
        self._used: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None

    def record_board(self, id: str, at: float) -> None:
        """Records that somebody uses a board."""
        with self._lock:
            self._boards[id] = at

    def record_identity(self, identity: Identity, at: float) -> None:
        """Records the use of a token or login. Using a login extends it."""
        with self._lock:
            if not self._is_due(identity.token or identity.digest, at):
                return
            if identity.token:
                self._tokens[identity.token] = at
            else:
                self._logins[identity.digest] = (at, at + LOGIN_SECS)

    def _is_due(self, key: str, at: float) -> bool:
        if at - self._used.get(key, -MIN_INTERVAL_SECS) < MIN_INTERVAL_SECS:
            return False
        self._used[key] = at
        return True

    def start(self) -> None:
        """Starts writing periodically, in the event loop."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Stops writing periodically. `flush` writes the rest."""
        if self._task:
            self._task.cancel()

    def flush(self) -> None:
        """Writes everything collected so far to the database."""
        with self._lock:
            latest = max(self._used.values(), default=0.0)
            self._used = {key: at for key, at in self._used.items() if latest - at < MIN_INTERVAL_SECS}
            boards, used, logins = self._boards, self._tokens, self._logins
            self._boards, self._tokens, self._logins = {}, {}, {}
        if boards or used or logins:
            with contextlib.suppress(LightboardError), self._database.write() as session:
                tensorboards.touch(session, boards)
                tokens.touch(session, used)
                sessions.touch(session, logins)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECS)
            await self._pool.call(self.flush)
