"""TensorBoard's smoothing."""

import math
import struct
from types import SimpleNamespace

import pytest
from columns import unpacked


def smooth(impl: SimpleNamespace, values: list[float], weight: float) -> list[float]:
    return unpacked("d", impl.smooth(struct.pack(f"<{len(values)}d", *values), weight))


def formula(values: list[float], weight: float) -> list[float]:
    """The formula as it stands in TensorBoard's page."""
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
def test_the_formula(impl: SimpleNamespace, weight: float) -> None:
    """Equal to the formula, to within rounding, over a long series."""
    values = [math.sin(i / 9) + i * 1e-3 for i in range(3000)]
    assert smooth(impl, values, weight) == pytest.approx(formula(values, weight), rel=1e-9)


def test_the_first_value_is_kept(impl: SimpleNamespace) -> None:
    """Without its bias the average begins where the series does."""
    assert smooth(impl, [4.0, 0.0], 0.9)[0] == pytest.approx(4.0)


def test_what_is_not_finite_passes_through(impl: SimpleNamespace) -> None:
    """And is not counted: the values after it are smoothed as if it were not there."""
    without = smooth(impl, [1.0, 2.0, 3.0], 0.5)
    found = smooth(impl, [1.0, math.nan, 2.0, math.inf, 3.0], 0.5)
    assert math.isnan(found[1])
    assert [found[0], found[2], found[3], found[4]] == [without[0], without[1], math.inf, without[2]]


def test_a_constant_series_is_left_alone(impl: SimpleNamespace) -> None:
    """To the bit."""
    assert smooth(impl, [0.1] * 50, 0.6) == [0.1] * 50


def test_no_values(impl: SimpleNamespace) -> None:
    """Nothing in, nothing out."""
    assert smooth(impl, [], 0.5) == []


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan])
def test_a_weight_out_of_range(impl: SimpleNamespace, weight: float) -> None:
    """Raises ValueError."""
    with pytest.raises(ValueError, match=r"0\.\.1"):
        smooth(impl, [1.0], weight)
