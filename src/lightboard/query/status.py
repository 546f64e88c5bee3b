"""The status of the board: progress and counts."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lightboard import __version__
from lightboard.config import BoardSettings
from lightboard.events.decode import NATIVE
from lightboard.query.capture_files import Capture
from lightboard.query.graph_files import GraphFile
from lightboard.series.catalog import Catalog

if TYPE_CHECKING:
    from lightboard.schema.status import Status


class Counts(NamedTuple):
    """Totals of all files. `last_wall_time` is nan if no event has one."""

    generation: int
    series: int
    points: int
    damaged_files: int
    last_wall_time: float


def count(catalog: Catalog) -> Counts:
    """The totals at this generation. Takes time proportional to the number of files."""
    generation, runs = catalog.generation, catalog.runs()
    decoders = [file.decoder for run in runs for file in run.files]
    walls = [wall for run in runs if math.isfinite(wall := run.last_wall_time)]
    return Counts(
        generation,
        series=sum(decoder.series_count() for decoder in decoders),
        points=sum(decoder.points for decoder in decoders),
        damaged_files=sum(1 for decoder in decoders if decoder.damage()),
        last_wall_time=max(walls, default=math.nan),
    )


def opening_page(settings: BoardSettings, has_runs: bool, has_captures: bool, has_models: bool) -> str:
    """The page of an address without one; "" for the usual one, which shows nothing of logs without runs."""
    if settings.graph_file:
        return "graphs"
    if has_runs:
        return ""
    return "profile" if has_captures else "graphs" if has_models else ""


def status_of(
    catalog: Catalog,
    settings: BoardSettings,
    counts: Counts,
    captures: Sequence[Capture],
    models: Sequence[GraphFile],
) -> "Status":
    """The response of /api/v1/status."""
    from lightboard.schema.status import NearestFolder, Status  # slow to import

    progress, runs = catalog.progress, catalog.runs()
    return Status(
        version=__version__,
        title=settings.window_title,
        console=settings.console,
        page=opening_page(settings, bool(runs), bool(captures), bool(models)),
        logdir=settings.location,
        native=NATIVE,
        generation=counts.generation,
        loading=progress.loading,
        bytes_total=progress.bytes_total,
        bytes_read=progress.bytes_read,
        files=progress.files,
        runs=len(runs),
        series=counts.series,
        points=counts.points,
        damaged_files=counts.damaged_files,
        scanned_files=progress.scanned_files,
        last_scan=progress.last_scan or None,
        last_event_wall_time=None if math.isnan(counts.last_wall_time) else counts.last_wall_time,
        reload_secs=settings.reload_secs,
        live=catalog.live,
        live_reason=catalog.live_reason,
        nearest=[NearestFolder(path=near.path, runs=near.runs) for near in ([] if runs else catalog.nearby_folders())],
        unreadable=sorted(catalog.unreadable),
        skipped_links=catalog.skipped_links,
    )
