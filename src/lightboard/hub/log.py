"""What the hub says on stderr: one line for each thing that happened, for people or as JSON.

Whoever writes a line gives names and values; secrets are never among them, and addresses come without their query.
"""

import json
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TextIO

from lightboard.hub.db.changes import Commit

TRACEBACK = "traceback"
"""The one field of several lines."""


class Log:
    """`log.say("request", method="GET", status=200)`. Safe to call from any thread."""

    def __init__(self, clock: Callable[[], float], *, as_json: bool = False, stream: TextIO | None = None) -> None:
        self._clock = clock
        self._as_json = as_json
        self._stream = stream
        self._lock = threading.Lock()

    def say(self, event: str, **fields: Any) -> None:
        """One line. A closed stream is no reason to stop serving."""
        at = datetime.fromtimestamp(self._clock(), UTC)
        line = json_line(at, event, fields) if self._as_json else readable_line(at, event, fields)
        with self._lock:
            try:
                print(line, file=self._stream or sys.stderr, flush=True)
            except (OSError, ValueError):
                return


def say_steps(log: Log, commit: Commit) -> None:
    """A line for each step that a TensorBoard has taken."""
    for step in commit.steps:
        now = step.transition
        fields = {"from": step.before, "to": now.status, "reason": now.reason, "message": now.message}
        log.say("step", id=step.id, **fields)


def json_line(at: datetime, event: str, fields: dict[str, Any]) -> str:
    """One object; the time as RFC 3339 in UTC."""
    return json.dumps({"at": at.isoformat(timespec="milliseconds"), "event": event, **fields}, ensure_ascii=True)


def readable_line(at: datetime, event: str, fields: dict[str, Any]) -> str:
    """Time, event and `name=value`, those without a value left out; control characters of strangers escaped."""
    told = [f"{name}={shown(value)}" for name, value in fields.items() if value not in ("", None) and name != TRACEBACK]
    lines = [" ".join([at.strftime("%H:%M:%S"), event, *told]), *str(fields.get(TRACEBACK, "")).splitlines()]
    return "\n    ".join(lines)


def shown(value: Any) -> str:
    """A value on one line, in quotes where it has spaces or worse."""
    text = str(value)
    return text if text.isprintable() and " " not in text else json.dumps(text)
