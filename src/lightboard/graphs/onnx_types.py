"""Types of values in ONNX: the numbers of element types, TypeProto, and the head of a TensorProto. See onnx.proto."""

from typing import NamedTuple

from lightboard.events.byte_reader import ByteReader, read_fields
from lightboard.events.wire import BYTES, VARINT, signed64, varint
from lightboard.graphs.graph import MAX_NAME_CHARS, TensorType

MAX_RANK = 1000
"""Sizes of one shape that are read."""

MAX_NESTING = 20
"""Types inside of each other, such as a sequence of sequences, that are read."""

UNKNOWN = TensorType("", None)

_NAMES = (
    "float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64 complex64 complex128 "
    "bfloat16 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz uint4 int4 float4_e2m1 float8_e8m0 uint2 int2"
)

DTYPES = dict(enumerate(_NAMES.split(), 1))
"""The names of the numbers of element types."""

CONTAINERS = {4: "sequence", 5: "map", 8: "sparse", 9: "optional"}
"""Types that hold others, by the field of a TypeProto."""


class TensorHead(NamedTuple):
    """A TensorProto without its numbers. `raw` is where its bytes are, if they are in the file as such."""

    name: str
    type: TensorType
    raw: tuple[int, int] | None
    external: dict[str, str]


def text_at(reader: ByteReader, begin: int, end: int) -> str:
    """A string, which is cut if it is longer than any name that is kept. Raises MalformedError."""
    return reader.slice(begin, min(end, begin + 4 * MAX_NAME_CHARS)).decode("utf-8", "replace")


def read_type(reader: ByteReader, begin: int, end: int) -> TensorType:
    """A TypeProto. What holds other values has a type such as "sequence(float32 8)". Raises MalformedError."""
    around: list[str] = []
    span: tuple[int, int] | None = (begin, end)
    while span is not None and len(around) < MAX_NESTING:
        number, begin, end = member_of(reader, *span)
        if number in (1, 8):
            found = read_tensor_type(reader, begin, end)
            around += ["sparse"] * (number == 8)
            return TensorType(nested(around, str(found)), None) if around else found
        if number not in CONTAINERS:
            break
        around.append(CONTAINERS[number])
        span = element_type(reader, begin, end, 2 if number == 5 else 1)
    return TensorType(nested(around, "?"), None) if around else UNKNOWN


def member_of(reader: ByteReader, begin: int, end: int) -> tuple[int, int, int]:
    """What a TypeProto is: the number and the bytes of its member, 0 if it has none that is known."""
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if wire_type == BYTES and (number == 1 or number in CONTAINERS):
            return number, value, stop
    return 0, begin, end


def nested(around: list[str], inner: str) -> str:
    """A type in others, such as "sequence(float32 8)"."""
    for name in reversed(around):
        inner = f"{name}({inner})"
    return inner


def element_type(reader: ByteReader, begin: int, end: int, field: int) -> tuple[int, int] | None:
    """Where the type of the elements of a sequence, an optional value or a map is."""
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number == field and wire_type == BYTES:
            return value, stop
    return None


def read_tensor_type(reader: ByteReader, begin: int, end: int) -> TensorType:
    """A TypeProto.Tensor. Without a shape, not even its rank is known."""
    dtype, shape = "", None
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number == 1 and wire_type == VARINT:
            dtype = DTYPES.get(value, "")
        elif number == 2 and wire_type == BYTES:
            shape = read_shape(reader, value, stop)
    return TensorType(dtype, shape)


def read_shape(reader: ByteReader, begin: int, end: int) -> tuple[int, ...]:
    """A TensorShapeProto, with -1 for sizes that have only a name, or nothing."""
    sizes: list[int] = []
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number != 1 or wire_type != BYTES or len(sizes) == MAX_RANK:
            continue
        size = -1
        for inner, inner_type, inner_value, _ in read_fields(reader, value, stop):
            if inner == 1 and inner_type == VARINT:
                size = max(-1, signed64(inner_value))
        sizes.append(size)
    return tuple(sizes)


def read_tensor_head(reader: ByteReader, begin: int, end: int) -> TensorHead:
    """A TensorProto without its numbers, which are not read. Raises MalformedError."""
    name, dtype, sizes, external, raw = "", "", list[int](), dict[str, str](), None
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number == 1:
            sizes += read_sizes(reader, wire_type, value, stop)[: MAX_RANK - len(sizes)]
        elif number == 2 and wire_type == VARINT:
            dtype = DTYPES.get(value, "")
        elif number == 8 and wire_type == BYTES:
            name = text_at(reader, value, stop)
        elif number == 9 and wire_type == BYTES:
            raw = (value, stop)
        elif number == 13 and wire_type == BYTES and len(external) < 20:
            key, text = read_pair(reader, value, stop)
            external[key] = text
    return TensorHead(name, TensorType(dtype, tuple(sizes)), raw, external)


def read_sizes(reader: ByteReader, wire_type: int, begin: int, end: int) -> list[int]:
    """Sizes, packed or a single one; those below 0, which are wrong, are unknown."""
    if wire_type == VARINT:
        return [max(-1, signed64(begin))]
    if wire_type != BYTES:
        return []
    data, at, found = reader.slice(begin, min(end, begin + 10 * MAX_RANK)), 0, list[int]()
    while at < len(data) and len(found) < MAX_RANK:
        value, at = varint(data, at, len(data))
        found.append(max(-1, signed64(value)))
    return found


def read_pair(reader: ByteReader, begin: int, end: int) -> tuple[str, str]:
    """A StringStringEntryProto. Raises MalformedError."""
    pair = {1: "", 2: ""}
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number in pair and wire_type == BYTES:
            pair[number] = text_at(reader, value, stop)
    return pair[1], pair[2]
