"""Attributes of the nodes of an ONNX model for display, decoded when somebody asks for them. See onnx.proto."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lightboard.events.byte_reader import ByteReader, ReadRange, read_fields
from lightboard.events.wire import BYTES, FIXED32, VARINT, MalformedError, signed64, varint
from lightboard.graphs.attributes import (
    MAX_ATTRIBUTES,
    MAX_CHARS,
    MAX_ITEMS,
    ShownAttribute,
    joined,
    number_text,
    shown_text,
    string_text,
)
from lightboard.graphs.onnx_types import TensorHead, read_pair, read_tensor_head, read_type, text_at

INITIALIZER = "Initializer"

NUMPY_TYPES = {
    **{name: f"<{code}" for name, code in (("float32", "f4"), ("float64", "f8"), ("float16", "f2"))},
    **{f"int{bits}": f"<i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"<u{bits // 8}" for bits in (8, 16, 32, 64)},
    "bool": "?",
}
"""How numbers in `raw_data` are read."""

FIRST_BYTES = 10 * (MAX_ITEMS + 1)
"""Bytes that hold the first items of any list of numbers."""

PACKED = {4: "f", 5: "i", 7: "i", 10: "d", 11: "u"}
"""The kinds of numbers in a TensorProto, by their field."""


class Shown(NamedTuple):
    """A text, and whether it is only a beginning."""

    text: str
    cut: bool = False


def read_onnx_attributes(read: ReadRange, begin: int, end: int, op: str) -> list[ShownAttribute]:
    """The attributes of the node in [begin, end), as far as they can be read. That of an initializer is its tensor."""
    reader = ByteReader(read, end)
    found: list[ShownAttribute] = []
    try:
        if op == INITIALIZER:
            return tensor_attributes(reader, begin, end)
        for number, wire_type, value, stop in read_fields(reader, begin, end):
            if wire_type != BYTES or len(found) == MAX_ATTRIBUTES:
                continue
            if number == 5:
                found.append(read_attribute(reader, value, stop))
            elif number == 9:
                found.append(shown_text(*read_pair(reader, value, stop)))
            elif number == 6:
                found.append(shown_text("doc_string", text_at(reader, value, stop)))
    except MalformedError:
        pass
    return sorted(found, key=lambda attribute: ("." in attribute.name, attribute.name))


def tensor_attributes(reader: ByteReader, begin: int, end: int) -> list[ShownAttribute]:
    """Where the numbers of an initializer are, and the first of them."""
    head = read_tensor_head(reader, begin, end)
    shown = [shown_text(f"external {key}", value) for key, value in sorted(head.external.items())]
    value, cut = tensor_text(reader, begin, end)
    return [ShownAttribute("value", value[:MAX_CHARS], end - begin, cut), *shown]


def read_attribute(reader: ByteReader, begin: int, end: int) -> ShownAttribute:
    """One AttributeProto. Raises MalformedError."""
    name = ""
    texts: list[Shown] = []
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number == 1 and wire_type == BYTES:
            name = text_at(reader, value, stop)
        elif number not in (13, 20) and len(texts) <= MAX_ITEMS:
            texts += value_texts(reader, number, wire_type, value, stop)
    text, more = joined(iter([each.text for each in texts]))
    cut = more or len(text) > MAX_CHARS or any(each.cut for each in texts)
    return ShownAttribute(name[:MAX_CHARS], text[:MAX_CHARS], end - begin, cut)


def value_texts(reader: ByteReader, number: int, wire_type: int, value: int, stop: int) -> Iterator[Shown]:
    """The values in one field of an AttributeProto."""
    match number, wire_type:
        case (2, 5) | (7, 5):
            yield Shown(number_text(struct.unpack("<f", reader.slice(value, stop))[0]))
        case (7, 2):
            yield from map(Shown, numbers_in(reader, "f", value, stop))
        case (3, 0) | (8, 0):
            yield Shown(str(signed64(value)))
        case (8, 2):
            yield from map(Shown, numbers_in(reader, "i", value, stop))
        case (4, 2) | (9, 2):
            data = reader.slice(value, min(stop, value + MAX_CHARS + 1))
            yield Shown(string_text(data)[:MAX_CHARS], stop - value > MAX_CHARS)
        case (5, 2) | (10, 2):
            yield Shown(*tensor_text(reader, value, stop))
        case (6, 2) | (11, 2):
            yield Shown("(graph)")
        case (14, 2) | (15, 2):
            yield Shown(str(read_type(reader, value, stop)))
        case (21, 2):
            yield Shown(f"attribute {text_at(reader, value, stop)} of the function")
        case (22, 2) | (23, 2):
            yield Shown("(sparse tensor)")


def numbers_in(reader: ByteReader, kind: str, begin: int, end: int) -> Iterator[str]:
    """The first packed numbers in [begin, end)."""
    data, at = reader.slice(begin, min(end, begin + FIRST_BYTES)), 0
    width = {"f": 4, "d": 8}.get(kind, 0)
    for _ in range(MAX_ITEMS + 1):
        if at + max(width, 1) > len(data):
            return
        if width:
            yield number_text(struct.unpack_from(f"<{kind}", data, at)[0])
            at += width
        else:
            number, at = varint(data, at, len(data))
            yield str(signed64(number) if kind == "i" else number)


def tensor_text(reader: ByteReader, begin: int, end: int) -> Shown:
    """Type, shape and first items of a TensorProto. Raises MalformedError."""
    head = read_tensor_head(reader, begin, end)
    text, more = joined(tensor_items(reader, head, begin, end))
    return Shown(f"{head.type}: {text}" if text else str(head.type), more)


def tensor_items(reader: ByteReader, head: TensorHead, begin: int, end: int) -> Iterator[str]:
    """The first items of a tensor that is in the file."""
    if head.raw is not None:
        code = NUMPY_TYPES.get(head.type.dtype)
        if code is None:
            return
        dtype = np.dtype(code)
        size = min(head.raw[1] - head.raw[0], dtype.itemsize * (MAX_ITEMS + 1))
        data = reader.slice(head.raw[0], head.raw[0] + size)
        for item in np.frombuffer(data[: size // dtype.itemsize * dtype.itemsize], dtype).tolist():
            yield number_text(item) if isinstance(item, float) else str(item).lower()
        return
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number in PACKED and wire_type == BYTES:
            yield from numbers_in(reader, PACKED[number], value, stop)
        elif number in PACKED and wire_type == VARINT:
            yield str(signed64(value))
        elif number == 4 and wire_type == FIXED32:
            yield number_text(struct.unpack("<f", reader.slice(value, stop))[0])
        elif number == 6 and wire_type == BYTES:
            yield repr(string_text(reader.slice(value, min(stop, value + 200))))
