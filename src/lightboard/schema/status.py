"""The state of a board and of its reader."""

from typing import Literal

from lightboard.schema.model import Number, ResponseModel


class NearestFolder(ResponseModel):
    """A folder near an empty logdir that contains event files."""

    path: str
    runs: int


class Status(ResponseModel):
    """The logdir, the progress of reading, and what could not be read.

    Times are in seconds since the epoch, null if unknown. `nearest` is empty unless no run was found. `skipped_links`
    is the number of links that were not followed because they lead out of the allowed folders. `console` is the URL of
    the hub's page, relative to that of the board; "" without a hub. `page` is the page that an address without one
    opens, such as "graphs"; "" for the usual one.
    """

    version: str
    title: str
    console: str
    page: str
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
