"""Thinning for answers that must stay short."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.query.thinning import extremes, kept_indices

VALUES = st.lists(st.floats(width=32), min_size=1, max_size=300)


def test_a_short_series_stays_whole() -> None:
    """Up to the limit nothing is left out."""
    assert kept_indices([3.0, 1.0, 2.0], 3) == [0, 1, 2]


def test_zero_means_all() -> None:
    """As with TensorBoard's flag."""
    assert kept_indices([0.0] * 5000, 0) == list(range(5000))


@given(values=VALUES, most=st.integers(4, 60))
def test_first_last_lowest_and_highest_are_kept(values: list[float], most: int) -> None:
    """Whatever the values are, and in order."""
    kept = kept_indices(values, most)

    assert set(kept) >= {0, len(values) - 1, *extremes(values)}
    assert kept == sorted(set(kept))
    assert len(kept) <= max(most, min(len(values), most))


@pytest.mark.parametrize(("most", "kept"), [(1, [4]), (2, [0, 4]), (3, [0, 1, 4])])
def test_with_little_room_the_last_comes_first(most: int, kept: list[int]) -> None:
    """Then the first, then the lowest."""
    assert kept_indices([5.0, -1.0, 9.0, 2.0, 3.0], most) == kept


def test_the_same_points_every_time() -> None:
    """No dice: two answers about the same points are the same."""
    values = [math.sin(i) for i in range(10_000)]

    assert kept_indices(values, 1000) == kept_indices(values, 1000)


def test_kept_points_are_spread_evenly() -> None:
    """Between the extremes no stretch goes empty."""
    kept = kept_indices([float(i) for i in range(100_000)], 1000)

    assert max(b - a for a, b in pairwise(kept)) <= 101


def test_a_series_without_numbers_has_no_extremes() -> None:
    """NaN is neither low nor high."""
    assert extremes([math.nan, math.inf, -math.inf]) == []
