"""A cache whose values expire, bounded in number."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Cached(Generic[V]):
    """A value, which may be None, and the monotonic time in seconds at which it was read."""

    value: V
    at: float


class ExpiringCache(Generic[K, V]):
    """Values by key, for `secs` seconds after they were read; the oldest are dropped above `most`.

    Threads may use it at the same time. A value may be made twice, since nobody waits for another.
    """

    def __init__(self, secs: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._secs = secs
        self._most = most
        self._clock = clock
        self._entries: OrderedDict[K, Cached[V]] = OrderedDict()

    def get(self, key: K) -> Cached[V] | None:
        """The value of a key, None if there is none or it has expired."""
        entry = self._entries.get(key)
        return entry if entry is not None and self._clock() - entry.at <= self._secs else None

    def load(self, key: K, load: Callable[[], V]) -> V:
        """Calls `load` and keeps what it returns. Its age counts from the call, since it may be outdated by the end."""
        at = self._clock()
        value = load()
        self._entries[key] = Cached(value, at)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)
        return value

    def drop(self, condition: Callable[[K], bool]) -> None:
        """Drops the values of all keys that a condition holds for."""
        for key in [key for key in list(self._entries) if condition(key)]:
            self._entries.pop(key, None)

    def clear(self) -> None:
        """Drops all values."""
        self._entries.clear()
