"""The log of one board: its last lines, each with its time in UTC."""

import threading
import time
from collections import deque
from collections.abc import Callable

MAX_LINES = 500
MAX_CHARACTERS = 2000
"""Limit of a line, since names in logs are untrusted."""


class Log:
    """A ring buffer of lines. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=MAX_LINES)

    def say(self, text: str) -> None:
        """Add a line."""
        timestamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        line = " ".join(text.split())[:MAX_CHARACTERS]
        with self._lock:
            self._lines.append(f"{timestamp} {line}")

    def last(self, lines: int) -> list[str]:
        """The last lines, oldest first."""
        with self._lock:
            return list(self._lines)[-lines:] if lines > 0 else []
