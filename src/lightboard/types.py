"""Types shared by all layers, immutable and without behaviour."""

from typing import NamedTuple, TypeAlias

Step: TypeAlias = int
"""An int64, as written."""

WallTime: TypeAlias = float
"""Seconds since the epoch."""


SOURCE_NOT_FOUND = "SourceNotFound"
ACCESS_DENIED = "AccessDenied"
UNREACHABLE = "Unreachable"
"""Reasons why a source cannot be read, as shown next to a status."""
START_TIMEOUT = "StartTimeout"
"""The reason of a board that took too long to start."""


class Damage(NamedTuple):
    """A range of bytes of an event file that was damaged and skipped."""

    path: str
    offset: int
    length: int


class Progress(NamedTuple):
    """The progress of reading."""

    bytes_total: int
    bytes_read: int
    files: int
    files_done: int
    loading: bool
    scanned_files: int
    last_scan: float
