"""Runs as rows of a table."""

import math
import time
from typing import TYPE_CHECKING

from lightboard.series.catalog import Catalog
from lightboard.series.run import Run

if TYPE_CHECKING:
    from lightboard.schema import runs as schema

LIVE_SECS = 60.0
"""A run that gave nothing for so long is called idle."""


def list_runs(catalog: Catalog, loaded_at: float) -> "list[schema.Run]":
    """Every run, by slot. `loaded_at` is when the first reading ended, inf while it goes on."""
    now = time.time()
    return [row_of(run, loaded_at, now) for run in catalog.runs()]


def is_live(run: Run, loaded_at: float, now: float) -> bool:
    """Is somebody writing this run?

    Judged by our clock where we saw bytes come, for writers' clocks may be wrong; what came with the first reading
    may be of any age and is judged by its events.
    """
    seen = run.changed_at > loaded_at and now - run.changed_at < LIVE_SECS
    return seen or abs(now - run.last_wall_time) < LIVE_SECS


def row_of(run: Run, loaded_at: float, now: float) -> "schema.Run":
    """One row."""
    from lightboard.schema import runs as schema  # slow to load, and the first page needs none

    damage = run.damage()
    return schema.Run(
        id=run.id,
        name=run.name,
        slot=run.slot,
        start_wall_time=finite_or_none(run.start_wall_time),
        last_wall_time=finite_or_none(run.last_wall_time),
        last_step=run.last_step if any(file.decoder.records for file in run.files) else None,
        files=len(run.files),
        tags=len(run.tags()),
        points=run.points,
        damage_bytes=sum(region.length for region in damage),
        damage_regions=len(damage),
        restarts=run.restarts,
        status="live" if is_live(run, loaded_at, now) else "idle",
    )


def finite_or_none(number: float) -> float | None:
    """None for what JSON has no number for."""
    return number if math.isfinite(number) else None


def names_by_start(catalog: Catalog) -> list[str]:
    """Names in the order of first events, runs without any last; equals by name. TensorBoard's order."""
    runs = sorted(catalog.runs(), key=lambda run: (finite_or(run.start_wall_time, math.inf), run.name))
    return [run.name for run in runs]


def finite_or(number: float, otherwise: float) -> float:
    """`number`, or the other where it is none."""
    return number if math.isfinite(number) else otherwise
