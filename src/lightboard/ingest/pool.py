"""Threads that work through items in order of urgency, visit by visit. Knows nothing of files."""

import threading
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Generic, TypeVar

from lightboard.ingest.crew import Crew

Item = TypeVar("Item")
Given = TypeVar("Given")
Result = TypeVar("Result")

Urgency = tuple[int, int]
"""(phase, minus size): lower first, so that in a phase the largest come first."""

Work = Callable[[Item], Urgency | None]
"""One visit of an item; the answer is the urgency of the next one, None when there is nothing left to do."""


Share = Callable[[Item], float]
"""How much of a lot an item fills: 1 and more for one that is visited alone."""


def alone(_item: object) -> float:
    """Every item is a lot."""
    return 1.0


class Pool(Generic[Item]):
    """Items wait in one queue; an item is never visited by two threads at once.

    A thread takes a lot at a time: the items that come next, as far as their `share`s do not exceed 1. If there are
    several, `ahead` is called with all of them before they are visited one by one.

    An item submitted while it is being visited is visited once more afterwards. With 0 threads nothing happens until
    somebody waits: the waiter then does the work itself. `crew` has the threads, its own unless several pools share
    them; a pool never keeps more than `threads` of it at work.
    """

    def __init__(
        self,
        work: Work[Item],
        threads: int,
        *,
        share: Share[Item] = alone,
        ahead: Callable[[list[Item]], None] = lambda _items: None,
        crew: Crew | None = None,
    ) -> None:
        self._work = work
        self._share = share
        self._ahead = ahead
        self._wanted = threads
        self._crew = crew or Crew(threads)
        self._own_crew = crew is None
        self._turns = 0
        self._heap: list[tuple[Urgency, int, Item]] = []
        self._queued: dict[Item, Urgency] = {}
        self._running: set[Item] = set()
        self._again: dict[Item, Urgency] = {}
        self._serial = 0
        self._stopped = False
        self._lock = threading.Lock()
        self._calm = threading.Condition(self._lock)

    def submit(self, item: Item, urgency: Urgency = (0, 0)) -> None:
        """Have `item` visited."""
        with self._lock:
            if self._stopped:
                return
            if item in self._running:
                self._again[item] = min(urgency, self._again.get(item, urgency))
            else:
                self._push(item, urgency)
            if self._turns < self._wanted:
                self._turns += 1
                self._crew.call(self._turn)

    @property
    def busy(self) -> bool:
        """Whether anything waits or is being visited."""
        return bool(self._queued or self._running)

    @property
    def last_one(self) -> bool:
        """Whether nothing waits and at most one visit goes on."""
        return not self._queued and len(self._running) <= 1

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything is done; False if time ran out or the pool was stopped."""
        if not self._wanted:
            while self._visit_lot(self._take(turn=False)):
                pass
            return not self._stopped
        with self._calm:
            return self._calm.wait_for(lambda: self._stopped or not self.busy, timeout) and not self._stopped

    def stop(self, timeout: float = 1.0) -> None:
        """Take no more work and let what goes on come to an end; what waits is forgotten."""
        with self._lock:
            self._stopped = True
            self._heap.clear()
            self._queued.clear()
            self._again.clear()
            self._calm.notify_all()
            if not self._own_crew:
                self._calm.wait_for(lambda: not self._running, timeout)
        if self._own_crew:
            self._crew.stop(timeout)

    def _push(self, item: Item, urgency: Urgency) -> None:
        waiting = self._queued.get(item)
        if waiting is not None and waiting <= urgency:
            return
        self._queued[item] = urgency
        self._serial += 1
        heappush(self._heap, (urgency, self._serial, item))

    def _turn(self) -> None:
        """One lot, in a thread of the crew; then the others who share it have theirs."""
        if self._visit_lot(self._take(turn=True)):
            self._crew.call(self._turn)

    def _take(self, *, turn: bool) -> list[Item]:
        with self._lock:
            lot = [] if self._stopped else self._next_lot()
            # In the same breath: what is submitted from now on finds that a turn is missing.
            self._turns -= turn and not lot
            return lot

    def _visit_lot(self, lot: list[Item]) -> bool:
        if len(lot) > 1:
            _guarded(self._ahead, lot)
        for item in lot:
            following: Urgency | None = None
            try:
                following = _guarded(self._work, item)
            finally:
                self._done(item, following)
        return bool(lot)

    def _next_lot(self) -> list[Item]:
        lot: list[Item] = []
        room = 1.0
        while self._heap and room > 0:
            urgency, _, item = self._heap[0]
            # An item that became more urgent lies in the heap twice; its later place is stale.
            if self._queued.get(item) == urgency:
                room -= self._share(item)
                if lot and room < 0:
                    break
                del self._queued[item]
                self._running.add(item)
                lot.append(item)
            heappop(self._heap)
        return lot

    def _done(self, item: Item, following: Urgency | None) -> None:
        with self._lock:
            self._running.discard(item)
            again = self._again.pop(item, None)
            if not self._stopped:
                for urgency in (following, again):
                    if urgency is not None:
                        self._push(item, urgency)
            if not self.busy:
                self._calm.notify_all()


def _guarded(work: Callable[[Given], Result], given: Given) -> Result | None:
    """One bad item must not cost the others their thread."""
    try:
        return work(given)
    except Exception as error:
        threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, None)))
        return None
