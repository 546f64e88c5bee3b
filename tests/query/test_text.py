"""Texts: string tensors of any rank, within limits."""

import pytest

from lightboard.errors import BadRequest, Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.query.text import MAX_CELLS, Text, decoded, text_of
from lightboard.testing.event_files import FLOAT, STRING, tensor, tensor_value

PLENTY = 1 << 20


def reader_of(value: bytes) -> ByteReader:
    return ByteReader(lambda at, length: value[at : at + length], len(value))


def strings(values: list[bytes], shape: list[int] | None) -> ByteReader:
    return reader_of(tensor_value("t", tensor(STRING, values, shape=shape)))


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
def test_values_are_tables(values: list[bytes], shape: list[int] | None, shown: Text) -> None:
    """A cell, a column, or rows and columns; inconsistent shapes are ignored."""
    assert text_of(strings(values, shape), PLENTY) == shown


def test_higher_ranks_have_several_tables() -> None:
    """TensorBoard shows the first only."""
    tables = strings([b"%d" % number for number in range(12)], [3, 2, 2])

    assert text_of(tables, PLENTY, 2) == Text((3, 2, 2), 2, 3, 2, 2, ["8", "9", "10", "11"], 6, False)
    with pytest.raises(BadRequest):
        text_of(tables, PLENTY, 3)


def test_long_texts_are_truncated() -> None:
    """Between characters, with the full length."""
    text = text_of(strings(["абв".encode()], []), 3)

    assert [text.cells, text.size, text.cut] == [["а"], 6, True]


def test_cells_share_a_byte_budget() -> None:
    """Cells beyond it are omitted."""
    text = text_of(strings([b"aaaa", b"bbbb", b"cccc"], [3]), 6)

    assert [text.cells, text.size, text.cut] == [["aaaa", "bb"], 12, True]


def test_tables_are_truncated() -> None:
    """To MAX_CELLS; pages cannot show more."""
    text = text_of(strings([b"x"] * (MAX_CELLS + 1), [MAX_CELLS + 1]), PLENTY)

    assert [len(text.cells), text.rows, text.cut] == [MAX_CELLS, MAX_CELLS + 1, True]


def test_large_texts_are_read_partially() -> None:
    """Only the beginning and a few headers."""
    head = tensor_value("t", tensor(STRING, [b""], shape=[]))
    size = 1 << 30
    # The same value with a huge declared length, built by hand so that it need not be in memory.
    text_head = b"\x42" + _varint(size)
    proto = b"\x08\x07\x12\x00" + text_head
    beginning = head[:3] + b"\x42" + _varint(len(proto) + size) + proto
    read: list[int] = []

    def read_at(at: int, length: int) -> bytes:
        read.append(length)
        return (beginning[at : at + length] + b"x" * length)[: max(0, min(length, len(beginning) + size - at))]

    text = text_of(ByteReader(read_at, len(beginning) + size), 100)

    assert [text.cells, text.size, text.cut, sum(read) < 50_000] == [["x" * 100], size, True, True]


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def test_invalid_utf8_is_shown() -> None:
    """With replacement characters, without an error."""
    assert text_of(strings([b"a\xff\x00b"], []), PLENTY).cells == ["a\ufffd\x00b"]


@pytest.mark.parametrize(
    ("data", "text"), [(b"ab\xd0", "ab"), (b"\xf0\x9f\x9a", ""), (b"ab", "ab"), (b"\xd0\xb0", "а")]
)
def test_truncation_keeps_characters_whole(data: bytes, text: str) -> None:
    """Incomplete characters at the cut are dropped."""
    assert decoded(data, cut=True) == text


def test_number_tensors_are_not_text() -> None:
    """They have no cells."""
    assert text_of(reader_of(tensor_value("t", tensor(FLOAT, [1.0]))), PLENTY).cells == []


def test_truncated_values_are_reported() -> None:
    """If the file shrank."""
    value = tensor_value("t", tensor(STRING, [b"x" * 100_000]))
    reader = ByteReader(lambda at, length: value[at : min(at + length, 5000)], len(value))

    with pytest.raises(Unshowable):
        text_of(reader, PLENTY)
