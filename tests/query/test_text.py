"""Texts: tensors of strings of any rank, and as much of them as can be looked at."""

import pytest

from lightboard.errors import BadRequest, Unshowable
from lightboard.events.window import Window
from lightboard.query.text import MAX_CELLS, Text, decoded, text_of
from lightboard.testing.event_files import FLOAT, STRING, tensor, tensor_value

PLENTY = 1 << 20


def window_of(value: bytes) -> Window:
    return Window(lambda at, length: value[at : at + length], len(value))


def strings(values: list[bytes], shape: list[int] | None) -> Window:
    return window_of(tensor_value("t", tensor(STRING, values, shape=shape)))


@pytest.mark.parametrize(
    ("values", "shape", "shown"),
    [
        ([b"hello"], [], Text((), 0, 1, 1, 1, ["hello"], 5, False)),
        ([b"hello"], [1], Text((1,), 0, 1, 1, 1, ["hello"], 5, False)),
        ([b"a", b"b"], [2], Text((2,), 0, 1, 2, 1, ["a", "b"], 2, False)),
        ([b"a", b"b"], [1, 2], Text((1, 2), 0, 1, 1, 2, ["a", "b"], 2, False)),
        ([], [0], Text((0,), 0, 1, 0, 1, [], 0, False)),
        ([b"a", b"b"], [5, 7], Text((2,), 0, 1, 2, 1, ["a", "b"], 2, False)),
        ([b"a"], None, Text((), 0, 1, 1, 1, ["a"], 1, False)),
        ([b"a", b"b"], None, Text((2,), 0, 1, 2, 1, ["a", "b"], 2, False)),
    ],
)
def test_a_value_is_a_table(values: list[bytes], shape: list[int] | None, shown: Text) -> None:
    """Of one cell, one column, or rows and columns; a shape that lies is not believed."""
    assert text_of(strings(values, shape), PLENTY) == shown


def test_of_a_pile_of_tables_each_can_be_seen() -> None:
    """TensorBoard shows the first and no other."""
    pile = strings([b"%d" % number for number in range(12)], [3, 2, 2])

    assert text_of(pile, PLENTY, 2) == Text((3, 2, 2), 2, 3, 2, 2, ["8", "9", "10", "11"], 6, False)
    with pytest.raises(BadRequest):
        text_of(pile, PLENTY, 3)


def test_a_long_text_is_cut_where_asked() -> None:
    """Between letters, and says how long it is."""
    text = text_of(strings(["абв".encode()], []), 3)

    assert [text.cells, text.size, text.cut] == [["а"], 6, True]


def test_cells_share_what_may_be_read() -> None:
    """Those that nothing is left for are not told."""
    text = text_of(strings([b"aaaa", b"bbbb", b"cccc"], [3]), 6)

    assert [text.cells, text.size, text.cut] == [["aaaa", "bb"], 12, True]


def test_a_table_of_many_rows_is_cut() -> None:
    """No page can show a hundred thousand."""
    text = text_of(strings([b"x"] * (MAX_CELLS + 1), [MAX_CELLS + 1]), PLENTY)

    assert [len(text.cells), text.rows, text.cut] == [MAX_CELLS, MAX_CELLS + 1, True]


def test_a_gigabyte_of_text_costs_what_is_shown_of_it() -> None:
    """Its beginning is read, and a few heads."""
    head = tensor_value("t", tensor(STRING, [b""], shape=[]))
    size = 1 << 30
    # The same value by hand, with a length that is only pretended to be in memory.
    text_head = b"\x42" + _varint(size)
    proto = b"\x08\x07\x12\x00" + text_head
    beginning = head[:3] + b"\x42" + _varint(len(proto) + size) + proto
    read: list[int] = []

    def read_at(at: int, length: int) -> bytes:
        read.append(length)
        return (beginning[at : at + length] + b"x" * length)[: max(0, min(length, len(beginning) + size - at))]

    text = text_of(Window(read_at, len(beginning) + size), 100)

    assert [text.cells, text.size, text.cut, sum(read) < 50_000] == [["x" * 100], size, True, True]


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    """Never an error."""
    assert text_of(strings([b"a\xff\x00b"], []), PLENTY).cells == ["a\ufffd\x00b"]


@pytest.mark.parametrize(
    ("data", "text"), [(b"ab\xd0", "ab"), (b"\xf0\x9f\x9a", ""), (b"ab", "ab"), (b"\xd0\xb0", "а")]
)
def test_no_half_letters_at_a_cut(data: bytes, text: str) -> None:
    """The rest of the letter is behind the cut."""
    assert decoded(data, cut=True) == text


def test_numbers_are_no_text() -> None:
    """A tensor of no strings has nothing to show."""
    assert text_of(window_of(tensor_value("t", tensor(FLOAT, [1.0]))), PLENTY).cells == []


def test_a_value_that_is_cut_off_says_so() -> None:
    """A file that shrank."""
    value = tensor_value("t", tensor(STRING, [b"x" * 100_000]))
    window = Window(lambda at, length: value[at : min(at + length, 5000)], len(value))

    with pytest.raises(Unshowable):
        text_of(window, PLENTY)
