"""Messages about the files of a source, written once each to the log of every board that shows the source."""

import threading

from lightboard.board.worker.log import Log
from lightboard.board.worker.sources import SourceProblem
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
            self._logs = [other for other in self._logs if other is not log]

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


def note_sources(log_buffer: LogBuffer, locations: list[str], problems: dict[int, SourceProblem]) -> None:
    """Write for each source whether it can be read."""
    for number, location in enumerate(locations):
        problem = problems.get(number)
        log_buffer.note(f"source {number}", problem.message if problem else f"reading {location}")


def note_problems(log_buffer: LogBuffer, catalog: Catalog, since: int) -> int:
    """Write what was skipped in runs that changed after generation `since`, and return the current generation."""
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
    """Write once how much was read at the start."""
    if not progress.loading:
        megabytes = progress.bytes_read / 1e6
        log_buffer.note_once("loaded", f"read {runs} runs in {progress.files} files, {megabytes:.1f} MB")
