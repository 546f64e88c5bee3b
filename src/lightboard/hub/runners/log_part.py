"""A part of a log, as a runner returns it. Only the standard library is imported, as supervisors start fast."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LogLine:
    """A line of a log and when it was written, in seconds since the epoch.

    A `transient` line ended with a carriage return: a terminal shows the next line in its place, as progress bars do.
    """

    at: float
    text: str
    transient: bool = False


@dataclass(frozen=True, kw_only=True)
class LogPart:
    """Consecutive lines of a log. `cursor` is where to continue.

    `lost_bytes` before the first line were requested, but have been deleted because the log became too long.
    """

    lines: tuple[LogLine, ...]
    cursor: int
    lost_bytes: int = 0
