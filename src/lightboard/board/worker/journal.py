"""What there is to say about logs that are being read, each thing once, to every board that shows them."""

import threading

from lightboard.board.worker.log import Log
from lightboard.board.worker.sources import Trouble
from lightboard.series.catalog import Catalog
from lightboard.types import Progress

MOST_FACTS = 200
"""A folder full of damage is worth no more lines; the board's own page lists all of it."""


class Journal:
    """Told facts by their keys; a fact that ended may be told again. Any thread may call."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._facts: dict[str, str] = {}
        self._logs: list[Log] = []

    def open(self, log: Log) -> None:
        """`log` is told what holds now, and from now on what comes."""
        with self._lock:
            self._logs.append(log)
            for line in self._facts.values():
                log.say(line)

    def close(self, log: Log) -> None:
        """`log` is told no more."""
        with self._lock:
            self._logs = [one for one in self._logs if one is not log]

    def note(self, key: str, line: str) -> None:
        """Tells `line`, unless that is what was told under this key before."""
        with self._lock:
            if self._facts.get(key) == line or (key not in self._facts and len(self._facts) > MOST_FACTS):
                return
            if key not in self._facts and len(self._facts) == MOST_FACTS:
                key, line = "more", "more could not be read; /api/v1/problems of the board lists all of it"
            self._facts[key] = line
            for log in self._logs:
                log.say(line)

    def note_once(self, key: str, line: str) -> None:
        """Tells `line`, unless anything was told under this key before."""
        if key not in self._facts:
            self.note(key, line)


def note_sources(journal: Journal, places: list[str], lost: dict[int, Trouble]) -> None:
    """Says of each place whether it can be read."""
    for number, place in enumerate(places):
        trouble = lost.get(number)
        journal.note(f"source {number}", trouble.message if trouble else f"reading {place}")


def note_problems(journal: Journal, catalog: Catalog, since: int) -> int:
    """Says what was skipped in runs that changed after generation `since`; the generation that this is about."""
    change = catalog.changes_since(since)
    changed = set(change.runs)
    for run in catalog.runs():
        if run.id in changed:
            for path, offset, length in run.damage():
                line = f"{path}: no good record at byte {offset}; {length} bytes skipped so far"
                journal.note_once(f"damage {path} {offset}", line)
    for path, reason in catalog.unreadable.items():
        journal.note(f"unreadable {path}", f"{path}: {reason}; skipped")
    return change.generation


def note_loaded(journal: Journal, progress: Progress, runs: int) -> None:
    """Says once how much there was at first."""
    if not progress.loading:
        megabytes = progress.bytes_read / 1e6
        journal.note_once("loaded", f"read {runs} runs in {progress.files} files, {megabytes:.1f} MB")
