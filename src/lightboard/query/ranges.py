"""Exact figures of a series over a stretch of steps: what a chart of thinned points could only estimate."""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.events.decode import Part, series_points
from lightboard.events.mean import mean_of
from lightboard.query.scalars import series_of
from lightboard.series.catalog import Catalog

Column = npt.NDArray[np.float64]
Steps = npt.NDArray[np.int64]


class RangeStats(NamedTuple):
    """Over the finite points of a stretch, in the order they were written; `slope` is the change per step of the
    straight line that fits best by least squares, NaN where all are at one step. Where the stretch ends in points that
    are no numbers, `lost_step` and `lost_value` are those of the first of these, else None."""

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
    lost_step: int | None
    lost_value: float | None


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
    inside = (steps >= low) & (steps <= high)
    steps, values = steps[inside], values[inside]
    finite = np.isfinite(values)
    if not finite.any():
        return None
    lost = int(finite.nonzero()[0][-1]) + 1
    ends_lost = lost < values.size
    lost_step, lost_value = (int(steps[lost]), float(values[lost])) if ends_lost else (None, None)
    steps, values = steps[finite], values[finite]
    least, most = int(values.argmin()), int(values.argmax())
    mean = mean_of(values.tolist())
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
        slope=slope_of(steps, values, mean),
        lost_step=lost_step,
        lost_value=lost_value,
    )


SMALL = 2.0**-128
"""Values are made this much smaller where the slope reckoned with them would be beyond all numbers."""


def slope_of(steps: Steps, values: Column, mean: float) -> float:
    """Least squares; infinite only where the slope itself is beyond all numbers."""
    # From the first step on: steps of more than 53 bits are no longer told apart as numbers with a point.
    least, span = int(steps.min()), int(steps.max()) - int(steps.min())
    along = (steps - least).astype(np.float64) if span < 2**63 else steps.astype(np.float64) - least
    along -= along.mean()
    spread = float(along @ along)
    if not spread:
        return math.nan
    large = max(abs(float(values.min())), abs(float(values.max()))) > 1e150
    scale = SMALL if large else 1.0
    slope = float(along @ (values * scale - mean * scale)) / spread
    with np.errstate(over="ignore"):
        return float(np.float64(slope) / scale)
