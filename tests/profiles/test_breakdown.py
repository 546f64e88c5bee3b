"""What steps are made of: unions of what ran, on the device, in the time of the step."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lightboard.profiles.breakdown import StepBreakdown, breakdown_of, breakdown_times, device_totals
from lightboard.profiles.nesting import LATEST_NS, order_of
from lightboard.profiles.skew import StepSkew, skew_of
from lightboard.profiles.time_line import TimePart
from lightboard.profiles.time_ranges import union_of
from support.profiles import PROFILES, read_path, read_trace, slice_event, trace

Ranges = list[tuple[int, int]]
RANGES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=12)


def step(begin: float, duration: float, number: int = 0) -> dict[str, Any]:
    return slice_event("train", begin, duration, args={"step_num": number})


def stream(begin: float, duration: float, number: int, name: str = "kernel", device: int = 0) -> dict[str, Any]:
    """A kernel, as PyTorch writes those of a GPU."""
    kind = "gpu_memcpy" if name.startswith("Memcpy") else "kernel"
    return slice_event(name, begin, duration, pid=device, tid=number, cat=kind)


def named_streams(*numbers: int, device: int = 0) -> list[dict[str, Any]]:
    return [
        {"ph": "M", "name": "thread_name", "pid": device, "tid": each, "args": {"name": f"stream {each} "}}
        for each in numbers
    ]


def breakdown(*events: dict[str, Any], **members: Any) -> list[StepBreakdown]:
    return breakdown_of(read_trace(trace(*events, **members)))


def figures(row: StepBreakdown) -> dict[str, Any]:
    """The times in microseconds that are not zero."""
    times = {name.removesuffix("_ns"): getattr(row, name) / 1000 for name in row._fields if name.endswith("_ns")}
    return {name: time for name, time in {**times, "idle": row.idle_ns / 1000}.items() if time}


def test_work_of_several_streams_is_counted_once_and_overlap_is_told() -> None:
    (row,) = breakdown(
        *named_streams(7, 13, 17),
        step(0, 100),
        stream(10, 20, 7),
        stream(20, 20, 13),
        stream(30, 20, 17, "ncclDevKernel_AllReduce"),
        stream(45, 10, 7, "Memcpy HtoD"),
        slice_event("aten::mm", 0, 90, cat="cpu_op"),
    )

    assert (row.device, row.step) == ("GPU:0", 0)
    assert figures(row) == {
        "duration": 100,
        "compute": 30,
        "communication": 20,
        "hidden_communication": 10,
        "copy": 10,
        "busy": 45,
        "idle": 55,
    }


def test_work_counts_in_the_step_in_which_it_runs() -> None:
    rows = breakdown(*named_streams(7), step(0, 10), step(10, 10, 1), stream(5, 10, 7), stream(30, 5, 7))

    assert [figures(row) for row in rows] == [{"duration": 10, "compute": 5, "busy": 5, "idle": 5}] * 2


def test_devices_have_rows_of_their_own() -> None:
    rows = breakdown(
        *named_streams(7), *named_streams(7, device=1), step(0, 10), stream(0, 4, 7), stream(0, 6, 7, device=1)
    )

    assert [(row.device, row.compute_ns) for row in rows] == [("GPU:0", 4000), ("GPU:1", 6000)]


def test_input_is_idle_time_of_the_device_in_which_the_host_prepares_batches() -> None:
    (row,) = breakdown(
        *named_streams(7),
        step(0, 100),
        stream(40, 20, 7),
        slice_event("enumerate(DataLoader)#next", 10, 40, cat="cpu_op"),
    )

    assert figures(row) == {"duration": 100, "compute": 20, "input": 30, "busy": 20, "idle": 80}


def test_of_a_host_without_devices_the_innermost_operator_counts() -> None:
    """A collective operation within an operator is no computation, on whatever thread."""
    (row,) = breakdown(
        step(0, 100),
        slice_event("backward", 10, 60, cat="cpu_op"),
        slice_event("gloo:all_reduce", 20, 30, cat="cpu_op"),
        slice_event("aten::mm", 30, 10, cat="cpu_op", tid=3),
        slice_event("DataLoader", 80, 10, cat="cpu_op"),
    )

    assert (row.device, figures(row)) == (
        "CPU",
        {
            "duration": 100,
            "compute": 40,
            "communication": 30,
            "hidden_communication": 10,
            "input": 10,
            "busy": 70,
            "idle": 30,
        },
    )


def test_ends_and_begins_at_one_moment_leave_no_gap() -> None:
    (row,) = breakdown(
        step(0, 30),
        slice_event("outer", 0, 30, cat="cpu_op"),
        slice_event("nccl:a", 0, 10, cat="cpu_op"),
        slice_event("nccl:b", 10, 20, cat="cpu_op"),
    )

    assert figures(row) == {"duration": 30, "communication": 30, "busy": 30}


def test_of_slices_that_overlap_the_one_that_began_last_counts() -> None:
    """After its end, that is the one that began before it, if it still runs."""
    (row,) = breakdown(
        *named_streams(7),
        step(0, 100),
        stream(10, 40, 7),
        stream(20, 40, 7, "ncclDevKernel_AllReduce"),
        stream(30, 5, 7, "Memcpy HtoD"),
        stream(60, 20, 7),
    )

    assert figures(row) == {"duration": 100, "compute": 30, "communication": 35, "copy": 5, "busy": 70, "idle": 30}


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 3), st.integers(5, 8)), max_size=20),
    st.lists(st.integers(-5_000, 110_000), unique=True),
    st.booleans(),
)
def test_parts_of_the_time_make_the_same_whole(
    work: list[tuple[int, int, int, int]], cuts: list[int], has_steps: bool
) -> None:
    names = ("kernel", "ncclDevKernel_AllReduce", "Memcpy HtoD", "enumerate(DataLoader)#next")
    events = [
        stream(begin, time, thread, names[name])
        if thread > 6
        else slice_event(names[name], begin, time, tid=thread, cat="cpu_op")
        for begin, time, name, thread in work
    ]
    marks = [step(0, 45), step(45, 30, 1)] if has_steps else []
    capture = read_trace(trace(*named_streams(7, 8), *marks, *events))
    order = order_of(capture.slices, np.arange(len(capture.slices)))
    starts = capture.slices.start_ns[order]
    ends = starts + capture.slices.duration_ns[order]
    parts = [
        TimePart(begin, end, order[(starts < end) & ((ends > begin) | (starts >= begin))])
        for begin, end in pairwise([-LATEST_NS, *sorted(cuts), LATEST_NS])
    ]

    in_parts = replace(capture, breakdown=breakdown_times(capture, parts))
    assert breakdown_of(in_parts) == breakdown_of(capture)


def test_without_steps_it_is_the_time_of_all_work() -> None:
    (row,) = breakdown(slice_event("a", 10, 5, cat="cpu_op"), slice_event("b", 25, 5, cat="cpu_op"))

    assert (row.step, figures(row)) == (None, {"duration": 20, "compute": 10, "busy": 10, "idle": 10})


def test_a_capture_without_work_has_no_rows() -> None:
    assert breakdown(slice_event("f", 0, 5, cat="python_function")) == []


def test_totals_are_those_of_all_steps_of_a_device() -> None:
    (found,) = device_totals(breakdown(*named_streams(7), step(0, 10), step(10, 10, 1), stream(5, 10, 7)))

    assert (found.steps, found.total.step, figures(found.total)) == (
        *(2, None),
        {"duration": 20, "compute": 10, "busy": 10, "idle": 10},
    )


@given(RANGES, st.integers(0, 100), st.integers(0, 100))
def test_a_union_covers_each_moment_once(ranges: Ranges, one: int, other: int) -> None:
    begin, end = sorted((one, other))
    begins = np.array([at for at, _ in ranges], np.int64)
    found = union_of(begins, begins + np.array([length for _, length in ranges], np.int64))
    moments = {moment for at, length in ranges for moment in range(at, at + length)}

    assert found.within(np.array([begin]), np.array([end])).tolist() == [len(moments & set(range(begin, end)))]


def test_ranks_of_a_real_capture_wait_for_each_other() -> None:
    """Of the steps of the corpus, rank 1 computed longest in step 3, and rank 0 waited for it."""
    files = sorted((PROFILES / "torch_ranks").iterdir())
    rows = [row for file in files for row in breakdown_of(read_path(file))]
    second = skew_of(rows)[1]

    assert second == StepSkew(
        step=3,
        ranks=2,
        slowest=("trainer", 0),
        shortest_ns=1_174_374,
        longest_ns=1_275_444,
        straggler=("trainer", 1),
        waited_ns=796_680 - 435_114,
    )
    assert (second.spread_ns, [each.step for each in skew_of(rows)]) == (101_070, [2, 3, 4])


def test_steps_of_one_rank_have_no_skew() -> None:
    rows = breakdown(step(0, 10), slice_event("a", 0, 5, cat="cpu_op"))

    assert skew_of(rows) == []


def test_without_collective_operations_nobody_waits() -> None:
    row = StepBreakdown("a", 0, "CPU", 1, 10, 5, 0, 0, 0, 0, 0, 5)

    assert skew_of([row, row._replace(rank=1, duration_ns=30)]) == [
        StepSkew(1, 2, ("a", 1), 10, 30, None, 0),
    ]
