"""A cache of the least recently used kind, bounded in bytes; each value is made once however many ask for it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Things by key. `size_of` gives the bytes of one; beyond `most_bytes` those used longest ago go."""

    def __init__(self, most_bytes: int, size_of: Callable[[T], int]) -> None:
        self.most_bytes = most_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}
        self._things: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        """How many are held."""
        return len(self._things)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The thing of that key, made if it is not here; who asks meanwhile waits. What `make` raises is not kept."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return self._things[key][0]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                found = self._things.get(key)
            if found is not None:
                return found[0]
            try:
                thing = make()
                self._keep(key, thing)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return thing

    def _keep(self, key: Hashable, thing: T) -> None:
        size = self._size_of(thing)
        with self._lock:
            self._things[key] = thing, size
            self._bytes += size
            while self._bytes > self.most_bytes and len(self._things) > 1:
                _, (_, gone) = self._things.popitem(last=False)
                self._bytes -= gone
