"""Notifies event streams of changes, made here or by another replica, and ends responses that have lost their access.

Commits of this process are known at once. Those of other replicas are polled for once a second, with one small query
for all subscribers. Every response in progress has a guard, which checks its access again whenever access may have
been reduced or its time is over.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.errors import LightboardError
from lightboard.hub.db import changes
from lightboard.hub.db.engine import Database

POLL_SECS = 1.0
FIRST_CHECK_SECS = 2.0
RETRY_SECS = 1.0
"""After a failed check, for example because the database was not available."""
NOTHING_SEEN = -1
"""Less than every cursor."""


class AccessGuard:
    """Guards one response. `check` returns its end (seconds since the epoch, None: no end), or False to end it now."""

    def __init__(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]], end: Callable[[], None]
    ) -> None:
        self.until = until
        self._check = check
        self._end = end
        self._recheck_due = False
        self._task: asyncio.Task[None] | None = None

    def recheck(self) -> None:
        """Checks access again; if a check is already running, once more after it."""
        self._recheck_due = True
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Cancels a running check, because the response is complete."""
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
    """Subscriptions and guards. All methods except `on_commit` must be called in the event loop.

    `clock` gives seconds since the epoch. `clear_caches` is called when another replica has reduced somebody's access.
    """

    def __init__(
        self, database: Database, pool: AsyncThreadPool, clock: Callable[[], float], clear_caches: Callable[[], None]
    ) -> None:
        self._database = database
        self._pool = pool
        self._clock = clock
        self._clear_caches = clear_caches
        self._subscriptions: set[asyncio.Event] = set()
        self._guards: set[AccessGuard] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._poll_task: asyncio.Task[None] | None = None
        self._seen = NOTHING_SEEN
        self.closed = False

    def start(self) -> None:
        """Listens to commits and starts polling."""
        self._loop = asyncio.get_running_loop()
        self._database.listeners.append(self.on_commit)
        self._poll_task = self._loop.create_task(self._poll())

    def on_commit(self, commit: changes.Commit) -> None:
        """Notifies subscribers of a commit. Called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                self._loop.call_soon_threadsafe(self._notify_all)
                if changes.touches_access(commit):
                    self._loop.call_soon_threadsafe(self._recheck_all)

    def subscribe(self) -> asyncio.Event:
        """An event that is set whenever something may have changed. The subscriber clears it."""
        subscription = asyncio.Event()
        self._subscriptions.add(subscription)
        return subscription

    def notify_when_available(self) -> None:
        """Notifies all subscribers at the next poll that reaches the database, because one could not.

        So it is one query a second that waits for the database, however many subscribers there are.
        """
        self._seen = NOTHING_SEEN

    def unsubscribe(self, subscription: asyncio.Event) -> None:
        """Removes a subscription."""
        self._subscriptions.discard(subscription)

    @contextlib.asynccontextmanager
    async def guard(
        self, until: float | None, check: Callable[[], Awaitable[float | bool | None]]
    ) -> AsyncIterator[asyncio.Timeout]:
        """Cancels its body with TimeoutError, and an expired timeout, once `check` returns False."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            # Check once early: the access was granted from a cache that may be out of date.
            first_check = self._clock() + FIRST_CHECK_SECS
            guard = AccessGuard(min(until or first_check, first_check), check, lambda: limit.reschedule(loop.time()))
            self._guards.add(guard)
            try:
                yield limit
            finally:
                self._guards.discard(guard)
                guard.close()

    def close(self) -> None:
        """Stops polling and wakes all subscribers, so that their streams end."""
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
        while True:
            await asyncio.sleep(POLL_SECS)
            if self._subscriptions or self._guards:
                with contextlib.suppress(LightboardError):  # the database is not available; retried in the next round
                    latest, narrowed = await self._pool.call(self._latest, self._seen)
                    if latest != self._seen:
                        self._seen = latest
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
