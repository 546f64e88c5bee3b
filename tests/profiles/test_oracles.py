"""What xprof and torch-tb-profiler make of real captures, which `scripts/corpus/record_profiles.py` has recorded."""

import json
from collections import defaultdict
from typing import Any

import pytest

from lightboard.profiles.operators import operators_of
from lightboard.profiles.steps import steps_of
from support.profiles import PROFILES, read_path

TORCH: dict[str, Any] = json.loads((PROFILES / "torch.answers.json").read_text())
XPROF: dict[str, Any] = json.loads((PROFILES / "xprof.answers.json").read_text())

TICK_US = 1 / 1024
"""The distance of the times that torch-tb-profiler computes with."""


DEVICES = [path for path, answers in TORCH.items() if "kernels" in answers]
"""Captures of PyTorch with a GPU."""

RECURSIVE = {"aten::mean", "aten::div", "aten::div_", "aten::mul"}
"""Operators whose overloads call each other. The plugin counts the outer call only, PyTorch and Lightboard each."""


@pytest.mark.parametrize("path", [path for path in TORCH if path not in DEVICES])
def test_operators_are_those_of_the_plugin_of_pytorch(path: str) -> None:
    theirs = TORCH[path]["operators"]
    ours: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for row in operators_of([read_path(PROFILES / path)]):
        for at, figure in enumerate((row.count, row.total_ns / 1000, row.self_ns / 1000)):
            ours[row.name][at] += figure

    assert len(theirs) > 3
    assert {each["name"]: compared(each["name"], *ours[each["name"]]) for each in theirs} == {
        each["name"]: compared(
            *(each["name"], each["count"]),
            *(pytest.approx(each[key], abs=2 * TICK_US * each["count"] + 0.01) for key in ("total_us", "self_us")),
        )
        for each in theirs
    }


def compared(name: str, count: float, total_us: Any, self_us: Any) -> list[Any]:
    """The figures of an operator that are the same in both."""
    return [self_us] if name in RECURSIVE else [count, total_us, self_us]


@pytest.mark.parametrize("path", DEVICES)
def test_operators_beside_a_gpu_are_those_of_the_plugin_of_pytorch(path: str) -> None:
    """But for their own time: the plugin counts in it what they spend in calls of CUDA, which has rows here."""
    theirs = TORCH[path]["operators"]
    ours: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for row in operators_of([read_path(PROFILES / path)]):
        ours[row.name][0] += row.count
        ours[row.name][1] += row.total_ns / 1000

    assert len(theirs) > 40
    assert {each["name"]: ours[each["name"]] for each in theirs} == {
        each["name"]: [each["count"], pytest.approx(each["total_us"], abs=2 * TICK_US * each["count"] + 0.01)]
        for each in theirs
    }


@pytest.mark.parametrize("path", DEVICES)
def test_kernels_are_those_of_the_plugin_of_pytorch(path: str) -> None:
    theirs = TORCH[path]["kernels"]
    names = {each["name"] for each in theirs}
    ours = {
        row.name: (row.count, row.total_ns / 1000)
        for row in operators_of([read_path(PROFILES / path)])
        if row.name in names
    }

    assert ours == {each["name"]: (each["count"], pytest.approx(each["total_us"], abs=0.01)) for each in theirs}


@pytest.mark.parametrize("path", TORCH)
def test_steps_are_those_of_the_plugin_of_pytorch(path: str) -> None:
    """Beside a GPU the plugin has each step twice: the second is the mark of the step among the kernels."""
    ours = [(str(each.step), each.duration_ns / 1000) for each in steps_of(read_path(PROFILES / path))]
    theirs = TORCH[path]["steps"][:: 2 if path in DEVICES else 1]

    assert ours == [(each["step"], pytest.approx(each["duration_us"], abs=TICK_US)) for each in theirs]


@pytest.mark.parametrize("path", [path for path, answers in XPROF.items() if answers["steps"] and "gpu" not in path])
def test_steps_are_those_of_xprof(path: str) -> None:
    ours = [(f"{each.name} {each.step}", each.duration_ns / 1e6) for each in steps_of(read_path(PROFILES / path))]

    assert ours == [(each["name"], pytest.approx(each["duration_ms"], abs=1e-9)) for each in XPROF[path]["steps"]]


@pytest.mark.parametrize("path", [path for path in XPROF if "gpu" in path])
def test_steps_of_xprof_on_a_gpu_last_as_long_as_their_kernels(path: str) -> None:
    """Where the capture has a GPU, xprof counts no time of the host: from the first kernel of a step to its last."""
    capture = read_path(PROFILES / path)
    device = {at for at, track in enumerate(capture.tracks) if "GPU" in capture.processes[track.process].name}
    kernels = [
        (int(start), int(start) + int(duration))
        for track, start, duration in zip(
            capture.slices.track, capture.slices.start_ns, capture.slices.duration_ns, strict=True
        )
        if int(track) in device
    ]
    steps = [(each.start_ns, each.start_ns + each.duration_ns) for each in steps_of(capture)]
    within = [[each for each in kernels if begin <= each[0] < end] for begin, end in steps]
    ours = [(max(end for _, end in each) - min(start for start, _ in each)) / 1e6 for each in within]

    assert ours == [pytest.approx(each["duration_ms"], abs=1e-9) for each in XPROF[path]["steps"]]


@pytest.mark.parametrize("path", XPROF)
def test_events_are_those_of_xprof(path: str) -> None:
    capture = read_path(PROFILES / path)
    ours: dict[tuple[str, str], list[tuple[str, float, float]]] = {}
    for track in capture.tracks:
        ours[capture.processes[track.process].name, track.name] = []
    keys = list(ours)
    for columns, lengths in ((capture.slices, True), (capture.instants, False)):
        times = columns.start_ns if lengths else columns.time_ns  # type: ignore[union-attr]
        for at in range(len(times)):
            duration = int(columns.duration_ns[at]) if lengths else 0  # type: ignore[union-attr]
            ours[keys[int(columns.track[at])]].append((capture.names[int(columns.name[at])], int(times[at]), duration))
    theirs = {
        (line["plane"], line["line"]): [
            (name, start, duration)
            for name, start, duration in line["events"]
            if duration or not name.startswith("ThreadpoolListener::")
        ]
        for line in XPROF[path]["lines"]
        if line["events"]
    }

    assert {key: sorted(events) for key, events in ours.items()} == {
        key: sorted(events) for key, events in theirs.items()
    }
