"""The log of a job: read part by part, and attempt by attempt."""

import contextlib
import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Protocol

from lightboard.client.polling import print_status
from lightboard.client.session import Session


class HubReader(Protocol):
    """What logs are read with: a `Session`, or a `RetryingReader`."""

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON response to a GET request."""


Say = Callable[[str], None]
PART_BYTES = 256 << 10
"""Requested at once; parts end with a whole line."""


class FinalLines:
    """Drops transient lines that another line has replaced, as a terminal does with progress bars."""

    def __init__(self) -> None:
        self._transient = ""

    def add(self, lines: Sequence[Mapping[str, Any]]) -> list[str]:
        """The texts of those that stay. A transient last line is kept back."""
        if lines:
            self._transient = lines[-1]["text"] if lines[-1]["transient"] else ""
        return [line["text"] for line in lines if not line["transient"]]

    def end(self) -> list[str]:
        """The transient line that nothing has replaced, if there is one."""
        rest, self._transient = self._transient, ""
        return [rest] if rest else []


class JobLogReader:
    """Reads the log of one replica in one attempt from the beginning. `attempt` 0 is the last one.

    `path` is that of the log. `say` is told when a part of the log has been deleted before it could be read.
    """

    def __init__(self, hub: HubReader, path: str, rank: int, attempt: int, say: Say = print_status) -> None:
        self.attempt = attempt
        self.is_complete = False
        self._hub, self._path, self._rank, self._say = hub, path, rank, say
        self._cursor = 0
        self._lines = FinalLines()

    def read(self) -> Iterator[str]:
        """The lines that have been written since the last call, without a transient last one until the log is
        complete.
        """
        while not self.is_complete:
            before = self._cursor
            yield from self._lines.add(self._next_part())
            if self._cursor - before < PART_BYTES // 2:  # the end, as far as it has been written
                break
        if self.is_complete:
            yield from self.end()

    def end(self) -> list[str]:
        """The transient line at the current end of the log, if there is one."""
        return self._lines.end()

    def stream(self, session: Session, quiet_secs: float) -> Generator[list[str]]:
        """The lines that follow, as they are printed, until the log is complete or the stream ends.

        Yields none when nothing was printed for some time, so that callers can leave. Raises the errors of
        `Session.events`; another stream, or `read`, then goes on after the last line.
        """
        with contextlib.closing(session.events(f"{self._path}/stream", self._query(), quiet_secs=quiet_secs)) as events:
            for event in events:
                lines = [] if event is None else self._lines.add(self._take(json.loads(event.data)))
                yield [*lines, *self.end()] if self.is_complete else lines
                if self.is_complete:
                    return

    def _next_part(self) -> list[dict[str, Any]]:
        return self._take(self._hub.get(self._path, self._query()))

    def _query(self) -> dict[str, Any]:
        return {"attempt": self.attempt, "rank": self._rank, "cursor": self._cursor, "max_bytes": PART_BYTES}

    def _take(self, part: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The lines of a part of the log; the next request continues after them."""
        if part["lost_bytes"]:
            self._say(f"{part['lost_bytes']:,} bytes were deleted here, because the log became too long")
        self.attempt, self._cursor, self.is_complete = part["attempt"], part["cursor"], part["complete"]
        lines: list[dict[str, Any]] = part["lines"]
        return lines


def current_attempt(info: Mapping[str, Any]) -> int:
    """The attempt that runs or has run last; before the first one and after a restart, the one that comes next."""
    last: int = info["attempt"]
    return last + 1 if info["status"] == "Queued" else max(last, 1)
