"""Exact nearest neighbours of a point, by computing the distance to every other point."""

from typing import Literal, NamedTuple

import numpy as np

from lightboard.query.projector.matrix import Matrix
from lightboard.query.projector.points import BLOCK_ROWS

Metric = Literal["cosine", "euclidean"]


class Neighbours(NamedTuple):
    """Row numbers, nearest first, and their distances. The cosine distance is 1 minus the cosine of the angle."""

    rows: list[int]
    distances: list[float]


def neighbours(matrix: Matrix, row: int, count: int, metric: Metric) -> Neighbours:
    """The `count` rows nearest to `row`, without itself. At equal distance the lower row number comes first.

    Rows with non-finite values have no neighbours. A row of zeros has a cosine distance of 1 to all others.
    """
    blocks = (matrix[begin : begin + BLOCK_ROWS] for begin in range(0, len(matrix), BLOCK_ROWS))
    distances = np.concatenate([block_distances(block, matrix[row], metric) for block in blocks])
    distances = np.where(np.isfinite(distances), distances, np.inf)
    distances[row] = np.inf
    count = min(count, int(np.isfinite(distances).sum()))
    if count == 0:
        return Neighbours([], [])
    farthest = np.partition(distances, count - 1)[count - 1]
    nearest = np.flatnonzero(distances <= farthest)
    nearest = nearest[np.argsort(distances[nearest], kind="stable")][:count]
    return Neighbours(nearest.tolist(), distances[nearest].tolist())


def block_distances(
    block: Matrix, point: "np.ndarray[tuple[int], np.dtype[np.float32]]", metric: Metric
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The distance of each row of a block to `point`, [rows]. NaN for rows that overflow or are not finite."""
    with np.errstate(all="ignore"):
        if metric == "euclidean":
            offsets = block - point
            distances: np.ndarray[tuple[int], np.dtype[np.float64]] = np.sqrt(
                np.einsum("ij,ij->i", offsets, offsets, dtype=np.float64)
            )
            return distances
        lengths = np.sqrt(np.einsum("ij,ij->i", block, block, dtype=np.float64)) * np.sqrt(point @ point)
        cosines = (block @ point) / np.where(lengths > 0, lengths, np.inf)
        return np.where(np.isfinite(lengths), np.clip(1.0 - cosines, 0.0, 2.0), np.nan)
