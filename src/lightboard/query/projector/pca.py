"""Principal components: of few dimensions exactly, of many by a randomised decomposition."""

from typing import NamedTuple

import numpy as np

from lightboard.query.projector.matrix import Matrix
from lightboard.query.projector.points import BLOCK_ROWS

MOST_COMPONENTS = 10
MOST_EXACT_DIMS = 1024
"""Up to here all directions are found from the covariance; it costs rows x dims² and dims³."""

OVERSAMPLE = 10
POWERS = 4


class Components(NamedTuple):
    """`scores` (rows x up to 10): where each point lies along each component; `variance`: the share of each, of 1."""

    scores: Matrix
    variance: list[float]


def components(matrix: Matrix, most: int = MOST_COMPONENTS) -> Components:
    """The first components of rows that are all finite. The largest weight of each is positive."""
    rows, dims = matrix.shape
    count = min(most, rows, dims)
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    total = spread(matrix, mean)
    basis = exact(matrix, mean, count) if dims <= MOST_EXACT_DIMS else randomised(matrix, mean, count)
    strongest = np.abs(basis).argmax(axis=0)
    basis = basis * np.where(basis[strongest, np.arange(count)] < 0, -1.0, 1.0).astype(np.float32)
    scores = np.empty((rows, count), np.float32)
    for at in range(0, rows, BLOCK_ROWS):
        scores[at : at + BLOCK_ROWS] = (matrix[at : at + BLOCK_ROWS] - mean) @ basis
    own = np.square(scores, dtype=np.float64).sum(axis=0)
    return Components(scores, [float(each / total) if total > 0 else 0.0 for each in own])


def spread(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> float:
    """The sum of all squared distances to the mean."""
    blocks = (matrix[at : at + BLOCK_ROWS] - mean for at in range(0, len(matrix), BLOCK_ROWS))
    return sum(float(np.einsum("ij,ij->", block, block, dtype=np.float64)) for block in blocks)


def exact(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", count: int) -> Matrix:
    """The first directions, from the covariance: one column each."""
    dims = matrix.shape[1]
    covariance = np.zeros((dims, dims))
    for at in range(0, len(matrix), BLOCK_ROWS):
        block = matrix[at : at + BLOCK_ROWS] - mean
        covariance += block.T @ block
    _, vectors = np.linalg.eigh(covariance)
    return np.ascontiguousarray(vectors[:, ::-1][:, :count], np.float32)


def randomised(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", count: int) -> Matrix:
    """The first directions, found among those that random ones are pulled to. No copy of the rows is made."""
    wide = min(count + OVERSAMPLE, *matrix.shape)
    found = np.random.default_rng(0).standard_normal((matrix.shape[1], wide), np.float32)
    for _ in range(POWERS + 1):
        found, _ = np.linalg.qr(pulled(matrix, mean, found))
    small = np.zeros((wide, wide))
    for at in range(0, len(matrix), BLOCK_ROWS):
        block = (matrix[at : at + BLOCK_ROWS] - mean) @ found
        small += block.T @ block
    _, turn = np.linalg.eigh(small)
    return np.ascontiguousarray(found @ turn[:, ::-1][:, :count].astype(np.float32), np.float32)


def pulled(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", found: Matrix) -> Matrix:
    """The covariance times `found`, block by block."""
    moved = np.zeros(found.shape, np.float32)
    for at in range(0, len(matrix), BLOCK_ROWS):
        block = matrix[at : at + BLOCK_ROWS] - mean
        moved += block.T @ (block @ found)
    return moved
