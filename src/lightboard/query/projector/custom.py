"""Custom projections: points are projected on axes, each from the mean of some points to the mean of others."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.matrix import Matrix

Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float32]]


class Axis(NamedTuple):
    """Row numbers of the points at both ends, None for the mean of all points. `queries` name the ends in errors."""

    begin: Sequence[int] | None
    end: Sequence[int] | None
    queries: tuple[str, str]


def project(matrix: Matrix, axes: Sequence[Axis]) -> Matrix:
    """The coordinate of each point on each axis, [rows, axes]; the mean of all points is at 0.

    Raises Unshowable if an end matches no points or an axis has no length.
    """
    mean = matrix.mean(axis=0, dtype=np.float64).astype(np.float32)
    directions = np.stack([direction(matrix, mean, axis) for axis in axes], axis=1)
    positions: Matrix = (matrix @ directions - mean @ directions).astype(np.float32)
    return positions


def direction(matrix: Matrix, mean: Vector, axis: Axis) -> Vector:
    """The unit vector from the mean of the points at the first end to that at the second. Raises Unshowable."""
    ends = []
    for rows, query in zip((axis.begin, axis.end), axis.queries, strict=True):
        if rows is not None and not len(rows):
            raise Unshowable(f"no point matches {query!r}")
        ends.append(mean if rows is None else matrix[list(rows)].mean(axis=0))
    difference = ends[1] - ends[0]
    length = float(np.linalg.norm(difference))
    if not length > 0:
        raise Unshowable(f"the axis from {axis.queries[0]!r} to {axis.queries[1]!r} has no length")
    unit: Vector = (difference / length).astype(np.float32)
    return unit
