"""A line as a function of x, in the slow and obvious way."""

import bisect
import math
from collections.abc import Sequence
from typing import NamedTuple


class Curve(NamedTuple):
    """Points in ascending order of x, none sharing one, and straight lines between them."""

    xs: Sequence[float]
    ys: Sequence[float]

    @classmethod
    def of(cls, xs: Sequence[float], ys: Sequence[float]) -> "Curve":
        """The finite points of a line in any order; the last one where several share an x."""
        points = sorted(((x, y) for x, y in zip(xs, ys, strict=True) if math.isfinite(y)), key=lambda point: point[0])
        last = dict(points)
        return cls(list(last), list(last.values()))

    def covers(self, x: float) -> bool:
        """Whether x lies between the first point and the last."""
        return bool(self.xs) and self.xs[0] <= x <= self.xs[-1]

    def at(self, x: float) -> float:
        """y at an x that is covered."""
        i = bisect.bisect_right(self.xs, x) - 1
        if self.xs[i] == x:
            return self.ys[i]
        slope = (self.ys[i + 1] - self.ys[i]) / (self.xs[i + 1] - self.xs[i])
        return slope * (x - self.xs[i]) + self.ys[i]

    def cut(self, x0: float, x1: float) -> "Curve":
        """The points in [x0, x1] and one neighbour on either side."""
        low, high = bisect.bisect_left(self.xs, x0), bisect.bisect_right(self.xs, x1)
        low, high = max(low - 1, 0), min(high + 1, len(self.xs))
        return Curve(self.xs[low:high], self.ys[low:high])
