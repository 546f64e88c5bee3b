"""Reads tables of numbers from text (TSV) and from raw float32.

Of a file that is too large, the first rows are read. Not here: `.npy` and `.npz` (`npy`), checkpoints (`checkpoint`),
`.weights.h5` (`h5`).
"""

import io
import re

import numpy as np

from lightboard.errors import Unshowable
from lightboard.events.decode import parse_table
from lightboard.query.projector.folder import File, base_name
from lightboard.query.projector.matrix import Matrix, Size, as_rows, read_exactly

PIECE_BYTES = 1 << 20
"""Bytes parsed at once. The GIL is held while numbers of an unusual form are parsed."""

MAX_LINE_BYTES = 16 << 20
TEXT = re.compile(rb"[0-9eE+\-.,\t\r\n naNAifINFty]*")


def is_text(head: bytes) -> bool:
    """Whether the first bytes of a file could be numbers in text. Raw float32 almost never look like that."""
    return TEXT.fullmatch(head) is not None


def tsv_size(file: File) -> Size:
    """The number of lines that are not blank, and of numbers in the first one. Raises Unshowable."""
    rows, dims, rest = 0, 0, b""
    for piece in file.pieces(file.size):
        data = rest + piece
        whole_lines, _, rest = data.rpartition(b"\n")
        if not dims and whole_lines.strip():
            dims = len(whole_lines.strip().split(b"\n", 1)[0].split())
        if len(rest) > MAX_LINE_BYTES:
            raise Unshowable(f"a line of {base_name(file.info.path)} has over {MAX_LINE_BYTES >> 20} MB")
        rows += lines_in(whole_lines)
    return Size(rows + bool(rest.strip()), dims or len(rest.split()))


def lines_in(data: bytes) -> int:
    """The number of lines that are not blank."""
    if b"\n\n" in data or b"\r" in data or data[:1] == b"\n" or data[-1:] == b"\n":
        return sum(1 for line in data.split(b"\n") if line.strip())
    return data.count(b"\n") + 1 if data else 0


def tsv_rows(file: File, size: Size) -> Matrix:
    """The numbers of a text. Raises Unshowable if a line is malformed or has not as many numbers as the first."""
    rows = np.empty((size.held, size.dims), np.float32)
    count, rest = 0, b""
    offset = 0
    while count < size.held:
        piece = file.read(offset, PIECE_BYTES)
        offset += len(piece)
        data = rest + piece
        if piece:
            data, _, rest = data.rpartition(b"\n")
        if data.strip():
            block = parse_lines(data, size.dims, count, base_name(file.info.path))
            if block.shape[1] != size.dims:
                raise Unshowable(
                    f"{base_name(file.info.path)}: line {count + 1} has {block.shape[1]} numbers, not {size.dims}"
                )
            block = block[: size.held - count]
            rows[count : count + len(block)] = block
            count += len(block)
        if not piece:
            break
    if count < size.held:
        raise Unshowable(f"{base_name(file.info.path)} changed while it was read", hint="try again")
    return rows


def parse_lines(data: bytes, dims: int, first: int, name: str) -> Matrix:
    """Parse lines of numbers, usually `dims` each. `first` is the index of the first line, for errors.

    Raises Unshowable.
    """
    packed = parse_table(data, dims)
    if packed is not None:
        return np.frombuffer(packed, "<f4").reshape(-1, dims)
    delimiter = "\t" if b"\t" in data else None
    try:
        return np.loadtxt(io.BytesIO(data), np.float32, delimiter=delimiter, comments=None, ndmin=2, encoding="latin-1")
    except ValueError as error:
        why = str(error).partition(";")[0].rstrip(".")
        raise Unshowable(f"{name}, after line {first}: {why}", hint="each line must hold as many numbers") from None


def raw_size(file: File, shape: tuple[int, ...]) -> Size:
    """The shape stated in the config, if it fits the size of the file. Raises Unshowable."""
    name = base_name(file.info.path)
    if len(shape) != 2:
        raise Unshowable(f"{name} is not text, and the config gives no tensor_shape of two numbers for it")
    rows, dims = shape
    if rows * dims * 4 != file.size:
        raise Unshowable(f"{name} has {file.size} bytes; {rows} x {dims} float32 would take {rows * dims * 4}")
    return Size(rows, dims)


def raw_rows(file: File, size: Size) -> Matrix:
    """The numbers of a raw file. Raises Unshowable."""
    return as_rows(read_exactly(file, 0, size.held * size.dims * 4), "<f4", (size.held, size.dims))
