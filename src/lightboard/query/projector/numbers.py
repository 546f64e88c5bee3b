"""Tables of numbers as text, or as float32 one after another: their size and their rows.

A file that is too large gives its first rows, as many as fit. Not here: `.npy` and `.npz`, checkpoints, `.weights.h5`.
"""

import io
import re

import numpy as np

from lightboard.errors import Unshowable
from lightboard.events.decode import parse_table
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import Matrix, Size, as_rows, whole

PIECE_BYTES = 1 << 20
"""Parsed at a time: what is no plain number is parsed with the interpreter's lock held."""

MOST_LINE_BYTES = 16 << 20
TEXT = re.compile(rb"[0-9eE+\-.,\t\r\n naNAifINFty]*")


def is_text(head: bytes) -> bool:
    """Whether these first bytes of a file could be numbers as text; float32 as they lie in memory hardly ever are."""
    return TEXT.fullmatch(head) is not None


def tsv_size(file: File) -> Size:
    """Lines that are not empty, and the numbers in the first one."""
    rows, dims, rest = 0, 0, b""
    for piece in file.pieces(file.size):
        data = rest + piece
        whole_lines, _, rest = data.rpartition(b"\n")
        if not dims and whole_lines.strip():
            dims = len(whole_lines.strip().split(b"\n", 1)[0].split())
        if len(rest) > MOST_LINE_BYTES:
            raise Unshowable(f"a line of {base_name(file.info.path)} has over {MOST_LINE_BYTES >> 20} MB")
        rows += lines_in(whole_lines)
    return Size(rows + bool(rest.strip()), dims or len(rest.split()))


def lines_in(data: bytes) -> int:
    """How many lines hold something."""
    if b"\n\n" in data or b"\r" in data or data[:1] == b"\n" or data[-1:] == b"\n":
        return sum(1 for line in data.split(b"\n") if line.strip())
    return data.count(b"\n") + 1 if data else 0


def tsv_rows(file: File, size: Size) -> Matrix:
    """The numbers line by line. Raises Unshowable where a line has others than the first or no numbers."""
    rows = np.empty((size.held, size.dims), np.float32)
    at, rest = 0, b""
    offset = 0
    while at < size.held:
        piece = file.read(offset, PIECE_BYTES)
        offset += len(piece)
        data = rest + piece
        if piece:
            data, _, rest = data.rpartition(b"\n")
        if data.strip():
            found = parsed(data, size.dims, at, base_name(file.info.path))
            if found.shape[1] != size.dims:
                raise Unshowable(
                    f"{base_name(file.info.path)}: line {at + 1} has {found.shape[1]} numbers, not {size.dims}"
                )
            took = min(len(found), size.held - at)
            rows[at : at + took] = found[:took]
            at += took
        if not piece:
            break
    if at < size.held:
        raise Unshowable(f"{base_name(file.info.path)} changed while it was read", hint="try again")
    return rows


def parsed(data: bytes, dims: int, at: int, name: str) -> Matrix:
    """Lines of numbers, usually `dims` in each; `at` is the number of the first, for the message. Raises Unshowable."""
    packed = parse_table(data, dims)
    if packed is not None:
        return np.frombuffer(packed, "<f4").reshape(-1, dims)
    delimiter = "\t" if b"\t" in data else None
    try:
        return np.loadtxt(io.BytesIO(data), np.float32, delimiter=delimiter, comments=None, ndmin=2, encoding="latin-1")
    except ValueError as error:
        why = str(error).partition(";")[0].rstrip(".")
        raise Unshowable(f"{name}, after line {at}: {why}", hint="each line must hold as many numbers") from None


def raw_size(file: File, shape: tuple[int, ...]) -> Size:
    """What the config says, held to the size of the file. Raises Unshowable."""
    name = base_name(file.info.path)
    if len(shape) != 2:
        raise Unshowable(f"{name} is not text, and the config gives no tensor_shape of two numbers for it")
    rows, dims = shape
    if rows * dims * 4 != file.size:
        raise Unshowable(f"{name} has {file.size} bytes; {rows} x {dims} float32 would take {rows * dims * 4}")
    return Size(rows, dims)


def raw_rows(file: File, size: Size) -> Matrix:
    """The numbers one after another. Raises Unshowable."""
    return as_rows(whole(file, 0, size.held * size.dims * 4), "<f4", (size.held, size.dims))
