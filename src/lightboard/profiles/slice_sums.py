"""What lies in a range of time: the slices of each name and category, with their times clipped to the range.

Self time has one rule: it is that in which no slice runs that began later on the track (`nesting.self_times`), and
labels have none (`nesting.label_test`). It differs from that of the table of operators in what counts. A range counts
functions of Python too, so that self times add up to the time in which a track is busy; among operators only other
operators count, so that a stack of Python functions does not hide what an operator costs. And a range cuts slices at
its edges, so nothing of this is computed before it is asked for.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, Category, Row
from lightboard.profiles.slice_rows import MAX_ROWS
from lightboard.profiles.time_line import TimeLine
from lightboard.profiles.time_ranges import union_of

Ints = NDArray[np.int64]


class SliceSum(NamedTuple):
    """All slices of a name and category in a range. Self time is that in which nothing inside of them runs."""

    name: str
    category: Category
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int


class Clipped(NamedTuple):
    """The slices of a row in a range: their indices, and their times in it."""

    slice: Ints
    total_ns: Ints
    self_ns: Ints


class SliceSums:
    """Collects the slices of hosts by name and category."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, Category], list[int]] = {}

    def add(self, line: TimeLine, rows: Iterable[Row], begin_ns: int, end_ns: int) -> Generator[None]:
        """Add what lies in a range of these rows, which are all those of some tracks. Yields between rows."""
        for row, inner in with_inner(rows):
            yield None
            found = clipped(line, row, inner, begin_ns, end_ns)
            if len(found.slice):
                self._add(line, found)

    def _add(self, line: TimeLine, found: Clipped) -> None:
        slices = line.slices
        keys = slices.name[found.slice].astype(np.int64) * len(CATEGORIES) + slices.category[found.slice]
        unique, group = np.unique(keys, return_inverse=True)
        group = group.reshape(-1)
        totals, selves = np.zeros(len(unique), np.int64), np.zeros(len(unique), np.int64)
        np.add.at(totals, group, found.total_ns)
        np.add.at(selves, group, np.where(line.are_labels(found.slice), 0, found.self_ns))
        counts = np.bincount(group, minlength=len(unique))
        for key, *figures in zip(unique.tolist(), counts.tolist(), totals.tolist(), selves.tolist(), strict=True):
            name, category = divmod(key, len(CATEGORIES))
            sums = self._sums.setdefault((line.names[name], CATEGORIES[category]), [0, 0, 0])
            for at, figure in enumerate(figures):
                sums[at] += figure

    def rows(self) -> list[SliceSum]:
        """What was added, that with most self time first."""
        rows = [SliceSum(*key, *figures) for key, figures in self._sums.items()]
        return sorted(rows, key=lambda each: (-each.self_ns, -each.total_ns, each.name, each.category))


def with_inner(rows: Iterable[Row]) -> Iterator[tuple[Row, Row | None]]:
    """Each row, and the one inside of it."""
    by_place = {(row.track, row.depth): row for row in rows}
    return ((row, by_place.get((row.track, row.depth + 1))) for row in by_place.values())


def clipped(line: TimeLine, row: Row, inner: Row | None, begin_ns: int, end_ns: int) -> Clipped:
    """The slices of a row that overlap a range, and of those without length the ones that begin in it."""
    found, starts, ends = line.between(row, begin_ns, end_ns)
    if row.depth == MAX_ROWS - 1:  # they overlap, so some of those between are over
        inside = (ends > begin_ns) | (starts >= begin_ns)
        starts, ends, found = starts[inside], ends[inside], found[inside]
    starts, ends = np.maximum(starts, begin_ns), np.minimum(ends, end_ns)
    selves = ends - starts
    if inner is not None and len(found):
        _, begins, stops = line.between(inner, begin_ns, end_ns)
        selves = selves - union_of(begins, stops).within(starts, ends)
    return Clipped(found, ends - starts, selves)
