"""Threads that several pools share: each does one turn of whoever is next, so that none waits for another's end.

Knows nothing of what a turn does. Threads come when there is something to do and go when there was nothing for long.
"""

import threading
from collections import deque
from collections.abc import Callable

Turn = Callable[[], None]

IDLE_SECS = 10.0
"""A thread without work waits so long before it goes."""


class Crew:
    """At most `threads` of them, named `name` and a number."""

    def __init__(self, threads: int, *, name: str = "lightboard-read", idle_secs: float = IDLE_SECS) -> None:
        self._wanted = threads
        self._name = name
        self._idle_secs = idle_secs
        self._turns: deque[Turn] = deque()
        self._threads: set[threading.Thread] = set()
        self._waiting = 0
        self._hired = 0
        self._stopped = False
        self._ready = threading.Condition()

    def call(self, turn: Turn) -> None:
        """Have `turn()` done once; what it raises is its own affair."""
        with self._ready:
            if self._stopped:
                return
            self._turns.append(turn)
            if self._waiting:
                self._ready.notify()
            if len(self._turns) > self._waiting and len(self._threads) < self._wanted:
                self._hire()

    def stop(self, timeout: float = 1.0) -> None:
        """Begin no more turns and let the threads go."""
        with self._ready:
            self._stopped = True
            self._turns.clear()
            self._ready.notify_all()
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout)

    def _hire(self) -> None:
        thread = threading.Thread(target=self._loop, name=f"{self._name}-{self._hired}", daemon=True)
        self._hired += 1
        self._threads.add(thread)
        thread.start()

    def _loop(self) -> None:
        while turn := self._next():
            turn()
            del turn  # what it belongs to may be gone before the next one comes

    def _next(self) -> Turn | None:
        with self._ready:
            if not self._turns and not self._stopped:
                self._waiting += 1
                self._ready.wait_for(lambda: self._turns or self._stopped, self._idle_secs)
                self._waiting -= 1
            if self._turns:
                return self._turns.popleft()
            self._threads.discard(threading.current_thread())
            return None
