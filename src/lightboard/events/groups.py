"""What one chart draws of several runs taken together, the slow way: a statistic of their lines with a band around it.

The lines are those that the runs' own charts show: smoothed each over its own series, without void points. They are
compared at every x that any of them has, where those count that have begun and not ended there, between their points on
the straight line. A line whose point there is no number, or that has ended in such points before, has no value and is
counted apart.
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
    is_set,
    is_wide,
    lay_out,
    sent,
    smoothed_along,
    tag_curve,
)
from lightboard.events.curve import Curve
from lightboard.events.protocol import Bytes
from lightboard.events.superseding import visible
from lightboard.events.thinning import Grid

MEAN, MEDIAN = 0, 1
NONE, DEVIATION, ERROR, RANGE = 0, 1, 2, 3


class Sample(NamedTuple):
    """Where all members have been looked at."""

    x: float
    y: float
    low: float
    high: float
    members: int
    """How many have a value."""
    nonfinite: int
    """How many have one that is no number."""


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
) -> bytes:
    """The blocks of several groups, each given as (requests of its members, group id), one after another.

    Not all of them once the one byte of `stop` is not 0.

    Raises ValueError as `series_chart`, and for a statistic or band that there is not.
    """
    check_chart(axis, x0, x1, px, *(group for _, group in groups))
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing weight must lie in 0..1, not {smoothing}")
    if statistic not in (MEAN, MEDIAN) or band not in (NONE, DEVIATION, ERROR, RANGE):
        raise ValueError("no such statistic or band")
    drawn = []
    for members, group in groups:
        if is_set(stop):
            break
        whole = [curve_of(member, purge, axis, smoothing) for member in members]
        curves = [curve.cut(x0, x1) if x0 <= x1 else Curve((), ()) for curve in whole]
        samples = [summary(x, whole, curves, statistic, band) for x in places(curves, x0, x1)]
        raw = len(samples) <= 2 * px
        kept = samples if raw else thinned(samples, grid_of(curves, x0, x1, px))
        wide = any(is_wide(parts) for parts, *_ in members)
        drawn.append(
            block.Block(
                run=group,
                flags=block.GROUP | axis_flag(axis) | block.RAW * raw | block.WIDE * wide,
                held=sum(len(visible(parts, purge)) for parts, *_ in members),
                in_range=sum(len(curve.xs) for curve in curves),
                xs=[sent(sample.x, axis) for sample in kept],
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


def curve_of(member: Request, purge: bool, axis: int, smoothing: float) -> Curve:
    """The line of one member."""
    parts, _, *x_parts = member
    points = visible(parts, purge)
    line = lay_out(points, axis, tag_curve(x_parts[0] if x_parts else None, purge) if axis == TAG_AXIS else None)
    return Curve.of(line.xs, smoothed_along(points, line, smoothing))


def places(curves: Sequence[Curve], x0: float, x1: float) -> list[float]:
    """Every x of [x0, x1] that some curve has, with one neighbour on either side; none if all lie on one side."""
    xs = sorted({x for curve in curves for x in (*curve.xs, *curve.nonfinite_xs)})
    if not any(x >= x0 for x in xs) or not any(x <= x1 for x in xs):
        return []
    first = max((x for x in xs if x < x0), default=-math.inf)
    last = min((x for x in xs if x > x1), default=math.inf)
    return [x for x in xs if first <= x <= last]


def summary(x: float, curves: Sequence[Curve], cut: Sequence[Curve], statistic: int, band: int) -> Sample:
    """Statistic and band of the curves that have a value at x; those cut to the range know where there is none."""
    is_lost = [x >= part.lost_from or x in part.nonfinite_xs for part in cut]
    values = [curve.at(x) for curve, lost in zip(curves, is_lost, strict=True) if not lost and curve.covers(x)]
    nonfinite = sum(is_lost)
    if not values:
        return Sample(x, math.nan, math.nan, math.nan, 0, nonfinite)
    mean, deviation = spread_of(values, 1.0)
    if not (math.isfinite(mean) and math.isfinite(deviation)):
        mean, deviation = spread_of(values, SMALL)
        mean = min(max(mean, min(values)), max(values))
    y = mean if statistic == MEAN else median_of(values)
    if band == RANGE:
        return Sample(x, y, min(values), max(values), len(values), nonfinite)
    reach = 0.0 if band == NONE else deviation
    if band == ERROR:
        reach /= math.sqrt(len(values))
    most = sys.float_info.max
    return Sample(x, y, max(y - reach, -most), min(y + reach, most), len(values), nonfinite)


SMALL = 2.0**-530
"""Values whose sum or squares are beyond all numbers are made this much smaller meanwhile."""


def spread_of(values: Sequence[float], scale: float) -> tuple[float, float]:
    """Mean and standard deviation, reckoned with values times `scale`."""
    total = squares = 0.0
    for value in values:
        total += value * scale
    mean = total / len(values)
    for value in values:
        squares += (value * scale - mean) * (value * scale - mean)
    return mean / scale, math.sqrt(squares / len(values)) / scale


def median_of(values: Sequence[float]) -> float:
    """The number in the middle, or between the two in the middle."""
    ordered, half = sorted(values), len(values) // 2
    if len(values) % 2:
        return ordered[half]
    total = ordered[half - 1] + ordered[half]
    return total / 2 if math.isfinite(total) else ordered[half - 1] / 2 + ordered[half] / 2


def grid_of(curves: Sequence[Curve], x0: float, x1: float, px: int) -> Grid:
    """The pixel columns."""
    xs = [x for curve in curves for x in (*curve.xs, *curve.nonfinite_xs)]
    left = x0 if math.isfinite(x0) else min(xs)
    right = x1 if math.isfinite(x1) else max(xs)
    return Grid(left, right, px)


def thinned(samples: Sequence[Sample], grid: Grid) -> list[Sample]:
    """Of each pixel column the first and the last, where the line is lowest and highest, where its band reaches lowest
    and highest, and where most members have no number."""
    kept: list[Sample] = []
    for _, column in groupby(samples, key=lambda sample: grid.column(sample.x)):
        group = list(column)
        rows = range(len(group))
        chosen = {0, len(group) - 1, max(rows, key=lambda i: group[i].nonfinite)}
        valued = [i for i in rows if group[i].members]
        if valued:
            chosen.add(min(valued, key=lambda i: group[i].y))
            chosen.add(max(valued, key=lambda i: group[i].y))
            chosen.add(min(valued, key=lambda i: group[i].low))
            chosen.add(max(valued, key=lambda i: group[i].high))
        kept += [group[i] for i in sorted(chosen)]
    return kept
