"""Selects the points of a series that suffice to draw it exactly at a given width. Reference implementation.

A *monotone run* is a sequence of points in which x does not decrease. In each pixel column of a monotone run the first,
lowest, highest and last point are kept, and the first NaN and infinity. If there are too many monotone runs, only
columns count.
"""

import math
from collections.abc import Sequence
from itertools import groupby, pairwise

MAX_MONOTONE_RUNS = 8
"""With more monotone runs than this, the series is treated as unsorted rather than restarted."""

MAX_POINTS_PER_PIXEL = 16
"""How many points per pixel a line that goes back and forth may have. With more, only columns count."""

Span = tuple[int, int]


def monotone_runs(order: Sequence[float]) -> list[Span]:
    """The runs of `order` in which it does not decrease."""
    cuts = [0, *(i for i in range(1, len(order)) if order[i] < order[i - 1]), len(order)]
    return [(a, b) for a, b in pairwise(cuts) if a < b]


def clip_to_range(xs: Sequence[float], spans: Sequence[Span] | None, x0: float, x1: float) -> list[int]:
    """Indices of the points in [x0, x1] with one neighbour on either side, so that lines reach the edges."""
    if spans is None or len(spans) > MAX_MONOTONE_RUNS:
        inside = [x0 <= x <= x1 for x in xs]
        return [i for i in range(len(xs)) if any(inside[max(i - 1, 0) : i + 2])]
    found: list[int] = []
    for begin, end in spans:
        low = next((i for i in range(begin, end) if xs[i] >= x0), end)
        high = next((i for i in range(low, end) if xs[i] > x1), end)
        if low < end and high > begin and x0 <= x1:
            found.extend(range(max(low - 1, begin), min(high + 1, end)))
    return found


class PixelGrid:
    """The pixel columns of a chart: `px` columns over [left, right], and one for the points outside on each side."""

    def __init__(self, left: float, right: float, px: int) -> None:
        self.left, self.right, self.px = left, right, px
        scale = px / (right - left) if right > left else 0.0
        self.scale = scale if scale < math.inf else 0.0

    def column(self, x: float) -> int:
        """The column of `x`: -1 left of the chart, `px` right of it."""
        if x < self.left:
            return -1
        if x > self.right:
            return self.px
        return min(int((x - self.left) * self.scale), self.px - 1) if self.scale else 0


def group_by_column(
    xs: Sequence[float], spans: Sequence[Span], selected: Sequence[int], grid: PixelGrid
) -> list[list[int]]:
    """The selected points by pixel column, and by monotone run if there are few of them."""
    by_key: dict[tuple[int, int], list[int]] = {}
    run_of = [number for number, (a, b) in enumerate(spans) for _ in range(a, b)]
    for i in selected:
        monotone_run = run_of[i] if 0 < len(spans) <= MAX_MONOTONE_RUNS else 0
        by_key.setdefault((monotone_run, grid.column(xs[i])), []).append(i)
    return list(by_key.values())


def group_neighbors(xs: Sequence[float], selected: Sequence[int], grid: PixelGrid) -> list[list[int]]:
    """The selected points as sequences of neighbours in the same column."""
    return [list(group) for _, group in groupby(selected, key=lambda i: grid.column(xs[i]))]


def select_extremes(ys: Sequence[float], group: Sequence[int]) -> set[int]:
    """The points of a group that are drawn."""
    kept = {group[0], group[-1]}
    finite = [i for i in group if math.isfinite(ys[i])]
    if finite:
        kept.add(min(finite, key=lambda i: ys[i]))
        kept.add(max(finite, key=lambda i: ys[i]))
    kept.update([i for i in group if math.isnan(ys[i])][:1])
    kept.update([i for i in group if math.isinf(ys[i])][:1])
    return kept


def downsample(
    xs: Sequence[float], spans: Sequence[Span] | None, selected: Sequence[int], grid: PixelGrid, ys: Sequence[float]
) -> list[int]:
    """The points to draw, in order. Without spans the line is followed back and forth, unless that takes too many
    points."""
    if spans is None:
        kept = _select_all(ys, group_neighbors(xs, selected, grid))
        if len(kept) <= MAX_POINTS_PER_PIXEL * grid.px:
            return kept
    return _select_all(ys, group_by_column(xs, spans or [], selected, grid))


def _select_all(ys: Sequence[float], columns: Sequence[Sequence[int]]) -> list[int]:
    kept: set[int] = set()
    for group in columns:
        kept |= select_extremes(ys, group)
    return sorted(kept)
