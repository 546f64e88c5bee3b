"""The nearest neighbours of a point, exactly: every other point is looked at."""

from typing import Literal, NamedTuple

import numpy as np

from lightboard.query.projector.matrix import Matrix
from lightboard.query.projector.points import BLOCK_ROWS

Metric = Literal["cosine", "euclidean"]


class Neighbours(NamedTuple):
    """Row numbers, nearest first, and their distances. Cosine distance is 1 minus the cosine of the angle."""

    rows: list[int]
    distances: list[float]


def neighbours(matrix: Matrix, row: int, count: int, metric: Metric) -> Neighbours:
    """The `count` rows nearest to `row`, itself left out; at equal distance the lower number first.

    Rows with values that are no numbers are near to nothing. A row of zeros is at cosine distance 1 of all others.
    """
    far = np.concatenate(
        [block_distances(matrix[at : at + BLOCK_ROWS], matrix[row], metric) for at in range(0, len(matrix), BLOCK_ROWS)]
    )
    far = np.where(np.isfinite(far), far, np.inf)
    far[row] = np.inf
    count = min(count, int(np.isfinite(far).sum()))
    if count == 0:
        return Neighbours([], [])
    edge = np.partition(far, count - 1)[count - 1]
    near = np.flatnonzero(far <= edge)
    near = near[np.argsort(far[near], kind="stable")][:count]
    return Neighbours(near.tolist(), far[near].tolist())


def block_distances(
    block: Matrix, point: "np.ndarray[tuple[int], np.dtype[np.float32]]", metric: Metric
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The distance of each row to `point`."""
    with np.errstate(all="ignore"):
        if metric == "euclidean":
            apart = block - point
            far: np.ndarray[tuple[int], np.dtype[np.float64]] = np.sqrt(
                np.einsum("ij,ij->i", apart, apart, dtype=np.float64)
            )
            return far
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block, dtype=np.float64)) * np.sqrt(point @ point)
        cosines = (block @ point) / np.where(lengths > 0, lengths, np.inf)
        return np.where(np.isfinite(lengths), np.clip(1.0 - cosines, 0.0, 2.0), np.nan)
