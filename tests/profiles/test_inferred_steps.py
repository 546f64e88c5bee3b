"""Steps of captures without marks: calls that repeat, or none if anything is doubtful."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lightboard.profiles.capture import HostCapture
from lightboard.profiles.steps import inferred_steps, marked_steps, steps_of
from lightboard.testing.event_files import bytes_field
from support.profiles import (
    PROFILES,
    read_path,
    read_space,
    read_trace,
    slice_event,
    trace,
    x_event,
    x_line,
    x_names,
    x_space,
)

CALL = "PjitFunction(step)"
MARKED = sorted(
    path
    for path in PROFILES.rglob("*")
    if path.name.endswith((".xplane.pb", ".trace.json", ".json.gz")) and "jax_unmarked" not in path.parts
)


def steps(*events: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """The steps that are inferred from these slices."""
    return [
        (step.name, step.step, step.start_ns, step.duration_ns) for step in inferred_steps(read_trace(trace(*events)))
    ]


def calls(*begins: float, name: str = CALL, duration: float = 6, **members: Any) -> list[dict[str, Any]]:
    """Calls that begin then, in microseconds."""
    return [slice_event(name, begin, duration, **members) for begin in begins]


def test_calls_that_repeat_are_steps_from_one_to_the_next() -> None:
    assert steps(*calls(10, 20, 31)) == [(CALL, 0, 10_000, 10_000), (CALL, 1, 20_000, 11_000)]


def test_inferred_steps_say_so() -> None:
    (step, _) = steps_of(read_trace(trace(*calls(10, 20, 30))))

    assert step.inferred


def test_marks_are_steps_rather_than_calls() -> None:
    marks = [slice_event("ProfilerStep#4", 5, 90, cat="user_annotation", tid=9)]

    assert [(step.name, step.inferred) for step in steps_of(read_trace(trace(*calls(10, 20, 30), *marks)))] == [
        ("ProfilerStep#4", False)
    ]


def test_what_is_inside_calls_does_not_matter() -> None:
    inner = [slice_event(CALL, begin + 1, 3) for begin in (10, 20, 30)] + [slice_event("Execute", 12, 2)]

    assert [step[1:] for step in steps(*inner, *calls(10, 20, 30))] == [(0, 10_000, 10_000), (1, 20_000, 10_000)]


def test_functions_of_python_around_calls_do_not_matter() -> None:
    frames = [slice_event("$train.py:3 main", 0, 90), slice_event("$train.py:9 epoch", 1, 80)]

    assert len(steps(*frames, *calls(10, 20, 30))) == 2


def test_one_irregular_time_of_four_does_not_matter() -> None:
    assert [step[3] for step in steps(*calls(10, 20, 70, 80, 90))] == [10_000, 50_000, 10_000, 10_000]


def test_the_track_where_calls_take_most_time_has_the_steps() -> None:
    others = calls(*range(0, 40, 4), name="Prefetch", duration=1, tid=7)
    busy = calls(0, 50, name="ThunkExecutor::Execute", duration=40, tid=8)

    assert {step[0] for step in steps(*others, *busy, *calls(10, 20, 30))} == {CALL}


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([], id="nothing"),
        pytest.param(calls(10, 20), id="two calls"),
        pytest.param(calls(10, 20, 60), id="irregular"),
        pytest.param(calls(10, 10, 10, duration=0), id="no time"),
        pytest.param([*calls(10, 20, 30), slice_event("load", 40, 19)], id="less than half of the time"),
        pytest.param([slice_event("main", 0, 90), *calls(10, 20, 30)], id="within another slice"),
        pytest.param(calls(10, 20, 30, name="ExecutorState::Process"), id="a function of a framework"),
        pytest.param(calls(10, 20, 30, name="cudaLaunchKernel"), id="a function of a driver"),
        pytest.param(calls(10, 20, 30, name="$train.py:9 step"), id="a function of Python"),
        pytest.param(calls(10, 20, 30, name="aten::linear", cat="cpu_op"), id="an operator"),
    ],
)
def test_what_is_doubtful_makes_no_steps(events: list[dict[str, Any]]) -> None:
    assert steps(*events) == []


def test_what_devices_repeat_makes_no_steps() -> None:
    line = x_line(*(x_event(1, at * 10_000, 6000) for at in range(9)), name="Steps")
    names = x_names(4, {1: "train"})
    spaces = [x_space(bytes_field(2, plane) + line + names) for plane in (b"/device:GPU:0", b"/host:CPU")]

    assert [len(steps_of(read_space(space))) for space in spaces] == [0, 8]


def without_marks(capture: HostCapture) -> HostCapture:
    """The capture, had the program marked nothing."""
    return replace(capture, steps=[])


@pytest.mark.parametrize("path", MARKED, ids=lambda path: str(path.relative_to(PROFILES)))
def test_inferred_steps_of_real_captures_are_the_marked_ones_or_none(path: Path) -> None:
    """They begin with the marks, or within them, and never twice in one."""
    capture = read_path(path)
    marked = marked_steps(capture)
    holders = [
        [mark.step for mark in marked if 0 <= step.start_ns - mark.start_ns < mark.duration_ns]
        for step in inferred_steps(without_marks(capture))
    ]

    assert holders == [[mark.step] for mark in marked[: len(holders)]]


def test_steps_of_jax_without_marks_are_the_calls_of_its_program() -> None:
    path = PROFILES / "jax_unmarked" / "plugins" / "profile" / "2026_11_27_10_00_00" / "trainer.xplane.pb"
    capture = read_path(path)
    found = [(step.name, step.step, step.inferred) for step in steps_of(capture)]

    assert (capture.steps, found) == ([], [(CALL, at, True) for at in range(5)])
