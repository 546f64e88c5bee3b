"""For somebody whose logdir is empty: which folders nearby do hold runs. Bounded in folders and time; reads no file."""

import os
import time
from collections import deque
from collections.abc import Iterator

from lightboard.ingest.logdir import is_event_file
from lightboard.series.catalog import Nearby
from lightboard.storage.base import printable

MAX_LEVELS = 3
MAX_FOLDERS = 2000
MAX_SECS = 0.3
MAX_ANSWERS = 3


class _Budget:
    def __init__(self) -> None:
        self.folders = MAX_FOLDERS
        self.until = time.monotonic() + MAX_SECS

    def spend(self) -> bool:
        self.folders -= 1
        return self.folders >= 0 and time.monotonic() < self.until


def nearest(folder: str) -> list[Nearby]:
    """Up to three folders with runs, from the nearest level above `folder` that has any; most runs first."""
    budget = _Budget()
    below = os.path.abspath(folder)
    for _ in range(MAX_LEVELS):
        parent = os.path.dirname(below)
        # The top of the file system is everybody's: what lies there is no neighbour.
        if os.path.dirname(parent) == parent:
            break
        found = [Nearby(printable(path), runs) for path, runs in _around(parent, below, budget) if runs]
        if found:
            return sorted(found, key=lambda near: (-near.runs, near.path))[:MAX_ANSWERS]
        below = parent
    return []


def _around(parent: str, without: str, budget: _Budget) -> Iterator[tuple[str, int]]:
    folders, has_events = _look(parent)
    if has_events:
        yield parent, 1
    for path in folders:
        if path != without:
            yield path, _count(path, budget)


def _count(top: str, budget: _Budget) -> int:
    runs = 0
    pending = deque([top])
    while pending and budget.spend():
        folders, has_events = _look(pending.popleft())
        runs += has_events
        pending.extend(folders)
    return runs


def _look(path: str) -> tuple[list[str], bool]:
    """The folders in `path` that are neither hidden nor links, and whether it holds event files."""
    folders: list[str] = []
    has_events = False
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name != "node_modules":
                        folders.append(entry.path)
                elif is_event_file(entry.name):
                    has_events = True
    except OSError:
        pass
    return sorted(folders), has_events
