"""Rows of time lines, held to a slow computation, and what of them is seen."""

import tempfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles import slice_rows, time_line
from lightboard.profiles.capture import Slices
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.operators import operators_of
from lightboard.profiles.slice_rows import MAX_ROWS
from lightboard.profiles.time_line import TimeLine
from support.profiles import TORCH, read_path, read_trace, slice_event, trace

SLICES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60)), min_size=1, max_size=60)

KINDS_OF_SLICES = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 30), st.sampled_from(["cpu_op", "python_function", "kernel"])),
    min_size=1,
    max_size=30,
)


def line_of(*slices: tuple[int, int]) -> TimeLine:
    """The time line of slices with these beginnings and durations."""
    return TimeLine(read_trace(trace(*(slice_event(f"op{at}", *each) for at, each in enumerate(slices)))))


@given(SLICES)
def test_slices_of_a_row_do_not_overlap(slices: list[tuple[int, int]]) -> None:
    line = line_of(*slices)

    for row in line.rows:
        rows = line.slice_rows.order[row.begin : row.end]
        starts = line.slices.start_ns[rows]
        assert (starts[1:] >= (starts + line.slices.duration_ns[rows])[:-1]).all()


@given(SLICES, st.integers(0, 200), st.integers(1, 100), st.integers(1, 40))
def test_marks_stand_for_what_overlaps_the_window(
    slices: list[tuple[int, int]], begin: int, length: int, width: int
) -> None:
    line = line_of(*slices)
    low, high = begin * 1000, (begin + length) * 1000
    pixel = max(1, -(-(high - low) // width))
    names = np.array([int(name[2:]) % 2 == 0 for name in line.names], bool)
    marks = [line.marks(row, low, high, pixel, names) for row in line.rows]

    starts, durations = line.slices.start_ns, line.slices.duration_ns
    overlapping = (starts <= high) & (starts + durations >= low)
    assert sum(int(each.count.sum()) for each in marks) == int(overlapping.sum())
    assert sum(int(each.busy_ns.sum()) for each in marks) == int(durations[overlapping].sum())
    assert sum(int(each.found.sum()) for each in marks) == int(names[line.slices.name[overlapping]].sum())
    durations = line.slices.duration_ns
    shown = {int(at) for each in marks for at in each.slice}
    assert set(np.flatnonzero(overlapping & (durations >= pixel)).tolist()) <= shown
    if overlapping.any():
        assert int(durations[overlapping].max()) in {int(durations[at]) for at in shown}


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 30)), min_size=100, max_size=600),
    st.integers(-50, 3000),
    st.integers(1, 6000),
    st.integers(1, 60),
)
def test_blocks_change_nothing_of_what_is_seen(
    steps: list[tuple[int, int]], begin: int, length: int, width: int
) -> None:
    starts = np.cumsum([gap for gap, _ in steps]).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slice_rows, "MAX_ROWS", 3)
        patch.setattr(time_line, "MAX_ROWS", 3)
        for module in (slice_rows, time_line):
            patch.setattr(module, "BLOCK", 4)
        line = line_of(*((start, duration) for start, (_, duration) in zip(starts, steps, strict=True)))
        window = (begin * 1000, (begin + length) * 1000, max(1, length * 1000 // width))
        one_by_one = [line.marks(row, *window) for row in line.rows]
        patch.setattr(time_line, "FEW", 4)
        in_blocks = [line.marks(row, *window) for row in line.rows]

    assert [[column.tolist() for column in marks] for marks in in_blocks] == [
        [column.tolist() for column in marks] for marks in one_by_one
    ]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-50, 50), st.integers(0, 40), st.integers(0, 2)), max_size=60))
def test_any_slices_are_arranged_alike(rows: list[tuple[int, int, int, int]]) -> None:
    columns = list(zip(*rows, strict=True)) or [()] * 4
    track, start, duration, group = (np.array(column, np.int64) for column in columns)
    empty = np.zeros(len(rows), np.int64)
    slices = Slices(*(track.astype(np.int32), start, duration, empty.astype(np.int32), empty.astype(np.int8)), empty)
    groups = group.astype(np.int8)

    expected = [column.tolist() for column in slice_rows.python_arrange(slices, groups)]
    for files in (ColumnFiles(), ColumnFiles(tempfile.gettempdir(), 8)):
        *found, modules = slice_rows.arrange(slices, groups, 4, files)
        assert ([column.tolist() for column in found], modules) == (expected, None)


def test_a_row_has_at_most_two_marks_for_each_pixel() -> None:
    line = line_of(*[(at, 3 if at % 7 == 0 else 0) for at in range(4000)])
    pixel = 4000 * 1000 // 50

    assert max(len(line.marks(row, 0, 4_000_000, pixel).slice) for row in line.rows) <= 2 * 50


def test_steps_of_torch_are_in_one_row_above_all_others() -> None:
    capture = read_path(TORCH)
    line = TimeLine(capture)

    assert {int(line.depth[marker.slice]) for marker in capture.steps} == {0}
    assert int((line.depth == 0).sum()) == len(capture.steps)


def test_the_self_time_of_a_slice_leaves_out_what_is_directly_inside() -> None:
    line = line_of((0, 100), (10, 30), (15, 10), (60, 20))

    assert line.self_ns.tolist() == [50_000, 20_000, 10_000, 20_000]


def test_the_self_time_of_a_slice_leaves_out_all_that_overlaps_it() -> None:
    line = line_of((0, 10), (2, 2), (3, 9))

    assert line.self_ns.tolist() == [2_000, 1_000, 9_000]


@given(KINDS_OF_SLICES)
def test_self_times_of_operators_are_those_of_the_table(slices: list[tuple[int, int, str]]) -> None:
    events = [slice_event(f"op{at}", begin, length, cat=kind) for at, (begin, length, kind) in enumerate(slices)]
    capture = read_trace(trace(*events))
    line = TimeLine(capture)

    table = {row.name: row.self_ns for row in operators_of([capture])}
    own = {capture.names[name]: int(time) for name, time in zip(capture.slices.name, line.self_ns, strict=True)}
    assert table == {name: own[name] for name in table}


def test_slices_that_are_nested_too_deep_share_the_last_row() -> None:
    line = line_of(*[(at, 1000 - 2 * at) for at in range(MAX_ROWS + 50)])

    assert int(line.depth.max()) == MAX_ROWS - 1
    (last,) = [row for row in line.rows if row.depth == MAX_ROWS - 1]
    marks = line.marks(last, 0, 1_000_000, 1_000_000)
    assert int(marks.count.sum()) == 51


def test_a_capture_without_slices_has_no_rows() -> None:
    assert TimeLine(read_trace(trace())).rows == []


def test_others_of_a_name_are_in_the_order_of_time() -> None:
    events = [slice_event("a", 50, 1), slice_event("b", 20, 1), slice_event("a", 10, 1), slice_event("a", 30, 1)]
    line = TimeLine(read_trace(trace(*events)))

    assert line.same_name(0).tolist() == [2, 3, 0]
    assert np.array_equal(line.same_name(2), line.same_name(0))
