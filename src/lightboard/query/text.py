"""Texts: the strings of one value, and the table that they form.

A value is a tensor of strings of any rank: one text, a column, a table, or a stack of tables of which one is shown.
Not here: Markdown (`untrusted.rendering`), searching (`query.text_search`).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.errors import BadRequest, Unshowable, ValueNotFound
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import read_strings
from lightboard.events.wire import MalformedError
from lightboard.query.provider import ValueProvider
from lightboard.query.values import ValueLocation

PLUGIN = "text"

MAX_CELLS = 2000
"""Limit of the cells of a table."""


class Text(NamedTuple):
    """One table of a value. `shape` is that of the tensor, and `slice` the index of the table of `slices`.

    `cells` are its strings row by row, incomplete if `cut`. `size` is the number of bytes of all strings of the table.
    """

    shape: tuple[int, ...]
    slice: int
    slices: int
    rows: int
    columns: int
    cells: list[str]
    size: int
    cut: bool


def read_text(
    provider: ValueProvider, run: str, tag: str, key: str, most: int, part: int = 0, most_cells: int = MAX_CELLS
) -> Text:
    """At most `most` bytes and `most_cells` strings of the table with index `part` of one value.

    Raises NotFound, BadRequest, Unshowable.
    """
    values = provider.values(PLUGIN, run, tag, orphans=True)
    return text_of(provider.window(values.location(values.find(key))), most, part, most_cells)


def read_cell(provider: ValueProvider, run: str, tag: str, key: str, cell: int) -> tuple[ValueLocation, int, int]:
    """The location of the string with index `cell`: the value, and [begin, end) in it. Raises NotFound, Unshowable."""
    values = provider.values(PLUGIN, run, tag, orphans=True)
    location = values.location(values.find(key))
    spans = read_strings(provider.window(location)).spans
    if not 0 <= cell < len(spans):
        raise ValueNotFound(f"the value holds {len(spans)} strings, none is number {cell}")
    return location, *spans[cell]


def text_of(window: ByteReader, most: int, part: int = 0, most_cells: int = MAX_CELLS) -> Text:
    """Like `read_text`, for the value in `window`. Raises BadRequest, Unshowable."""
    strings = read_strings(window)
    rows, columns = sides_of(strings.shape)
    slices = math.prod(strings.shape[:-2])
    if part and part >= slices:
        raise BadRequest(f"the value has {slices} tables, none is number {part}")
    spans = strings.spans[part * rows * columns : (part + 1) * rows * columns]
    cells = cells_of(window, spans[:most_cells], most)
    size = sum(end - begin for begin, end in spans)
    cut = len(cells) < len(spans) or most < size
    return Text(strings.shape, part, slices, rows, columns, cells, size, cut)


def sides_of(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of the table that a tensor of this shape is shown as."""
    if len(shape) < 2:
        return (shape[0] if shape else 1), 1
    return shape[-2], shape[-1]


def cells_of(window: ByteReader, spans: Sequence[tuple[int, int]], most: int) -> list[str]:
    """The strings at `spans`, up to `most` bytes. The last one may be truncated. Raises Unshowable."""
    cells = []
    for begin, end in spans:
        if most <= 0 and end > begin:
            break
        try:
            data = window.slice(begin, min(end, begin + most))
        except MalformedError:
            raise Unshowable("the text ends early, or the file has changed", hint="reload and try again") from None
        cells.append(decoded(data, cut=begin + most < end))
        most -= len(data)
    return cells


def decoded(data: bytes, *, cut: bool = False) -> str:
    """Decode UTF-8, replacing invalid bytes. If the data was `cut`, an incomplete last character is dropped."""
    if cut:
        for back in range(1, min(4, len(data)) + 1):
            if data[-back] >= 0xC0:  # the first byte of a character
                length = 2 if data[-back] < 0xE0 else 3 if data[-back] < 0xF0 else 4
                data = data[:-back] if back < length else data
                break
            if data[-back] < 0x80:
                break
    return data.decode("utf-8", "replace")
