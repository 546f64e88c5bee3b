"""Layouts of scalars: read from their bytes, and several brought together."""

import pytest

from lightboard.errors import Unshowable
from lightboard.events.layouts import MAX_CHARTS, Category, Chart, Layout, Margin, layout_of, merged, parse_layout
from lightboard.events.window import Window
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


def window_of(value: bytes) -> Window:
    return Window(lambda at, length: value[at : at + length], len(value))


def lines(title: str, *patterns: str) -> Chart:
    return Chart(title, "multiline", patterns)


def category(title: str, *charts: Chart, closed: bool = False) -> Category:
    return Category(title, charts, closed)


def test_a_layout_is_read_as_it_was_written() -> None:
    """Categories, charts of lines and of bands, and what is closed."""
    expected = Layout(
        0,
        (
            category("first", lines("all", "loss/.*", "каша"), Chart("band", "margin", (), (Margin("v", "lo", "hi"),))),
            category("second", closed=True),
        ),
    )

    assert layout_of(window_of(tensor_value("t", tensor(STRING, [LAYOUT])))) == expected


def test_of_two_kinds_of_content_the_last_counts() -> None:
    """As in protobuf; content in several pieces is one."""
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
def test_what_is_no_layout_is_refused(value: bytes) -> None:
    """No string, two, a broken one, a huge one, no tensor."""
    with pytest.raises(Unshowable):
        layout_of(window_of(value))


def test_broken_bytes() -> None:
    """A length that lies."""
    with pytest.raises(MalformedError):
        parse_layout(b"\x12\x05a")


def test_layouts_become_one() -> None:
    """Equal titles are one category; charts that are there already come once, also those of a third layout."""
    one = Layout(0, (category("a", lines("x", "1")),))
    two = Layout(0, (category("a", lines("x", "1"), lines("x", "2")), category("b", lines("y", "1"), closed=True)))
    three = Layout(0, (category("b", lines("z", "1")), category("c")))

    assert merged([one, two, three]) == Layout(
        0,
        (
            category("a", lines("x", "1"), lines("x", "2")),
            category("b", lines("y", "1"), lines("z", "1"), closed=True),
            category("c"),
        ),
    )


def test_no_layout_is_none() -> None:
    """And one stays as it is, even where it repeats itself."""
    twice = Layout(3, (category("a"), category("a", lines("x", "1"))))

    assert (merged([]), merged([twice])) == (None, twice)


def test_charts_are_bounded() -> None:
    """A layout of a million charts ends at a bound."""
    many = Layout(0, tuple(category(str(at), *(lines(str(n)) for n in range(1_500))) for at in range(3)))
    found = merged([many])

    assert found is not None
    assert [len(one.charts) for one in found.categories] == [1_500, MAX_CHARTS - 1_500, 0]
