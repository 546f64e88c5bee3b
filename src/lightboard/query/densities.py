"""Densities of many histograms at once: mass per cell of a range, quantiles, and the range worth showing.

Pure functions over whole series. Each histogram has a total mass of 1, whatever its counts, and the mass of a bucket is
spread evenly over its width. Not here: reading histograms (`query.histograms`), encoding (`query.histogrammaps`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lightboard.events.histograms import Rows

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.intp]
Range: TypeAlias = tuple[float, float]

FARTHEST = 1e300
"""Edges beyond this count as infinite: TensorFlow's outermost buckets end at the largest double."""

TAIL = 0.005
"""The fraction of the mass that a robust range leaves out at each end."""

MARGIN = 0.02
"""The margin at each end of a range, as a fraction of its width."""

MAX_SPREAD = 8.0
"""Runs whose range is wider than this many times the median width do not extend a shared robust range."""

MAX_SAMPLED = 400
"""Limit of the histograms of a series from which its robust range is computed."""


@dataclass(frozen=True, slots=True)
class Masses:
    """n normalised histograms with their buckets in flat arrays, sorted by left edge within each histogram.

    Histogram i has the buckets [starts[i], starts[i + 1]), so `starts` is [n + 1]. Edges are finite, with `left` <=
    `right`. The `mass` of a histogram sums to 1 unless it has no buckets. `totals` [n] are the sums of the counts.
    """

    starts: Ints
    left: Floats
    right: Floats
    mass: Floats
    totals: Floats

    def __len__(self) -> int:
        return len(self.totals)

    @property
    def owner(self) -> Ints:
        """The index of the histogram of each bucket."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def filled(self) -> npt.NDArray[np.bool_]:
        """Which histograms have any mass, [n]."""
        return np.diff(self.starts) > 0

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        return sum(array.nbytes for array in (self.starts, self.left, self.right, self.mass, self.totals))

    def part(self, begin: int, end: int) -> "Masses":
        """Histograms [begin, end)."""
        first, last = self.starts[begin], self.starts[end]
        return Masses(
            self.starts[begin : end + 1] - first,
            self.left[first:last],
            self.right[first:last],
            self.mass[first:last],
            self.totals[begin:end],
        )

    def take(self, chosen: Ints) -> "Masses":
        """The histograms with the indices `chosen`, in that order."""
        sizes = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        buckets = np.repeat(self.starts[chosen] - starts[:-1], sizes) + np.arange(starts[-1])
        return Masses(starts, self.left[buckets], self.right[buckets], self.mass[buckets], self.totals[chosen])


def masses_of(histograms: Sequence[Rows]) -> Masses:
    """Normalise histograms as written. Drops buckets without a count or a finite edge.

    A bucket with one infinite edge has all its mass at the other one.
    """
    rows = np.concatenate([*histograms, np.zeros((0, 3))])
    owner = np.repeat(np.arange(len(histograms)), [len(histogram) for histogram in histograms])
    left, right = np.minimum(rows[:, 0], rows[:, 1]), np.maximum(rows[:, 0], rows[:, 1])
    left, right = (
        np.where(np.abs(left) > FARTHEST, right, left),
        np.where(np.abs(right) > FARTHEST, left, right),
    )
    counts = np.minimum(rows[:, 2], 1e290)
    valid = (np.abs(left) <= FARTHEST) & (np.abs(right) <= FARTHEST) & (counts > 0)
    left, right, counts, owner = left[valid], right[valid], counts[valid], owner[valid]
    left, right, counts, owner = _in_order(left, right, counts, owner)
    totals = _sums(owner, counts, len(histograms))
    sizes = np.bincount(owner, minlength=len(histograms))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
    return Masses(starts, left, right, counts / totals[owner], totals)


def _in_order(left: Floats, right: Floats, counts: Floats, owner: Ints) -> tuple[Floats, Floats, Floats, Ints]:
    """Sort the buckets of each histogram by left edge, and end each where the next one begins if they overlap."""
    same = owner[1:] == owner[:-1]
    if (same & (left[1:] < left[:-1])).any():
        order = np.lexsort((right, left, owner))
        left, right, counts, owner = left[order], right[order], counts[order], owner[order]
        same = owner[1:] == owner[:-1]
    cut = right.copy()
    cut[:-1] = np.where(same, np.minimum(right[:-1], left[1:]), right[:-1])
    return left, cut, counts, owner


def quantiles(masses: Masses, parts: Sequence[float]) -> Floats:
    """The quantiles `parts` (0 to 1) of each histogram, [parts, n]. NaN for histograms without mass.

    Interpolates the cumulative mass linearly within buckets.
    """
    values = np.full((len(parts), len(masses)), np.nan)
    filled = np.flatnonzero(masses.filled)
    if not len(filled):
        return values
    owner = masses.owner
    through = np.cumsum(masses.mass)
    base = np.concatenate([[0.0], through])[masses.starts[:-1]]
    after = np.clip(through - base[owner], 0.0, 1.0)
    before = np.clip(after - masses.mass, 0.0, 1.0)
    # One call of interp serves all histograms: the cumulative mass of histogram i lies in [2i, 2i + 1].
    positions = np.maximum.accumulate(_pairs(2.0 * owner + before, 2.0 * owner + after))
    edges = _pairs(masses.left, masses.right)
    lowest, highest = ends(masses)
    for row, part in zip(values, parts, strict=True):
        row[filled] = np.clip(np.interp(2.0 * filled + part, positions, edges), lowest[filled], highest[filled])
    return values


def ends(masses: Masses) -> tuple[Floats, Floats]:
    """The lowest and the highest edge of each histogram, [n] each. NaN for histograms without mass."""
    low, high = np.full(len(masses), np.nan), np.full(len(masses), np.nan)
    filled = masses.filled
    begins = masses.starts[:-1][filled]
    if len(begins):
        low[filled] = masses.left[begins]
        high[filled] = np.maximum.reduceat(masses.right, begins)
    return low, high


def cells(masses: Masses, low: float, high: float, rows: int) -> tuple[Floats, Floats, Floats]:
    """The mass of each histogram in `rows` equal cells of [low, high], [n, rows], and below and above it, [n] each.

    Both ends belong to the range: a bucket of no width at `high` is in the last cell.
    """
    owner = masses.owner
    width = masses.right - masses.left
    begin, end = np.clip(masses.left, low, high), np.clip(masses.right, low, high)
    point = width <= 0
    safe = np.where(point, 1.0, width)
    inside = np.where(point, (masses.left >= low) & (masses.left <= high), (end - begin) / safe)
    under = np.where(point, masses.left < low, np.clip(np.minimum(masses.right, low) - masses.left, 0.0, None) / safe)
    over = np.clip(1.0 - inside - under, 0.0, 1.0)
    overlaps = inside > 0
    through = np.cumsum(masses.mass[overlaps] * inside[overlaps])
    # As in `quantiles`, one call of interp serves all: the range of histogram i is mapped to [2i, 2i + 1].
    positions = _pairs(*(2.0 * owner[overlaps] + (edge[overlaps] - low) / (high - low) for edge in (begin, end)))
    sums = _pairs(np.concatenate([[0.0], through[:-1]]) if len(through) else through, through)
    borders = np.linspace(0.0, 1.0, rows + 1)
    borders[0], borders[-1] = -0.5, 1.5  # a bucket of no width on the edge of the range is inside
    targets = 2.0 * np.arange(len(masses))[:, None] + borders
    cumulative = np.interp(targets, positions, sums) if len(sums) else np.zeros(targets.shape)
    below = _sums(owner, masses.mass * under, len(masses))
    above = _sums(owner, masses.mass * over, len(masses))
    return np.diff(cumulative, axis=1), below, above


def robust_range(masses: Masses) -> Range | None:
    """The range of all histograms together without `TAIL` of their mass at each end. None if there is no mass.

    The mass of each bucket is approximated by four points.
    """
    sample = masses
    if len(masses) > MAX_SAMPLED:
        sample = masses.take(np.linspace(0, len(masses) - 1, MAX_SAMPLED).astype(np.intp))
    if not len(sample.mass):
        return None
    width = sample.right - sample.left
    points = np.concatenate([sample.left + part * width for part in (0.125, 0.375, 0.625, 0.875)])
    order = np.argsort(points)
    through = np.cumsum(np.tile(sample.mass / 4, 4)[order])
    low, high = np.searchsorted(through / through[-1], [TAIL, 1.0 - TAIL])
    return float(points[order[low]]), float(points[order[min(high, len(points) - 1)]])


def full_range(masses: Masses) -> Range | None:
    """From the lowest to the highest edge of all histograms. None if there is no mass."""
    low, high = ends(masses)
    return (float(np.nanmin(low)), float(np.nanmax(high))) if masses.filled.any() else None


def shared_range(ranges: Sequence[Range], *, robust: bool) -> Range:
    """The union of non-empty `ranges`, if `robust` without those far wider than the median."""
    if robust and len(ranges) > 1:
        middle = sorted(high - low for low, high in ranges)[(len(ranges) - 1) // 2]
        ranges = [(low, high) for low, high in ranges if high - low <= MAX_SPREAD * middle] or ranges
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def with_margin(low: float, high: float) -> Range:
    """The range with a margin at each end. Never empty."""
    size = max(abs(low), abs(high))
    room = MARGIN * (high - low)
    if high - low <= 1e-9 * size:
        room = 0.05 * size or 0.5
    return low - room, high + room


def _pairs(first: Floats, second: Floats) -> Floats:
    """Interleave two arrays: a0, b0, a1, b1, ..."""
    return np.stack([first, second], axis=1).reshape(-1)


def _sums(owner: Ints, numbers: Floats, count: int) -> Floats:
    """The sum of `numbers` for each of `count` owners, [count]."""
    return np.bincount(owner, numbers, count).astype(np.float64)
