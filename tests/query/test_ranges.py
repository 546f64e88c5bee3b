"""Exact figures over a stretch of steps."""

import math
import random

import numpy as np
import pytest

from lightboard.config import BoardSettings
from lightboard.query.provider import CatalogProvider
from lightboard.query.ranges import RangeStats
from lightboard.testing.event_files import scalar_record, start_record, version_record
from lightboard.testing.fakes import MemoryBoard
from lightboard.testing.provider import memory_provider

CURVE = [(2, 10.0, 3.0), (4, 11.0, 1.0), (6, 12.0, math.nan), (8, 13.0, 5.0), (10, 14.0, 7.0)]


def test_both_ends_count_and_what_is_not_finite_does_not() -> None:
    """Ends, extremes with their steps, mean, slope."""
    provider = memory_provider({"a": {"loss": CURVE}, "b": {"lr": CURVE}})
    (found,) = provider.ranges(["loss"], None, 4, 8)

    assert (found.tag, found.stats) == ("loss", RangeStats(2, 4, 1.0, 8, 5.0, 1.0, 4, 5.0, 8, 3.0, 1.0))


def test_a_stretch_without_points_has_no_entry() -> None:
    """Neither has a run that was not asked for."""
    provider = memory_provider({"a": {"loss": CURVE}})

    assert [provider.ranges(["loss"], None, 5, 7), provider.ranges(["loss"], frozenset(), 0, 9)] == [[], []]


def test_a_single_step_has_no_slope() -> None:
    """NaN says so."""
    (found,) = memory_provider({"a": {"loss": CURVE}}).ranges(["loss"], None, 2, 2)

    assert math.isnan(found.stats.slope)


def test_points_that_a_restart_made_void_do_not_count() -> None:
    """Unless they are asked for."""
    records = [scalar_record("loss", step, 1.0) for step in range(4)]
    again = [start_record(step=2), scalar_record("loss", 2, 5.0)]
    board = MemoryBoard({"a/events.tfevents.0": b"".join([version_record(), *records, *again])})
    provider = CatalogProvider(board.catalog, BoardSettings(logdir="memory"))

    assert [provider.ranges(["loss"], None, 0, 9, orphans)[0].stats.points for orphans in (False, True)] == [3, 5]


@pytest.mark.parametrize("low", [-math.inf, 300.0])
def test_long_series_equal_numpy(low: float) -> None:
    """Of ten thousand points, thinned for no chart."""
    rng = random.Random(1)
    points = [(step, 100.0 + step, np.float32(rng.gauss(1e6, 1)).item()) for step in range(10_000)]
    (found,) = memory_provider({"a": {"loss": points}}).ranges(["loss"], None, low, 9_000)
    steps, _, values = np.array([point for point in points if low <= point[0] <= 9_000]).T

    assert found.stats.points == len(steps)
    assert found.stats.mean == pytest.approx(values.mean(), rel=1e-14)
    assert found.stats.slope == pytest.approx(np.polyfit(steps, values, 1)[0], rel=1e-6)
