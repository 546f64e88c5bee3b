"""Densities of histograms: cells, quantiles and ranges, by definition and for hostile rows."""

import numpy as np
import numpy.typing as npt
import pytest

from lightboard.query.densities import (
    Masses,
    cells,
    ends,
    full_range,
    masses_of,
    quantiles,
    robust_range,
    shared_range,
    with_margin,
)

Floats = npt.NDArray[np.float64]
INF, NAN = float("inf"), float("nan")


def rows(*buckets: tuple[float, float, float]) -> Floats:
    return np.array(buckets, np.float64).reshape(-1, 3)


def slow_cells(histogram: Floats, low: float, high: float, count: int) -> Floats:
    """The mass in each cell, bucket by bucket."""
    found = np.zeros(count)
    edges = np.linspace(low, high, count + 1)
    total = histogram[:, 2].sum()
    for left, right, mass in histogram:
        for cell in range(count):
            inside = min(right, edges[cell + 1]) - max(left, edges[cell])
            if inside > 0:
                found[cell] += mass / total * inside / (right - left)
    return found


def random_histograms() -> list[Floats]:
    rng = np.random.default_rng(11)
    found = []
    for _ in range(40):
        edges = np.sort(rng.normal(size=int(rng.integers(2, 12))))
        counts = rng.integers(0, 5, len(edges) - 1).astype(float)
        counts[0] += 1
        found.append(np.stack([edges[:-1], edges[1:], counts], axis=1))
    return found


def test_cells_sum_the_overlapping_mass() -> None:
    """Batches equal single histograms, and mass outside of the range is reported."""
    histograms = random_histograms()
    found, below, above = cells(masses_of(histograms), -0.5, 1.0, 7)
    assert np.allclose(found, [slow_cells(one, -0.5, 1.0, 7) for one in histograms], atol=1e-9)
    assert np.allclose(found.sum(axis=1) + below + above, 1.0)


def test_quantiles_are_interpolated() -> None:
    """The median of two equal buckets is their common edge."""
    found = quantiles(masses_of([rows((0, 1, 2), (1, 3, 2)), rows((-4, -2, 1))]), [0.25, 0.5, 1.0])
    assert np.allclose(found, [[0.5, -3.5], [1.0, -3.0], [3.0, -2.0]])


def test_buckets_of_width_zero_are_in_one_cell() -> None:
    """Also at both ends of the range, and if all buckets have one edge."""
    at_ends = masses_of([rows((0, 0, 5)), rows((2, 2, 1), (2, 2, 3)), rows((1, 1, 0), (1, 1, 2))])
    found, below, above = cells(at_ends, 0.0, 2.0, 4)
    assert found.sum(axis=1).tolist() == [1.0, 1.0, 1.0]
    assert [int(one.argmax()) for one in found][:2] == [0, 3]
    assert (below.tolist(), above.tolist()) == ([0.0] * 3, [0.0] * 3)


def test_empty_histograms_have_no_ends() -> None:
    """Also between others."""
    masses = masses_of([rows(), rows((0, 1, 1)), rows((0, 1, 0))])
    low, high = ends(masses)
    assert [np.isnan(low).tolist(), high[1]] == [[True, False, True], 1.0]
    assert np.isnan(quantiles(masses, [0.5])[0]).tolist() == [True, False, True]
    assert cells(masses, 0, 1, 2)[0].tolist() == [[0, 0], [0.5, 0.5], [0, 0]]


HOSTILE = [
    rows((NAN, 1, 5), (0, NAN, 5), (-INF, INF, 5), (0, 1, NAN), (0, 1, INF)),
    rows((-INF, 0, 1), (0, 1, 2), (1, INF, 1)),
    rows((0, 1, -5), (1, 2, 3)),
    rows((3, 2, 1), (1, 0, 1)),
    rows((0, 2, 1), (1, 3, 1), (0, 3, 1)),
    rows((-1.7e308, 1.7e308, 1), (1e299, 2e299, 1)),
    rows((0, 1e-320, 1), (1e-320, 1, 1e300), (2, 3, 1e308)),
]


@pytest.mark.parametrize("histogram", HOSTILE)
def test_hostile_rows_give_finite_cells(histogram: Floats) -> None:
    """No mass is negative, and all of it is at most 1."""
    masses = masses_of([rows((0, 1, 1)), histogram])
    found, below, above = cells(masses, -1.0, 4.0, 16)
    assert np.isfinite(found).all()
    assert (found >= -1e-9).all()
    assert (found.sum(axis=1) + below + above <= 1 + 1e-9).all()
    assert np.isfinite(quantiles(masses, [0.05, 0.5, 0.95])[:, masses.filled]).all()


def test_outliers_do_not_widen_the_robust_range() -> None:
    """One value in a thousand at ±40 widens only the full range."""
    histogram = rows((-40, -39, 1), (-1, 0, 500), (0, 1, 499), (39, 40, 1))
    masses = masses_of([histogram] * 10)
    robust, full = robust_range(masses), full_range(masses)
    assert robust is not None
    assert -1 <= robust[0] < -0.8
    assert 0.8 < robust[1] <= 1
    assert full == (-40, 40)


def test_empty_series_have_no_range() -> None:
    """No histograms, or empty ones."""
    nothing: list[Masses] = [masses_of([]), masses_of([rows()])]
    assert [(robust_range(one), full_range(one)) for one in nothing] == [(None, None)] * 2


def test_outlier_runs_do_not_widen_the_shared_range() -> None:
    """The full range includes them."""
    ranges = [(-1.0, 1.0), (-1.5, 1.0), (-500.0, 500.0)]
    assert shared_range(ranges, robust=True) == (-1.5, 1.0)
    assert shared_range(ranges, robust=False) == (-500.0, 500.0)


@pytest.mark.parametrize("value", [0.0, 2.0, -1e-30, 1e300])
def test_ranges_of_one_value_get_a_margin(value: float) -> None:
    """On both sides."""
    low, high = with_margin(value, value)
    assert low < value < high
