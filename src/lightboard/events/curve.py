"""A line as a function of x. The simple reference implementation."""

import bisect
import math
from collections.abc import Sequence
from typing import NamedTuple


def interpolate(x0: float, y0: float, x1: float, y1: float, x: float) -> float:
    """y at x on the straight line through two points. Also works if a difference or the slope overflows."""
    width = x1 - x0
    slope = (y1 - y0) / width
    if math.isfinite(slope) and math.isfinite(width):
        return slope * (x - x0) + y0
    share = (x / 2 - x0 / 2) / (x1 / 2 - x0 / 2)
    return y0 * (1 - share) + y1 * share


class Curve(NamedTuple):
    """Points in ascending order of x, with distinct xs, joined by straight lines."""

    xs: Sequence[float]
    ys: Sequence[float]
    nonfinite_xs: Sequence[float] = ()
    """Every x at which no point is finite. Of those after the last finite point, only the first."""
    nonfinite_from: float = math.inf
    """The first x from which the line has only non-finite points until its end; inf if the line ends in a finite point.
    """

    @classmethod
    def of(cls, xs: Sequence[float], ys: Sequence[float]) -> "Curve":
        """The curve through points in any order. If several share an x, the last finite one counts."""
        points = sorted(((x, y) for x, y in zip(xs, ys, strict=True) if math.isfinite(y)), key=lambda point: point[0])
        last = dict(points)
        others = sorted({x for x, y in zip(xs, ys, strict=True) if not math.isfinite(y)} - last.keys())
        end = max(last, default=-math.inf)
        nonfinite_from = min((x for x in others if x > end), default=math.inf)
        return cls(list(last), list(last.values()), [x for x in others if x <= nonfinite_from], nonfinite_from)

    def covers(self, x: float) -> bool:
        """Whether x lies between the first point and the last."""
        return bool(self.xs) and self.xs[0] <= x <= self.xs[-1]

    def at(self, x: float) -> float:
        """y at a covered x."""
        i = bisect.bisect_right(self.xs, x) - 1
        if self.xs[i] == x:
            return self.ys[i]
        return interpolate(self.xs[i], self.ys[i], self.xs[i + 1], self.ys[i + 1], x)

    def clip(self, x0: float, x1: float) -> "Curve":
        """The points in [x0, x1] and one finite neighbour on either side, with `nonfinite_from` if at most x1."""
        low, high = bisect.bisect_left(self.xs, x0), bisect.bisect_right(self.xs, x1)
        low, high = max(low - 1, 0), min(high + 1, len(self.xs))
        nonfinite = [x for x in self.nonfinite_xs if x0 <= x <= x1]
        return Curve(
            self.xs[low:high],
            self.ys[low:high],
            nonfinite,
            self.nonfinite_from if self.nonfinite_from <= x1 else math.inf,
        )
