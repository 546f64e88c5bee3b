"""Advice: each rule at both sides of its threshold."""

import json
from typing import Any

import numpy as np
import pytest

from lightboard.profiles import capture
from lightboard.profiles.advice import (
    Advice,
    advice_of,
    copies,
    kernel_counts,
    launch_bound,
    straggler,
    waits_for_input,
    whole,
)
from lightboard.profiles.advice_texts import CHANGES, TEXTS
from lightboard.profiles.breakdown import StepBreakdown, breakdown_of
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.input_shapes import records_shapes
from lightboard.profiles.skew import StepSkew
from support.profiles import PROFILES, read_path, read_trace, slice_event, trace
from support.wheels import ROOT

IDLE = StepBreakdown("a", 0, "GPU:0", None, 1000, 0, 0, 0, 0, 0, 0, 0)


def only(capture: HostCapture, *problems: str) -> list[Advice]:
    """What is advised about a capture of one host."""
    return advice_of([capture], breakdown_of(capture), [], list(problems))


@pytest.mark.parametrize(("input_ns", "found"), [(200, []), (201, [Advice("input", "r", 0.201, 0, 201)])])
def test_a_device_that_waits_for_input(input_ns: int, found: list[Advice]) -> None:
    assert list(waits_for_input(IDLE._replace(input_ns=input_ns), "r")) == found


@pytest.mark.parametrize(
    ("kernels", "small", "busy_ns", "applies"),
    [
        (100, 51, 699, True),
        (100, 50, 699, False),
        (100, 51, 700, False),
        (99, 99, 0, False),
    ],
)
def test_kernels_that_are_too_small(kernels: int, small: int, busy_ns: int, applies: bool) -> None:
    found = list(launch_bound(IDLE._replace(busy_ns=busy_ns), (small, kernels), ""))

    assert found == ([Advice("launch", "", small / kernels, kernels, 1000 - busy_ns)] if applies else [])


def test_small_kernels_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "AT_ONCE", 2)
    kernels = [slice_event("k", at * 20, length, cat="kernel") for at, length in enumerate([9.999, 10, 1, 30, 2])]
    others = [slice_event("other track", 0, 1, cat="kernel", tid=9), slice_event("f", 0, 1, cat="python_function")]

    assert kernel_counts(read_trace(trace(*kernels, *others)), np.array([0])) == (3, 5)


@pytest.mark.parametrize(
    ("copy_ns", "hidden_ns", "pageable_ns", "found"),
    [
        (50, 0, 50, []),
        (80, 30, 0, []),
        (80, 29, 0, [Advice("copy_exposed", "", 0.051, 0, 51)]),
        (80, 0, 51, [Advice("copy_pageable", "", 0.051, 0, 51)]),
    ],
)
def test_copies_that_nothing_hides(copy_ns: int, hidden_ns: int, pageable_ns: int, found: list[Advice]) -> None:
    assert list(copies(IDLE._replace(copy_ns=copy_ns, hidden_copy_ns=hidden_ns), pageable_ns, "")) == found


def steps(*ranks: int, waited_ns: int) -> list[StepSkew]:
    """Steps in which these ranks came last, and others waited so long."""
    return [StepSkew(at, 2, ("a", 0), 90, 100, ("a", rank), waited_ns) for at, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    ("skew", "found"),
    [
        (steps(1, 1, 1, 0, 0, waited_ns=50), []),
        (steps(1, 1, 1, 1, 0, waited_ns=12), []),
        (steps(1, 1, waited_ns=50), []),
        (steps(1, 1, 1, 1, 0, waited_ns=13), [Advice("straggler", "a rank 1", 0.104, 4, 52)]),
    ],
)
def test_a_rank_that_comes_last(skew: list[StepSkew], found: list[Advice]) -> None:
    assert list(straggler(skew)) == found


@pytest.mark.parametrize(
    ("problem", "found"),
    [
        ("a.trace.json: the file is cut off, and is read up to there", []),
        ("a.trace.json: the writer has stopped at 1,000,000 events, so the end may be missing", ["capped"]),
        ("a.trace.json: Not recorded: calls after the first 10; pass a larger max_events", ["capped"]),
        ("a.trace.json: 12 events are beyond the limits of what is read, and are left out", ["capped"]),
    ],
)
def test_a_capture_that_is_capped(problem: str, found: list[str]) -> None:
    assert [each.rule for each in whole([], [problem])] == found


def test_a_capture_without_steps() -> None:
    marked = slice_event("train", 0, 10, args={"step_num": 1})

    assert only(read_trace(trace(slice_event("a", 0, 1)))) == [Advice("no_steps", "", 0)]
    assert only(read_trace(trace(slice_event("a", 0, 1), marked))) == []


def test_a_capture_of_pytorch_without_modules() -> None:
    marked = slice_event("ProfilerStep#1", 0, 10, cat="user_annotation")
    operator = slice_event("aten::mm", 1, 2, cat="cpu_op")
    module = slice_event("nn.Module: Linear_0", 1, 3, cat="python_function")

    assert only(read_trace(trace(marked, operator))) == [Advice("no_stacks", "", 0)]
    assert only(read_trace(trace(marked, operator, module))) == []


def test_copies_of_memory_that_is_not_pinned_are_told_by_their_names() -> None:
    stream = {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}}
    copy = slice_event("Memcpy HtoD (Pageable -> Device)", 0, 6, pid=0, tid=7, cat="gpu_memcpy")
    found = only(read_trace(trace(stream, copy, slice_event("train", 0, 100, args={"step_num": 1}))))

    assert found == [Advice("copy_pageable", "", 0.06, 0, 6000)]


def test_there_are_at_most_five() -> None:
    rank = read_path(PROFILES / "torch_ranks" / "trainer_rank0.17957760000000000.pt.trace.json")
    unmarked = HostCapture(**{**vars(rank), "steps": []})
    rows = [IDLE._replace(host=rank.host, rank=0, input_ns=300, copy_ns=100)]
    skew = steps(1, 1, 1, waited_ns=50)
    found = advice_of([unmarked], rows, skew, ["Not recorded: "])

    assert [each.rule for each in found] == ["capped", "no_steps", "input", "copy_exposed", "straggler"]


def test_sentences_are_those_of_the_page() -> None:
    words = json.loads((ROOT / "web/src/i18n/en.json").read_text())

    assert {f"profile.advice.{rule}": text for rule, text in TEXTS.items()} == {
        name: text for name, text in words.items() if name.startswith("profile.advice.")
    }
    assert set(CHANGES) == set(TEXTS)


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([slice_event("aten::mm", 1, 2, args={"External id": 1})], False),
        ([slice_event("aten::mm", 1, 2, args={"Input Dims": [[2, 3]]})], True),
        ([slice_event("aten::empty", 1, 2), slice_event("aten::mm", 3, 4, args={"Input Dims": [[2, 3]]})], True),
        ([slice_event("matmul", 1, 2, args={"External id": 1})], True),
    ],
)
def test_operators_of_pytorch_without_shapes(events: list[dict[str, Any]], found: bool) -> None:
    data = trace(*events)

    assert (
        records_shapes(
            read_trace(data), "a.trace.json", lambda offset, length: data[offset : offset + length], len(data)
        )
        is found
    )


def test_shapes_that_are_missing_are_advice() -> None:
    capture = read_trace(trace(slice_event("train", 0, 10, args={"step_num": 1})))

    assert advice_of([capture], [], [], [], has_shapes=False) == [Advice("no_shapes", "", 0)]
