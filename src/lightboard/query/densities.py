"""Where the mass of many histograms lies: in cells of one range, at quantiles, and which range is worth showing.

Pure, over whole series at once. Every histogram counts as one, whatever it counts. Within a bucket mass is spread
evenly. Not here: reading, and what is sent.
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
"""Beyond it edges are as good as infinite: TensorFlow's outermost buckets end at the greatest double."""

TAIL = 0.005
"""The part of the mass that a robust range may leave out at either end."""

MARGIN = 0.02
"""Room beside a range, in parts of it."""

MOST_SPREAD = 8.0
"""A run that spreads so many times as wide as the middle one does not decide what is shown of all."""

MOST_LOOKED_AT = 400
"""Histograms of a series that its range is taken from."""


@dataclass(frozen=True, slots=True)
class Masses:
    """n histograms, their buckets one after another by left edge; those of number i begin at `starts[i]` of n + 1.

    `left` <= `right`, finite; the `mass` of each histogram sums to 1, or it has no buckets. `totals` [n]: its counts.
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
        """Which histogram each bucket belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def filled(self) -> npt.NDArray[np.bool_]:
        """Which histograms have any mass, [n]."""
        return np.diff(self.starts) > 0

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return sum(one.nbytes for one in (self.starts, self.left, self.right, self.mass, self.totals))

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
        """The chosen histograms."""
        sizes = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        at = np.repeat(self.starts[chosen] - starts[:-1], sizes) + np.arange(starts[-1])
        return Masses(starts, self.left[at], self.right[at], self.mass[at], self.totals[chosen])


def masses_of(histograms: Sequence[Rows]) -> Masses:
    """What there is to draw of rows as they were written: buckets that are nowhere or hold nothing are left out."""
    rows = np.concatenate([*histograms, np.zeros((0, 3))])
    owner = np.repeat(np.arange(len(histograms)), [len(one) for one in histograms])
    left, right = np.minimum(rows[:, 0], rows[:, 1]), np.maximum(rows[:, 0], rows[:, 1])
    left, right = (
        np.where(np.abs(left) > FARTHEST, right, left),
        np.where(np.abs(right) > FARTHEST, left, right),
    )
    counts = np.minimum(rows[:, 2], 1e290)
    kept = (np.abs(left) <= FARTHEST) & (np.abs(right) <= FARTHEST) & (counts > 0)
    left, right, counts, owner = left[kept], right[kept], counts[kept], owner[kept]
    left, right, counts, owner = _in_order(left, right, counts, owner)
    totals = _sums(owner, counts, len(histograms))
    sizes = np.bincount(owner, minlength=len(histograms))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
    return Masses(starts, left, right, counts / totals[owner], totals)


def _in_order(left: Floats, right: Floats, counts: Floats, owner: Ints) -> tuple[Floats, Floats, Floats, Ints]:
    """Buckets by left edge; where they overlap, each ends where the next one begins."""
    same = owner[1:] == owner[:-1]
    if (same & (left[1:] < left[:-1])).any():
        order = np.lexsort((right, left, owner))
        left, right, counts, owner = left[order], right[order], counts[order], owner[order]
        same = owner[1:] == owner[:-1]
    cut = right.copy()
    cut[:-1] = np.where(same, np.minimum(right[:-1], left[1:]), right[:-1])
    return left, cut, counts, owner


def quantiles(masses: Masses, parts: Sequence[float]) -> Floats:
    """The value below which each of `parts` (0 to 1) of the mass lies, [parts, n]; NaN without mass."""
    found = np.full((len(parts), len(masses)), np.nan)
    filled = np.flatnonzero(masses.filled)
    if not len(filled):
        return found
    owner = masses.owner
    through = np.cumsum(masses.mass)
    base = np.concatenate([[0.0], through])[masses.starts[:-1]]
    after = np.clip(through - base[owner], 0.0, 1.0)
    before = np.clip(after - masses.mass, 0.0, 1.0)
    places = np.maximum.accumulate(_pairs(2.0 * owner + before, 2.0 * owner + after))
    edges = _pairs(masses.left, masses.right)
    lowest, highest = ends(masses)
    for at, part in enumerate(parts):
        values = np.interp(2.0 * filled + part, places, edges)
        found[at, filled] = np.clip(values, lowest[filled], highest[filled])
    return found


def ends(masses: Masses) -> tuple[Floats, Floats]:
    """Where the mass of each histogram begins and ends, [n] each; NaN without mass."""
    low, high = np.full(len(masses), np.nan), np.full(len(masses), np.nan)
    filled = masses.filled
    begins = masses.starts[:-1][filled]
    if len(begins):
        low[filled] = masses.left[begins]
        high[filled] = np.maximum.reduceat(masses.right, begins)
    return low, high


def cells(masses: Masses, low: float, high: float, rows: int) -> tuple[Floats, Floats, Floats]:
    """The mass of each histogram in `rows` equal cells of [low, high], [n, rows], and what is below and above, [n]."""
    owner = masses.owner
    width = masses.right - masses.left
    begin, end = np.clip(masses.left, low, high), np.clip(masses.right, low, high)
    point = width <= 0
    safe = np.where(point, 1.0, width)
    inside = np.where(point, (masses.left >= low) & (masses.left <= high), (end - begin) / safe)
    under = np.where(point, masses.left < low, np.clip(np.minimum(masses.right, low) - masses.left, 0.0, None) / safe)
    over = np.clip(1.0 - inside - under, 0.0, 1.0)
    held = inside > 0
    through = np.cumsum(masses.mass[held] * inside[held])
    places = _pairs(*(2.0 * owner[held] + (edge[held] - low) / (high - low) for edge in (begin, end)))
    sums = _pairs(np.concatenate([[0.0], through[:-1]]) if len(through) else through, through)
    at = np.linspace(0.0, 1.0, rows + 1)
    at[0], at[-1] = -0.5, 1.5  # a point on the edge of the range is in it
    asked = 2.0 * np.arange(len(masses))[:, None] + at
    found = np.interp(asked, places, sums) if len(sums) else np.zeros(asked.shape)
    below = _sums(owner, masses.mass * under, len(masses))
    above = _sums(owner, masses.mass * over, len(masses))
    return np.diff(found, axis=1), below, above


def robust_range(masses: Masses) -> Range | None:
    """All but `TAIL` of the mass at either end, of all histograms together; None without mass."""
    looked_at = masses
    if len(masses) > MOST_LOOKED_AT:
        looked_at = masses.take(np.linspace(0, len(masses) - 1, MOST_LOOKED_AT).astype(np.intp))
    if not len(looked_at.mass):
        return None
    width = looked_at.right - looked_at.left
    points = np.concatenate([looked_at.left + part * width for part in (0.125, 0.375, 0.625, 0.875)])
    order = np.argsort(points)
    through = np.cumsum(np.tile(looked_at.mass / 4, 4)[order])
    low, high = np.searchsorted(through / through[-1], [TAIL, 1.0 - TAIL])
    return float(points[order[low]]), float(points[order[min(high, len(points) - 1)]])


def full_range(masses: Masses) -> Range | None:
    """From the least to the greatest place with mass; None without mass."""
    low, high = ends(masses)
    return (float(np.nanmin(low)), float(np.nanmax(high))) if masses.filled.any() else None


def shared_range(ranges: Sequence[Range], *, robust: bool) -> Range:
    """One range for all; when `robust` without those that spread far wider than the middle one."""
    if robust and len(ranges) > 1:
        middle = sorted(high - low for low, high in ranges)[(len(ranges) - 1) // 2]
        ranges = [one for one in ranges if one[1] - one[0] <= MOST_SPREAD * middle] or ranges
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def with_margin(low: float, high: float) -> Range:
    """A little wider, and never empty."""
    size = max(abs(low), abs(high))
    room = MARGIN * (high - low)
    if high - low <= 1e-9 * size:
        room = 0.05 * size or 0.5
    return low - room, high + room


def _pairs(first: Floats, second: Floats) -> Floats:
    """a0, b0, a1, b1, ..."""
    return np.stack([first, second], axis=1).reshape(-1)


def _sums(owner: Ints, numbers: Floats, count: int) -> Floats:
    """The sum of the numbers of each owner, [count]."""
    return np.bincount(owner, numbers, count).astype(np.float64)
