"""Prepares vectors for layouts: selects or samples rows, replaces non-finite values, normalises."""

import numpy as np

from lightboard.query.projector.matrix import Matrix

BLOCK_ROWS = 16_384
"""Rows processed at once, to avoid a copy of the whole matrix."""


def chosen(matrix: Matrix, rows: "np.ndarray[tuple[int], np.dtype[np.uint32]] | None") -> Matrix:
    """These rows (None: all), with non-finite values replaced by the mean of their column."""
    picked = matrix if rows is None else matrix[rows]
    finite = np.isfinite(picked)
    if finite.all():
        return picked
    sums = np.where(finite, picked, 0.0).sum(axis=0, dtype=np.float64)
    means = (sums / np.maximum(1, finite.sum(axis=0))).astype(np.float32)
    filled: Matrix = np.where(finite, picked, means)
    return filled


def spherized(matrix: Matrix) -> Matrix:
    """The matrix with its mean subtracted, and then every row scaled to length 1."""
    shifted = matrix - matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    return unit(shifted)


def unit(matrix: Matrix) -> Matrix:
    """The matrix with every row scaled to length 1, except rows of zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    normalised: Matrix = (matrix / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
    return normalised


def sample(count: int, most: int) -> "np.ndarray[tuple[int], np.dtype[np.uint32]] | None":
    """A sorted random sample of `most` of the numbers below `count`, always the same one. None if all fit."""
    if count <= most:
        return None
    picked = np.random.default_rng(0).choice(count, most, replace=False)
    picked.sort()
    return picked.astype(np.uint32)
