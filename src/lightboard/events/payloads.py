"""What a Summary.Value carries, and the strings and the outline of a tensor in it: walked, never held.

Shapes are the writer's word and may lie. Formats: summary.proto, tensor.proto and types.proto of TensorFlow. Not here:
the numbers of a tensor (`arrays`), which take NumPy.
"""

import math
from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events import tensor as dtypes
from lightboard.events.messages import TENSOR
from lightboard.events.window import Window, fields_of
from lightboard.events.wire import BYTES, FIXED32, VARINT, MalformedError, fields, signed64

STRING = 7

MAX_BYTES = 64 << 20
"""A numeric tensor that takes more is not shown."""

SHAPE_BYTES = 4096
"""No tensor that means anything has so many dimensions."""

MAX_STRINGS = 100_000
"""Nor are more strings of one tensor."""

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
    """What a Summary.Value carries: the number of its field (see `messages`), 0 if nothing, and where that lies."""

    field: int
    begin: int
    end: int


class Outline(NamedTuple):
    """A TensorProto without its numbers: type, shape (None where none was written), where raw content lies."""

    dtype: int
    shape: tuple[int, ...] | None
    content: tuple[int, int]


class Strings(NamedTuple):
    """A tensor of strings: its shape, and where each string lies in the value."""

    shape: tuple[int, ...]
    spans: list[tuple[int, int]]


def payload_of(window: Window) -> Payload:
    """The payload of the Summary.Value in `window`; the last one counts, as in protobuf. Raises Unshowable."""
    found = Payload(0, 0, 0)
    try:
        for number, wire_type, begin, end in fields_of(window, 0, window.length):
            if number in (2, 3, 4, 5, 6, 8) and wire_type == (FIXED32 if number == 2 else BYTES):
                found = Payload(number, begin, end)
    except MalformedError:
        raise Unshowable("the value is malformed, or the file has changed", hint="reload and look again") from None
    return found


def outline_of(window: Window, payload: Payload) -> Outline:
    """Type and shape of the tensor in `payload`; its numbers stay unread. Raises MalformedError."""
    dtype, shape, content = 0, None, (0, 0)
    for number, wire_type, begin, end in fields_of(window, payload.begin, payload.end):
        if number == 1 and wire_type == VARINT:
            dtype = begin
        elif number == 2 and wire_type == BYTES:
            shape = shape_in(window, begin, end)
        elif number == 4 and wire_type == BYTES:
            content = (begin, end)
    return Outline(dtype, shape, content)


def strings_of(window: Window) -> Strings:
    """The strings of a tensor of strings, unread: a value of any size costs a few bytes for each. Raises Unshowable."""
    payload = payload_of(window)
    if payload.field != TENSOR:
        raise Unshowable("the value holds no tensor")
    shape: tuple[int, ...] | None = None
    spans: list[tuple[int, int]] = []
    try:
        for number, wire_type, begin, end in fields_of(window, payload.begin, payload.end):
            if number == 8 and wire_type == BYTES:
                spans.append((begin, end))
                if len(spans) > MAX_STRINGS:
                    raise Unshowable(f"the tensor holds more than {MAX_STRINGS} strings")
            elif number == 2 and wire_type == BYTES:
                shape = shape_in(window, begin, end)
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None
    if shape is None and len(spans) == 1:
        shape = ()  # as for protocol buffers: no shape is that of a single value
    if shape is None or math.prod(shape) != len(spans):
        shape = (len(spans),)  # some writers leave the shape out
    return Strings(shape, spans)


def shape_in(window: Window, begin: int, end: int) -> tuple[int, ...]:
    """The TensorShapeProto in [begin, end) of a window. Raises MalformedError."""
    if end - begin > SHAPE_BYTES:
        raise MalformedError
    data = window.slice(begin, end)
    return shape_of(data, 0, len(data))


def shape_of(data: bytes, at: int, end: int) -> tuple[int, ...]:
    """The sizes of a TensorShapeProto; -1 where the writer did not know. Raises MalformedError."""
    sizes = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 2 and wire_type == BYTES:
            size = 0
            for inner, inner_type, inner_value, _ in fields(data, value, stop):
                if inner == 1 and inner_type == VARINT:
                    size = signed64(inner_value)
            sizes.append(size)
    return tuple(sizes)


def too_large(size_bytes: int) -> str:
    """What is said of a value that is not shown for its size."""
    return f"the value takes {size_bytes / 2**20:.0f} MB, more than is shown"
