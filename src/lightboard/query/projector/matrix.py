"""A table of numbers: how large it is, how much of it is held, its bytes as rows."""

from typing import NamedTuple, TypeAlias

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name

Matrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
"""One row for each point, one column for each dimension."""

MOST_NUMBERS = 128 << 20
"""Half a gigabyte as float32: 1,000,000 points of 128 dimensions."""

MOST_DIMS = 100_000


class Size(NamedTuple):
    """How many rows and columns a table has."""

    rows: int
    dims: int

    @property
    def held(self) -> int:
        """How many of the rows are read, from the first one on: fewer than there are in very large tables."""
        return min(self.rows, MOST_NUMBERS // max(1, self.dims))

    def check(self, name: str) -> "Size":
        """Itself. Raises Unshowable where nothing can be shown of it."""
        if self.dims > MOST_DIMS or self.rows * self.dims == 0:
            raise Unshowable(f"{name} has {self.rows} rows of {self.dims} numbers")
        return self


def whole(file: File, at: int, length: int) -> bytes:
    """Exactly these bytes. Raises Unshowable."""
    parts = []
    while length and (piece := file.read(at, min(length, 16 << 20))):
        parts.append(piece)
        at += len(piece)
        length -= len(piece)
    if length:
        raise Unshowable(f"{base_name(file.info.path)} ends before its numbers do")
    return b"".join(parts)


def as_rows(data: bytes, dtype: str, shape: tuple[int, int], *, by_column: bool = False) -> Matrix:
    """Bytes as a table of float32."""
    numbers = np.frombuffer(data, np.dtype(dtype)).reshape(shape, order="F" if by_column else "C")
    return np.ascontiguousarray(numbers, np.float32)
