"""Messages about the files of a source, written once each to the log of every board that shows the source."""

import threading

from lightboard.board.worker.log import Log
from lightboard.board.worker.sources import Trouble
from lightboard.series.catalog import Catalog
from lightboard.types import Progress

MAX_MESSAGES = 200
"""Limit of messages. The board's own page lists all problems."""


class LogBuffer:
    """The current messages by key. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: dict[str, str] = {}
        self._logs: list[Log] = []

    def open(self, log: Log) -> None:
        """Write the current messages to `log`, and from now on each new one."""
        with self._lock:
            self._logs.append(log)
            for line in self._messages.values():
                log.say(line)

    def close(self, log: Log) -> None:
        """Write nothing more to `log`."""
        with self._lock:
            self._logs = [one for one in self._logs if one is not log]

    def note(self, key: str, line: str) -> None:
        """Write `line`, unless it is the current message of this key."""
        with self._lock:
            if self._messages.get(key) == line or (key not in self._messages and len(self._messages) > MAX_MESSAGES):
                return
            if key not in self._messages and len(self._messages) == MAX_MESSAGES:
                key, line = "more", "more could not be read; /api/v1/problems of the board lists all of it"
            self._messages[key] = line
            for log in self._logs:
                log.say(line)

    def note_once(self, key: str, line: str) -> None:
        """Write `line`, unless this key has a message."""
        if key not in self._messages:
            self.note(key, line)


def note_sources(log_buffer: LogBuffer, places: list[str], lost: dict[int, Trouble]) -> None:
    """Write for each place whether it can be read."""
    for number, place in enumerate(places):
        trouble = lost.get(number)
        log_buffer.note(f"source {number}", trouble.message if trouble else f"reading {place}")


def note_problems(log_buffer: LogBuffer, catalog: Catalog, since: int) -> int:
    """Says what was skipped in runs that changed after generation `since`; the generation that this is about."""
    change = catalog.changes_since(since)
    changed = set(change.runs)
    for run in catalog.runs():
        if run.id in changed:
            for path, offset, length in run.damage():
                line = f"{path}: no good record at byte {offset}; {length} bytes skipped so far"
                log_buffer.note_once(f"damage {path} {offset}", line)
    for path, reason in catalog.unreadable.items():
        log_buffer.note(f"unreadable {path}", f"{path}: {reason}; skipped")
    return change.generation


def note_loaded(log_buffer: LogBuffer, progress: Progress, runs: int) -> None:
    """Says once how much there was at first."""
    if not progress.loading:
        megabytes = progress.bytes_read / 1e6
        log_buffer.note_once("loaded", f"read {runs} runs in {progress.files} files, {megabytes:.1f} MB")
