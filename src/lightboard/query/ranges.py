"""Exact figures of a series over a stretch of steps: what a chart of thinned points could only estimate."""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.events.decode import Part, series_points
from lightboard.query.scalars import series_of
from lightboard.series.catalog import Catalog

Column = npt.NDArray[np.float64]


class RangeStats(NamedTuple):
    """Over the finite points of a stretch, in the order they were written; `slope` is the change per step of the
    straight line that fits best by least squares, NaN where all are at one step."""

    points: int
    first_step: int
    first_value: float
    last_step: int
    last_value: float
    min_value: float
    min_step: int
    max_value: float
    max_step: int
    mean: float
    slope: float


class SeriesRange(NamedTuple):
    """Of one series."""

    tag: str
    run: int
    stats: RangeStats


def read_ranges(
    catalog: Catalog, tags: Iterable[str], wanted: frozenset[int] | None, low: float, high: float, purge: bool
) -> Iterator[SeriesRange]:
    """Figures between two steps, both included, of each series that has a finite point there."""
    runs = catalog.runs()
    for tag in tags:
        for parts, run in series_of(runs, tag, wanted):
            stats = range_stats(parts, low, high, purge)
            if stats is not None:
                yield SeriesRange(tag, run, stats)


def range_stats(parts: list[Part], low: float, high: float, purge: bool) -> RangeStats | None:
    """Figures of one series; None where the stretch holds no finite point."""
    columns = series_points(parts, purge)
    steps, values = np.frombuffer(columns[0], "<i8"), np.frombuffer(columns[2], "<f8")
    inside = (steps >= low) & (steps <= high) & np.isfinite(values)
    steps, values = steps[inside], values[inside]
    if not values.size:
        return None
    least, most = int(values.argmin()), int(values.argmax())
    mean = math.fsum(values) / values.size
    return RangeStats(
        points=values.size,
        first_step=int(steps[0]),
        first_value=float(values[0]),
        last_step=int(steps[-1]),
        last_value=float(values[-1]),
        min_value=float(values[least]),
        min_step=int(steps[least]),
        max_value=float(values[most]),
        max_step=int(steps[most]),
        mean=mean,
        slope=slope_of(steps.astype(np.float64), values, mean),
    )


def slope_of(steps: Column, values: Column, mean: float) -> float:
    """Least squares."""
    along = steps - steps.mean()
    spread = float(along @ along)
    return float(along @ (values - mean)) / spread if spread else math.nan
