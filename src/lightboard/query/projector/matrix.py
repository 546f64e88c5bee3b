"""Tables of numbers: their size, how many rows are loaded, and decoding."""

from typing import NamedTuple, TypeAlias

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name

Matrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.float32]]
"""[points, dims]"""

MAX_NUMBERS = 128 << 20
"""Limit of the numbers loaded of one table: half a gigabyte as float32, or 1,000,000 points of 128 dimensions."""

MAX_DIMS = 100_000


class Size(NamedTuple):
    """The number of rows and columns of a table."""

    rows: int
    dims: int

    @property
    def held(self) -> int:
        """The number of rows that are loaded: all, or the first ones of a very large table."""
        return min(self.rows, MAX_NUMBERS // max(1, self.dims))

    def check(self, name: str) -> "Size":
        """Returns the size itself. Raises Unshowable if the table is empty or too wide."""
        if self.dims > MAX_DIMS or self.rows * self.dims == 0:
            raise Unshowable(f"{name} has {self.rows} rows of {self.dims} numbers")
        return self


def read_exactly(file: File, offset: int, length: int) -> bytes:
    """Read exactly `length` bytes from `offset`. Raises Unshowable if the file is too short."""
    parts = []
    while length and (piece := file.read(offset, min(length, 16 << 20))):
        parts.append(piece)
        offset += len(piece)
        length -= len(piece)
    if length:
        raise Unshowable(f"{base_name(file.info.path)} ends before its numbers do")
    return b"".join(parts)


def as_rows(data: bytes, dtype: str, shape: tuple[int, int], *, by_column: bool = False) -> Matrix:
    """Decode bytes to a table of float32. `by_column`: the numbers are in column-major order."""
    numbers = np.frombuffer(data, np.dtype(dtype)).reshape(shape, order="F" if by_column else "C")
    return np.ascontiguousarray(numbers, np.float32)
