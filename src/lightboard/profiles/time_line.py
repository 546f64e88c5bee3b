"""What is seen of the slices of a host in a window of so many pixels."""

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import Blocks, HostCapture, Row, SliceRows
from lightboard.profiles.nesting import LATEST_NS, LabelTest, label_test, order_of
from lightboard.profiles.slice_rows import AT_ONCE, BLOCK, MAX_ROWS, coarse_blocks, longest_of, slice_rows
from lightboard.profiles.time_points import TimePoints

FEW = 4096
"""So many slices are looked at one by one."""

SLICES_AT_ONCE = 1 << 18
"""Slices of a part of the time."""

Ints = NDArray[np.int64]


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
    found: Ints
    """How many of them are wanted; empty if nothing in particular is."""


class Items(NamedTuple):
    """Slices of a row, or blocks of them that are within one pixel: columns of the same length.

    `position` is that of the longest in `SliceRows.order`.
    """

    position: Ints
    start_ns: Ints
    end_ns: Ints
    count: Ints  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    busy_ns: Ints
    longest_ns: Ints


class Window(NamedTuple):
    """The range of the slices of a row that is seen, and what a pixel of it is."""

    row: Row
    low: int
    high: int
    begin_ns: int
    pixel_ns: int

    def merged(self, blocks: Blocks, chosen: Ints, size: int) -> tuple[Items, Ints]:
        """Those of these blocks of `size` slices that are narrow and within a pixel; where the other ones begin."""
        begins = blocks.begin[chosen].astype(np.int64)
        ends = np.minimum(begins + size, self.row.end)
        pixels = [
            (column[chosen] - self.begin_ns) // self.pixel_ns for column in (blocks.start_ns, blocks.last_start_ns)
        ]
        is_merged = (blocks.longest_ns[chosen] < self.pixel_ns) & (ends <= self.high) & (pixels[0] == pixels[1])
        taken = chosen[is_merged]
        items = Items(
            blocks.longest[taken].astype(np.int64),
            blocks.start_ns[taken],
            blocks.end_ns[taken],
            (ends - begins)[is_merged],
            blocks.busy_ns[taken],
            blocks.longest_ns[taken],
        )
        return items, begins[~is_merged]


def parts_of(begins: Ints, first: int, edge: int, end: int) -> Ints:
    """The indexes from `first` to `edge`, and `BLOCK` from each of `begins`, below `end`."""
    parts = (begins[:, None] + np.arange(BLOCK)).reshape(-1)
    return np.concatenate([np.arange(first, edge), parts[parts < end]])


class TimePart(NamedTuple):
    """A range of time, and the slices that overlap it or begin in it, by track and time as `order_of` has them.

    Only those that are steps may be before others that begin together with them.
    """

    begin_ns: int
    end_ns: int
    slices: Ints


class TimeLine:
    """The slices of a host in rows: see `SliceRows`."""

    def __init__(self, capture: HostCapture) -> None:
        self.slices = capture.slices
        self._take = capture.take
        self.names = capture.names
        self._capture = capture
        self.slice_rows: SliceRows = capture.rows or slice_rows(capture)
        self.rows = [Row(*each) for each in self.slice_rows.rows.tolist()]

    @cached_property
    def track_rows(self) -> dict[int, list[Row]]:
        """The rows of each track, the outermost first."""
        result = dict[int, list[Row]]()
        for row in self.rows:
            result.setdefault(row.track, []).append(row)
        return result

    @cached_property
    def are_labels(self) -> LabelTest:
        """Which slices only name others."""
        return label_test(self._capture)

    @cached_property
    def points(self) -> TimePoints:
        """Instants and counters."""
        return TimePoints(self._capture)

    @property
    def depth(self) -> NDArray[np.int8]:
        """The depth of each slice."""
        return self.slice_rows.depth

    @property
    def self_ns(self) -> Ints:
        """The self time of each slice, as in the table of operators."""
        return self.slice_rows.self_ns

    @cached_property
    def coarse(self) -> Blocks:
        """Blocks of blocks, by which a picture of millions of slices does not look at each block."""
        return coarse_blocks(self.slice_rows.rows, self.slice_rows.blocks)

    @cached_property
    def begin_ns(self) -> int:
        """When the first slice begins, 0 without slices."""
        return int(self.slice_rows.blocks.start_ns.min()) if self.rows else 0

    @cached_property
    def end_ns(self) -> int:
        """When the last slice ends, 0 without slices."""
        return int(self.slice_rows.blocks.end_ns.max()) if self.rows else 0

    def marks(
        self, row: Row, begin_ns: int, end_ns: int, pixel_ns: int, wanted: NDArray[np.bool_] | None = None
    ) -> Marks:
        """What is seen of a row in a window, at most two marks for each pixel. `wanted` is by the index of names."""
        low, high = self._window(row, begin_ns, end_ns)
        items = self._items(row, low, high, begin_ns, pixel_ns)
        if not len(items.position):
            return Marks(*(items.position,) * 6)
        pixel = (items.start_ns - begin_ns) // pixel_ns
        is_wide = items.longest_ns >= pixel_ns
        # A mark begins with each wide slice, behind each, and with each pixel.
        is_first = np.ones(len(pixel), bool)
        is_first[1:] = is_wide[1:] | is_wide[:-1] | (pixel[1:] != pixel[:-1])
        first = np.flatnonzero(is_first)
        longest, _ = longest_of(items.longest_ns, first)
        begins = items.start_ns[first]
        count = np.add.reduceat(items.count, first)
        return Marks(
            self._take(self.slice_rows.order, items.position[longest]).astype(np.int64),
            begins,
            np.maximum.reduceat(items.end_ns, first) - begins,
            count,
            np.add.reduceat(items.busy_ns, first),
            count[:0] if wanted is None else self._found(low, count, wanted),
        )

    def _found(self, low: int, count: Ints, wanted: NDArray[np.bool_]) -> Ints:
        """How many wanted slices there are among the first `count` ones from `low` on, the next, and so on."""
        ends, found = np.cumsum(count), [np.empty(0, np.int64)]
        for begin in range(0, int(ends[-1]), AT_ONCE):
            part = self.slice_rows.order[low + begin : low + min(begin + AT_ONCE, int(ends[-1]))]
            found.append(np.flatnonzero(wanted[self.slices.name[part]]) + begin)
            self._capture.let_go()
        return np.diff(np.searchsorted(np.concatenate(found), np.append(0, ends))).astype(np.int64)

    def between(self, row: Row, begin_ns: int, end_ns: int) -> tuple[Ints, Ints, Ints]:
        """What of a row is in a range of time, without what only touches it: the slices, their beginnings and ends."""
        found, starts, ends = self._columns(*self._window(row, begin_ns, end_ns))
        latest = np.maximum.accumulate(ends) if row.depth == MAX_ROWS - 1 else ends
        low = int(min(np.searchsorted(latest, begin_ns, "right"), np.searchsorted(starts, begin_ns, "left")))
        inside = slice(low, int(np.searchsorted(starts, end_ns, "left")))
        return found[inside], starts[inside], ends[inside]

    def parts(self, rows: list[Row]) -> Iterator[TimePart]:
        """All of the time in parts that have not too many slices of these rows, which are all those of some tracks.

        Each part is out of memory before the next.
        """
        starts = [self.slice_rows.blocks.start_ns[slice(*self._blocks_of(row))] for row in rows]
        cuts = np.sort(np.concatenate(starts))[SLICES_AT_ONCE // BLOCK :: SLICES_AT_ONCE // BLOCK]
        for begin, end in pairwise([-LATEST_NS, *np.unique(cuts).tolist(), LATEST_NS]):
            cancellation.check()
            found = [self._by_time(track, begin, end) for _, track in groupby(rows, lambda row: row.track)]
            self._capture.let_go()
            yield TimePart(begin, end, np.concatenate(found))
            self._capture.let_go()

    def _by_time(self, rows: Iterator[Row], begin_ns: int, end_ns: int) -> Ints:
        """What of the rows of a track is in a range of time. Those that begin together are in the order of rows."""
        each = [self.between(row, begin_ns, end_ns) for row in rows]
        found, starts, _ = (np.concatenate(columns) for columns in zip(*each, strict=True))
        return found[np.argsort(starts, kind="stable")]  # which merges rows, as they are in order

    def begun(self, row: Row, moments: Ints) -> Ints:
        """The last slice of a row that has begun at each moment, -1 if there is none."""
        first, end = self._blocks_of(row)
        blocks, order = self.slice_rows.blocks, self.slice_rows.order
        block = first + np.searchsorted(blocks.start_ns[first:end], moments, "right") - 1
        begins = blocks.begin[np.maximum(block, first)].astype(np.int64)
        inside = begins[:, None] + np.arange(BLOCK)
        starts = self.slices.start_ns[order[np.minimum(inside, row.end - 1)]]
        count = ((starts <= moments[:, None]) & (inside < row.end)).sum(axis=1)
        return np.where(block >= first, order[begins + np.maximum(count - 1, 0)].astype(np.int64), -1)

    def busy_ns(self, row: Row) -> int:
        """The sum of the durations of a row."""
        return int(self.slice_rows.blocks.busy_ns[slice(*self._blocks_of(row))].sum())

    def _blocks_of(self, row: Row) -> tuple[int, int]:
        """The range of the blocks of a row."""
        first, end = np.searchsorted(self.slice_rows.blocks.begin, (row.begin, row.end))
        return int(first), int(end)

    def _columns(self, low: int, high: int) -> tuple[Ints, Ints, Ints]:
        """A range of `SliceRows.order`: slices, their beginnings and ends."""
        found = self.slice_rows.order[low:high].astype(np.int64)
        starts = self.slices.start_ns[found]
        return found, starts, starts + self.slices.duration_ns[found]

    def _items(self, row: Row, low: int, high: int, begin_ns: int, pixel_ns: int) -> Items:
        """A range of the slices of a row, in blocks where all of one are narrow and within one pixel."""
        blocks = self.slice_rows.blocks
        if high - low <= FEW:
            return self._single(np.arange(low, high))
        # Coarse blocks, then the blocks of those that do not fit and of the edges, then their slices.
        window = Window(row, low, high, begin_ns, pixel_ns)
        coarse_first, coarse_end = np.searchsorted(self.coarse.begin, (low, high))
        coarse, split = window.merged(self.coarse, np.arange(coarse_first, coarse_end), BLOCK * BLOCK)
        first, end = (int(at) for at in np.searchsorted(blocks.begin, (low, high)))
        edge = end
        if coarse_first < coarse_end:
            edge = int(np.searchsorted(blocks.begin, self.coarse.begin[coarse_first]))
        fine, split = window.merged(blocks, parts_of(np.searchsorted(blocks.begin, split), first, edge, end), BLOCK)
        single = self._single(parts_of(split, low, int(blocks.begin[first]), min(high, row.end)))
        joined = Items(*map(np.concatenate, zip(single, fine, coarse, strict=True)))
        order = np.argsort(joined.position, kind="stable")  # which takes runs that are in order as they are
        return Items(*(column[order] for column in joined))

    def _window(self, row: Row, begin_ns: int, end_ns: int) -> tuple[int, int]:
        """The range of the slices of a row that overlap a window or touch it."""
        blocks, slices, order = self.slice_rows.blocks, self.slices, self.slice_rows.order
        first, end = self._blocks_of(row)
        block_ends = blocks.end_ns[first:end]
        if row.depth == MAX_ROWS - 1:  # where slices overlap
            block_ends = np.maximum.accumulate(block_ends)
        at = first + int(np.searchsorted(block_ends, begin_ns, "left"))
        low = row.end
        if at < end:
            low = int(blocks.begin[at])
            inside = order[low : min(low + BLOCK, row.end)]
            ends = slices.start_ns[inside] + slices.duration_ns[inside]
            low += int(np.searchsorted(np.maximum.accumulate(ends), begin_ns, "left"))
        at = first + int(np.searchsorted(blocks.start_ns[first:end], end_ns, "right")) - 1
        if at < first:
            return low, low
        high = int(blocks.begin[at])
        inside = order[high : min(high + BLOCK, row.end)]
        return low, max(low, high + int(np.searchsorted(slices.start_ns[inside], end_ns, "right")))

    def _single(self, positions: Ints) -> Items:
        """Slices as they are."""
        chosen = self._take(self.slice_rows.order, positions)
        starts, durations = self._take(self.slices.start_ns, chosen), self._take(self.slices.duration_ns, chosen)
        return Items(positions, starts, starts + durations, np.ones(len(positions), np.int64), durations, durations)

    def same_name(self, index: int) -> Ints:
        """All slices of the name of this one, in the order of time."""
        slices, name = self.slices, self.slices.name[index]
        parts = self._capture.parts(len(slices))
        same = np.concatenate([np.flatnonzero(slices.name[part] == name) + part.start for part in parts])
        return same[np.lexsort((same, self._capture.take(slices.start_ns, same)))]


def time_parts(capture: HostCapture) -> Iterator[TimePart]:
    """All of the time in parts that have not too many slices; one part if slices are not in rows yet."""
    if capture.rows is None or len(capture.slices) <= SLICES_AT_ONCE:
        yield TimePart(-LATEST_NS, LATEST_NS, order_of(capture.slices, np.arange(len(capture.slices))))
        return
    line = TimeLine(capture)
    yield from line.parts(line.rows)
