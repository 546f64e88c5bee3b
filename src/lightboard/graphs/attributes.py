"""Attributes of a node for display, decoded from its bytes when somebody asks for them."""

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.arrays import tensor_numbers
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint
from lightboard.graphs.graph import TensorType
from lightboard.graphs.node_def import dtype_name, first_text, shape_of, tensor_type, text_of

MAX_CHARS = 4000
"""Characters of an attribute that are shown."""

MAX_ITEMS = 50
"""Items of a list or tensor that are shown."""

MAX_TENSOR_BYTES = 16 << 20
"""The numbers of larger constants are not shown."""

MAX_ATTRIBUTES = 1000
"""Attributes of one node that are shown."""


class ShownAttribute(NamedTuple):
    """See `schema.graphs.NodeAttribute`."""

    name: str
    value: str
    size: int
    cut: bool


MAX_KNOWN, MAX_KNOWN_BYTES = 20_000, 512
"""Attributes that are remembered while many nodes are read, and the size of one."""


def read_attributes(node: bytes, known: dict[bytes, ShownAttribute] | None = None) -> list[ShownAttribute]:
    """The attributes of a serialized NodeDef, as far as they can be read. `known` has those that were read before."""
    found: list[ShownAttribute] = []
    try:
        for number, wire_type, begin, end in fields(node, 0, len(node)):
            if number == 5 and wire_type == BYTES and len(found) < MAX_ATTRIBUTES:
                found.append(read_entry(node, begin, end) if known is None else known_entry(known, node[begin:end]))
    except MalformedError:
        pass
    return sorted(found, key=lambda attribute: (attribute.name.startswith("_"), attribute.name))


def known_entry(known: dict[bytes, ShownAttribute], entry: bytes) -> ShownAttribute:
    """One AttrEntry, which is read unless it is known. Raises MalformedError."""
    found = known.get(entry)
    if found is None:
        found = read_entry(entry, 0, len(entry))
        if len(known) < MAX_KNOWN and len(entry) <= MAX_KNOWN_BYTES:
            known[entry] = found
    return found


def read_entry(data: bytes, begin: int, end: int) -> ShownAttribute:
    """One AttrEntry. Raises MalformedError."""
    name, span = "", (end, end)
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            name = text_of(data, value, stop)
        elif number == 2 and wire_type == BYTES:
            span = value, stop
    try:
        text, cut = joined(value_texts(data, *span))
    except MalformedError:
        text, cut = "(malformed)", False
    return ShownAttribute(name[:MAX_CHARS], text[:MAX_CHARS], span[1] - span[0], cut or len(text) > MAX_CHARS)


def joined(texts: Iterator[str]) -> tuple[str, bool]:
    """The first of some texts in one, and whether there are more."""
    shown: list[str] = []
    for text in texts:
        if len(shown) == MAX_ITEMS:
            return ", ".join(shown) + ", …", True
        shown.append(text)
    return ", ".join(shown), False


def value_texts(data: bytes, begin: int, end: int) -> Iterator[str]:
    """The AttrValue in data[begin:end] as text, item by item for a list."""
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == BYTES:
            yield f"[{joined(list_texts(data, value, stop))[0]}]"
        else:
            yield single_text(data, number, wire_type, value, stop)


def list_texts(data: bytes, begin: int, end: int) -> Iterator[str]:
    """The items of a ListValue, whose numbers may be packed."""
    for number, wire_type, value, stop in fields(data, begin, end):
        if wire_type == BYTES and number in (3, 5, 6):
            while value < stop:
                item, value = varint(data, value, stop)
                yield single_text(data, number, VARINT, item, value)
        elif wire_type == BYTES and number == 4:
            for at in range(value, stop - 3, 4):
                yield number_text(struct.unpack_from("<f", data, at)[0])
        else:
            yield single_text(data, 10 if number == 9 else number, wire_type, value, stop)


def single_text(data: bytes, number: int, wire_type: int, value: int, stop: int) -> str:
    """One field of an AttrValue."""
    match number, wire_type:
        case (2, 2):
            return string_text(data[value : min(stop, value + MAX_CHARS + 1)])
        case (3, 0):
            return str(signed64(value))
        case (4, 5):
            return number_text(struct.unpack_from("<f", data, value)[0])
        case (5, 0):
            return "true" if value else "false"
        case (6, 0):
            return dtype_name(value) or str(value)
        case (7, 2):
            return shape_text(shape_of(data, value, stop))
        case (8, 2):
            return tensor_text(data, value, stop)
        case (10, 2):
            return first_text(data, value, stop)
        case (9, 2):
            return text_of(data, value, stop)
    return ""


def string_text(data: bytes) -> str:
    """A byte string: as text if it is, otherwise in hexadecimal."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3 and error.reason == "unexpected end of data":  # cut within a character
            return data[: error.start].decode()
        return data[: MAX_CHARS // 2].hex(" ", 4)
    return text


def number_text(number: float) -> str:
    """A float32 for display."""
    return f"{number:.7g}"


def shape_text(shape: tuple[int, ...] | None) -> str:
    """A shape for display."""
    return str(TensorType("", shape)) if shape is not None else "?"


def tensor_text(data: bytes, begin: int, end: int) -> str:
    """Type, shape and first items of a TensorProto."""
    head = str(tensor_type(data, begin, end))
    if end - begin > MAX_TENSOR_BYTES:
        return head
    items = joined(tensor_items(data[begin:end]))[0]
    return f"{head}: {items}" if items else head


def tensor_items(tensor: bytes) -> Iterator[str]:
    """The items of a tensor, strings or numbers."""
    try:
        numbers = tensor_numbers(tensor).ravel()
    except (Unshowable, MalformedError):
        for number, wire_type, value, stop in fields(tensor, 0, len(tensor)):
            if number == 8 and wire_type == BYTES:
                yield repr(string_text(tensor[value : min(stop, value + 200)]))
        return
    for item in numbers[: MAX_ITEMS + 1].tolist():
        yield number_text(item) if isinstance(item, float) else str(item).lower()


def matches(attributes: Iterable[ShownAttribute], name: str, value: str) -> bool:
    """Whether an attribute with this name has this text in its value. Both are folded."""
    return any(each.name.casefold() == name and value in each.value.casefold() for each in attributes)


def shown_text(name: str, value: str) -> ShownAttribute:
    """An attribute of a format that has only texts."""
    return ShownAttribute(name, value[:MAX_CHARS], len(value.encode("utf-8", "replace")), len(value) > MAX_CHARS)
