"""Where columns of captures are kept that are too large for memory: unnamed files of a folder.

They are gone when nobody uses them, also when the process is killed. Only what is used of them is in memory.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lightboard._native import core
from lightboard.profiles import capture as limits
from lightboard.profiles.capture import gather

KEPT_BYTES = 2 << 20
"""How much of each column is in memory while it is made."""

Number = TypeVar("Number", np.int8, np.int32, np.int64)


class ColumnFiles:
    """The columns that are made of a capture. Without a folder, or without the core, they stay in memory.

    Methods raise OSError where the disk has no space.
    """

    def __init__(self, folder: str = "", kept_bytes: int | None = None) -> None:
        self.folder = folder if core is not None else ""
        self.kept_bytes = KEPT_BYTES if kept_bytes is None else kept_bytes
        self.columns = list[Any]()
        """The objects of the core."""

    def beside(self) -> "ColumnFiles":
        """Files for other columns, in the same folder."""
        return ColumnFiles(self.folder, self.kept_bytes)

    @property
    def most_slices(self) -> int:
        """Slices of a file that are read."""
        return limits.MAX_FILE_SLICES if self.folder else limits.MAX_SLICES

    def native_limits(self) -> tuple[Any, ...]:
        """The limits of decoders of the core, which are those of `capture`."""
        return (
            *(self.most_slices, limits.MAX_SLICES, limits.MAX_TRACKS, limits.MAX_NAMES, limits.MAX_NAMES_BYTES),
            *(limits.MAX_FLOWS, limits.MAX_STEPS, limits.MAX_NAME_CHARS, limits.LONGEST_NS, limits.EPOCH_LIMIT_NS),
            *(limits.OTHER, os.fsencode(self.folder), self.kept_bytes),
        )

    def column(self, memory: Any, dtype: Any) -> NDArray[Any]:
        """A column that the core has made, without copying it."""
        self.columns.append(memory)
        return np.frombuffer(memory, dtype) if len(memoryview(memory)) else np.empty(0, dtype)

    def empty(self, count: int, dtype: type[Number]) -> NDArray[Number]:
        """A new column, whose contents are not set."""
        size = count * np.dtype(dtype).itemsize
        if core is None or not self.folder or size <= self.kept_bytes:
            return np.empty(count, dtype)
        return self.column(core.new_column(size, os.fsencode(self.folder), self.kept_bytes), dtype)

    @contextmanager
    def borrowed(self, count: int, dtype: type[Number]) -> Iterator[NDArray[Number]]:
        """A column that is not needed afterwards."""
        before = len(self.columns)
        column = self.empty(count, dtype)
        made = self.columns[before:]
        try:
            yield column
        finally:
            self.columns = [each for each in self.columns if each not in made]

    def take(self, column: NDArray[Number], at: NDArray[np.int32]) -> NDArray[Number]:
        """`column[at]`, without keeping in memory what lies around each of many places."""
        return gather(column, at, self.let_go)

    def let_go(self) -> None:
        """Let the columns out of memory. Whatever uses them brings them back."""
        for column in self.columns:
            column.let_go()
