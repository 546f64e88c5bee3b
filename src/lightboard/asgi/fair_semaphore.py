"""A semaphore that is fair between clients, for work that needs much memory."""

import asyncio
from collections import Counter
from collections.abc import Hashable


class FairSemaphore:
    """`total` slots, at most `each` for one holder. The holder with the fewest slots is next. For one event loop."""

    def __init__(self, total: int, each: int) -> None:
        self._free = total
        self._each = each
        self._slots: Counter[Hashable] = Counter()
        self._waiting: list[tuple[Hashable, asyncio.Future[None]]] = []

    async def acquire(self, holder: Hashable) -> None:
        """Wait for a slot, which must be released."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((holder, granted))
        self._grant()
        try:
            await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._waiting.remove((holder, granted))
            else:
                self.release(holder)
            raise

    def release(self, holder: Hashable) -> None:
        """Release a slot."""
        self._free += 1
        self._slots[holder] -= 1
        if not self._slots[holder]:
            del self._slots[holder]
        self._grant()

    def _grant(self) -> None:
        while self._free:
            eligible = [
                (holder, granted)
                for holder, granted in self._waiting
                if self._slots[holder] < self._each and not granted.done()
            ]
            if not eligible:
                return
            holder, granted = min(eligible, key=lambda waiter: self._slots[waiter[0]])
            self._waiting.remove((holder, granted))
            self._slots[holder] += 1
            self._free -= 1
            granted.set_result(None)
