"""Sampling for responses of limited size."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.events.sampling import sample_indices
from lightboard.testing.provider import memory_provider

VALUES = st.lists(st.floats(width=32), min_size=1, max_size=200)


def test_series_up_to_the_limit_are_sent_whole() -> None:
    """Exactly the limit is not too many."""
    assert sample_indices(3, 3) == [0, 1, 2]


def test_a_limit_of_zero_returns_all_points() -> None:
    """As with TensorBoard's flag."""
    assert sample_indices(5000, 0) == list(range(5000))


@given(values=VALUES, most=st.integers(4, 60))
def test_first_last_lowest_and_highest_are_kept(values: list[float], most: int) -> None:
    """In order, and never more points than requested."""
    provider = memory_provider({"r": {"x": [(step, float(step), value) for step, value in enumerate(values)]}})

    points = provider.samples("r", "x", most)

    finite = [value for value in values if math.isfinite(value)]
    assert len(points.steps) <= most
    assert list(points.steps) == sorted(set(points.steps))
    assert {0, len(values) - 1} <= set(points.steps)
    assert {min(finite), max(finite)} <= set(points.values) if finite else True


@pytest.mark.parametrize(("most", "kept"), [(1, [4]), (2, [0, 4]), (3, [0, 1, 4]), (4, [0, 1, 2, 4])])
def test_tiny_limits_prefer_the_last_point(most: int, kept: list[int]) -> None:
    """Then the first, then the required ones in their order."""
    assert sample_indices(5, most, [1, 2]) == kept


def test_sampling_is_deterministic() -> None:
    """Two calls choose the same points."""
    assert sample_indices(10_000, 1000, [77]) == sample_indices(10_000, 1000, [77])


def test_sampled_points_are_spread_evenly() -> None:
    """No gap is much larger than the others."""
    assert max(b - a for a, b in pairwise(sample_indices(100_000, 1000))) <= 101
