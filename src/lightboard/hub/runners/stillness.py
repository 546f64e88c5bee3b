"""For how long something has not changed, by the clock of this process alone: clocks of other machines may differ."""

import threading
from collections.abc import Callable


class Stillness:
    """Remembers what was seen last, by name. May be used by any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def secs(self, name: str, value: float) -> float:
        """For how many seconds `value` has been the same; 0 if it is new."""
        now = self._clock()
        with self._lock:
            known, since = self._seen.get(name, (value, now))
            if known != value:
                since = now
            self._seen[name] = (value, since)
        return now - since

    def forget(self, prefix: str) -> None:
        """Forgets all names that begin so."""
        with self._lock:
            for name in [name for name in self._seen if name.startswith(prefix)]:
                del self._seen[name]
