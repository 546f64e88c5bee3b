"""A few slots for what takes much memory; of those who wait it is the turn of the one that holds least."""

import asyncio
from collections import Counter
from collections.abc import Hashable


class Slots:
    """`total` of them, at most `each` for one holder. Belongs to the event loop."""

    def __init__(self, total: int, each: int) -> None:
        self._free = total
        self._each = each
        self._held: Counter[Hashable] = Counter()
        self._waiting: list[tuple[Hashable, asyncio.Future[None]]] = []

    async def acquire(self, holder: Hashable) -> None:
        """Returns when there is a slot; to be released."""
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
        """Give one back."""
        self._free += 1
        self._held[holder] -= 1
        if not self._held[holder]:
            del self._held[holder]
        self._grant()

    def _grant(self) -> None:
        while self._free:
            fit = [one for one in self._waiting if self._held[one[0]] < self._each and not one[1].done()]
            if not fit:
                return
            chosen = min(fit, key=lambda one: self._held[one[0]])
            self._waiting.remove(chosen)
            self._held[chosen[0]] += 1
            self._free -= 1
            chosen[1].set_result(None)
