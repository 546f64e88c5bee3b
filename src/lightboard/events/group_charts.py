"""Charts of several runs combined: a statistic of their lines, with a band around it. Reference implementation.

The lines are the same as in the charts of the runs: without superseded points, each smoothed over its own series. They
are evaluated at every x that any of them has. A line counts from its first to its last point, with linear interpolation
in between. A line that is not finite at an x, or that has ended in non-finite points before, has no value there and is
counted separately.
"""

import math
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from lightboard.events import block
from lightboard.events.charts import TAG as TAG_AXIS
from lightboard.events.charts import (
    Request,
    axis_flag,
    check_chart,
    encode_x,
    is_stopped,
    is_wide,
    make_axis,
    smooth_along,
    tag_curve,
)
from lightboard.events.curve import Curve
from lightboard.events.downsampling import PixelGrid
from lightboard.events.last_of_step import drawn_points
from lightboard.events.protocol import Bytes

MEAN, MEDIAN = 0, 1
NONE, DEVIATION, ERROR, RANGE = 0, 1, 2, 3


class Sample(NamedTuple):
    """The statistics of all members at one x."""

    x: float
    y: float
    low: float
    high: float
    members: int
    """How many members have a value."""
    nonfinite: int
    """How many members are not finite."""


def group_many(
    groups: Sequence[tuple[Sequence[Request], int]],
    statistic: int,
    band: int,
    purge: bool,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    stop: Bytes | None = None,
    last_of_step: bool = False,
) -> bytes:
    """The concatenated blocks of several groups, each given as (requests of its members, group id).

    Stops early when the byte of `stop` is not 0. Raises ValueError like `series_chart`, and for an unknown statistic or
    band.
    """
    check_chart(axis, x0, x1, px, *(group for _, group in groups))
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing weight must be between 0 and 1, not {smoothing}")
    if statistic not in (MEAN, MEDIAN) or band not in (NONE, DEVIATION, ERROR, RANGE):
        raise ValueError("invalid statistic or band")
    drawn = []
    for members, group in groups:
        if is_stopped(stop):
            break
        whole = [make_curve(member, purge, axis, smoothing, last_of_step) for member in members]
        curves = [curve.clip(x0, x1) if x0 <= x1 else Curve((), ()) for curve in whole]
        samples = [summarize(x, whole, curves, statistic, band) for x in sample_xs(curves, x0, x1)]
        raw = len(samples) <= 2 * px
        kept = samples if raw else downsample(samples, make_grid(curves, x0, x1, px))
        wide = any(is_wide(parts) for parts, *_ in members)
        points = [drawn_points(parts, purge, last_of_step) for parts, *_ in members]
        repeated = any(is_repeated for _, is_repeated in points)
        drawn.append(
            block.Block(
                run=group,
                flags=block.GROUP | axis_flag(axis) | block.RAW * raw | block.WIDE * wide | block.REPEATS * repeated,
                held=sum(len(each) for each, _ in points),
                in_range=sum(len(curve.xs) for curve in curves),
                xs=[encode_x(sample.x, axis) for sample in kept],
                ys=[sample.y for sample in kept],
                smoothed_xs=[],
                smoothed_ys=[],
                restarts=[],
                aux=[],
                first_aux=0.0,
                lows=[sample.low for sample in kept],
                highs=[sample.high for sample in kept],
                members=[sample.members for sample in kept],
                nonfinite=[sample.nonfinite for sample in kept],
            ).encode()
        )
    return b"".join(drawn)


def make_curve(member: Request, purge: bool, axis: int, smoothing: float, last_of_step: bool) -> Curve:
    """The line of one member."""
    parts, _, *x_parts = member
    points, _ = drawn_points(parts, purge, last_of_step)
    line = make_axis(points, axis, tag_curve(x_parts[0] if x_parts else None, purge) if axis == TAG_AXIS else None)
    return Curve.of(line.xs, smooth_along(points, line, smoothing))


def sample_xs(curves: Sequence[Curve], x0: float, x1: float) -> list[float]:
    """Every x of [x0, x1] that some curve has, with one neighbour on either side. Empty if all are on one side."""
    xs = sorted({x for curve in curves for x in (*curve.xs, *curve.nonfinite_xs)})
    if not any(x >= x0 for x in xs) or not any(x <= x1 for x in xs):
        return []
    first = max((x for x in xs if x < x0), default=-math.inf)
    last = min((x for x in xs if x > x1), default=math.inf)
    return [x for x in xs if first <= x <= last]


def summarize(x: float, curves: Sequence[Curve], clipped: Sequence[Curve], statistic: int, band: int) -> Sample:
    """Statistic and band of the curves at x. Whether a curve is finite there is determined from its clipped part."""
    is_nonfinite = [x >= part.nonfinite_from or x in part.nonfinite_xs for part in clipped]
    values = [
        curve.at(x)
        for curve, nonfinite_here in zip(curves, is_nonfinite, strict=True)
        if not nonfinite_here and curve.covers(x)
    ]
    nonfinite = sum(is_nonfinite)
    if not values:
        return Sample(x, math.nan, math.nan, math.nan, 0, nonfinite)
    mean, deviation = moments_of(values, 1.0)
    if not (math.isfinite(mean) and math.isfinite(deviation)):
        mean, deviation = moments_of(values, SCALE)
        mean = min(max(mean, min(values)), max(values))
    y = mean if statistic == MEAN else median_of(values)
    if band == RANGE:
        return Sample(x, y, min(values), max(values), len(values), nonfinite)
    half_width = 0.0 if band == NONE else deviation
    if band == ERROR:
        half_width /= math.sqrt(len(values))
    limit = sys.float_info.max
    return Sample(x, y, max(y - half_width, -limit), min(y + half_width, limit), len(values), nonfinite)


SCALE = 2.0**-530
"""Values are scaled by this while computing their mean and deviation if the sum or the squares overflow."""


def moments_of(values: Sequence[float], scale: float) -> tuple[float, float]:
    """Mean and standard deviation, computed from values times `scale`."""
    total = squares = 0.0
    for value in values:
        total += value * scale
    mean = total / len(values)
    for value in values:
        squares += (value * scale - mean) * (value * scale - mean)
    return mean / scale, math.sqrt(squares / len(values)) / scale


def median_of(values: Sequence[float]) -> float:
    """The median; for an even count the mean of the two middle values."""
    ordered, half = sorted(values), len(values) // 2
    if len(values) % 2:
        return ordered[half]
    total = ordered[half - 1] + ordered[half]
    return total / 2 if math.isfinite(total) else ordered[half - 1] / 2 + ordered[half] / 2


def make_grid(curves: Sequence[Curve], x0: float, x1: float, px: int) -> PixelGrid:
    """The pixel columns."""
    xs = [x for curve in curves for x in (*curve.xs, *curve.nonfinite_xs)]
    left = x0 if math.isfinite(x0) else min(xs)
    right = x1 if math.isfinite(x1) else max(xs)
    return PixelGrid(left, right, px)


def downsample(samples: Sequence[Sample], grid: PixelGrid) -> list[Sample]:
    """Select from each pixel column: first and last, lowest and highest of the line, lowest and highest of the band,
    and the sample with the most non-finite members."""
    kept: list[Sample] = []
    for _, column in groupby(samples, key=lambda sample: grid.column(sample.x)):
        group = list(column)
        rows = range(len(group))
        selected = {0, len(group) - 1, max(rows, key=lambda i: group[i].nonfinite)}
        valued = [i for i in rows if group[i].members]
        if valued:
            selected.add(min(valued, key=lambda i: group[i].y))
            selected.add(max(valued, key=lambda i: group[i].y))
            selected.add(min(valued, key=lambda i: group[i].low))
            selected.add(max(valued, key=lambda i: group[i].high))
        kept += [group[i] for i in sorted(selected)]
    return kept
