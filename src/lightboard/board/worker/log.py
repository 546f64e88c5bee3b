"""What was said about one board: the last lines, each with its time in UTC."""

import threading
import time
from collections import deque
from collections.abc import Callable

MOST_LINES = 500
MOST_CHARACTERS = 2000
"""Longer lines are cut: names come from strangers."""


class Log:
    """A ring of lines. Any thread may write."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=MOST_LINES)

    def say(self, text: str) -> None:
        """Adds a line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        line = " ".join(text.split())[:MOST_CHARACTERS]
        with self._lock:
            self._lines.append(f"{at} {line}")

    def last(self, lines: int) -> list[str]:
        """The last of them, oldest first."""
        with self._lock:
            return list(self._lines)[-lines:] if lines > 0 else []
