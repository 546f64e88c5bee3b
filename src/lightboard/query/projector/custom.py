"""Custom projections: each axis leads from some points to others, and every point has its place along it."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.matrix import Matrix

Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]


class Axis(NamedTuple):
    """Row numbers of the points at both ends, None for the middle of all; the words for them where it goes wrong."""

    begin: Sequence[int] | None
    end: Sequence[int] | None
    words: tuple[str, str]


def project(matrix: Matrix, axes: Sequence[Axis]) -> Matrix:
    """Where each point lies along each axis, 0 at the mean of all. Raises Unshowable for an axis of no length."""
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    directions = np.stack([direction(matrix, mean, axis) for axis in axes], axis=1)
    found: Matrix = (matrix @ directions - mean @ directions).astype(np.float32)
    return found


def direction(matrix: Matrix, middle: Vector, axis: Axis) -> Vector:
    """From the mean of the points at one end to the mean of those at the other, of length 1. Raises Unshowable."""
    ends = []
    for rows, word in zip((axis.begin, axis.end), axis.words, strict=True):
        if rows is not None and not len(rows):
            raise Unshowable(f"no point matches {word!r}")
        ends.append(middle if rows is None else matrix[list(rows)].mean(axis=0))
    way = ends[1] - ends[0]
    length = float(np.linalg.norm(way))
    if not length > 0:
        raise Unshowable(f"the axis from {axis.words[0]!r} to {axis.words[1]!r} has no length")
    found: Vector = (way / length).astype(np.float32)
    return found
