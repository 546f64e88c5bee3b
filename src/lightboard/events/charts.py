"""Queries on series made of parts: statistics, columns and charts. The simple reference implementation."""

import math
import struct
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple, TypeAlias

from lightboard.events import block, downsampling
from lightboard.events.curve import Curve
from lightboard.events.last_of_step import drawn_points
from lightboard.events.mean import mean_of
from lightboard.events.protocol import STATS, Bytes, Stats
from lightboard.events.python_decoder import Decoder
from lightboard.events.sampling import sample_indices
from lightboard.events.smoothing import smooth_values
from lightboard.events.superseding import Point, all_points, visible_points

Parts: TypeAlias = Sequence[tuple[Decoder, int]]

Request: TypeAlias = tuple[Parts, int] | tuple[Parts, int, Parts]
"""Parts and run id of one line. If x is another tag, also the parts of that tag."""

STEP, RELATIVE, WALL, TAG = 0, 1, 2, 3
MAX_RESTARTS = 256
MAX_PX = 1 << 16
_DRAWABLE_SECS = 4e12
"""Later wall times do not fit into signed 64-bit microseconds and are not drawn on time axes."""


def series_stats(parts: Parts, purge: bool) -> Stats:
    """Statistics of a series. Minimum, maximum and mean are of the finite values."""
    _check_form(parts, "scalar")
    everything = all_points(parts)
    points = [point for point in everything if not (purge and point.superseded)]
    superseded = sum(point.superseded for point in everything)
    nan = math.nan
    if not points:
        return Stats(0, superseded, 0, nan, nan, 0, nan, nan, nan, 0, nan, 0, nan, 0, 0, 0)
    first, last = points[0], points[-1]
    finite = [point for point in points if math.isfinite(point.value)]
    tail = list(takewhile(lambda point: not math.isfinite(point.value), reversed(points)))
    low = min(finite, key=lambda point: point.value, default=None)
    high = max(finite, key=lambda point: point.value, default=None)
    return Stats(
        held=len(points),
        superseded=superseded,
        first_step=first.step,
        first_wall=first.wall,
        first_value=first.value,
        last_step=last.step,
        last_wall=last.wall,
        last_value=last.value,
        min_value=low.value if low else nan,
        min_step=low.step if low else 0,
        max_value=high.value if high else nan,
        max_step=high.step if high else 0,
        mean=mean_of([point.value for point in finite]) if finite else nan,
        nonfinite=len(points) - len(finite),
        nonfinite_tail=len(tail),
        nonfinite_from=tail[-1].step if tail else 0,
    )


def stats_many(series: Sequence[Parts], purge: bool) -> bytes:
    """The statistics of each series, packed as STATS."""
    return b"".join(STATS.pack(*series_stats(parts, purge)) for parts in series)


def count_rows(series: Iterable[Parts]) -> list[int]:
    """The number of points of each series, including superseded ones."""
    return [sum(decoder.lengths([index])[0] for decoder, index in parts if index >= 0) for parts in series]


def series_points(parts: Parts, purge: bool) -> tuple[bytes, bytes, bytes, bytes]:
    """Steps (i64), wall times (f64), values (f64) and superseded flags (u8), packed little-endian."""
    _check_form(parts, "scalar")
    return _pack_points(visible_points(parts, purge))


def series_samples(parts: Parts, purge: bool, limit: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The same columns for at most `limit` points, 0 = all; see `sampling.sample_indices`."""
    _check_form(parts, "scalar")
    points = visible_points(parts, purge)
    finite = [index for index, point in enumerate(points) if math.isfinite(point.value)]
    low = min(finite, key=lambda index: points[index].value, default=None)
    high = max(finite, key=lambda index: points[index].value, default=None)
    extremes = [index for index in (low, high) if index is not None]
    return _pack_points([points[index] for index in sample_indices(len(points), limit, extremes)])


def part_points(parts: Parts, part: int, first: int, limit: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The same columns for rows [first, first + limit) of one part, including superseded ones; fewer at its end."""
    if min(part, first, limit) < 0:
        raise ValueError("part, first and limit must not be negative")
    _check_form(parts, "scalar")
    return _pack_points([point for point in visible_points(parts, False) if point.part == part][first : first + limit])


def _pack_points(points: Sequence[Point]) -> tuple[bytes, bytes, bytes, bytes]:
    return (
        array("q", [point.step for point in points]).tobytes(),
        array("d", [point.wall for point in points]).tobytes(),
        array("d", [point.value for point in points]).tobytes(),
        bytes(point.superseded for point in points),
    )


def references(parts: Parts, purge: bool) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Part numbers (u32), offsets and lengths (u64), steps (i64) and wall times (f64), packed little-endian."""
    _check_form(parts, "reference")
    points = visible_points(parts, purge)
    spans = [point.columns.spans[point.row] for point in points]
    return (
        array("I", [point.part for point in points]).tobytes(),
        array("Q", [offset for offset, _ in spans]).tobytes(),
        array("Q", [length for _, length in spans]).tobytes(),
        array("q", [point.step for point in points]).tobytes(),
        array("d", [point.wall for point in points]).tobytes(),
    )


class Axis(NamedTuple):
    """The visible points along x: their indices in the series, x as compared and as sent, and the monotone runs of x
    (None if x may go back and forth)."""

    rows: list[int]
    xs: Sequence[float]
    encoded_xs: Sequence[int]
    spans: Sequence[downsampling.Span] | None


def make_axis(points: Sequence[Point], kind: int, tag: Curve | None = None) -> Axis:
    """The points along an axis. `tag` is x as a function of the step if x is another tag."""
    if kind == STEP:
        steps = [point.step for point in points]
        return Axis(list(range(len(points))), [float(step) for step in steps], steps, downsampling.monotone_runs(steps))
    if kind == TAG:
        assert tag is not None
        rows = [i for i, point in enumerate(points) if tag.covers(float(point.step))]
        xs = [tag.at(float(points[i].step)) for i in rows]
        return Axis(rows, xs, [encode_x(x, kind) for x in xs], None)
    rows = [i for i, point in enumerate(points) if abs(point.wall) < _DRAWABLE_SECS]
    start = points[rows[0]].wall if rows and kind == RELATIVE else 0.0
    xs = [points[i].wall - start for i in rows]
    return Axis(rows, xs, [encode_x(x, kind) for x in xs], downsampling.monotone_runs(xs))


def encode_x(x: float, kind: int) -> int:
    """x as it is sent: a step, microseconds, or the bits of a double."""
    if kind == TAG:
        return int(struct.unpack("<q", struct.pack("<d", x))[0])
    return min(int(x), (1 << 63) - 1) if kind == STEP else round(x * 1e6)


def axis_flag(kind: int) -> int:
    """The block flag that says how x is encoded."""
    return {STEP: 0, TAG: block.REAL}.get(kind, block.MICROSECONDS)


def tag_curve(parts: Parts | None, purge: bool) -> Curve:
    """x as a function of the steps of a run, from the parts of another tag."""
    _check_form(parts or (), "scalar")
    points = visible_points(parts or (), purge)
    return Curve.of([float(point.step) for point in points], [point.value for point in points])


def check_chart(axis: int, x0: float, x1: float, px: int, *runs: int) -> None:
    """Raise ValueError for invalid arguments of a chart."""
    if axis not in (STEP, RELATIVE, WALL, TAG) or math.isnan(x0) or math.isnan(x1) or not 0 < px <= MAX_PX:
        raise ValueError("invalid axis, range or width of a chart")
    if not all(0 <= run < 1 << 32 for run in runs):
        raise ValueError("a run id must be an unsigned 32-bit integer")


def series_chart(
    parts: Parts,
    purge: bool,
    run: int,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    aux: bool,
    x_parts: Parts | None = None,
    last_of_step: bool = False,
) -> bytes:
    """One series block: the chart of the series between x0 and x1, `px` pixels wide.

    With `last_of_step`, of points that share a step only the last one counts.

    Raises ValueError for an axis other than 0 (step), 1 (seconds since the first point), 2 (wall time) or 3 (the tag of
    `x_parts`), a bound that is NaN, a width below 1 or a smoothing weight outside 0..1.
    """
    check_chart(axis, x0, x1, px, run)
    _check_form(parts, "scalar")
    points, repeated = drawn_points(parts, purge, last_of_step)
    line = make_axis(points, axis, tag_curve(x_parts, purge) if axis == TAG else None)
    ys = [points[row].value for row in line.rows]
    smoothed = smooth_along(points, line, smoothing)
    selected = downsampling.clip_to_range(line.xs, line.spans, x0, x1)
    raw = len(selected) <= 2 * px
    whole = len(selected) == len(points)  # a client that has the whole series can smooth it
    drawn, smoothed_drawn = selected, selected if smoothing > 0 and not whole else []
    if not raw:
        grid = _grid([line.xs[i] for i in selected], x0, x1, px)
        drawn = downsampling.downsample(line.xs, line.spans, selected, grid, ys)
        smoothed_drawn = downsampling.downsample(line.xs, line.spans, selected, grid, smoothed) if smoothing > 0 else []
    kept = [points[line.rows[i]] for i in drawn]
    first_aux, aux_numbers = _aux(kept, axis) if aux else (0.0, [])
    return block.Block(
        run=run,
        flags=block.RAW * raw
        | block.WIDE * is_wide(parts)
        | block.AUX * aux
        | block.REPEATS * repeated
        | axis_flag(axis),
        held=len(points),
        in_range=len(selected),
        xs=[line.encoded_xs[i] for i in drawn],
        ys=[ys[i] for i in drawn],
        smoothed_xs=[] if raw else [line.encoded_xs[i] for i in smoothed_drawn],
        smoothed_ys=[smoothed[i] for i in smoothed_drawn],
        restarts=_restarts(points, line, x0, x1),
        aux=aux_numbers,
        first_aux=first_aux,
    ).encode()


def is_wide(parts: Parts) -> bool:
    """Whether the part of any file needs float64."""
    return any(decoder.columns(index).wide for decoder, index in parts if index >= 0)


def chart_many(
    requests: Sequence[Request],
    purge: bool,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    aux: bool,
    stop: Bytes | None = None,
    last_of_step: bool = False,
) -> bytes:
    """The concatenated blocks of several series; stops early when the byte of `stop` is not 0."""
    return b"".join(
        series_chart(parts, purge, run, axis, x0, x1, px, smoothing, aux, x_parts[0] if x_parts else None, last_of_step)
        for parts, run, *x_parts in requests
        if not is_stopped(stop)
    )


def is_stopped(stop: Bytes | None) -> bool:
    """Whether the work was cancelled."""
    return stop is not None and stop[0] != 0


def _check_form(parts: Parts, form: str) -> None:
    """Raise ValueError for a series of the wrong form, IndexError for one that does not exist."""
    for decoder, index in parts:
        if index != -1 and decoder.columns(index).form != form:
            raise ValueError("the series has the wrong form")


def smooth_along(points: Sequence[Point], line: Axis, weight: float) -> Sequence[float]:
    """The smoothed series at the points of the line. All visible points are smoothed, including those that cannot be
    drawn."""
    values = smooth_values([point.value for point in points], weight)
    return [values[row] for row in line.rows]


def _grid(xs: Sequence[float], x0: float, x1: float, px: int) -> downsampling.PixelGrid:
    left = x0 if math.isfinite(x0) else float(min(xs))
    right = x1 if math.isfinite(x1) else float(max(xs))
    return downsampling.PixelGrid(left, right, px)


def _aux(points: Sequence[Point], axis: int) -> tuple[float, list[int]]:
    """What a tooltip shows besides x and y: the wall time in milliseconds on the step axis, the step on the others."""
    if not points:
        return 0.0, []
    if axis != STEP:
        return float(points[0].step), [point.step for point in points]
    millis, numbers = 0, []
    for point in points:
        if abs(point.wall) < _DRAWABLE_SECS:
            millis = round(point.wall * 1e3)
        numbers.append(millis)
    return points[0].wall, numbers


def _restarts(points: Sequence[Point], line: Axis, x0: float, x1: float) -> list[int]:
    """x of each point that follows a START, a step back, or superseded points."""
    index = {row: i for i, row in enumerate(line.rows)}
    found = []
    for row, (before, after) in enumerate(pairwise(points), start=1):
        hidden_between = after.position > before.position + 1
        if hidden_between or after.restart != before.restart or after.step < before.step:
            i = index.get(row)
            if i is not None and x0 <= line.xs[i] <= x1:
                found.append(line.encoded_xs[i])
    return found[:MAX_RESTARTS]
