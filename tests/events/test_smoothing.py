"""Smoothing by TensorBoard's formula."""

import math
import struct
from types import SimpleNamespace

import pytest

from support.series_columns import unpack_column


def smooth(impl: SimpleNamespace, values: list[float], weight: float) -> list[float]:
    return unpack_column("d", impl.smooth(struct.pack(f"<{len(values)}d", *values), weight))


def formula(values: list[float], weight: float) -> list[float]:
    """The formula from TensorBoard's frontend."""
    if all(value == values[0] for value in values):
        return values
    last, count, out = 0.0, 0, []
    for value in values:
        if not math.isfinite(value):
            out.append(value)
            continue
        last = last * weight + (1 - weight) * value
        count += 1
        out.append(last if weight == 1 else last / (1 - weight**count))
    return out


@pytest.mark.parametrize("weight", [0.0, 0.1, 0.6, 0.9, 0.99, 0.999, 1.0])
def test_smoothing_follows_the_formula_of_tensorboard(impl: SimpleNamespace, weight: float) -> None:
    """Equal to within rounding, over a long series."""
    values = [math.sin(i / 9) + i * 1e-3 for i in range(3000)]
    assert smooth(impl, values, weight) == pytest.approx(formula(values, weight), rel=1e-9)


def test_the_first_value_is_kept(impl: SimpleNamespace) -> None:
    """The average has no bias towards zero."""
    assert smooth(impl, [4.0, 0.0], 0.9)[0] == pytest.approx(4.0)


def test_nonfinite_values_pass_through(impl: SimpleNamespace) -> None:
    """They do not affect the values after them."""
    without = smooth(impl, [1.0, 2.0, 3.0], 0.5)
    found = smooth(impl, [1.0, math.nan, 2.0, math.inf, 3.0], 0.5)
    assert math.isnan(found[1])
    assert [found[0], found[2], found[3], found[4]] == [without[0], without[1], math.inf, without[2]]


def test_constant_series_stay_exact(impl: SimpleNamespace) -> None:
    """To the last bit."""
    assert smooth(impl, [0.1] * 50, 0.6) == [0.1] * 50


def test_empty_series_are_smoothed(impl: SimpleNamespace) -> None:
    """To nothing."""
    assert smooth(impl, [], 0.5) == []


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan])
def test_weights_out_of_range_raise_value_error(impl: SimpleNamespace, weight: float) -> None:
    """NaN as well."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        smooth(impl, [1.0], weight)
