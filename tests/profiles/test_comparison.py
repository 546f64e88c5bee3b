"""Two captures by operator."""

import statistics
from typing import Any

import pytest

from lightboard.profiles.comparison import CaptureSamples, OperatorDifference, compare, samples_of
from lightboard.profiles.operators import operators_of
from support.profiles import TORCH, read_path, read_trace, slice_event, trace


def steps(*times: float, name: str = "mm", between: float = 0) -> CaptureSamples:
    """A capture whose steps have one operator that takes so long."""
    events: list[dict[str, Any]] = []
    for at, time in enumerate(times):
        events += [
            slice_event("train", 1000 * at, 900, args={"step_num": at}),
            slice_event(name, 1000 * at + 10, time, cat="cpu_op"),
        ]
        if between:
            events.append(slice_event(name, 1000 * at + 950, between, cat="cpu_op"))
    return samples_of([read_trace(trace(*events))])


def test_times_are_those_of_a_step() -> None:
    (row,) = compare(steps(10, 20), steps(30, 40, 50))
    before, after = statistics.variance([10, 20]) / 2, statistics.variance([30, 40, 50]) / 3

    assert row == OperatorDifference(
        *("mm", "compute", "", 2, 3, 30_000, 120_000, 15_000.0, 40_000.0),
        noise_ns=pytest.approx(2 * (before + after) ** 0.5 * 1000),
    )
    assert (row.difference_ns, row.ratio) == (25_000, pytest.approx(40 / 15))


@pytest.mark.parametrize(("after", "is_real"), [((21.8, 23.8), False), ((21.9, 23.9), True)])
def test_a_difference_beyond_two_standard_errors_is_real(after: tuple[float, float], is_real: bool) -> None:
    """Both means have a standard error of 1 µs."""
    (row,) = compare(steps(19, 21), steps(*after))

    assert (row.noise_ns, row.is_real) == (pytest.approx(2000 * 2**0.5), is_real)


def test_of_a_single_step_no_noise_is_known() -> None:
    (row,) = compare(steps(10), steps(30, 30))

    assert (row.noise_ns, row.is_real) == (None, None)


def test_what_got_slower_is_first_and_what_is_gone_last() -> None:
    before, after = steps(10, 10, name="gone"), steps(4, 4, name="new")
    rows = compare(before, after)

    assert [(row.name, row.difference_ns, row.ratio) for row in rows] == [("new", 4000, None), ("gone", -10_000, 0)]


def test_what_runs_between_steps_is_left_out() -> None:
    assert steps(10, 20, between=30) == steps(10, 20)


def test_a_capture_without_steps_is_one() -> None:
    samples = samples_of(
        [read_trace(trace(slice_event("a", 0, 5, cat="cpu_op"), slice_event("a", 9, 5, cat="cpu_op")))]
    )

    assert (samples.steps, samples.operators["a", "compute", ""].sum_ns) == (1, 10_000)


def test_ranks_are_samples_of_their_own() -> None:
    events = trace(slice_event("train", 0, 90, args={"step_num": 1}), slice_event("mm", 1, 5, cat="cpu_op"))
    samples = samples_of([read_trace(events), read_trace(events)])

    assert (samples.steps, samples.operators["mm", "compute", ""]) == (2, (2, 10_000, 2 * 5000.0**2))


def test_of_a_real_capture_all_operators_within_steps_are_there() -> None:
    """Compared with itself, nothing differs."""
    capture = read_path(TORCH)
    rows = compare(samples_of([capture]), samples_of([capture]))
    inside = {(row.name, row.category, row.scope): row.total_after_ns for row in rows}
    everything = {(row.name, row.category, row.scope): row.self_ns for row in operators_of([capture])}

    assert {row.difference_ns for row in rows} == {0}
    assert {key: time for key, time in everything.items() if inside.get(key) != time} == {}
