"""A thread-safe LRU cache bounded in bytes. Concurrent requests for a key make its value once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Values by key. `size_of` returns the bytes of a value; the least recently used are dropped above `most_bytes`."""

    def __init__(self, most_bytes: int, size_of: Callable[[T], int]) -> None:
        self.most_bytes = most_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        """The number of values."""
        return len(self._values)

    def __contains__(self, key: Hashable) -> bool:
        """Whether there is a value of a key."""
        return key in self._values

    def find(self, key: Hashable) -> T | None:
        """The value of a key, if there is one."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made if missing. Concurrent calls wait for it. Exceptions of `make` are not cached."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key][0]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                found = self._values.get(key)
            if found is not None:
                return found[0]
            try:
                value = make()
                self._keep(key, value)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return value

    def measure(self, key: Hashable) -> None:
        """Count a value again that has grown, if it is still there."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return
            value, before = found
            self._values[key] = value, self._size_of(value)
            self._bytes += self._values[key][1] - before
            self._drop()

    def _keep(self, key: Hashable, value: T) -> None:
        size = self._size_of(value)
        with self._lock:
            self._values[key] = value, size
            self._bytes += size
            self._drop()

    def _drop(self) -> None:
        while self._bytes > self.most_bytes and len(self._values) > 1:
            _, (_, gone) = self._values.popitem(last=False)
            self._bytes -= gone
