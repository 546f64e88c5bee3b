"""Histograms of durations, one for each row of a table, from which percentiles are read.

A bucket is 1/64 of a power of two wide, and one nanosecond wide below 127 ns. It has the sum of its durations beside
their count, so that a percentile is exact where only one duration is in its bucket, and otherwise right to 1/64.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BITS = 6
"""Each power of two has `2 ** BITS` buckets."""

BUCKETS = 64 << BITS


def buckets_of(duration_ns: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bucket of each duration, from 0 to `BUCKETS` - 1, of longer ones a higher or the same one.

    It is the exponent and the first `BITS` binary digits of the duration plus one, as a double has them.
    """
    bits = (np.maximum(duration_ns, 0).astype(np.float64) + 1).view(np.int64)
    return (bits >> (52 - BITS)) - (1023 << BITS)


@dataclass(frozen=True, slots=True)
class DurationHistograms:
    """`count` durations, `total_ns` together, of this row, and in this bucket: columns of the same length.

    There may be several entries for a bucket, as for those of several hosts.
    """

    row: NDArray[np.int32]
    bucket: NDArray[np.int16]
    count: NDArray[np.int64]
    total_ns: NDArray[np.int64]

    def in_rows(self, rows: Sequence[int]) -> "DurationHistograms":
        """The same of a table in which each row is that of this index."""
        return DurationHistograms(np.array(rows, np.int32)[self.row], self.bucket, self.count, self.total_ns)

    def percentiles(self, percent: int = 95) -> list[int]:
        """For each row, the least duration that so many percent of its durations do not exceed (the nearest rank).

        Each row from 0 to the last one has an entry.
        """
        if not len(self.row):
            return []
        order = np.lexsort((self.bucket, self.row))
        count, total_ns = self.count[order], self.total_ns[order]
        first = np.flatnonzero(np.diff(self.row[order], prepend=-1))
        ends = np.cumsum(count)
        before = ends[first] - count[first]
        rank = -(-np.add.reduceat(count, first) * percent // 100)
        at = np.searchsorted(ends, before + rank)
        found: list[int] = (total_ns[at] // count[at]).tolist()
        return found


def together(parts: Sequence[DurationHistograms]) -> DurationHistograms:
    """The histograms of one table, of which these are parts."""
    return DurationHistograms(
        row=np.concatenate([part.row for part in parts]),
        bucket=np.concatenate([part.bucket for part in parts]),
        count=np.concatenate([part.count for part in parts]),
        total_ns=np.concatenate([part.total_ns for part in parts]),
    )


NO_DURATIONS = DurationHistograms(
    np.empty(0, np.int32), np.empty(0, np.int16), np.empty(0, np.int64), np.empty(0, np.int64)
)
