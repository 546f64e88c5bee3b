"""Calls of functions as columns, and those that have not returned yet, by thread."""

import threading
import time
from array import array
from collections.abc import Iterator
from typing import Any

Frame = tuple[Any, int, int]
"""What is called, the index of its name, and when that began."""


class CallLog:
    """Records calls, in the order of their ends. Thread-safe.

    With `max_events` it is full, at `full_ns`. Calls that begin later are not
    recorded; those that run then still are.
    """

    def __init__(self, max_events: int) -> None:
        self.max_events = max_events
        self.full_ns: int | None = None
        self.thread_names: dict[int, str] = {}
        """The names of the threads that have called anything."""
        self._lock = threading.Lock()
        self._thread, self._begin_ns, self._duration_ns, self._name = array("Q"), array("q"), array("q"), array("q")
        self._names: dict[str, int] = {}
        self._open: dict[int, list[Frame]] = {}

    def name_index(self, name: str) -> int:
        """The index of a name."""
        return self._names.setdefault(name, len(self._names))

    def begin(self, called: Any, name: int) -> None:
        """A function is entered on this thread."""
        self._open.setdefault(threading.get_ident(), []).append((called, name, time.perf_counter_ns()))

    def end(self, called: Any) -> None:
        """A function is left on this thread, and with it those that it has called and that have not said so."""
        now, thread = time.perf_counter_ns(), threading.get_ident()
        frames = self._open.get(thread, [])
        if not any(frame[0] is called for frame in reversed(frames)):
            return  # it was entered before the recording began
        while frames:
            frame = frames.pop()
            self._add(thread, frame, now)
            if frame[0] is called:
                return

    def close(self, now: int) -> None:
        """End what has not returned."""
        for thread, frames in self._open.items():
            while frames:
                self._add(thread, frames.pop(), now)

    def _add(self, thread: int, frame: Frame, now: int) -> None:
        if thread not in self.thread_names and (found := threading._active.get(thread)):  # type: ignore[attr-defined]
            self.thread_names[thread] = found.name  # `current_thread` would make one up while a thread begins
        with self._lock:
            if self.full_ns is not None and frame[2] >= self.full_ns:
                return
            self._thread.append(thread)
            self._begin_ns.append(frame[2])
            self._duration_ns.append(now - frame[2])
            self._name.append(frame[1])
            if self.full_ns is None and len(self._name) >= self.max_events:
                self.full_ns = now

    def calls(self) -> Iterator[tuple[int, int, int, str]]:
        """The thread, begin, duration and name of each."""
        names = list(self._names)
        for thread, begin, duration, name in zip(
            self._thread, self._begin_ns, self._duration_ns, self._name, strict=True
        ):
            yield thread, begin, duration, names[name]
