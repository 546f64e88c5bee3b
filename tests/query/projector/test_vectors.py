"""Computations on vectors, compared with straightforward definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.query.projector import pca
from lightboard.query.projector.custom import Axis, project
from lightboard.query.projector.neighbours import neighbours
from lightboard.query.projector.points import chosen, sample, spherized


def cloud(rows: int, dims: int, seed: int = 0) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    """Points with a decreasing spread per dimension, rotated at random, with an offset."""
    rng = np.random.default_rng(seed)
    rotation, _ = np.linalg.qr(rng.normal(size=(dims, dims)))
    return ((rng.normal(size=(rows, dims)) * 0.7 ** np.arange(dims)) @ rotation + 5).astype(np.float32)


def by_svd(matrix: "np.ndarray[tuple[int, int], np.dtype[np.float32]]") -> tuple[np.ndarray, np.ndarray]:
    """Scores up to sign, and shares of variance."""
    shifted = matrix.astype(float) - matrix.mean(axis=0, dtype=float)
    u, s, _ = np.linalg.svd(shifted, full_matrices=False)
    return np.abs(u * s), s**2 / max(1e-30, (s**2).sum())


@pytest.mark.parametrize(("rows", "dims"), [(500, 20), (40_000, 3), (6, 30), (1, 4), (20, 1)])
def test_components_equal_those_of_an_svd(rows: int, dims: int) -> None:
    """Scores and shares of variance, for any shape, in one block or several."""
    matrix = cloud(rows, dims)
    found = pca.components(matrix)
    scores, shares = by_svd(matrix)
    count = min(10, rows, dims)
    strong = shares[:count] > 1e-6
    assert found.scores.shape == (rows, count)
    assert np.allclose(found.variance, np.nan_to_num(shares[:count]), atol=1e-4)
    assert np.allclose(np.abs(found.scores)[:, strong], scores[:, :count][:, strong], atol=2e-3)


def test_randomized_components_are_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Used for many dimensions."""
    matrix = cloud(2000, 40)
    exact = pca.components(matrix)
    monkeypatch.setattr(pca, "MAX_EXACT_DIMS", 10)
    randomized = pca.components(matrix)
    assert np.allclose(randomized.variance, exact.variance, atol=1e-4)
    assert np.allclose(randomized.scores[:, :4], exact.scores[:, :4], atol=2e-2)


def test_equal_points_have_no_components() -> None:
    """All scores and shares are zero."""
    found = pca.components(np.ones((5, 3), np.float32))
    assert (found.scores.tolist(), found.variance) == ([[0.0] * 3] * 5, [0.0] * 3)


@given(
    st.integers(2, 60),
    st.integers(1, 8),
    st.integers(0, 5),
    st.sampled_from(["cosine", "euclidean"]),
    st.integers(1, 70),
)
def test_neighbours_are_the_nearest(rows: int, dims: int, seed: int, metric: str, count: int) -> None:
    """In order, and no other point is nearer."""
    matrix = cloud(rows, dims, seed)
    found = neighbours(matrix, rows // 2, count, metric)  # type: ignore[arg-type]
    doubles = matrix.astype(float)
    point = doubles[rows // 2]
    if metric == "euclidean":
        distances = np.linalg.norm(doubles - point, axis=1)
    else:
        distances = 1 - doubles @ point / (np.linalg.norm(doubles, axis=1) * np.linalg.norm(point))
    others = np.delete(distances, rows // 2)
    assert len(found.rows) == min(count, rows - 1)
    assert rows // 2 not in found.rows
    assert np.allclose(found.distances, np.sort(others)[: len(found.rows)], atol=1e-5)
    assert np.allclose(distances[found.rows], found.distances, atol=1e-5)


def test_nonfinite_rows_have_no_neighbours() -> None:
    """Equal points have distance 0; a zero vector has cosine distance 1 to all."""
    matrix = np.array([[1, 1], [np.nan, 1], [1, 1], [0, 0], [np.inf, 2]], np.float32)
    assert neighbours(matrix, 0, 9, "euclidean") == ([2, 3], [0.0, 2**0.5])
    assert neighbours(matrix, 0, 9, "cosine").rows == [2, 3]
    assert neighbours(matrix, 0, 9, "cosine").distances == pytest.approx([0.0, 1.0], abs=1e-6)
    assert neighbours(matrix, 1, 9, "euclidean") == ([], [])


def test_nonfinite_numbers_become_the_column_mean() -> None:
    """In layouts, where each point needs a position."""
    matrix = np.array([[1, np.nan], [3, 4], [np.inf, 8]], np.float32)
    assert chosen(matrix, None).tolist() == [[1, 6], [3, 4], [2, 8]]


def test_spherized_points_have_length_one() -> None:
    """Around the mean, except for a point at the mean."""
    matrix = np.array([[0, 0], [2, 0], [4, 0], [2, 3], [2, -3]], np.float32)
    assert spherized(matrix).tolist() == [[-1, 0], [0, 0], [1, 0], [0, 1], [0, -1]]


def test_samples_are_deterministic() -> None:
    """In order and without duplicates. No sample is needed if all points fit."""
    first, second = sample(1000, 10), sample(1000, 10)
    assert first is not None
    assert second is not None
    assert first.tolist() == second.tolist() == sorted(set(first.tolist()))
    assert (len(first), sample(10, 10)) == (10, None)


def test_points_are_projected_on_axes() -> None:
    """From the mean of some points to the mean of others, with the centre of all at zero."""
    matrix = np.array([[0, 0], [4, 0], [0, 2], [4, 2]], np.float32)
    axes = [Axis([0, 2], [1, 3], ("l", "r")), Axis(None, [2, 3], ("", "up"))]
    assert project(matrix, axes).tolist() == [[-2, -1], [2, -1], [-2, 1], [2, 1]]


@pytest.mark.parametrize(
    ("axis", "why"),
    [
        (Axis([], [1], ("cat", "dog")), "no point matches 'cat'"),
        (Axis([1], [1], ("cat", "dog")), "the axis from 'cat' to 'dog' has no length"),
    ],
)
def test_axes_without_length_are_unshowable(axis: Axis, why: str) -> None:
    """The message names their queries."""
    with pytest.raises(Unshowable, match=why):
        project(np.eye(2, dtype=np.float32), [axis])
