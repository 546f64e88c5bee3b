"""A priority queue of items that threads visit until no work is left for them. Knows nothing about files."""

import threading
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Generic, TypeVar

from lightboard.ingest.thread_pool import ThreadPool

Item = TypeVar("Item")
Given = TypeVar("Given")
Result = TypeVar("Result")

Priority = tuple[int, int]
"""(phase, minus size), lowest first: within a phase the largest items come first."""

Visit = Callable[[Item], Priority | None]
"""Visits an item once. Returns the priority of its next visit, or None if the item is done."""


Weight = Callable[[Item], float]
"""The share of a batch that an item fills; an item of 1 or more is a batch by itself."""


def one_per_batch(_item: object) -> float:
    """Every item is a batch by itself."""
    return 1.0


class WorkQueue(Generic[Item]):
    """Items wait in one queue, and no item is visited by two threads at once.

    A thread takes a batch at a time: the next items whose weights together do not exceed 1. `prefetch` is called with
    a batch of several items before they are visited one by one.

    An item that is submitted during its visit is visited once more afterwards. With 0 threads, nothing happens until
    somebody calls `wait`, whose thread then does the work. Queues may share a `thread_pool`; each keeps at most
    `threads` of its threads busy.
    """

    def __init__(
        self,
        visit: Visit[Item],
        threads: int,
        *,
        weight: Weight[Item] = one_per_batch,
        prefetch: Callable[[list[Item]], None] = lambda _items: None,
        thread_pool: ThreadPool | None = None,
    ) -> None:
        self._visit = visit
        self._weight = weight
        self._prefetch = prefetch
        self._max_tasks = threads
        self._thread_pool = thread_pool or ThreadPool(threads)
        self._owns_thread_pool = thread_pool is None
        self._tasks = 0
        self._heap: list[tuple[Priority, int, Item]] = []
        self._queued: dict[Item, Priority] = {}
        self._running: set[Item] = set()
        self._again: dict[Item, Priority] = {}
        self._serial = 0
        self._stopped = False
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)

    def submit(self, item: Item, priority: Priority = (0, 0)) -> None:
        """Queue `item` for a visit."""
        with self._lock:
            if self._stopped:
                return
            if item in self._running:
                self._again[item] = min(priority, self._again.get(item, priority))
            else:
                self._push(item, priority)
            if self._tasks < self._max_tasks:
                self._tasks += 1
                self._thread_pool.submit(self._run_task)

    @property
    def busy(self) -> bool:
        """Whether any item is queued or being visited."""
        return bool(self._queued or self._running)

    @property
    def last_one(self) -> bool:
        """Whether no item is queued and at most one is being visited."""
        return not self._queued and len(self._running) <= 1

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all items are done. False if the time ran out or the queue was stopped."""
        if not self._max_tasks:
            while self._visit_batch(self._take(task=False)):
                pass
            return not self._stopped
        with self._idle:
            return self._idle.wait_for(lambda: self._stopped or not self.busy, timeout) and not self._stopped

    def stop(self, timeout: float = 1.0) -> None:
        """Discard what is queued, accept nothing more, and wait for the visits in progress."""
        with self._lock:
            self._stopped = True
            self._heap.clear()
            self._queued.clear()
            self._again.clear()
            self._idle.notify_all()
            if not self._owns_thread_pool:
                self._idle.wait_for(lambda: not self._running, timeout)
        if self._owns_thread_pool:
            self._thread_pool.stop(timeout)

    def _push(self, item: Item, priority: Priority) -> None:
        queued = self._queued.get(item)
        if queued is not None and queued <= priority:
            return
        self._queued[item] = priority
        self._serial += 1
        heappush(self._heap, (priority, self._serial, item))

    def _run_task(self) -> None:
        """Visit one batch in a thread of the pool, then let the other queues have their turn."""
        if self._visit_batch(self._take(task=True)):
            self._thread_pool.submit(self._run_task)

    def _take(self, *, task: bool) -> list[Item]:
        with self._lock:
            batch = [] if self._stopped else self._next_batch()
            # Under the same lock, so that whoever submits an item from now on knows that a task is missing.
            self._tasks -= task and not batch
            return batch

    def _visit_batch(self, batch: list[Item]) -> bool:
        if len(batch) > 1:
            _guarded(self._prefetch, batch)
        for item in batch:
            following: Priority | None = None
            try:
                following = _guarded(self._visit, item)
            finally:
                self._done(item, following)
        return bool(batch)

    def _next_batch(self) -> list[Item]:
        batch: list[Item] = []
        room = 1.0
        while self._heap and room > 0:
            priority, _, item = self._heap[0]
            # An item whose priority rose is in the heap twice; its later entry is stale.
            if self._queued.get(item) == priority:
                room -= self._weight(item)
                if batch and room < 0:
                    break
                del self._queued[item]
                self._running.add(item)
                batch.append(item)
            heappop(self._heap)
        return batch

    def _done(self, item: Item, following: Priority | None) -> None:
        with self._lock:
            self._running.discard(item)
            again = self._again.pop(item, None)
            if not self._stopped:
                for priority in (following, again):
                    if priority is not None:
                        self._push(item, priority)
            if not self.busy:
                self._idle.notify_all()


def _guarded(work: Callable[[Given], Result], given: Given) -> Result | None:
    """Report an exception instead of letting it end the thread, which other items need."""
    try:
        return work(given)
    except Exception as error:
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, None)))
        return None
