"""Tables as numpy saves them: `.npy`, and the first one of an `.npz`. Nothing is ever unpickled."""

import ast
import io
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from lightboard.errors import Unshowable
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import Matrix, Size, as_rows, whole

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAGIC = b"\x93NUMPY"
HEAD_BYTES = 1 << 16
MOST_MEMBERS = 100
DAMAGED = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)


class Read(Protocol):
    """Exactly `length` bytes from `at`. May raise Unshowable."""

    def __call__(self, at: int, length: int) -> bytes: ...


class Npy(NamedTuple):
    """What the header of an `.npy` says: where the numbers begin, of which type, of which shape, column by column?"""

    begin: int
    dtype: str
    fortran: bool
    size: Size


def npy_header(head: bytes, name: str) -> Npy:
    """The header at the beginning of `head`. Never unpickles. Raises Unshowable."""
    if not head.startswith(MAGIC):
        raise Unshowable(f"{name} is no table of numpy")
    wide = head[6:7] >= b"\x02"
    begin = 12 if wide else 10
    end = begin + int.from_bytes(head[8:begin], "little")
    if end > len(head):
        raise Unshowable(f"the header of {name} is damaged")
    try:
        found = ast.literal_eval(head[begin:end].decode("latin-1"))
        shape, dtype, fortran = tuple(found["shape"]), np.dtype(found["descr"]), bool(found["fortran_order"])
    except (ValueError, SyntaxError, KeyError, TypeError, MemoryError, RecursionError):
        raise Unshowable(f"the header of {name} is damaged") from None
    if len(shape) != 2 or not all(isinstance(each, int) and 0 <= each < 1 << 40 for each in shape):
        raise Unshowable(f"{name} has the shape {str(shape)[:100]}; two dimensions are needed")
    if dtype.kind not in "fiub":
        raise Unshowable(f"{name} holds {str(dtype)[:100]}, no numbers")
    return Npy(end, dtype.str, fortran, Size(*shape))


def npy_rows(header: Npy, read: Read, name: str) -> Matrix:
    """The numbers after a header. Raises Unshowable."""
    size, width = header.size, np.dtype(header.dtype).itemsize
    rows = size.rows if header.fortran else size.held
    if rows > size.held:
        raise Unshowable(f"{name} lies column by column and is too large")
    data = read(0, rows * size.dims * width)
    return as_rows(data, header.dtype, (rows, size.dims), by_column=header.fortran)


def npz_member(file: File) -> tuple[str, Npy]:
    """Name and header of the first table of two dimensions in an `.npz`. Raises Unshowable."""
    name = base_name(file.info.path)
    refused = Unshowable(f"{name} holds no table")
    try:
        with zipfile.ZipFile(Seekable(file)) as archive:
            for member in archive.namelist()[:MOST_MEMBERS]:
                with archive.open(member) as stream:
                    head = stream.read(HEAD_BYTES)
                try:
                    return member, npy_header(head, f"{member} in {name}")
                except Unshowable as error:
                    refused = error
    except DAMAGED:
        raise Unshowable(f"{name} is damaged") from None
    raise refused


def npz_rows(file: File) -> Matrix:
    """The numbers of that table. Raises Unshowable."""
    member, header = npz_member(file)
    name = base_name(file.info.path)

    def read(at: int, length: int) -> bytes:
        with zipfile.ZipFile(Seekable(file)) as archive, archive.open(member) as stream:
            stream.read(header.begin)
            data = stream.read(at + length)[at:]
        if len(data) != length:
            raise Unshowable(f"{name} ends before its numbers do")
        return data

    try:
        return npy_rows(header, read, name)
    except DAMAGED:
        raise Unshowable(f"{name} is damaged") from None


class Seekable(io.RawIOBase):
    """A file of a storage as the standard library wants to read it."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = max(0, offset + (0, self.at, self.file.size)[whence])
        return self.at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        data = self.file.read(self.at, min(len(view), max(0, self.file.size - self.at)))
        view[: len(data)] = data
        self.at += len(data)
        return len(data)


def npy_size(file: File) -> Size:
    """Rows and columns of an `.npy`. Raises Unshowable."""
    return npy_header(file.read(0, HEAD_BYTES), base_name(file.info.path)).size


def npy_file_rows(file: File) -> Matrix:
    """The numbers of an `.npy`. Raises Unshowable."""
    name = base_name(file.info.path)
    header = npy_header(file.read(0, HEAD_BYTES), name)
    return npy_rows(header, lambda at, length: whole(file, header.begin + at, length), name)
