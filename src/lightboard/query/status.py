"""How reading is going and what is held, in one look."""

import math
from typing import TYPE_CHECKING

from lightboard import __version__
from lightboard.config import BoardSettings
from lightboard.events.decode import NATIVE
from lightboard.series.catalog import Catalog

if TYPE_CHECKING:
    from lightboard.schema.status import Status


def status_of(catalog: Catalog, settings: BoardSettings) -> "Status":
    """Everything a page asks first. Costs by the number of files, not of points."""
    from lightboard.schema.status import NearestFolder, Status  # slow to load, and the first page needs none

    generation, progress, runs = catalog.generation, catalog.progress, catalog.runs()
    files = [file for run in runs for file in run.files]
    walls = [wall for run in runs if math.isfinite(wall := run.last_wall_time)]
    return Status(
        version=__version__,
        title=settings.window_title,
        console=settings.console,
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
        nearest=[NearestFolder(path=near.path, runs=near.runs) for near in ([] if runs else catalog.nearest())],
        unreadable=sorted(catalog.unreadable),
    )
