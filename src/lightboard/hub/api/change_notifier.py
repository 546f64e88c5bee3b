"""Wakes those who watch when something has changed, here or at another replica of the hub, and ends what may not go on.

What was committed in this process is known at once; what others commit is looked for once a second, by one small
question for all, and only while anybody watches. A guard stands over each answer that is under way: whenever
somebody's access may have been narrowed, or its time is over, it asks whether the answer may still go on.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from lightboard.asgi.pool import Pool
from lightboard.errors import LightboardError
from lightboard.hub.db import changes
from lightboard.hub.db.engine import Database

POLL_SECS = 1.0
FIRST_CHECK_SECS = 2.0
RETRY_SECS = 1.0
"""After a check that failed, as when the database was away."""


class AccessGuard:
    """Over one answer. `check` says until when it may go on (seconds since the epoch, None: no end); False ends it."""

    def __init__(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]], end: Callable[[], None]
    ) -> None:
        self.until = until
        self._check = check
        self._end = end
        self._recheck_due = False
        self._task: asyncio.Task[None] | None = None

    def recheck(self) -> None:
        """Access may have changed: asks, once more if it is asking already."""
        self._recheck_due = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """The answer is over."""
        if self._task:
            self._task.cancel()

    async def _run(self) -> None:
        while self._recheck_due:
            self._recheck_due = False
            try:
                result = await self._check()
            except LightboardError:
                self._recheck_due = True
                await asyncio.sleep(RETRY_SECS)
                continue
            if result is False:
                self._end()
                return
            self.until = None if result is None else float(result)
        self._task = None


class ChangeNotifier:
    """Everything but `news` is called in the event loop. `clock` gives seconds since the epoch.

    `forget` is called when another replica has narrowed somebody's access.
    """

    def __init__(
        self, database: Database, pool: Pool, clock: Callable[[], float], clear_caches: Callable[[], None]
    ) -> None:
        self._database = database
        self._pool = pool
        self._clock = clock
        self._clear_caches = clear_caches
        self._subscriptions: set[asyncio.Event] = set()
        self._guards: set[AccessGuard] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._poll_task: asyncio.Task[None] | None = None
        self.closed = False

    def start(self) -> None:
        """From now on."""
        self._loop = asyncio.get_running_loop()
        self._database.listeners.append(self.on_commit)
        self._poll_task = self._loop.create_task(self._poll())

    def on_commit(self, commit: changes.Commit) -> None:
        """Something was committed; called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # closed a moment ago
                self._loop.call_soon_threadsafe(self._notify_all)
                if changes.touches_access(commit):
                    self._loop.call_soon_threadsafe(self._recheck_all)

    def subscribe(self) -> asyncio.Event:
        """An ear that is set whenever there may be news; whoever hears clears it."""
        subscription = asyncio.Event()
        self._subscriptions.add(subscription)
        return subscription

    def unsubscribe(self, subscription: asyncio.Event) -> None:
        """No more."""
        self._subscriptions.discard(subscription)

    @contextlib.asynccontextmanager
    async def guard(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]]
    ) -> AsyncIterator[asyncio.Timeout]:
        """What happens inside ends with TimeoutError once `check` says False; the timeout has then expired."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            # Once soon: what let it in may have been believed a moment longer than it was true.
            first_check = self._clock() + FIRST_CHECK_SECS
            guard = AccessGuard(min(until or first_check, first_check), check, lambda: limit.reschedule(loop.time()))
            self._guards.add(guard)
            try:
                yield limit
            finally:
                self._guards.discard(guard)
                guard.close()

    def close(self) -> None:
        """Everybody is woken to see that it is over."""
        self.closed = True
        if self._poll_task:
            self._poll_task.cancel()
        self._notify_all()

    def _notify_all(self) -> None:
        for subscription in self._subscriptions:
            subscription.set()

    def _recheck_all(self) -> None:
        for guard in list(self._guards):
            guard.recheck()

    async def _poll(self) -> None:
        seen = -1
        while True:
            await asyncio.sleep(POLL_SECS)
            if self._subscriptions or self._guards:
                with contextlib.suppress(LightboardError):  # the database is away; later
                    latest, narrowed = await self._pool.call(self._latest, seen)
                    if latest != seen:
                        seen = latest
                        self._notify_all()
                    if narrowed:
                        self._clear_caches()
                        self._recheck_all()
            now = self._clock()
            for guard in [each for each in self._guards if each.until is not None and each.until <= now]:
                guard.recheck()

    def _latest(self, seen: int) -> tuple[int, bool]:
        with self._database.read() as session:
            return changes.latest(session), changes.access_changed_after(session, seen)
