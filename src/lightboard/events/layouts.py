"""Layouts of scalars as the custom_scalars plugin stores them: categories of charts, and how several become one.

One value is a string tensor that holds a serialized Layout. Not here: which runs hold layouts, and which tags a pattern
means (`untrusted.patterns`).
"""

from collections.abc import Iterable
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.payloads import strings_of
from lightboard.events.window import Window
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed32

PLUGIN = "custom_scalars"
CONFIG_TAG = "custom_scalars__config__"

MAX_BYTES = 4 << 20
"""A layout is written by hand or by a small script; a larger one is not read."""

MAX_CHARTS = 2_000
"""Nor are more charts of all layouts together shown."""


class Margin(NamedTuple):
    """A line with a band around it: the tags of the value and of both edges."""

    value: str
    lower: str
    upper: str


class Chart(NamedTuple):
    """One chart: patterns of tags (`multiline`), or bands (`margin`); the kind set last counts, as in protobuf."""

    title: str
    kind: str
    patterns: tuple[str, ...] = ()
    margins: tuple[Margin, ...] = ()


class Category(NamedTuple):
    """Charts under one title; `closed` where they are to be folded at first."""

    title: str
    charts: tuple[Chart, ...]
    closed: bool


class Layout(NamedTuple):
    """What one run, or all of them together, say."""

    version: int
    categories: tuple[Category, ...]


def layout_of(window: Window) -> Layout:
    """The layout in a Summary.Value. Raises Unshowable."""
    spans = strings_of(window).spans
    if len(spans) != 1:
        raise Unshowable(f"a layout is one string; this value holds {len(spans)}")
    begin, end = spans[0]
    if end - begin > MAX_BYTES:
        raise Unshowable(f"the layout takes more than {MAX_BYTES >> 20} MB")
    try:
        return parse_layout(window.slice(begin, end))
    except MalformedError:
        raise Unshowable("the layout is malformed, or the file has changed", hint="reload and look again") from None


def parse_layout(data: bytes) -> Layout:
    """A serialized Layout. Raises MalformedError."""
    version, categories = 0, []
    for number, wire_type, value, stop in fields(data, 0, len(data)):
        if number == 1 and wire_type == VARINT:
            version = signed32(value)
        elif number == 2 and wire_type == BYTES:
            categories.append(_category(data, value, stop))
    return Layout(version, tuple(categories))


def merged(layouts: Iterable[Layout]) -> Layout | None:
    """All layouts as one: categories of equal title become one, charts that are there already come once.

    None where there are none. A layout that repeats a title itself keeps both, as it was meant.
    """
    version: int | None = None
    found: list[Category] = []
    for layout in layouts:
        places = {category.title: at for at, category in reversed(list(enumerate(found)))}
        version = layout.version if version is None else version
        for category in layout.categories:
            at = places.get(category.title)
            if at is None:
                found.append(category)
                continue
            known = found[at].charts
            new = tuple(chart for chart in category.charts if chart not in known)
            found[at] = found[at]._replace(charts=known + new)
    return None if version is None else Layout(version, tuple(_bounded(found)))


def _bounded(categories: list[Category]) -> list[Category]:
    """As many charts as are shown."""
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
