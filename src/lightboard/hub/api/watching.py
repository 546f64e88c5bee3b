"""Wakes those who watch when something has changed, here or at another replica of the hub, and ends what may not go on.

What was committed in this process is known at once; what others commit is looked for once a second, by one small
question for all, and only while anybody watches. A guard stands over each answer that is under way: whenever
somebody's access may have been narrowed, or its time is over, it asks whether the answer may still go on.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LightboardError
from lightboard.hub.db import changes
from lightboard.hub.db.engine import Database

LOOK_SECS = 1.0
SOON_SECS = 2.0
AGAIN_SECS = 1.0
"""After a check that failed, as when the database was away."""


class Guard:
    """Over one answer. `check` says until when it may go on (seconds since the epoch, None: no end); False ends it."""

    def __init__(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]], end: Callable[[], None]
    ) -> None:
        self.until = until
        self._check = check
        self._end = end
        self._rung = False
        self._asking: asyncio.Task[None] | None = None

    def ring(self) -> None:
        """Access may have changed: asks, once more if it is asking already."""
        self._rung = True
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    def close(self) -> None:
        """The answer is over."""
        if self._asking:
            self._asking.cancel()

    async def _ask(self) -> None:
        while self._rung:
            self._rung = False
            try:
                said = await self._check()
            except LightboardError:
                self._rung = True
                await asyncio.sleep(AGAIN_SECS)
                continue
            if said is False:
                self._end()
                return
            self.until = None if said is None else float(said)
        self._asking = None


class Watching:
    """Everything but `news` is called in the event loop. `clock` gives seconds since the epoch.

    `forget` is called when another replica has narrowed somebody's access.
    """

    def __init__(
        self, database: Database, pool: AsyncThreadPool, clock: Callable[[], float], forget: Callable[[], None]
    ) -> None:
        self._database = database
        self._pool = pool
        self._clock = clock
        self._forget = forget
        self._ears: set[asyncio.Event] = set()
        self._guards: set[Guard] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None
        self.closed = False

    def begin(self) -> None:
        """From now on."""
        self._loop = asyncio.get_running_loop()
        self._database.listeners.append(self.news)
        self._looking = self._loop.create_task(self._look())

    def news(self, commit: changes.Commit) -> None:
        """Something was committed; called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # closed a moment ago
                self._loop.call_soon_threadsafe(self._wake)
                if changes.touches_access(commit):
                    self._loop.call_soon_threadsafe(self._ring)

    def join(self) -> asyncio.Event:
        """An ear that is set whenever there may be news; whoever hears clears it."""
        ear = asyncio.Event()
        self._ears.add(ear)
        return ear

    def leave(self, ear: asyncio.Event) -> None:
        """No more."""
        self._ears.discard(ear)

    @contextlib.asynccontextmanager
    async def guarding(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]]
    ) -> AsyncIterator[asyncio.Timeout]:
        """What happens inside ends with TimeoutError once `check` says False; the timeout has then expired."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            # Once soon: what let it in may have been believed a moment longer than it was true.
            soon = self._clock() + SOON_SECS
            guard = Guard(min(until or soon, soon), check, lambda: limit.reschedule(loop.time()))
            self._guards.add(guard)
            try:
                yield limit
            finally:
                self._guards.discard(guard)
                guard.close()

    def close(self) -> None:
        """Everybody is woken to see that it is over."""
        self.closed = True
        if self._looking:
            self._looking.cancel()
        self._wake()

    def _wake(self) -> None:
        for ear in self._ears:
            ear.set()

    def _ring(self) -> None:
        for guard in list(self._guards):
            guard.ring()

    async def _look(self) -> None:
        seen = -1
        while True:
            await asyncio.sleep(LOOK_SECS)
            if self._ears or self._guards:
                with contextlib.suppress(LightboardError):  # the database is away; later
                    latest, narrowed = await self._pool.call(self._latest, seen)
                    if latest != seen:
                        seen = latest
                        self._wake()
                    if narrowed:
                        self._forget()
                        self._ring()
            now = self._clock()
            for guard in [each for each in self._guards if each.until is not None and each.until <= now]:
                guard.ring()

    def _latest(self, seen: int) -> tuple[int, bool]:
        with self._database.read() as session:
            return changes.latest(session), changes.access_changed_after(session, seen)
