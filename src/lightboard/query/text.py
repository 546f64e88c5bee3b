"""Texts: the strings of one value, as many as can be looked at, and the table they form.

A value is a tensor of strings of any rank: one text, a column, a table, or a pile of tables of which one is shown.
Not here: Markdown (`untrusted.rendering`), searching (`query.text_search`).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.errors import BadRequest, Unshowable, ValueNotFound
from lightboard.events.payloads import strings_of
from lightboard.events.window import Window
from lightboard.events.wire import MalformedError
from lightboard.query.provider import Provider
from lightboard.query.values import Place

PLUGIN = "text"

MAX_CELLS = 2000
"""More cells of a table are not shown."""


class Text(NamedTuple):
    """What is shown of a value. `shape` is the tensor's; table number `slice` of `slices` has `rows` and `columns`.

    `cells` are its strings row by row, fewer than there are if `cut`; `size` counts the bytes of all strings of the
    table.
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
    provider: Provider, run: str, tag: str, key: str, most: int, part: int = 0, most_cells: int = MAX_CELLS
) -> Text:
    """At most `most` bytes and `most_cells` strings of table number `part` of one value.

    Raises NotFound, BadRequest, Unshowable.
    """
    values = provider.values(PLUGIN, run, tag, orphans=True)
    return text_of(provider.window(values.place(values.find(key))), most, part, most_cells)


def read_cell(provider: Provider, run: str, tag: str, key: str, cell: int) -> tuple[Place, int, int]:
    """Where string number `cell` of a value lies: the value, begin and end in it. Raises NotFound, Unshowable."""
    values = provider.values(PLUGIN, run, tag, orphans=True)
    place = values.place(values.find(key))
    spans = strings_of(provider.window(place)).spans
    if not 0 <= cell < len(spans):
        raise ValueNotFound(f"the value holds {len(spans)} strings, none is number {cell}")
    return place, *spans[cell]


def text_of(window: Window, most: int, part: int = 0, most_cells: int = MAX_CELLS) -> Text:
    """As `read_text`, of the value in `window`. Raises BadRequest, Unshowable."""
    strings = strings_of(window)
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


def cells_of(window: Window, spans: Sequence[tuple[int, int]], most: int) -> list[str]:
    """The strings that lie there, until `most` bytes are reached; the last one may be cut. Raises Unshowable."""
    cells = []
    for begin, end in spans:
        if most <= 0 and end > begin:
            break
        try:
            data = window.slice(begin, min(end, begin + most))
        except MalformedError:
            raise Unshowable("the text ends early, or the file has changed", hint="reload and look again") from None
        cells.append(decoded(data, cut=begin + most < end))
        most -= len(data)
    return cells


def decoded(data: bytes, *, cut: bool = False) -> str:
    """UTF-8 as text, replaced where it is none; of a `cut` one the last letter is left out if it is incomplete."""
    if cut:
        for back in range(1, min(4, len(data)) + 1):
            if data[-back] >= 0xC0:  # the head of a letter that may lack its tail
                whole = 2 if data[-back] < 0xE0 else 3 if data[-back] < 0xF0 else 4
                data = data[:-back] if back < whole else data
                break
            if data[-back] < 0x80:
                break
    return data.decode("utf-8", "replace")
