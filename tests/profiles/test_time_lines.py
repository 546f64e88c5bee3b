"""Rows of time lines, held to a slow computation, and what of them is seen."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles.time_line import MAX_ROWS, TimeLine
from support.profiles import TORCH, read_path, read_trace, slice_event, trace

SLICES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60)), min_size=1, max_size=60)


def line_of(*slices: tuple[int, int]) -> TimeLine:
    """The time line of slices with these beginnings and durations."""
    return TimeLine(read_trace(trace(*(slice_event(f"op{at}", *each) for at, each in enumerate(slices)))))


@given(SLICES)
def test_slices_of_a_row_do_not_overlap(slices: list[tuple[int, int]]) -> None:
    line = line_of(*slices)

    for row in line.rows:
        ends = line.end_ns[row.begin : row.end]
        assert (line.start_ns[row.begin : row.end][1:] >= ends[:-1]).all()


@given(SLICES, st.integers(0, 200), st.integers(1, 100), st.integers(1, 40))
def test_marks_stand_for_what_overlaps_the_window(
    slices: list[tuple[int, int]], begin: int, length: int, width: int
) -> None:
    line = line_of(*slices)
    low, high = begin * 1000, (begin + length) * 1000
    pixel = max(1, -(-(high - low) // width))
    marks = [line.marks(row, low, high, pixel) for row in line.rows]

    overlapping = (line.start_ns <= high) & (line.end_ns >= low)
    assert sum(int(each.count.sum()) for each in marks) == int(overlapping.sum())
    assert sum(int(each.busy_ns.sum()) for each in marks) == int((line.end_ns - line.start_ns)[overlapping].sum())
    durations = line.slices.duration_ns
    shown = {int(at) for each in marks for at in each.slice}
    wide = {int(at) for at, inside in zip(line.order, overlapping, strict=True) if inside and durations[at] >= pixel}
    assert wide <= shown
    if overlapping.any():
        longest = max(int(durations[at]) for at in line.order[overlapping])
        assert longest in {int(durations[at]) for at in shown}


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

    assert [line.self_ns(at) for at in range(4)] == [50_000, 20_000, 10_000, 20_000]


def test_slices_that_are_nested_too_deep_share_the_last_row() -> None:
    line = line_of(*[(at, 1000 - 2 * at) for at in range(MAX_ROWS + 50)])

    assert int(line.depth.max()) == MAX_ROWS - 1
    (last,) = [row for row in line.rows if row.depth == MAX_ROWS - 1]
    marks = line.marks(last, 0, 1_000_000, 1_000_000)
    assert int(marks.count.sum()) == 51


def test_others_of_a_name_are_in_the_order_of_time() -> None:
    events = [slice_event("a", 50, 1), slice_event("b", 20, 1), slice_event("a", 10, 1), slice_event("a", 30, 1)]
    line = TimeLine(read_trace(trace(*events)))

    assert line.same_name(0).tolist() == [2, 3, 0]
    assert np.array_equal(line.same_name(2), line.same_name(0))
