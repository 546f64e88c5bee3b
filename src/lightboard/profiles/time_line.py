"""The slices of a host in rows that do not overlap, and what of them is seen in a window of so many pixels."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.nesting import order_of

MAX_ROWS = 100
"""Rows of a track. What is nested deeper is in the last one, where slices overlap."""

CHECKED = 100_000
"""Slices between two checks for cancellation."""

Ints = NDArray[np.int64]


class Row(NamedTuple):
    """The slices of a track at one depth, as a range of `TimeLine.order`."""

    track: int
    depth: int
    begin: int
    end: int


class Marks(NamedTuple):
    """What is drawn of a row: columns of the same length, in the order of time.

    A mark is one slice, or several that are narrower than a pixel beside each other; then `slice` is the longest of
    them, `start_ns` and `duration_ns` are those of all together, and `busy_ns` is the sum of their times.
    """

    slice: Ints
    start_ns: Ints
    duration_ns: Ints
    count: Ints  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    busy_ns: Ints


class TimeLine:
    """The slices of a host. A slice is in the row of its depth: the number of slices of its track around it.

    Steps are in rows of their own above the others: those of PyTorch begin and end within calls of functions, and would
    push everything after them down.
    """

    def __init__(self, capture: HostCapture) -> None:
        slices = self.slices = capture.slices
        self.depth = row_depths(capture)
        self.order: Ints = np.lexsort((slices.start_ns, self.depth, slices.track)).astype(np.int64)
        self.start_ns: Ints = slices.start_ns[self.order]
        self.end_ns: Ints = self.start_ns + slices.duration_ns[self.order]
        tracks, rows = slices.track[self.order].astype(np.int64), self.depth[self.order].astype(np.int64)
        begins = np.flatnonzero(np.diff(tracks * MAX_ROWS + rows, prepend=-1)).tolist()
        ends = [*begins[1:], len(self.order)]
        self.rows = [Row(int(tracks[at]), int(rows[at]), at, end) for at, end in zip(begins, ends, strict=True)]

    def marks(self, row: Row, begin_ns: int, end_ns: int, pixel_ns: int) -> Marks:
        """What is seen of a row in a window, at most two marks for each pixel."""
        starts, ends = self.start_ns[row.begin : row.end], self.end_ns[row.begin : row.end]
        low = int(np.searchsorted(np.maximum.accumulate(ends) if row.depth == MAX_ROWS - 1 else ends, begin_ns, "left"))
        high = int(np.searchsorted(starts, end_ns, "right"))
        starts, ends = starts[low:high], ends[low:high]
        rows = self.order[row.begin + low : row.begin + high]
        durations = ends - starts
        if not len(rows):
            return Marks(rows, starts, durations, rows, rows)
        pixel = (starts - begin_ns) // pixel_ns
        is_wide = durations >= pixel_ns
        # A mark begins with each wide slice, behind each, and with each pixel.
        is_first = np.ones(len(rows), bool)
        is_first[1:] = is_wide[1:] | is_wide[:-1] | (pixel[1:] != pixel[:-1])
        first = np.flatnonzero(is_first)
        group = np.cumsum(is_first) - 1
        longest = np.lexsort((-durations, group))[first]
        begins = starts[first]
        return Marks(
            rows[longest],
            begins,
            np.maximum.reduceat(ends, first) - begins,
            np.diff(np.append(first, len(rows))),
            np.add.reduceat(durations, first),
        )

    def self_ns(self, index: int) -> int:
        """The time of a slice in which nothing inside of it runs."""
        track, depth = int(self.slices.track[index]), int(self.depth[index])
        start, duration = int(self.slices.start_ns[index]), int(self.slices.duration_ns[index])
        inner = next((row for row in self.rows if row.track == track and row.depth == depth + 1), None)
        if inner is None:
            return duration
        starts, ends = self.start_ns[inner.begin : inner.end], self.end_ns[inner.begin : inner.end]
        low, high = np.searchsorted(ends, start, "right"), np.searchsorted(starts, start + duration, "left")
        inside = np.minimum(ends[low:high], start + duration) - np.maximum(starts[low:high], start)
        return max(0, duration - int(inside.sum()))

    def same_name(self, index: int) -> Ints:
        """All slices of the name of this one, in the order of time."""
        slices = self.slices
        same = np.flatnonzero(slices.name == slices.name[index])
        return same[np.lexsort((same, slices.start_ns[same]))]


def row_depths(capture: HostCapture) -> NDArray[np.int16]:
    """The depth of each slice, with steps above all others of their track."""
    slices = capture.slices
    is_step = np.zeros(len(slices), bool)
    is_step[[marker.slice for marker in capture.steps]] = True
    depths = np.zeros(len(slices), np.int16)
    above = np.zeros(len(capture.tracks), np.int16)
    for rows in (np.flatnonzero(is_step), np.flatnonzero(~is_step)):
        rows = rows[order_of(slices, rows)]
        depths[rows] = depths_of(slices.track[rows], slices.start_ns[rows], slices.duration_ns[rows])
        depths[rows] += above[slices.track[rows]]
        np.maximum.at(above, slices.track[rows], depths[rows] + 1)
    return np.minimum(depths, MAX_ROWS - 1)


def depths_of(track: NDArray[np.int32], start_ns: Ints, duration_ns: Ints) -> NDArray[np.int16]:
    """The depth of each slice, of slices in the order of track, beginning, and negative duration."""
    depths = np.zeros(len(track), np.int16)
    ends, track_before = list[int](), -1
    for at, each, start, duration in walk(track, start_ns, duration_ns):
        if each != track_before:
            ends, track_before = [], each
        while ends and ends[-1] <= start:
            ends.pop()
        depths[at] = min(len(ends), MAX_ROWS - 1)
        ends.append(start + duration)
    return depths


def walk(track: NDArray[np.int32], start_ns: Ints, duration_ns: Ints) -> Iterator[tuple[int, int, int, int]]:
    """The rows of these columns, with their index."""
    for begin in range(0, len(track), CHECKED):
        cancellation.check()
        part = slice(begin, begin + CHECKED)
        columns = track[part].tolist(), start_ns[part].tolist(), duration_ns[part].tolist()
        for at, row in enumerate(zip(*columns, strict=True), begin):
            yield (at, *row)
