"""Work on disks that may be slow or hang: few threads for each disk, and an end to everybody's waiting.

A thread that hangs in the kernel cannot be stopped. So each disk has a few threads, which hang alone, and they are
daemon threads, so that none of them keeps the hub from ending.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from lightboard.asgi.scheduler import settle
from lightboard.errors import NotReady, TooMany

EACH_DISK = 2
MOST_THREADS = 16
MOST_EACH = 4
"""Requests of one account under way."""
PATIENCE_SECS = 5.0

T = TypeVar("T")


class DiskThreads:
    """Called in the event loop."""

    def __init__(self, patience_secs: float = PATIENCE_SECS) -> None:
        self._patience_secs = patience_secs
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._running = 0
        self._waiting: Counter[str] = Counter()

    async def call(self, work: Callable[[], T], *, disk: str, account: str) -> T:
        """`work()` in a thread; its exceptions are raised here.

        Raises NotReady where the disk does not answer in time, TooMany where the account or the hub waits for too much.
        """
        if self._waiting[account] >= MOST_EACH:
            raise TooMany("too many folders are being read for this account", hint="try again in a moment")
        self._waiting[account] += 1
        try:
            async with asyncio.timeout(self._patience_secs):
                slots = self._slots.setdefault(disk, asyncio.Semaphore(EACH_DISK))
                await slots.acquire()
                # From here on the slot is the thread's: it is free when the thread has ended, whoever still waits.
                result: T = await self._begin(work, slots)
                return result
        except TimeoutError:
            raise NotReady("the folder does not answer", hint="its disk is slow or away: try again later") from None
        finally:
            self._waiting[account] -= 1
            if not self._waiting[account]:
                del self._waiting[account]

    def _begin(self, work: Callable[[], T], slots: asyncio.Semaphore) -> "asyncio.Future[Any]":
        if self._running >= MOST_THREADS:
            slots.release()
            raise TooMany("too many disks are slow", hint="try again in a moment")
        self._running += 1
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()

        def end(result: Any, error: BaseException | None) -> None:
            self._running -= 1
            slots.release()
            settle(future, result, error)

        def run() -> None:
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:  # raised again where it is waited for
                error = raised
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(end, result, error)

        threading.Thread(target=run, name="folders", daemon=True).start()
        return future
