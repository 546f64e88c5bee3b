"""Exact statistics of a series over a range of steps, which a downsampled chart can only estimate."""

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
    """Statistics of the finite points of a range, in the order they were written.

    `slope` is the change per step of the least-squares line, NaN if all points have the same step. If the range ends in
    non-finite points, `lost_step` and `lost_value` are those of the first of them; otherwise they are None.
    """

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
    """The statistics of one series; `run` is an id."""

    tag: str
    run: int
    stats: RangeStats


def read_ranges(
    catalog: Catalog, tags: Iterable[str], wanted: frozenset[int] | None, low: float, high: float, purge: bool
) -> Iterator[SeriesRange]:
    """Statistics between the steps `low` and `high`, both included, of each series with a finite point there.

    `wanted` are ids of runs (None: all). With `purge`, superseded points are ignored.
    """
    runs = catalog.runs()
    for tag in tags:
        for parts, run in series_of(runs, tag, wanted):
            stats = range_stats(parts, low, high, purge)
            if stats is not None:
                yield SeriesRange(tag, run, stats)


def range_stats(parts: list[Part], low: float, high: float, purge: bool) -> RangeStats | None:
    """The statistics of one series, or None if the range has no finite point."""
    columns = series_points(parts, purge)
    steps, values = np.frombuffer(columns[0], "<i8"), np.frombuffer(columns[2], "<f8")
    inside = (steps >= low) & (steps <= high)
    steps, values = steps[inside], values[inside]
    finite = np.isfinite(values)
    if not finite.any():
        return None
    tail = int(finite.nonzero()[0][-1]) + 1
    diverges = tail < values.size
    lost_step, lost_value = (int(steps[tail]), float(values[tail])) if diverges else (None, None)
    steps, values = steps[finite], values[finite]
    lowest, highest = int(values.argmin()), int(values.argmax())
    mean = mean_of(values.tolist())
    return RangeStats(
        points=values.size,
        first_step=int(steps[0]),
        first_value=float(values[0]),
        last_step=int(steps[-1]),
        last_value=float(values[-1]),
        min_value=float(values[lowest]),
        min_step=int(steps[lowest]),
        max_value=float(values[highest]),
        max_step=int(steps[highest]),
        mean=mean,
        slope=slope_of(steps, values, mean),
        lost_step=lost_step,
        lost_value=lost_value,
    )


SMALL = 2.0**-128
"""The factor by which large values are scaled down, so that the sums for their slope do not overflow."""


def slope_of(steps: Steps, values: Column, mean: float) -> float:
    """The slope of the least-squares line, infinite only if the slope itself overflows. `mean` is that of `values`.

    It is the sum of (step - mean step) (value - mean) over that of (step - mean step)²; NaN if there is only one step.
    """
    # Relative to the first step, because doubles cannot represent all integers of more than 53 bits.
    first, span = int(steps.min()), int(steps.max()) - int(steps.min())
    offsets = (steps - first).astype(np.float64) if span < 2**63 else steps.astype(np.float64) - first
    offsets -= offsets.mean()
    spread = float(offsets @ offsets)
    if not spread:
        return math.nan
    large = max(abs(float(values.min())), abs(float(values.max()))) > 1e150
    scale = SMALL if large else 1.0
    slope = float(offsets @ (values * scale - mean * scale)) / spread
    with np.errstate(over="ignore"):
        return float(np.float64(slope) / scale)
