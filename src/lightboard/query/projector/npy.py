"""Reads tables in NumPy's formats: `.npy`, and the first table of an `.npz`. Nothing is unpickled."""

import ast
import io
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import Matrix, Size, as_rows, read_exactly

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAGIC = b"\x93NUMPY"
HEAD_BYTES = 1 << 16
MAX_MEMBERS = 100
DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)


class Read(Protocol):
    """Reads exactly `length` bytes from `offset` after the header. May raise Unshowable."""

    def __call__(self, offset: int, length: int) -> bytes: ...


class Npy(NamedTuple):
    """The header of an `.npy`. The numbers begin at byte `begin`; `fortran`: they are in column-major order."""

    begin: int
    dtype: str
    fortran: bool
    size: Size


def npy_header(head: bytes, name: str) -> Npy:
    """Parse the header at the beginning of `head`. `name` is that of the file, for errors. Raises Unshowable."""
    if not head.startswith(MAGIC):
        raise Unshowable(f"{name} is not a NumPy file")
    wide = head[6:7] >= b"\x02"
    begin = 12 if wide else 10
    end = begin + int.from_bytes(head[8:begin], "little")
    if end > len(head):
        raise Unshowable(f"the header of {name} is damaged")
    try:
        fields = ast.literal_eval(head[begin:end].decode("latin-1"))
        shape, dtype, fortran = tuple(fields["shape"]), np.dtype(fields["descr"]), bool(fields["fortran_order"])
    except (ValueError, SyntaxError, KeyError, TypeError, MemoryError, RecursionError):
        raise Unshowable(f"the header of {name} is damaged") from None
    if len(shape) != 2 or not all(isinstance(size, int) and 0 <= size < 1 << 40 for size in shape):
        raise Unshowable(f"{name} has the shape {str(shape)[:100]}; two dimensions are needed")
    if dtype.kind not in "fiub":
        raise Unshowable(f"{name} holds {str(dtype)[:100]} instead of numbers")
    return Npy(end, dtype.str, fortran, Size(*shape))


def npy_rows(header: Npy, read: Read, name: str) -> Matrix:
    """The numbers after a header, of a very large table the first rows. Raises Unshowable.

    Of a table in column-major order no part can be read, so a large one is refused.
    """
    size, width = header.size, np.dtype(header.dtype).itemsize
    rows = size.rows if header.fortran else size.held
    if rows > size.held:
        raise Unshowable(f"{name} is too large for a table in column-major order")
    data = read(0, rows * size.dims * width)
    return as_rows(data, header.dtype, (rows, size.dims), by_column=header.fortran)


def npz_member(file: File) -> tuple[str, Npy]:
    """The name and header of the first two-dimensional table in an `.npz`. Raises Unshowable."""
    name = base_name(file.info.path)
    last_error = Unshowable(f"{name} holds no table")
    try:
        with zipfile.ZipFile(Seekable(file)) as archive:
            for member in archive.namelist()[:MAX_MEMBERS]:
                with archive.open(member) as stream:
                    head = stream.read(HEAD_BYTES)
                try:
                    return member, npy_header(head, f"{member} in {name}")
                except Unshowable as error:
                    last_error = error
    except DAMAGED:
        raise Unshowable(f"{name} is damaged") from None
    raise last_error


def npz_rows(file: File) -> Matrix:
    """The numbers of the first two-dimensional table in an `.npz`. Raises Unshowable."""
    member, header = npz_member(file)
    name = base_name(file.info.path)

    def read(offset: int, length: int) -> bytes:
        with zipfile.ZipFile(Seekable(file)) as archive, archive.open(member) as stream:
            stream.read(header.begin)
            data = stream.read(offset + length)[offset:]
        if len(data) != length:
            raise Unshowable(f"{name} ends before its numbers do")
        return data

    try:
        return npy_rows(header, read, name)
    except DAMAGED:
        raise Unshowable(f"{name} is damaged") from None


class Seekable(io.RawIOBase):
    """A seekable binary stream over a file of a storage."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = 0) -> int:
        self.position = max(0, offset + (0, self.position, self.file.size)[whence])
        return self.position

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        data = self.file.read(self.position, min(len(view), max(0, self.file.size - self.position)))
        view[: len(data)] = data
        self.position += len(data)
        return len(data)


def npy_size(file: File) -> Size:
    """The number of rows and columns of an `.npy`. Raises Unshowable."""
    return npy_header(file.read(0, HEAD_BYTES), base_name(file.info.path)).size


def npy_file_rows(file: File) -> Matrix:
    """The numbers of an `.npy`. Raises Unshowable."""
    name = base_name(file.info.path)
    header = npy_header(file.read(0, HEAD_BYTES), name)
    return npy_rows(header, lambda offset, length: read_exactly(file, header.begin + offset, length), name)
