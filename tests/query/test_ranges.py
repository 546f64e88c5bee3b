"""Exact statistics over a range of steps."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lightboard.config import BoardSettings
from lightboard.events.decode import new_decoder
from lightboard.query.provider import CatalogProvider
from lightboard.query.ranges import RangeStats, range_stats
from lightboard.testing.event_files import DOUBLE, scalar_record, start_record, tensor, tensor_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import memory_provider

POINTS = [(2, 10.0, 3.0), (4, 11.0, 1.0), (6, 12.0, math.nan), (8, 13.0, 5.0), (10, 14.0, 7.0)]


def test_ranges_include_both_ends() -> None:
    """Extremes with their steps, mean and slope. Nonfinite values do not count."""
    provider = memory_provider({"a": {"loss": POINTS}, "b": {"lr": POINTS}})
    (found,) = provider.ranges(["loss"], None, 4, 8)

    assert (found.tag, found.stats) == ("loss", RangeStats(2, 4, 1.0, 8, 5.0, 1.0, 4, 5.0, 8, 3.0, 1.0, None, None))


def test_ranges_without_points_have_no_entry() -> None:
    """Nor do runs that were not requested."""
    provider = memory_provider({"a": {"loss": POINTS}})

    assert [*provider.ranges(["loss"], None, 5, 7), *provider.ranges(["loss"], frozenset(), 0, 9)] == []


def test_nonfinite_tails_of_ranges_are_reported() -> None:
    """The last finite value, and the first point after it."""
    provider = memory_provider({"a": {"loss": [*POINTS, (12, 15.0, math.inf), (14, 16.0, math.nan)]}})
    whole, before = (next(iter(provider.ranges(["loss"], None, 2, last))).stats for last in (20, 10))

    assert (whole.last_value, whole.lost_step, whole.lost_value) == (7.0, 12, math.inf)
    assert (before.last_value, before.lost_step, before.lost_value) == (7.0, None, None)


def test_single_steps_have_no_slope() -> None:
    """It is NaN."""
    (found,) = memory_provider({"a": {"loss": POINTS}}).ranges(["loss"], None, 2, 2)

    assert math.isnan(found.stats.slope)


def test_superseded_points_do_not_count() -> None:
    """Unless requested."""
    records = [scalar_record("loss", step, 1.0) for step in range(4)]
    restarted = [start_record(step=2), scalar_record("loss", 2, 5.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join([version_record(), *records, *restarted])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="memory"))

    found = [one.stats.points for orphans in (False, True) for one in provider.ranges(["loss"], None, 0, 9, orphans)]
    assert found == [3, 5]


@pytest.mark.parametrize("low", [-math.inf, 300.0])
def test_stats_of_long_ranges_equal_numpy(low: float) -> None:
    """Ten thousand points, without downsampling."""
    rng = random.Random(1)
    points = [(step, 100.0 + step, np.float32(rng.gauss(1e6, 1)).item()) for step in range(10_000)]
    (found,) = memory_provider({"a": {"loss": points}}).ranges(["loss"], None, low, 9_000)
    steps, _, values = np.array([point for point in points if low <= point[0] <= 9_000]).T

    assert found.stats.points == len(steps)
    assert found.stats.mean == pytest.approx(values.mean(), rel=1e-14)
    assert found.stats.slope == pytest.approx(np.polyfit(steps, values, 1)[0], rel=1e-6)


LARGE = st.sampled_from([1.7976931348623157e308, -1.7976931348623157e308, 1e308, -1.7e308, 1e300])
NUMBERS = st.lists(LARGE | st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=40)
FIRST = st.sampled_from([0, -(2**62), 2**62, -(2**63)])


@settings(deadline=None)
@given(values=NUMBERS, first=FIRST, stride=st.sampled_from([1, 1000, 2**55]))
@example(values=[0.0, 5e-324], first=0, stride=1)
def test_stats_of_finite_values_are_exact(values: list[float], first: int, stride: int) -> None:
    """Compared with exact arithmetic, also near the largest doubles and for huge steps."""
    steps = [first + number * stride for number in range(len(values))]
    decoder = new_decoder()
    decoder.feed(b"".join(tensor_record("a", s, tensor(DOUBLE, [v]), 1.0) for s, v in zip(steps, values, strict=True)))
    found = range_stats([(decoder, 0)], -math.inf, math.inf, False)
    assert found is not None
    exact = [Fraction(value) for value in values]
    size, mean = max(map(abs, exact)), sum(exact) / len(exact)
    offsets = [step - Fraction(sum(steps), len(steps)) for step in steps]
    slope = sum(a * (v - mean) for a, v in zip(offsets, exact, strict=True)) / sum(a * a for a in offsets)
    smallest = Fraction(5e-324)  # doubles near zero are multiples of it
    assert abs(Fraction(found.mean) - mean) <= size / 10**14 + smallest
    if abs(slope) < Fraction(10) ** 308:
        assert abs(Fraction(found.slope) - slope) <= size / stride / 10**12 + smallest
