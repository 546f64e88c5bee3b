"""Suggests folders with runs near an empty logdir. Limited in folders and time; opens no files."""

import os
import time
from collections import deque
from collections.abc import Iterator

from lightboard.ingest.logdir import is_event_file
from lightboard.series.catalog import NearbyFolder
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


def suggest_folders(folder: str) -> list[NearbyFolder]:
    """Up to three folders with runs, from the closest parent of `folder` that has any; most runs first."""
    budget = _Budget()
    below = os.path.abspath(folder)
    for _ in range(MAX_LEVELS):
        parent = os.path.dirname(below)
        # Folders directly below the root of the file system are unrelated.
        if os.path.dirname(parent) == parent:
            break
        found = [NearbyFolder(printable(path), runs) for path, runs in _run_counts(parent, below, budget) if runs]
        if found:
            return sorted(found, key=lambda near: (-near.runs, near.path))[:MAX_ANSWERS]
        below = parent
    return []


def _run_counts(parent: str, without: str, budget: _Budget) -> Iterator[tuple[str, int]]:
    folders, has_events = _list_folder(parent)
    if has_events:
        yield parent, 1
    for path in folders:
        if path != without:
            yield path, _count_runs(path, budget)


def _count_runs(top: str, budget: _Budget) -> int:
    runs = 0
    pending = deque([top])
    while pending and budget.spend():
        folders, has_events = _list_folder(pending.popleft())
        runs += has_events
        pending.extend(folders)
    return runs


def _list_folder(path: str) -> tuple[list[str], bool]:
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
