"""Statistics of a series: first, last, lowest, highest and mean."""

import math
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lightboard.events.protocol import Stats
from lightboard.testing.event_files import DOUBLE, scalar_record, start_record, tensor, tensor_record, version_record

Decode = Callable[..., Any]


def comparable(stats: Stats) -> list[Any]:
    """The fields, with "nan" for NaN, which is not equal to itself."""
    return ["nan" if isinstance(field, float) and math.isnan(field) else field for field in stats]


def test_stats_of_a_short_series(impl: SimpleNamespace, decode: Decode) -> None:
    """Among equal values the first is the lowest or highest."""
    written = [(2, 10.0, 3.0), (4, 11.0, 1.0), (6, 12.0, 5.0), (7, 13.0, 1.0), (8, 14.0, 5.0)]
    decoder = decode(*(scalar_record("a", step, value, wall) for step, wall, value in written))
    expected = Stats(5, 0, 2, 10.0, 3.0, 8, 14.0, 5.0, 1.0, 4, 5.0, 6, 3.0, 0, 0, 0)
    assert impl.series_stats([(decoder, 0)], True) == expected


def test_nonfinite_values_are_counted_separately(impl: SimpleNamespace, decode: Decode) -> None:
    """They are never lowest or highest, nor part of the mean."""
    values = [math.nan, 2.0, math.inf, 4.0, -math.inf]
    decoder = decode(*(scalar_record("a", step, value, 1.0) for step, value in enumerate(values)))
    found = comparable(impl.series_stats([(decoder, 0)], True))
    assert found == [5, 0, 0, 1.0, "nan", 4, 1.0, -math.inf, 2.0, 1, 4.0, 3, 3.0, 3, 1, 4]


def test_series_without_finite_values(impl: SimpleNamespace, decode: Decode) -> None:
    """Lowest, highest and mean are NaN, and their steps 0."""
    decoder = decode(scalar_record("a", 3, math.inf, 1.0))
    found = comparable(impl.series_stats([(decoder, 0)], True))
    assert found == [1, 0, 3, 1.0, math.inf, 3, 1.0, math.inf, "nan", 0, "nan", 0, "nan", 1, 1, 3]


def test_empty_series_have_no_stats(impl: SimpleNamespace) -> None:
    """All numbers are NaN or 0."""
    found = comparable(impl.series_stats([], True))
    assert found == [0, 0, 0, "nan", "nan", 0, "nan", "nan", "nan", 0, "nan", 0, "nan", 0, 0, 0]


def test_superseded_points_are_counted(impl: SimpleNamespace, decode: Decode) -> None:
    """Hidden ones are not part of the other statistics; shown ones are."""
    records = [scalar_record("a", step, float(step), 1.0) for step in range(5)]
    decoder = decode(version_record(), *records, start_record(step=3), scalar_record("a", 3, 9.0, 1.0))
    hidden = impl.series_stats([(decoder, 0)], True)
    shown = impl.series_stats([(decoder, 0)], False)
    assert (hidden.held, hidden.superseded, hidden.mean) == (4, 2, 3.0)
    assert (shown.held, shown.superseded, shown.mean) == (6, 2, 19.0 / 6)


@pytest.mark.parametrize("lost", [1, 63, 64, 65, 130, 300])
@pytest.mark.parametrize("odd", [math.nan, math.inf])
def test_nonfinite_tails_are_measured(impl: SimpleNamespace, decode: Decode, lost: int, odd: float) -> None:
    """The points since the last finite value, and the step of the first of them."""
    values = [1.0] * (300 - lost) + [odd] * lost
    decoder = decode(*(scalar_record("a", 10 * i, value, 1.0) for i, value in enumerate(values)))
    found = impl.series_stats([(decoder, 0)], True)
    assert (found.nonfinite_tail, found.nonfinite_from) == (lost, 10 * (300 - lost))
    assert decoder.nonfinite_ends() == [0]


def test_restarts_supersede_nonfinite_tails(impl: SimpleNamespace, decode: Decode) -> None:
    """If superseded points are shown, the tail counts."""
    bad = [scalar_record("a", step, math.nan, 1.0) for step in (3, 4)]
    decoder = decode(version_record(), scalar_record("a", 2, 1.0, 1.0), *bad, start_record(step=3))
    assert impl.series_stats([(decoder, 0)], True).nonfinite_tail == 0
    assert impl.series_stats([(decoder, 0)], False).nonfinite_tail == 2


LARGE = st.sampled_from([1.7976931348623157e308, -1.7976931348623157e308, 1e308, -1.7e308, 1e300])
NUMBERS = st.lists(LARGE | st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=150)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(values=NUMBERS)
@example(values=[0.0, 5e-324])
def test_means_are_finite_and_exact(impl: SimpleNamespace, values: list[float]) -> None:
    """Compared with exact arithmetic, also near the largest doubles, whose sum overflows."""
    decoder = impl.Decoder()
    decoder.feed(b"".join(tensor_record("a", i, tensor(DOUBLE, [value]), 1.0) for i, value in enumerate(values)))
    exact = sum(map(Fraction, values)) / len(values)
    mean = impl.series_stats([(decoder, 0)], True).mean
    assert min(values) <= mean <= max(values)
    # Near zero doubles are the least double apart.
    assert abs(Fraction(mean) - exact) <= Fraction(max(map(abs, values))) / 10**13 + Fraction(math.ulp(0.0))


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 1000])
def test_stats_of_long_series(impl: SimpleNamespace, decode: Decode, count: int) -> None:
    """Every value counts."""
    values = [math.sin(i * 0.7) * 100 + (math.nan if i % 97 == 3 else 0) for i in range(count)]
    decoder = decode(*(tensor_record("a", i, tensor(DOUBLE, [value]), 1.0) for i, value in enumerate(values)))
    found = impl.series_stats([(decoder, 0)], True)
    finite = [value for value in values if value == value]
    low, high = min(finite), max(finite)
    assert (found.min_value, found.min_step) == (low, values.index(low))
    assert (found.max_value, found.max_step) == (high, values.index(high))
    assert found.mean == pytest.approx(sum(finite) / len(finite), rel=1e-12, abs=1e-12)
    assert (found.held, found.nonfinite) == (count, count - len(finite))
