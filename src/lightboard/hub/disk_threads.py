"""Runs functions on disks that may hang, in a few daemon threads per disk.

A thread that hangs in the kernel cannot be stopped. With few threads per disk, a hanging disk does not affect others;
daemon threads do not keep the hub from exiting.
"""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Call(NamedTuple):
    disk: str
    function: Callable[[], Any]
    future: "Future[Any]"


class DiskThreads:
    """At most `each_disk` threads per disk and `total` in all. Thread-safe.

    Calls beyond that are queued. Callers limit how long they wait, and then cancel the future.
    """

    def __init__(self, each_disk: int, total: int) -> None:
        self._each_disk = each_disk
        self._total = total
        self._lock = threading.Lock()
        self._running: Counter[str] = Counter()
        self._completed: Counter[str] = Counter()
        self._queue: list[_Call] = []

    @property
    def busy(self) -> bool:
        """Whether all threads are in use."""
        return self._running.total() >= self._total

    def completed(self, disk: str) -> int:
        """How many calls on this disk have ended since it last had none: while that grows, the disk responds."""
        return self._completed[disk]

    def submit(self, disk: str, function: Callable[[], T]) -> "Future[T]":
        """Call `function()` in a thread of this disk. The future has its result or exception."""
        future: Future[T] = Future()
        with self._lock:
            self._queue.append(_Call(disk, function, future))
            self._start_threads()
        return future

    def _start_threads(self) -> None:
        """Start the queued calls for which there is a thread. The lock must be held."""
        waiting = []
        for call in self._queue:
            if call.future.cancelled():
                continue
            if self.busy or self._running[call.disk] >= self._each_disk:
                waiting.append(call)
                continue
            self._running[call.disk] += 1
            threading.Thread(target=self._run, args=(call,), name="disk", daemon=True).start()
        self._queue = waiting

    def _run(self, call: _Call) -> None:
        result, error = None, None
        started = call.future.set_running_or_notify_cancel()
        try:
            result = call.function() if started else None
        except BaseException as raised:  # raised again in the caller
            error = raised
        with self._lock:  # before the future is set, so that whoever waits for it finds a free thread
            self._running -= Counter((call.disk,))
            self._completed[call.disk] += 1
            if not self._running[call.disk] and all(other.disk != call.disk for other in self._queue):
                del self._completed[call.disk]
            self._start_threads()
        if started and error is not None:
            call.future.set_exception(error)
        elif started:
            call.future.set_result(result)
