"""Chooses the worker of a board: one that has its sources already, else the one with the fewest boards. No I/O."""

import threading
from collections import Counter

from lightboard.hub.launchers.base import BoardSpec

SourceKey = tuple[tuple[str, str, str, str, tuple[str, ...]], ...]


class Placement:
    """Maps boards to workers, numbered from 0. May be called from any thread."""

    def __init__(self, workers: int) -> None:
        self._workers = range(workers)
        self._lock = threading.Lock()
        self._placed: dict[str, tuple[int, SourceKey]] = {}

    def choose(self, spec: BoardSpec) -> int:
        """The worker for a board; its current one if it has one."""
        with self._lock:
            if spec.id in self._placed:
                return self._placed[spec.id][0]
            key = key_of(spec)
            for worker, held in self._placed.values():
                if held == key:
                    return worker
            boards = Counter(worker for worker, _ in self._placed.values())
            return min(self._workers, key=lambda worker: boards[worker])

    def placed(self, spec: BoardSpec, worker: int) -> None:
        """Records that a worker has the board with these sources."""
        with self._lock:
            self._placed[spec.id] = worker, key_of(spec)

    def gone(self, id: str) -> None:
        """Records that no worker has the board."""
        with self._lock:
            self._placed.pop(id, None)

    def lost(self, worker: int) -> None:
        """Records that a worker has lost all its boards."""
        with self._lock:
            self._placed = {id: place for id, place in self._placed.items() if place[0] != worker}


def key_of(spec: BoardSpec) -> SourceKey:
    """Equal for boards that can share what was read. Credentials are not included: the worker compares them."""
    return tuple(
        (source.alias, source.url.rstrip("/"), source.include, source.exclude, source.roots) for source in spec.sources
    )
