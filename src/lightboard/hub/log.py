"""The log of the hub on stderr: one line per event, as text or JSON.

Fields never contain secrets, and URLs come without their query.
"""

import json
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TextIO

from lightboard.hub.db.changes import Commit

TRACEBACK = "traceback"
"""The only field with several lines."""


class Log:
    """`log.write("request", method="GET", status=200)`. May be called from any thread."""

    def __init__(self, clock: Callable[[], float], *, as_json: bool = False, stream: TextIO | None = None) -> None:
        self._clock = clock
        self._as_json = as_json
        self._stream = stream
        self._lock = threading.Lock()

    def write(self, event: str, **fields: Any) -> None:
        """Writes one line. Errors of the stream are ignored."""
        at = datetime.fromtimestamp(self._clock(), UTC)
        line = json_line(at, event, fields) if self._as_json else readable_line(at, event, fields)
        with self._lock:
            try:
                print(line, file=self._stream or sys.stderr, flush=True)
            except (OSError, ValueError):
                return


def log_status_changes(log: Log, commit: Commit) -> None:
    """Writes a line for each status change of a TensorBoard."""
    for step in commit.steps:
        now = step.transition
        fields = {"from": step.before, "to": now.status, "reason": now.reason, "message": now.message}
        log.write("step", id=step.id, **fields)


def json_line(at: datetime, event: str, fields: dict[str, Any]) -> str:
    """A JSON object; the time as RFC 3339 in UTC."""
    return json.dumps({"at": at.isoformat(timespec="milliseconds"), "event": event, **fields}, ensure_ascii=True)


def readable_line(at: datetime, event: str, fields: dict[str, Any]) -> str:
    """Time, event and `name=value` for all fields with a value. Control characters are escaped."""
    parts = [
        f"{name}={shown(value)}" for name, value in fields.items() if value not in ("", None) and name != TRACEBACK
    ]
    lines = [" ".join([at.strftime("%H:%M:%S"), event, *parts]), *str(fields.get(TRACEBACK, "")).splitlines()]
    return "\n    ".join(lines)


def shown(value: Any) -> str:
    """A value on one line, quoted if it contains spaces or control characters."""
    text = str(value)
    return text if text.isprintable() and " " not in text else json.dumps(text)
