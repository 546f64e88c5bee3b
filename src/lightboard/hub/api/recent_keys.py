"""Keys that were seen within some time, so that what happens often is recorded once."""

import time
from collections import OrderedDict
from collections.abc import Callable

MAX_KEPT = 10_000


class RecentKeys:
    """Keys of the last `secs` seconds, at most MAX_KEPT. `clock` is monotonic."""

    def __init__(self, secs: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._secs = secs
        self._clock = clock
        self._seen: OrderedDict[tuple[str, ...], float] = OrderedDict()

    def add(self, key: tuple[str, ...]) -> bool:
        """Adds a key; whether it is new. The time counts from when it was new."""
        now = self._clock()
        last = self._seen.get(key)
        if last is not None and now - last < self._secs:
            return False
        self._seen[key] = now
        self._seen.move_to_end(key)
        while len(self._seen) > MAX_KEPT:
            self._seen.popitem(last=False)
        return True
