"""Wakes those who watch when something has changed, here or at another replica of the hub.

What was committed in this process is known at once; what others commit is looked for once a second, by one small
question for all watchers, and only while there are any.
"""

import asyncio
import contextlib

from lightboard.asgi.pool import Pool
from lightboard.errors import LightboardError
from lightboard.hub.db import changes
from lightboard.hub.db.engine import Database

LOOK_SECS = 1.0


class Watching:
    """Everything but `news` is called in the event loop."""

    def __init__(self, database: Database, pool: Pool) -> None:
        self._database = database
        self._pool = pool
        self._ears: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None
        self.closed = False

    def begin(self) -> None:
        """From now on."""
        self._loop = asyncio.get_running_loop()
        self._database.listeners.append(self.news)
        self._looking = self._loop.create_task(self._look())

    def news(self, _commit: changes.Commit) -> None:
        """Something was committed; called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # closed a moment ago
                self._loop.call_soon_threadsafe(self._wake)

    def join(self) -> asyncio.Event:
        """An ear that is set whenever there may be news; whoever hears clears it."""
        ear = asyncio.Event()
        self._ears.add(ear)
        return ear

    def leave(self, ear: asyncio.Event) -> None:
        """No more."""
        self._ears.discard(ear)

    def close(self) -> None:
        """Everybody is woken to see that it is over."""
        self.closed = True
        if self._looking:
            self._looking.cancel()
        self._wake()

    def _wake(self) -> None:
        for ear in self._ears:
            ear.set()

    async def _look(self) -> None:
        seen = -1
        while True:
            await asyncio.sleep(LOOK_SECS)
            if self._ears:
                with contextlib.suppress(LightboardError):  # the database is away; later
                    latest = await self._pool.call(self._latest)
                    if latest != seen:
                        seen = latest
                        self._wake()

    def _latest(self) -> int:
        with self._database.read() as session:
            return changes.latest(session)
