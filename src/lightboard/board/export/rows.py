"""Encodes the points of one series as rows of CSV or of a JSON array, in batches.

Every number is written as the shortest text that parses to the same double. Values that are not finite are written as
NaN, Infinity or -Infinity (in JSON as strings).
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from lightboard.board.encoding import encode
from lightboard.board.points import batches
from lightboard.query.scalars import Points

COLUMNS = ("step", "wall_time", "value")
MARK = "superseded"
BREAK = b"\r\n"


def head(*names: str, orphans: bool) -> bytes:
    """The header of a table with `names` as its first columns."""
    return ",".join([*names, *COLUMNS, *([MARK] if orphans else [])]).encode() + BREAK


def cells(*texts: str) -> bytes:
    """Texts as the first cells of a row, quoted if necessary."""
    return "".join(f"{cell(text)}," for text in texts).encode("utf-8", "backslashreplace")


def cell(text: str) -> str:
    """One cell of a table."""
    if any(mark in text for mark in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_rows(pieces: Iterable[Points], first_cells: bytes, *, orphans: bool) -> Iterator[bytes]:
    """Rows of step, wall time, value, and 1 if superseded. Each begins with `first_cells`."""
    for part in chain.from_iterable(map(batches, pieces)):
        columns = (part.steps, part.walls, part.values, *([part.superseded] if orphans else []))
        table = encode(list(zip(*columns, strict=True)))[2:-2].replace(b'"', b"")
        yield first_cells + table.replace(b"],[", BREAK + first_cells) + BREAK


def json_series(run: str, tag: str, pieces: Iterable[Points], *, orphans: bool) -> Iterator[bytes]:
    """One series in the format of schema.scalars.SeriesResponse."""
    yield encode({"run": run, "tag": tag, "points": []}).removesuffix(b"]}")
    comma = b""
    for part in chain.from_iterable(map(batches, pieces)):
        columns = (part.walls, part.steps, part.values, *([part.superseded] if orphans else []))
        yield comma + encode(list(zip(*columns, strict=True)))[1:-1]
        comma = b","
    yield b"]}"
