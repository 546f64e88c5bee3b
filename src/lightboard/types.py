"""Words shared by all layers: frozen, without behaviour."""

from typing import NamedTuple, TypeAlias

Step: TypeAlias = int
"""An int64 as the writer gave it."""

WallTime: TypeAlias = float
"""Seconds since the epoch."""


SOURCE_NOT_FOUND = "SourceNotFound"
ACCESS_DENIED = "AccessDenied"
UNREACHABLE = "Unreachable"
"""Why a place with logs cannot be read, in one word, as people and programs see it beside a status."""


class Damage(NamedTuple):
    """A range of bytes of an event file that held no good record and was skipped."""

    path: str
    offset: int
    length: int


class Progress(NamedTuple):
    """How far reading has come."""

    bytes_total: int
    bytes_read: int
    files: int
    files_done: int
    loading: bool
    scanned_files: int
    last_scan: float
