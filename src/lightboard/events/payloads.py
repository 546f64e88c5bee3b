"""Finds the payload of a Summary.Value, and reads the header and the strings of a tensor without loading it.

Shapes are stated by the writer and may be wrong. See summary.proto, tensor.proto and types.proto of TensorFlow.
`arrays` reads the numbers of tensors, with NumPy.
"""

import math
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events import tensor as dtypes
from lightboard.events.byte_reader import ByteReader, read_fields
from lightboard.events.messages import TENSOR
from lightboard.events.wire import BYTES, FIXED32, VARINT, MalformedError, fields, signed64

STRING = 7

MAX_BYTES = 64 << 20
"""Larger numeric tensors are not shown."""

SHAPE_BYTES = 4096
"""The maximum size of a shape in bytes."""

MAX_STRINGS = 100_000
"""The maximum number of strings of one tensor."""

DTYPE_NAMES = {
    dtypes.FLOAT: "float32",
    dtypes.DOUBLE: "float64",
    dtypes.INT32: "int32",
    dtypes.UINT8: "uint8",
    dtypes.INT16: "int16",
    dtypes.INT8: "int8",
    STRING: "string",
    dtypes.INT64: "int64",
    dtypes.BOOL: "bool",
    dtypes.BFLOAT16: "bfloat16",
    dtypes.UINT16: "uint16",
    dtypes.HALF: "float16",
    dtypes.UINT32: "uint32",
    dtypes.UINT64: "uint64",
}


class Payload(NamedTuple):
    """The payload of a Summary.Value: its field number (see `messages`), 0 if there is none, and its position."""

    field: int
    begin: int
    end: int


class TensorHeader(NamedTuple):
    """A TensorProto without its numbers: type, shape (None if not written), position of the raw content."""

    dtype: int
    shape: tuple[int, ...] | None
    content: tuple[int, int]


class StringTensor(NamedTuple):
    """A tensor of strings: its shape, and the position of each string in the value."""

    shape: tuple[int, ...]
    spans: list[tuple[int, int]]


def find_payload(reader: ByteReader) -> Payload:
    """The payload of the Summary.Value in `reader`. As in protobuf, the last one counts. Raises Unshowable."""
    found = Payload(0, 0, 0)
    try:
        for number, wire_type, begin, end in read_fields(reader, 0, reader.length):
            if number in (2, 3, 4, 5, 6, 8) and wire_type == (FIXED32 if number == 2 else BYTES):
                found = Payload(number, begin, end)
    except MalformedError:
        raise Unshowable("the value is malformed, or the file has changed", hint="reload and try again") from None
    return found


def read_tensor_header(reader: ByteReader, payload: Payload) -> TensorHeader:
    """Type and shape of the tensor in `payload`, without reading its numbers. Raises MalformedError."""
    dtype, shape, content = 0, None, (0, 0)
    for number, wire_type, begin, end in read_fields(reader, payload.begin, payload.end):
        if number == 1 and wire_type == VARINT:
            dtype = begin
        elif number == 2 and wire_type == BYTES:
            shape = read_shape(reader, begin, end)
        elif number == 4 and wire_type == BYTES:
            content = (begin, end)
    return TensorHeader(dtype, shape, content)


def read_strings(reader: ByteReader) -> StringTensor:
    """The positions of the strings of a tensor. Reads only a few bytes of each. Raises Unshowable."""
    payload = find_payload(reader)
    if payload.field != TENSOR:
        raise Unshowable("the value holds no tensor")
    shape: tuple[int, ...] | None = None
    spans: list[tuple[int, int]] = []
    try:
        for number, wire_type, begin, end in read_fields(reader, payload.begin, payload.end):
            if number == 8 and wire_type == BYTES:
                spans.append((begin, end))
                if len(spans) > MAX_STRINGS:
                    raise Unshowable(f"the tensor holds more than {MAX_STRINGS} strings")
            elif number == 2 and wire_type == BYTES:
                shape = read_shape(reader, begin, end)
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None
    if shape is None and len(spans) == 1:
        shape = ()  # in protobuf, a single value may lack a shape
    if shape is None or math.prod(shape) != len(spans):
        shape = (len(spans),)  # some writers leave the shape out
    return StringTensor(shape, spans)


def read_shape(reader: ByteReader, begin: int, end: int) -> tuple[int, ...]:
    """The TensorShapeProto in [begin, end). Raises MalformedError."""
    if end - begin > SHAPE_BYTES:
        raise MalformedError
    data = reader.slice(begin, end)
    return parse_shape(data, 0, len(data))


def parse_shape(data: bytes, at: int, end: int) -> tuple[int, ...]:
    """The sizes of a TensorShapeProto; -1 if unknown to the writer. Raises MalformedError."""
    sizes = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 2 and wire_type == BYTES:
            size = 0
            for inner, inner_type, inner_value, _ in fields(data, value, stop):
                if inner == 1 and inner_type == VARINT:
                    size = signed64(inner_value)
            sizes.append(size)
    return tuple(sizes)


def too_large_message(size_bytes: int) -> str:
    """The error message for a value that is too large to be shown."""
    return f"the value takes {size_bytes / 2**20:.0f} MB, more than is shown"
