"""Layouts of scalar charts as the custom_scalars plugin stores them: categories of charts. Also merges layouts.

One value is a string tensor with a serialized Layout. Which runs have layouts is decided elsewhere, and
`untrusted.patterns` matches the tags.
"""

from collections.abc import Iterable
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import read_strings
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed32

PLUGIN = "custom_scalars"
CONFIG_TAG = "custom_scalars__config__"

MAX_BYTES = 4 << 20
"""Layouts are written by hand or by small scripts. Larger ones are not read."""

MAX_CHARTS = 2_000
"""The maximum number of charts of all layouts together."""


class Margin(NamedTuple):
    """A line with a band around it: the tags of the value and of both edges."""

    value: str
    lower: str
    upper: str


class Chart(NamedTuple):
    """One chart: tag patterns (`multiline`) or bands (`margin`). As in protobuf, the kind that was set last counts."""

    title: str
    kind: str
    patterns: tuple[str, ...] = ()
    margins: tuple[Margin, ...] = ()


class Category(NamedTuple):
    """Charts under one title. `closed`: initially collapsed."""

    title: str
    charts: tuple[Chart, ...]
    closed: bool


class Layout(NamedTuple):
    """The layout of one run, or of several merged."""

    version: int
    categories: tuple[Category, ...]


def read_layout(reader: ByteReader) -> Layout:
    """The layout in a Summary.Value. Raises Unshowable."""
    spans = read_strings(reader).spans
    if len(spans) != 1:
        raise Unshowable(f"a layout is one string; this value holds {len(spans)}")
    begin, end = spans[0]
    if end - begin > MAX_BYTES:
        raise Unshowable(f"the layout takes more than {MAX_BYTES >> 20} MB")
    try:
        return parse_layout(reader.slice(begin, end))
    except MalformedError:
        raise Unshowable("the layout is malformed, or the file has changed", hint="reload and try again") from None


def parse_layout(data: bytes) -> Layout:
    """A serialized Layout. Raises MalformedError."""
    version, categories = 0, []
    for number, wire_type, value, stop in fields(data, 0, len(data)):
        if number == 1 and wire_type == VARINT:
            version = signed32(value)
        elif number == 2 and wire_type == BYTES:
            categories.append(_category(data, value, stop))
    return Layout(version, tuple(categories))


def merge_layouts(layouts: Iterable[Layout]) -> Layout | None:
    """Merge layouts: categories with the same title become one, without duplicate charts.

    None if there are no layouts. If one layout repeats a title itself, both categories are kept.
    """
    version: int | None = None
    found: list[Category] = []
    for layout in layouts:
        positions = {category.title: at for at, category in reversed(list(enumerate(found)))}
        version = layout.version if version is None else version
        for category in layout.categories:
            at = positions.get(category.title)
            if at is None:
                found.append(category)
                continue
            charts = found[at].charts
            new = tuple(chart for chart in category.charts if chart not in charts)
            found[at] = found[at]._replace(charts=charts + new)
    return None if version is None else Layout(version, tuple(_limit_charts(found)))


def _limit_charts(categories: list[Category]) -> list[Category]:
    """The categories with at most MAX_CHARTS charts."""
    left = MAX_CHARTS
    kept = []
    for category in categories:
        charts = category.charts[:left]
        left -= len(charts)
        kept.append(category._replace(charts=charts))
    return kept


def _category(data: bytes, at: int, end: int) -> Category:
    title, charts, closed = "", [], False
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 1 and wire_type == BYTES:
            title = _text(data, value, stop)
        elif number == 2 and wire_type == BYTES:
            charts.append(_chart(data, value, stop))
        elif number == 3 and wire_type == VARINT:
            closed = bool(value)
    return Category(title, tuple(charts), closed)


def _chart(data: bytes, at: int, end: int) -> Chart:
    title, kind = "", ""
    patterns: list[str] = []
    margins: list[Margin] = []
    for number, wire_type, value, stop in fields(data, at, end):
        if wire_type != BYTES:
            continue
        if number == 1:
            title = _text(data, value, stop)
        elif number == 2:
            patterns = [*(patterns if kind == "multiline" else ()), *_texts(data, value, stop, 1)]
            kind, margins = "multiline", []
        elif number == 3:
            margins = [*(margins if kind == "margin" else ()), *_margins(data, value, stop)]
            kind, patterns = "margin", []
    return Chart(title, kind, tuple(patterns), tuple(margins))


def _margins(data: bytes, at: int, end: int) -> list[Margin]:
    found = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 1 and wire_type == BYTES:
            words = {
                inner: _text(data, begin, finish)
                for inner, inner_type, begin, finish in fields(data, value, stop)
                if inner_type == BYTES
            }
            found.append(Margin(words.get(1, ""), words.get(2, ""), words.get(3, "")))
    return found


def _texts(data: bytes, at: int, end: int, wanted: int) -> list[str]:
    return [
        _text(data, value, stop)
        for number, wire_type, value, stop in fields(data, at, end)
        if number == wanted and wire_type == BYTES
    ]


def _text(data: bytes, at: int, end: int) -> str:
    return data[at:end].decode("utf-8", "replace")
