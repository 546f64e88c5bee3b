"""Principal component analysis: exact for few dimensions, randomised for many."""

from typing import NamedTuple

import numpy as np

from lightboard.query.projector.matrix import Matrix
from lightboard.query.projector.points import BLOCK_ROWS

MAX_COMPONENTS = 10
MAX_EXACT_DIMS = 1024
"""Up to this number of dimensions the covariance matrix is decomposed, which takes rows x dims² + dims³ operations."""

OVERSAMPLE = 10
POWERS = 4
"""Extra random directions and power iterations of the randomised algorithm."""


class Components(NamedTuple):
    """`scores` [rows, components] are the coordinates of the points; `variance` has the fraction of each component."""

    scores: Matrix
    variance: list[float]


def components(matrix: Matrix, most: int = MAX_COMPONENTS) -> Components:
    """The first `most` components of a matrix of finite numbers. The largest weight of each component is positive."""
    rows, dims = matrix.shape
    count = min(most, rows, dims)
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    total = spread(matrix, mean)
    basis = exact(matrix, mean, count) if dims <= MAX_EXACT_DIMS else randomised(matrix, mean, count)
    strongest = np.abs(basis).argmax(axis=0)
    basis = basis * np.where(basis[strongest, np.arange(count)] < 0, -1.0, 1.0).astype(np.float32)
    scores = np.empty((rows, count), np.float32)
    for begin in range(0, rows, BLOCK_ROWS):
        scores[begin : begin + BLOCK_ROWS] = (matrix[begin : begin + BLOCK_ROWS] - mean) @ basis
    spreads = np.square(scores, dtype=np.float64).sum(axis=0)
    return Components(scores, [float(own / total) if total > 0 else 0.0 for own in spreads])


def spread(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> float:
    """The sum of the squared distances to the mean."""
    blocks = (matrix[begin : begin + BLOCK_ROWS] - mean for begin in range(0, len(matrix), BLOCK_ROWS))
    return sum(float(np.einsum("ij,ij->", block, block, dtype=np.float64)) for block in blocks)


def exact(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", count: int) -> Matrix:
    """The first `count` directions, [dims, count]: eigenvectors of the covariance matrix."""
    dims = matrix.shape[1]
    covariance = np.zeros((dims, dims))
    for begin in range(0, len(matrix), BLOCK_ROWS):
        block = matrix[begin : begin + BLOCK_ROWS] - mean
        covariance += block.T @ block
    _, vectors = np.linalg.eigh(covariance)
    return np.ascontiguousarray(vectors[:, ::-1][:, :count], np.float32)


def randomised(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", count: int) -> Matrix:
    """The first `count` directions, [dims, count], approximately. Does not copy the matrix.

    Randomised subspace iteration on the covariance matrix, see Halko, Martinsson and Tropp 2011, section 4.5.
    """
    width = min(count + OVERSAMPLE, *matrix.shape)
    basis = np.random.default_rng(0).standard_normal((matrix.shape[1], width), np.float32)
    for _ in range(POWERS + 1):
        basis, _ = np.linalg.qr(covariance_times(matrix, mean, basis))
    projected = np.zeros((width, width))
    for begin in range(0, len(matrix), BLOCK_ROWS):
        block = (matrix[begin : begin + BLOCK_ROWS] - mean) @ basis
        projected += block.T @ block
    _, rotation = np.linalg.eigh(projected)
    return np.ascontiguousarray(basis @ rotation[:, ::-1][:, :count].astype(np.float32), np.float32)


def covariance_times(matrix: Matrix, mean: "np.ndarray[tuple[int], np.dtype[np.float32]]", basis: Matrix) -> Matrix:
    """The unnormalised covariance matrix times `basis` [dims, width], without computing the former."""
    product = np.zeros(basis.shape, np.float32)
    for begin in range(0, len(matrix), BLOCK_ROWS):
        block = matrix[begin : begin + BLOCK_ROWS] - mean
        product += block.T @ (block @ basis)
    return product
