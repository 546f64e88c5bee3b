"""How often somebody may fail to log in: counted for the name they give and for the address they come from.

Counts live in this process: each replica of a hub counts for itself.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable

from lightboard.errors import TooMany

WINDOW_SECS = 300.0
MOST_BY_NAME = 10
MOST_BY_ADDRESS = 50
MOST_KEPT = 10_000


class Attempts:
    """Failures of the last five minutes. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: OrderedDict[tuple[str, str], list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str, name: str) -> None:
        """Raises TooMany when it is to wait, whether or not the password would be right."""
        now = self._clock()
        with self._lock:
            waits = [self._wait(key, most, now) for key, most in self._keys(address, name)]
        if wait := max(waits):
            raise TooMany("too many failed logins", hint="wait some minutes, then try again", retry_secs=wait)

    def failed(self, address: str, name: str) -> None:
        """One more failure."""
        now = self._clock()
        with self._lock:
            for key, _ in self._keys(address, name):
                self._failures.setdefault(key, []).append(now)
                self._failures.move_to_end(key)
            while len(self._failures) > MOST_KEPT:
                self._failures.popitem(last=False)

    def succeeded(self, address: str, name: str) -> None:
        """The right password: what was mistyped before is forgotten, for this name."""
        with self._lock:
            self._failures.pop((address, name.lower()), None)

    def _keys(self, address: str, name: str) -> tuple[tuple[tuple[str, str], int], ...]:
        return ((address, name.lower()), MOST_BY_NAME), ((address, ""), MOST_BY_ADDRESS)

    def _wait(self, key: tuple[str, str], most: int, now: float) -> float:
        recent = [at for at in self._failures.get(key, ()) if now - at < WINDOW_SECS]
        if recent:
            self._failures[key] = recent
        else:
            self._failures.pop(key, None)
        return WINDOW_SECS - (now - recent[-most]) if len(recent) >= most else 0.0
