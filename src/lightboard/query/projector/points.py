"""What is done to vectors before they are laid out or compared: which rows, numbers that are none, spherizing."""

import numpy as np

from lightboard.query.projector.matrix import Matrix

BLOCK_ROWS = 16_384
"""Rows looked at together where a copy of all would be too much."""


def chosen(matrix: Matrix, rows: "np.ndarray[tuple[int], np.dtype[np.uint32]] | None") -> Matrix:
    """These rows, or all, with the mean of the column in place of what is no number."""
    picked = matrix if rows is None else matrix[rows]
    good = np.isfinite(picked)
    if good.all():
        return picked
    sums = np.where(good, picked, 0.0).sum(axis=0, dtype=np.float64)
    means = (sums / np.maximum(1, good.sum(axis=0))).astype(np.float32)
    filled: Matrix = np.where(good, picked, means)
    return filled


def spherized(matrix: Matrix) -> Matrix:
    """Shifted to its mean, then every row brought to length 1."""
    shifted = matrix - matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    return unit(shifted)


def unit(matrix: Matrix) -> Matrix:
    """Every row brought to length 1; one of zeros stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    found: Matrix = (matrix / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
    return found


def sample(count: int, most: int) -> "np.ndarray[tuple[int], np.dtype[np.uint32]] | None":
    """`most` of the numbers below `count`, in order, the same ones each time; None if all fit."""
    if count <= most:
        return None
    picked = np.random.default_rng(0).choice(count, most, replace=False)
    picked.sort()
    return picked.astype(np.uint32)
