"""The compiled core and the pure-Python implementation agree on which slices contain others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard._native import core
from lightboard.profiles import nesting
from lightboard.profiles.operators import operators_of
from lightboard.profiles.slice_sums import SliceSums
from lightboard.profiles.time_line import TimeLine
from support.profiles import read_trace, slice_event, trace, tree_of

TIMES = st.one_of(st.integers(0, 40), st.integers(-(2**63), 2**63 - 1))
DURATIONS = st.one_of(st.integers(0, 20), st.integers(0, 2**62))
SLICES = st.lists(st.tuples(st.integers(0, 2), TIMES, DURATIONS, st.booleans()), max_size=25)


@given(SLICES, st.integers(0, 3))
def test_any_slices_nest_alike(slices: list[tuple[int, int, int, bool]], max_depth: int) -> None:
    slices.sort(key=lambda each: (each[0], each[1], -each[2]))
    tracks, starts, durations, marked = (list(column) for column in zip(*slices, strict=True)) if slices else ([],) * 4
    columns = np.array(tracks, np.int32), np.array(starts, np.int64), np.array(durations, np.int64)
    marks = np.array(marked, bool)

    assert nesting.sorted_self_times(*columns).tolist() == nesting.python_self_times(*columns).tolist()
    assert (
        nesting.enclosing(*columns, marks, max_depth).tolist()
        == nesting.python_enclosing(*columns, marks, max_depth).tolist()
    )
    groups = np.array([at // 2 % 2 for at in range(len(slices))], np.int8)
    found, reference = nesting.innermost(*columns, groups), nesting.python_innermost(*columns, groups)
    assert [column.tolist() for column in found] == [column.tolist() for column in reference]


@given(SLICES)
def test_stretches_of_slices_are_their_self_times(slices: list[tuple[int, int, int, bool]]) -> None:
    """On each track they are in order, so that each moment is that of one slice."""
    slices = sorted(
        {each for each in slices if each[1] + each[2] < 2**63}, key=lambda each: (each[0], each[1], -each[2])
    )
    columns = [
        np.array([each[at] for each in slices], dtype) for at, dtype in enumerate((np.int32, np.int64, np.int64))
    ]
    found, begins, ends = nesting.innermost(*columns, np.arange(len(slices), dtype=np.int8))
    sums = [0] * len(slices)
    for at, begin, end in zip(found.tolist(), begins.tolist(), ends.tolist(), strict=True):
        sums[at] += end - begin

    assert sums == nesting.sorted_self_times(*columns).tolist()
    tracks = columns[0][found].tolist()
    moments = [moment for times in zip(tracks, begins.tolist(), tracks, ends.tolist(), strict=True) for moment in times]
    pairs = list(zip(moments[::2], moments[1::2], strict=True))
    assert pairs == sorted(pairs)


@given(SLICES, st.lists(st.integers(0, 2), min_size=25, max_size=25))
def test_stretches_of_a_group_that_touch_are_one(slices: list[tuple[int, int, int, bool]], kinds: list[int]) -> None:
    slices.sort(key=lambda each: (each[0], each[1], -each[2]))
    columns = [
        np.array([each[at] for each in slices], dtype) for at, dtype in enumerate((np.int32, np.int64, np.int64))
    ]
    groups = np.array(kinds[: len(slices)], np.int8)
    apart = list[list[int]]()
    for at, *times in zip(
        *(column.tolist() for column in nesting.innermost(*columns, np.arange(len(slices), dtype=np.int8))), strict=True
    ):
        each = [slices[at][0], kinds[at], *times]
        if apart and [*apart[-1][:2], apart[-1][3]] == each[:3]:
            apart[-1][3] = each[3]
        else:
            apart.append(each)
    found, begins, ends = nesting.innermost(*columns, groups)

    together = zip(columns[0][found].tolist(), groups[found].tolist(), begins.tolist(), ends.tolist(), strict=True)
    assert list(map(list, together)) == apart


def test_columns_of_different_lengths_are_refused() -> None:
    assert core is not None
    with pytest.raises(ValueError, match="of the same length"):
        core.self_times(np.zeros(2, np.int32), np.zeros(2, np.int64), np.zeros(1, np.int64))


def test_modules_contain_each_other() -> None:
    events = [
        *(slice_event("nn.Module: A", 0, 10, cat="python_function"), slice_event("aten::mul", 1, 1, cat="cpu_op")),
        *(slice_event("nn.Module: B", 3, 5, cat="python_function"), slice_event("aten::mul", 4, 2, cat="cpu_op")),
        *(slice_event("f", 9, 1, cat="python_function"), slice_event("aten::add", 11, 1, cat="cpu_op")),
    ]

    assert {(row.name, row.scope) for row in operators_of([read_trace(trace(*events))])} == {
        *(("aten::mul", "A"), ("aten::mul", "A/B"), ("aten::add", "")),
    }


def test_what_only_names_others_has_no_self_time_anywhere() -> None:
    """Steps, and annotations of a GPU, which repeat those of the host: nothing runs in them but what is inside."""
    capture = read_trace(
        trace(
            {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}},
            slice_event("ProfilerStep#2", 0, 100, pid=0, tid=7, cat="gpu_user_annotation"),
            slice_event("kernel", 10, 20, pid=0, tid=7, cat="kernel"),
            slice_event("ProfilerStep#2", 0, 90, cat="user_annotation"),
            slice_event("range", 10, 50, cat="user_annotation"),
            slice_event("f", 20, 40, cat="python_function"),
            slice_event("aten::mm", 30, 10, cat="cpu_op"),
        )
    )
    line, sums = TimeLine(capture), SliceSums()
    list(sums.add(line, line.rows, 0, 200_000))
    tree = tree_of(capture)
    in_tree = {
        (tree.keys[key].name, tree.self_ns[node])
        for node, key in enumerate(tree.key)
        if node and tree.keys[key].type == "slice"
    }

    times = {("ProfilerStep#2", 0), ("kernel", 20_000), ("range", 10_000), ("f", 30_000), ("aten::mm", 10_000)}
    assert {(row.name, row.self_ns) for row in sums.rows()} == times
    assert in_tree == times
    assert {(capture.names[capture.slices.name[at]], int(own)) for at, own in enumerate(line.self_ns)} == {
        *(("range", 40_000), *(each for each in times if each[0] != "range")),
    }
    assert [(row.name, row.self_ns) for row in operators_of([capture])] == [
        *(("range", 40_000), ("kernel", 20_000), ("aten::mm", 10_000)),
    ]
