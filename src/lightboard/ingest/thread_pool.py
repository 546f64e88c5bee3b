"""A pool of threads that several work queues share. Each thread runs one task at a time, in the order of submission.

Threads are started when there is work for them and end after `IDLE_SECS` without any.
"""

import threading
from collections import deque
from collections.abc import Callable

Task = Callable[[], None]

IDLE_SECS = 10.0
"""A thread ends after so many seconds without work."""


class ThreadPool:
    """At most `threads` threads, named `name` and a number."""

    def __init__(self, threads: int, *, name: str = "lightboard-read", idle_secs: float = IDLE_SECS) -> None:
        self._max_threads = threads
        self._name = name
        self._idle_secs = idle_secs
        self._tasks: deque[Task] = deque()
        self._threads: set[threading.Thread] = set()
        self._waiting = 0
        self._started = 0
        self._stopped = False
        self._ready = threading.Condition()

    def submit(self, task: Task) -> None:
        """Run `task()` once. Exceptions are not handled here."""
        with self._ready:
            if self._stopped:
                return
            self._tasks.append(task)
            if self._waiting:
                self._ready.notify()
            if len(self._tasks) > self._waiting and len(self._threads) < self._max_threads:
                self._start_thread()

    def stop(self, timeout: float = 1.0) -> None:
        """Discard the tasks that have not started, and end the threads."""
        with self._ready:
            self._stopped = True
            self._tasks.clear()
            self._ready.notify_all()
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._run, name=f"{self._name}-{self._started}", daemon=True)
        self._started += 1
        self._threads.add(thread)
        thread.start()

    def _run(self) -> None:
        while task := self._next():
            task()
            del task  # its owner may be discarded before the next task arrives

    def _next(self) -> Task | None:
        with self._ready:
            if not self._tasks and not self._stopped:
                self._waiting += 1
                self._ready.wait_for(lambda: self._tasks or self._stopped, self._idle_secs)
                self._waiting -= 1
            if self._tasks:
                return self._tasks.popleft()
            self._threads.discard(threading.current_thread())
            return None
