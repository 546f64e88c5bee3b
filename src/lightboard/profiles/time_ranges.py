"""Sets of moments, as ranges that do not overlap: their unions, and how much of a window they cover."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]


class TimeRanges(NamedTuple):
    """Ranges in the order of time, none of which touches another. `covered` is the length of all before each."""

    begin: Times
    end: Times
    covered: Times

    def within(self, begins: Times, ends: Times) -> Times:
        """How much of each window is covered."""
        return self._before(ends) - self._before(begins)

    def _before(self, times: Times) -> Times:
        """How much is covered before each of these moments."""
        if not len(self.begin):
            return np.zeros(len(times), np.int64)
        at = np.searchsorted(self.begin, times, "right") - 1
        first = np.maximum(at, 0)
        partial = np.minimum(times, self.end[first]) - self.begin[first]
        return np.where(at < 0, 0, self.covered[first] + partial)


def union_of(begins: Times, ends: Times) -> TimeRanges:
    """The moments in any of these ranges."""
    is_range = ends > begins
    begins, ends = begins[is_range], ends[is_range]
    if not len(begins):
        empty = np.empty(0, np.int64)
        return TimeRanges(empty, empty, empty)
    order = np.argsort(begins, kind="stable")
    begins, latest = begins[order], np.maximum.accumulate(ends[order])
    first = np.flatnonzero(np.concatenate(([True], begins[1:] > latest[:-1])))
    begin, end = begins[first], latest[np.concatenate((first[1:] - 1, [len(begins) - 1]))]
    lengths = end - begin
    return TimeRanges(begin, end, np.cumsum(lengths) - lengths)


def union(*sets: TimeRanges) -> TimeRanges:
    """The moments in any of these sets."""
    return union_of(np.concatenate([each.begin for each in sets]), np.concatenate([each.end for each in sets]))
