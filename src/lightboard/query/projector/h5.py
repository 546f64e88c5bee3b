"""Embeddings in Keras 3's `.weights.h5`, by h5py where it is installed.

Keras names the tensor in its config after a checkpoint that it no longer writes, so tables are found by where layers
keep them: `layers/<layer>/vars/<number>`, the layers of embeddings first. The only door to h5py.
"""

from typing import Any, NamedTuple

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import MOST_NUMBERS, Matrix, Size
from lightboard.query.projector.npy import Seekable

HINT = "pip install 'lightboard[projector]'"
MOST_TABLES = 1000


class Table(NamedTuple):
    """A dataset of two dimensions, by its path in the file."""

    path: str
    size: Size


def tables_in(file: File) -> list[Table]:
    """What could be embeddings: tables of layers whose name says so, or else of all layers. Raises Unshowable."""
    found: list[Table] = []

    def visit(path: str, item: Any) -> None:
        if is_own_table(item) and not path.startswith("optimizer") and len(found) < MOST_TABLES:
            found.append(Table(path, Size(int(item.shape[0]), int(item.shape[1]))))

    with opened(file) as root:
        root.visititems(visit)
    return [one for one in found if "embedding" in one.path.lower()] or found


def is_own_table(item: Any) -> bool:
    """Whether it is a table of numbers that lie in this very file: HDF5 can name other files to read from."""
    shape = getattr(item, "shape", None) or ()
    return len(shape) == 2 and item.dtype.kind in "fiu" and item.external is None and not item.is_virtual


def rows_of(file: File, path: str) -> Matrix:
    """The rows of one table. Raises Unshowable."""
    with opened(file) as root:
        item = root.get(path)
        if not is_own_table(item):
            raise Unshowable(f"{base_name(file.info.path)} has no table {path!r} any more", hint="reload")
        size = Size(int(item.shape[0]), int(item.shape[1])).check(path)
        if size.held * size.dims > MOST_NUMBERS:
            raise Unshowable(f"{path!r} is too large")
        return np.ascontiguousarray(item[: size.held], np.float32)


class opened:  # noqa: N801  # used as a with statement, as `open` is
    """The file as h5py sees it, read through the storage. Raises Unshowable, also for what goes wrong meanwhile."""

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
