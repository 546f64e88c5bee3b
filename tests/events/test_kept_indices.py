"""Thinning for answers that must stay short."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.events.sampling import kept_indices
from lightboard.testing.provider import memory_provider

VALUES = st.lists(st.floats(width=32), min_size=1, max_size=200)


def test_a_short_series_stays_whole() -> None:
    """Up to the limit nothing is left out."""
    assert kept_indices(3, 3) == [0, 1, 2]


def test_zero_means_all() -> None:
    """As with TensorBoard's flag."""
    assert kept_indices(5000, 0) == list(range(5000))


@given(values=VALUES, most=st.integers(4, 60))
def test_first_last_lowest_and_highest_are_kept(values: list[float], most: int) -> None:
    """Whatever the values are, in order, and never more than asked for."""
    provider = memory_provider({"r": {"x": [(step, float(step), value) for step, value in enumerate(values)]}})

    points = provider.samples("r", "x", most)

    finite = [value for value in values if math.isfinite(value)]
    assert len(points.steps) <= most
    assert list(points.steps) == sorted(set(points.steps))
    assert {0, len(values) - 1} <= set(points.steps)
    assert {min(finite), max(finite)} <= set(points.values) if finite else True


@pytest.mark.parametrize(("most", "kept"), [(1, [4]), (2, [0, 4]), (3, [0, 1, 4]), (4, [0, 1, 2, 4])])
def test_with_little_room_the_last_comes_first(most: int, kept: list[int]) -> None:
    """Then the first, then the precious ones in their order."""
    assert kept_indices(5, most, [1, 2]) == kept


def test_the_same_points_every_time() -> None:
    """No dice: two answers about the same points are the same."""
    assert kept_indices(10_000, 1000, [77]) == kept_indices(10_000, 1000, [77])


def test_kept_points_are_spread_evenly() -> None:
    """Between the extremes no stretch goes empty."""
    assert max(b - a for a, b in pairwise(kept_indices(100_000, 1000))) <= 101
