"""Two captures, or two ranks, by operator: what takes longer in a step than before, and whether that is noise."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.nesting import operator_rows, self_times
from lightboard.profiles.operators import slice_scopes, split_name
from lightboard.profiles.steps import steps_of

STANDARD_ERRORS = 2
"""A difference of more standard errors than that is no noise."""

OperatorKey = tuple[str, Category, str]


class StepSamples(NamedTuple):
    """The self times of an operator in steps: how often it ran, their sum in nanoseconds, and the sum of their squares.

    Steps in which it did not run have the time 0.
    """

    calls: int = 0
    sum_ns: int = 0
    squares: float = 0.0

    def plus(self, other: "StepSamples") -> "StepSamples":
        """Those of two hosts together."""
        return StepSamples(self.calls + other.calls, self.sum_ns + other.sum_ns, self.squares + other.squares)


class CaptureSamples(NamedTuple):
    """How many steps of hosts there are, and the operators in them. Without steps, the whole of each host is one."""

    steps: int
    operators: dict[OperatorKey, StepSamples]


class OperatorDifference(NamedTuple):
    """An operator before and after, by the mean self time of a step.

    `noise_ns` is what a difference must exceed to be real: two standard errors of the means; None if there is no spread
    to tell it from, as of a single step.
    """

    name: str
    category: Category
    scope: str
    calls_before: int
    calls_after: int
    total_before_ns: int
    total_after_ns: int
    mean_before_ns: float
    mean_after_ns: float
    noise_ns: float | None

    @property
    def difference_ns(self) -> float:
        """How much longer a step takes."""
        return self.mean_after_ns - self.mean_before_ns

    @property
    def ratio(self) -> float | None:
        """How many times as long; None if it did not run before."""
        return self.mean_after_ns / self.mean_before_ns if self.mean_before_ns else None

    @property
    def is_real(self) -> bool | None:
        """Whether the difference is more than noise; None if that is not known."""
        return None if self.noise_ns is None else abs(self.difference_ns) > self.noise_ns


def compare(before: CaptureSamples, after: CaptureSamples) -> list[OperatorDifference]:
    """The operators of both, those that have become slower first."""
    rows = [
        difference(key, before.steps, before.operators.get(key), after.steps, after.operators.get(key))
        for key in dict.fromkeys([*before.operators, *after.operators])
    ]
    return sorted(rows, key=lambda row: (-row.difference_ns, row.name, row.scope, row.category))


def difference(
    key: OperatorKey, steps_before: int, before: StepSamples | None, steps_after: int, after: StepSamples | None
) -> OperatorDifference:
    """One operator."""
    before, after = before or StepSamples(), after or StepSamples()
    noise = None
    if min(steps_before, steps_after) > 1:
        noise = STANDARD_ERRORS * math.sqrt(error_of(before, steps_before) + error_of(after, steps_after))
    means = before.sum_ns / max(1, steps_before), after.sum_ns / max(1, steps_after)
    return OperatorDifference(*key, before.calls, after.calls, before.sum_ns, after.sum_ns, *means, noise)


def error_of(samples: StepSamples, steps: int) -> float:
    """The square of the standard error of the mean."""
    variance = (samples.squares - samples.sum_ns**2 / steps) / (steps - 1)
    return max(0.0, variance) / steps


def samples_of(captures: list[HostCapture]) -> CaptureSamples:
    """The operators in the steps of hosts or ranks together."""
    steps, operators = 0, dict[OperatorKey, StepSamples]()
    for capture in captures:
        found = host_samples(capture)
        steps += found.steps
        for key, samples in found.operators.items():
            known = operators.get(key)
            operators[key] = samples if known is None else known.plus(samples)
    return CaptureSamples(steps, operators)


def host_samples(capture: HostCapture) -> CaptureSamples:
    """The operators in the steps of one host. What runs between steps is left out."""
    slices, steps, rows = capture.slices, steps_of(capture), operator_rows(capture)
    selves = self_times(slices, rows) if capture.rows is None else capture.rows.self_ns[rows]
    step = np.zeros(len(rows), np.int64)
    if steps:
        begins = np.array([each.start_ns for each in steps], np.int64)
        ends = begins + np.array([each.duration_ns for each in steps], np.int64)
        step = np.searchsorted(begins, slices.start_ns[rows], "right") - 1
        inside = (step >= 0) & (slices.start_ns[rows] < ends[step])
        rows, selves, step = rows[inside], selves[inside], step[inside]
    if not len(rows):
        return CaptureSamples(len(steps), {})
    scopes, scope_names = slice_scopes(capture)
    own_scopes = np.zeros(len(rows), np.int32) if scopes is None else scopes[rows]
    unique, group = unique_keys(slices.name[rows], slices.category[rows], own_scopes)
    calls, sums, squares = step_sums(group, step, selves, len(unique))
    operators = dict[OperatorKey, StepSamples]()
    for (name, category, scope), *figures in zip(
        unique.tolist(), calls.tolist(), sums.tolist(), squares.tolist(), strict=True
    ):
        kind, own = split_name(capture.names[name])
        key = (kind, CATEGORIES[category], scope_names[scope] or own)
        known = operators.get(key, StepSamples())
        operators[key] = known.plus(StepSamples(*figures))
    return CaptureSamples(max(1, len(steps)), operators)


def unique_keys(
    names: NDArray[np.int32], categories: NDArray[np.int8], scopes: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows of these columns, and which of them each row is. One number for each is faster to sort."""
    names_, scopes_ = names.astype(np.int64), scopes.astype(np.int64)
    keys = (names_ * len(CATEGORIES) + categories) * (int(scopes_.max()) + 1) + scopes_
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    return np.stack([names_[first], categories[first].astype(np.int64), scopes_[first]], axis=1), group.reshape(-1)


def step_sums(
    group: NDArray[np.int64], step: NDArray[np.int64], selves: NDArray[np.int64], groups: int
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[Any]]:
    """For each group: its rows, the sum of their times, and the sum of the squares of their times in each step."""
    cells, cell = np.unique(group * (int(step.max()) + 1) + step, return_inverse=True)
    times = np.zeros(len(cells), np.int64)
    np.add.at(times, cell.reshape(-1), selves)
    of_cell = cells // (int(step.max()) + 1)
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, of_cell, times)
    squares = np.bincount(of_cell, weights=times.astype(np.float64) ** 2, minlength=groups)
    return np.bincount(group, minlength=groups), sums, squares
