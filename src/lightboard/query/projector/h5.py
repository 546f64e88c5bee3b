"""Reads embeddings from `.weights.h5` files of Keras 3, with h5py if it is installed. No other module imports it.

The projector config of Keras names tensors as in checkpoints that it no longer writes. Tables are therefore found by
their path, `layers/<layer>/vars/<number>`, and those of embedding layers are preferred.
"""

from typing import Any, NamedTuple

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import MAX_NUMBERS, Matrix, Size
from lightboard.query.projector.npy import Seekable

HINT = "pip install 'lightboard[projector]'"
MAX_TABLES = 1000


class Table(NamedTuple):
    """A two-dimensional dataset, by its path in the file."""

    path: str
    size: Size


def tables_in(file: File) -> list[Table]:
    """The tables with "embedding" in their path, or else all except those of the optimizer. Raises Unshowable."""
    tables: list[Table] = []

    def visit(path: str, item: Any) -> None:
        if is_own_table(item) and not path.startswith("optimizer") and len(tables) < MAX_TABLES:
            tables.append(Table(path, Size(int(item.shape[0]), int(item.shape[1]))))

    with opened(file) as root:
        root.visititems(visit)
    return [table for table in tables if "embedding" in table.path.lower()] or tables


def is_own_table(item: Any) -> bool:
    """Whether an item is a matrix of numbers in this file. HDF5 can refer to other files, which could be anywhere."""
    shape = getattr(item, "shape", None) or ()
    return len(shape) == 2 and item.dtype.kind in "fiu" and item.external is None and not item.is_virtual


def rows_of(file: File, path: str) -> Matrix:
    """The rows of one table, or as many as fit (see `Size.held`). Raises Unshowable."""
    with opened(file) as root:
        item = root.get(path)
        if not is_own_table(item):
            raise Unshowable(f"{base_name(file.info.path)} has no table {path!r} any more", hint="reload")
        size = Size(int(item.shape[0]), int(item.shape[1])).check(path)
        if size.held * size.dims > MAX_NUMBERS:
            raise Unshowable(f"{path!r} is too large")
        return np.ascontiguousarray(item[: size.held], np.float32)


class opened:  # noqa: N801  # a context manager, like `open`
    """Opens a file with h5py, through the storage. Errors of h5py on entry and in the body are raised as Unshowable."""

    def __init__(self, file: File) -> None:
        self.name = base_name(file.info.path)
        try:
            import h5py
        except ImportError:
            why = f"{self.name} is in Keras 3's format, and h5py is not installed to read it"
            raise Unshowable(why, hint=HINT) from None
        try:
            self.root = h5py.File(Seekable(file), "r")
        except (OSError, ValueError, RuntimeError):
            raise Unshowable(f"{self.name} is damaged") from None

    def __enter__(self) -> Any:
        return self.root

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.root.close()
        if isinstance(error, (OSError, KeyError, RuntimeError, ValueError)) and not isinstance(error, Unshowable):
            raise Unshowable(f"{self.name} is damaged") from None
