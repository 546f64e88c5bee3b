"""The slices of a capture in rows that do not overlap, and in blocks of these: what is stored beside its columns for
views of its time line.

A slice is in the row of its depth: the number of slices of its track around it. Steps are in rows of their own above
the others: those of PyTorch begin and end within calls of functions, and would push everything after them down.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard._native import core
from lightboard.profiles.capture import Blocks, HostCapture, SliceRows, Slices
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.nesting import (
    LATEST_NS,
    MAX_DEPTH,
    label_test,
    module_names,
    operator_test,
    order_of,
    self_times,
)

MAX_ROWS = 100
"""Rows of a track. What is nested deeper is in the last one, where slices overlap."""

BLOCK = 32
"""Slices in a block, which takes 1.5 bytes of the index for each of them."""

AT_ONCE = 1 << 20
"""Slices that are looked at at once."""

CHECKED = 100_000
"""Slices between two checks for cancellation."""

OPERATOR, NO_OPERATOR, STEP = range(3)

MODULE = 4
"""What is added to the group of the call of a module."""

Ints = NDArray[np.int64]


class Arranged(NamedTuple):
    """The rows of the slices of a host, and for each the innermost module around it, -1 if there is none.

    Without the core, and where there are no modules, nobody knows.
    """

    rows: SliceRows
    modules: NDArray[np.int32] | None


def slice_rows(capture: HostCapture) -> SliceRows:
    """The rows of the slices of a host."""
    return arranged(capture, ColumnFiles()).rows


def arranged(capture: HostCapture, files: ColumnFiles, *, with_modules: bool = False) -> Arranged:
    """The rows of the slices of a host, in files, and the modules if they are asked for."""
    slices = capture.slices
    with files.borrowed(len(slices), np.int8) as groups:
        is_module, are_operators = module_names(capture), operator_test(capture)
        with_modules = with_modules and bool(is_module.any())
        for begin in range(0, len(slices), AT_ONCE):
            part = slice(begin, min(begin + AT_ONCE, len(slices)))
            groups[part] = np.where(are_operators(part), OPERATOR, NO_OPERATOR)
            files.let_go()
        groups[[marker.slice for marker in capture.steps]] = STEP
        for begin in range(0, len(slices) if with_modules else 0, AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            groups[part] |= np.where(is_module[slices.name[part]], MODULE, 0).astype(np.int8)
            files.let_go()
        order, depth, self_ns, modules = arrange(slices, groups, len(capture.tracks), files, with_modules=with_modules)
    are_labels = label_test(capture)
    for begin in range(0, len(slices), AT_ONCE):
        found = np.flatnonzero(are_labels(slice(begin, min(begin + AT_ONCE, len(slices)))))
        self_ns[begin + found] = 0
        files.let_go()
    rows = row_ranges(slices, order, depth, files.let_go)
    return Arranged(SliceRows(order, depth, self_ns, rows, blocks_of(slices, order, rows, files)), modules)


def row_ranges(
    slices: Slices, order: NDArray[np.int32], depth: NDArray[np.int8], used: Callable[[], None]
) -> NDArray[np.int32]:
    """The fields of each row. `used` is called after each part of the slices."""
    found, before = list[NDArray[np.int64]](), -1
    for begin in range(0, len(order), AT_ONCE):
        chosen = order[begin : begin + AT_ONCE]
        keys = slices.track[chosen].astype(np.int64) * MAX_ROWS + depth[chosen]
        at = np.flatnonzero(np.diff(keys, prepend=before))
        found.append(np.stack([keys[at], at + begin]))
        before = int(keys[-1])
        used()
    keys, begins = np.concatenate(found, axis=1) if found else np.empty((2, 0), np.int64)
    ends = np.append(begins[1:], len(order)) if len(begins) else begins
    return np.stack([keys // MAX_ROWS, keys % MAX_ROWS, begins, ends], axis=1).astype(np.int32)


def arrange(
    slices: Slices, groups: NDArray[np.int8], tracks: int, files: ColumnFiles, *, with_modules: bool = False
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int64], NDArray[np.int32] | None]:
    """The order, depths and self times of slices, and the modules around them if they are asked for.

    Self times of operators are among operators, others among all, labels too.
    """
    if core is None:
        return *python_arrange(slices, groups & ~MODULE), None
    count = len(slices)
    order, depth, self_ns = files.empty(count, np.int32), files.empty(count, np.int8), files.empty(count, np.int64)
    modules = files.empty(count, np.int32) if with_modules else None
    with files.borrowed(count, np.int32) as by_time:
        core.arrange(
            *(slices.track, slices.start_ns, slices.duration_ns, groups, tracks, MAX_ROWS, MAX_DEPTH),
            (order, depth, self_ns, by_time, modules),
            files.columns,
        )
    return order, depth, self_ns, modules


def python_arrange(
    slices: Slices, groups: NDArray[np.int8]
) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int64]]:
    """`arrange` without the core."""
    depth = row_depths(slices, groups == STEP)
    order = np.lexsort((-slices.duration_ns, slices.start_ns, depth, slices.track)).astype(np.int32)
    operators = np.flatnonzero(groups == OPERATOR)
    self_ns = self_times(slices, np.arange(len(slices)))
    self_ns[operators] = self_times(slices, operators)
    return order, depth, self_ns


def row_depths(slices: Slices, is_step: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The depth of each slice, with steps above all others of their track."""
    depths = np.zeros(len(slices), np.int16)
    above = np.zeros(int(slices.track.max(initial=-1)) + 1, np.int16)
    for rows in (np.flatnonzero(is_step), np.flatnonzero(~is_step)):
        rows = rows[order_of(slices, rows)]
        depths[rows] = depths_of(slices.track[rows], slices.start_ns[rows], slices.duration_ns[rows])
        depths[rows] += above[slices.track[rows]]
        np.maximum.at(above, slices.track[rows], np.minimum(depths[rows] + 1, MAX_ROWS))
    return np.minimum(depths, MAX_ROWS - 1).astype(np.int8)


def depths_of(track: NDArray[np.int32], start_ns: Ints, duration_ns: Ints) -> NDArray[np.int16]:
    """The depth of each slice, of slices in the order of track, beginning, and negative duration."""
    depths = np.zeros(len(track), np.int16)
    ends, track_before = list[int](), -1
    columns = zip(track.tolist(), start_ns.tolist(), duration_ns.tolist(), strict=True)
    for at, (each, start, duration) in enumerate(columns):
        if at % CHECKED == 0:
            cancellation.check()
        if each != track_before:
            ends, track_before = [], each
        while ends and ends[-1] <= start:
            ends.pop()
        depths[at] = min(len(ends), MAX_ROWS - 1)
        ends.append(min(start + duration, LATEST_NS))
    return depths


def block_begins(begins: Ints, ends: Ints) -> Ints:
    """Where blocks of ranges begin: each `BLOCK`-th index of each."""
    counts = -(-(ends - begins) // BLOCK)
    first = np.repeat(begins - BLOCK * (np.cumsum(counts) - counts), counts)
    return first + BLOCK * np.arange(int(counts.sum()))


def blocks_of(slices: Slices, order: NDArray[np.int32], rows: NDArray[np.int32], files: ColumnFiles) -> Blocks:
    """The blocks of slices."""
    begins = block_begins(rows[:, 2].astype(np.int64), rows[:, 3].astype(np.int64))
    count = len(begins)
    start_ns, last_start_ns, end_ns, busy_ns, longest_ns = (files.empty(count, np.int64) for _ in range(5))
    first_slice, longest = (files.empty(count, np.int32) for _ in range(2))
    blocks = Blocks(first_slice, start_ns, last_start_ns, end_ns, busy_ns, longest, longest_ns)
    for first in range(0, len(begins), AT_ONCE // BLOCK):
        cancellation.check()
        part = begins[first : first + AT_ONCE // BLOCK]
        end = int(begins[first + len(part)]) if first + len(part) < len(begins) else len(order)
        chosen = order[int(part[0]) : end]
        starts, durations = files.take(slices.start_ns, chosen), files.take(slices.duration_ns, chosen)
        at, last = part - part[0], np.append(part[1:], end) - part[0] - 1
        places = slice(first, first + len(part))
        first_slice[places], start_ns[places], last_start_ns[places] = part, starts[at], starts[last]
        end_ns[places] = np.maximum.reduceat(starts + durations, at)
        busy_ns[places] = np.add.reduceat(durations, at)
        inside, longest_ns[places] = longest_of(durations, at)
        longest[places] = inside + part[0]
        files.let_go()
    return blocks


def coarse_blocks(rows: NDArray[np.int32], blocks: Blocks) -> Blocks:
    """`BLOCK` blocks of a row each, as one."""
    begins, ends = (np.searchsorted(blocks.begin, rows[:, column]).astype(np.int64) for column in (2, 3))
    at = block_begins(begins, ends)
    if not len(at):
        return blocks
    last = np.append(at[1:], len(blocks.begin)) - 1
    longest, longest_ns = longest_of(blocks.longest_ns, at)
    return Blocks(
        blocks.begin[at],
        blocks.start_ns[at],
        blocks.last_start_ns[last],
        np.maximum.reduceat(blocks.end_ns, at),
        np.add.reduceat(blocks.busy_ns, at),
        blocks.longest[longest],
        longest_ns,
    )


def longest_of(durations: Ints, at: Ints) -> tuple[Ints, Ints]:
    """The first of the longest of each group, which begin at these indexes, and how long it is."""
    longest_ns = np.maximum.reduceat(durations, at)
    counts = np.diff(at, append=len(durations))
    is_longest = np.flatnonzero(durations == np.repeat(longest_ns, counts))
    return is_longest[np.searchsorted(is_longest, at)], longest_ns
