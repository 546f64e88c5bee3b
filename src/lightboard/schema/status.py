"""How the board and its reading are doing."""

from typing import Literal

from lightboard.schema.model import Answer, Number


class NearestFolder(Answer):
    """A folder near an empty logdir that does hold event files."""

    path: str
    runs: int


class Status(Answer):
    """One look at everything: what is served, how far reading has come, what could not be read.

    Times are seconds since the epoch, null while there is none; `nearest` is filled only when no run was found.
    `skipped_links` lead out of the folders that may be shown and are not followed.
    `console` is the page that lists this board among others, relative to its own; "" for a board on its own.
    """

    version: str
    title: str
    console: str
    logdir: str
    native: bool
    generation: int
    loading: bool
    bytes_total: int
    bytes_read: int
    files: int
    runs: int
    series: int
    points: int
    damaged_files: int
    scanned_files: int
    last_scan: Number | None
    last_event_wall_time: Number | None
    reload_secs: Number
    live: Literal["watch", "poll", "once"]
    live_reason: str
    nearest: list[NearestFolder]
    unreadable: list[str]
    skipped_links: int
