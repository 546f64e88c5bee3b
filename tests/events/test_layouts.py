"""Layouts of custom scalars: parsing and merging."""

import pytest

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.layouts import (
    MAX_CHARTS,
    Category,
    Chart,
    Layout,
    Margin,
    merge_layouts,
    parse_layout,
    read_layout,
)
from lightboard.events.wire import MalformedError
from lightboard.testing.event_files import STRING, bytes_field, tensor, tensor_value, varint_field


def words(field: int, *texts: str) -> bytes:
    return b"".join(bytes_field(field, text.encode()) for text in texts)


LINES = words(1, "all") + bytes_field(2, words(1, "loss/.*", "каша"))
BAND = words(1, "band") + bytes_field(3, bytes_field(1, words(1, "v") + words(2, "lo") + words(3, "hi")))
LAYOUT = (
    varint_field(1, 0)
    + bytes_field(2, words(1, "first") + bytes_field(2, LINES) + bytes_field(2, BAND))
    + bytes_field(2, words(1, "second") + varint_field(3, 1))
)


def reader_of(value: bytes) -> ByteReader:
    return ByteReader(lambda at, length: value[at : at + length], len(value))


def lines(title: str, *patterns: str) -> Chart:
    return Chart(title, "multiline", patterns)


def category(title: str, *charts: Chart, closed: bool = False) -> Category:
    return Category(title, charts, closed)


def test_layouts_are_read() -> None:
    """Categories, multiline and margin charts, and which categories are closed."""
    expected = Layout(
        0,
        (
            category("first", lines("all", "loss/.*", "каша"), Chart("band", "margin", (), (Margin("v", "lo", "hi"),))),
            category("second", closed=True),
        ),
    )

    assert read_layout(reader_of(tensor_value("t", tensor(STRING, [LAYOUT])))) == expected


def test_the_last_content_of_a_chart_wins() -> None:
    """As with any protobuf oneof; repeated content is merged."""
    both = words(1, "t") + bytes_field(3, bytes_field(1, b"")) + bytes_field(2, words(1, "a"))
    pieces = both + bytes_field(2, words(1, "b"))

    assert parse_layout(bytes_field(2, bytes_field(2, pieces))).categories == (category("", lines("t", "a", "b")),)


@pytest.mark.parametrize(
    "value",
    [
        tensor_value("t", tensor(STRING, [])),
        tensor_value("t", tensor(STRING, [b"", b""])),
        tensor_value("t", tensor(STRING, [b"\x12\xff"])),
        tensor_value("t", tensor(STRING, [bytes((4 << 20) + 1)])),
        b"",
    ],
)
def test_invalid_layouts_are_unshowable(value: bytes) -> None:
    """No string, two strings, a malformed one, a huge one, no tensor."""
    with pytest.raises(Unshowable):
        read_layout(reader_of(value))


def test_malformed_layouts_raise() -> None:
    """A length beyond the end."""
    with pytest.raises(MalformedError):
        parse_layout(b"\x12\x05a")


def test_layouts_are_merged() -> None:
    """Categories with equal titles become one, without duplicate charts."""
    one = Layout(0, (category("a", lines("x", "1")),))
    two = Layout(0, (category("a", lines("x", "1"), lines("x", "2")), category("b", lines("y", "1"), closed=True)))
    three = Layout(0, (category("b", lines("z", "1")), category("c")))

    assert merge_layouts([one, two, three]) == Layout(
        0,
        (
            category("a", lines("x", "1"), lines("x", "2")),
            category("b", lines("y", "1"), lines("z", "1"), closed=True),
            category("c"),
        ),
    )


def test_merging_needs_two_layouts() -> None:
    """None without any; a single one is not changed, even if it repeats a category."""
    twice = Layout(3, (category("a"), category("a", lines("x", "1"))))

    assert (merge_layouts([]), merge_layouts([twice])) == (None, twice)


def test_charts_of_a_layout_are_limited() -> None:
    """To MAX_CHARTS over all categories."""
    many = Layout(0, tuple(category(str(at), *(lines(str(n)) for n in range(1_500))) for at in range(3)))
    found = merge_layouts([many])

    assert found is not None
    assert [len(one.charts) for one in found.categories] == [1_500, MAX_CHARTS - 1_500, 0]
