"""How reading is going and what is held, in one look."""

import math
from typing import NamedTuple

from lightboard import __version__
from lightboard.config import BoardSettings
from lightboard.events.decode import NATIVE
from lightboard.series.catalog import Catalog, Live, Nearby


class StatusInfo(NamedTuple):
    """The fields of `schema.status.Status`."""

    version: str
    title: str
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
    last_scan: float | None
    last_event_wall_time: float | None
    reload_secs: float
    live: Live
    live_reason: str
    nearest: list[Nearby]
    unreadable: list[str]


def status_of(catalog: Catalog, settings: BoardSettings) -> StatusInfo:
    """Everything a page asks first. Costs by the number of files, not of points."""
    generation, progress, runs = catalog.generation, catalog.progress, catalog.runs()
    files = [file for run in runs for file in run.files]
    walls = [wall for run in runs if math.isfinite(wall := run.last_wall_time)]
    return StatusInfo(
        version=__version__,
        title=settings.window_title,
        logdir=settings.location,
        native=NATIVE,
        generation=generation,
        loading=progress.loading,
        bytes_total=progress.bytes_total,
        bytes_read=progress.bytes_read,
        files=progress.files,
        runs=len(runs),
        series=sum(file.decoder.series_count() for file in files),
        points=sum(file.decoder.points for file in files),
        damaged_files=sum(1 for file in files if file.decoder.damage()),
        scanned_files=progress.scanned_files,
        last_scan=progress.last_scan or None,
        last_event_wall_time=max(walls, default=None),
        reload_secs=settings.reload_secs,
        live=catalog.live,
        live_reason=catalog.live_reason,
        nearest=catalog.nearest() if not runs else [],
        unreadable=sorted(catalog.unreadable),
    )
