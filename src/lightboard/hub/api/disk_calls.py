"""Awaits work on disks that may hang, with a timeout and a limit for each account."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from lightboard.errors import NotReady, TooMany
from lightboard.hub.disk_threads import DiskThreads

EACH_DISK = 2
MAX_THREADS = 16
MAX_EACH_ACCOUNT = 4
"""Concurrent calls of one account."""
TIMEOUT_SECS = 5.0

T = TypeVar("T")


class DiskCalls:
    """Must be used in the event loop."""

    def __init__(self, timeout_secs: float = TIMEOUT_SECS) -> None:
        self._timeout_secs = timeout_secs
        self._threads = DiskThreads(EACH_DISK, MAX_THREADS)
        self._pending: Counter[str] = Counter()

    async def call(self, function: Callable[[], T], *, disk: str, account: str) -> T:
        """Call `function()` in a thread and return its result or raise its exception.

        Raises NotReady if the disk does not respond in time, and TooMany if the account or the hub has too many pending
        calls.
        """
        if self._pending[account] >= MAX_EACH_ACCOUNT:
            raise TooMany("too many folders are being read for this account", hint="try again in a moment")
        if self._threads.busy:
            raise TooMany("too many disks are slow", hint="try again in a moment")
        self._pending[account] += 1
        try:
            # A call that is still queued after the timeout is cancelled; one that runs keeps its thread until it ends.
            future = asyncio.wrap_future(self._threads.submit(disk, function))
            async with asyncio.timeout(self._timeout_secs):
                return await future
        except TimeoutError:
            raise NotReady(
                "the folder does not respond", hint="its disk is slow or unavailable: try again later"
            ) from None
        finally:
            self._pending[account] -= 1
            if not self._pending[account]:
                del self._pending[account]
