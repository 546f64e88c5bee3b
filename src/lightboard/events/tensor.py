"""Parses a TensorProto as far as scalars need it: the single number of a tensor that has one. `arrays` reads the
others."""

import struct
from typing import NamedTuple

from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, MalformedError, fields, signed32, signed64, varint

FLOAT, DOUBLE, INT32, UINT8, INT16, INT8 = 1, 2, 3, 4, 5, 6
INT64, BOOL, BFLOAT16, UINT16, HALF, UINT32, UINT64 = 9, 10, 14, 17, 19, 22, 23

_CONTENT = {
    FLOAT: "<f",
    DOUBLE: "<d",
    INT32: "<i",
    UINT8: "<B",
    INT16: "<h",
    INT8: "<b",
    INT64: "<q",
    UINT16: "<H",
    HALF: "<e",
    UINT32: "<I",
    UINT64: "<Q",
}
_INTEGERS = frozenset({INT32, UINT8, INT16, INT8, INT64, UINT16, UINT32, UINT64})
_INTEGER_FIELDS = frozenset({7, 10, 16, 17})
_VALUE_FIELDS = {5: FIXED32, 6: FIXED64, 7: VARINT, 10: VARINT, 11: VARINT, 13: VARINT, 16: VARINT, 17: VARINT}


class Tensor(NamedTuple):
    """The relevant fields of a TensorProto. `values` holds (field, raw bits) of at most the first two numbers."""

    dtype: int
    rank: int
    elements: int
    content: bytes
    values: list[tuple[int, int]]


def parse_tensor(data: bytes, at: int, end: int) -> Tensor:
    """Parse the TensorProto in data[at:end]. Raises MalformedError."""
    dtype, dims, content = 0, [], b""
    values: list[tuple[int, int]] = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 1 and wire_type == VARINT:
            dtype = value
        elif number == 2 and wire_type == BYTES:
            dims = _shape(data, value, stop)
        elif number == 4 and wire_type == BYTES:
            content = data[value:stop]
        elif number in _VALUE_FIELDS:
            values += _numbers(data, number, wire_type, value, stop)
            del values[2:]
    elements = 1
    for size in dims:
        elements = elements * size if 0 <= size < 2 else 2
    return Tensor(dtype, len(dims), elements, content, values)


def _shape(data: bytes, at: int, end: int) -> list[int]:
    dims = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 2 and wire_type == BYTES:
            size = 0
            for inner, inner_type, inner_value, _ in fields(data, value, stop):
                if inner == 1 and inner_type == VARINT:
                    size = signed64(inner_value)
            dims.append(size)
    return dims


def _numbers(data: bytes, number: int, wire_type: int, value: int, stop: int) -> list[tuple[int, int]]:
    """The first two numbers of one *_val field, packed or not; none if it has a different wire type."""
    single = _VALUE_FIELDS[number]
    if wire_type == VARINT and single == VARINT:
        return [(number, value)]
    if wire_type == single:
        return [(number, int.from_bytes(data[value:stop], "little"))]
    if wire_type != BYTES:
        return []
    if single != VARINT:
        width = 4 if single == FIXED32 else 8
        if (stop - value) % width:
            raise MalformedError
        stop = min(stop, value + 2 * width)
        return [(number, int.from_bytes(data[at : at + width], "little")) for at in range(value, stop, width)]
    found: list[tuple[int, int]] = []
    while value < stop and len(found) < 2:
        raw, value = varint(data, value, stop)
        found.append((number, raw))
    return found


def scalar(tensor: Tensor, *, any_shape: bool) -> float | None:
    """The number of a numeric tensor of rank 0 (or, with `any_shape`, of one element); None for other tensors.

    A tensor without numbers is filled with zeros, like in TensorFlow.
    """
    if tensor.rank and not (any_shape and tensor.elements == 1):
        return None
    if tensor.content:
        return _from_content(tensor.dtype, tensor.content)
    if not tensor.values and (tensor.dtype in _CONTENT or tensor.dtype in (BOOL, BFLOAT16)):
        return 0.0
    if len(tensor.values) != 1:
        return None
    field, bits = tensor.values[0]
    return _from_value(tensor.dtype, field, bits)


def _from_content(dtype: int, content: bytes) -> float | None:
    if dtype == BOOL and len(content) == 1:
        return float(content != b"\0")
    if dtype == BFLOAT16 and len(content) == 2:
        return _float32(int.from_bytes(content, "little") << 16)
    layout = _CONTENT.get(dtype)
    if layout is None or struct.calcsize(layout) != len(content):
        return None
    return float(struct.unpack(layout, content)[0])


def _from_value(dtype: int, field: int, bits: int) -> float | None:
    if dtype == FLOAT and field == 5:
        return _float32(bits)
    if dtype == DOUBLE and field == 6:
        return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
    if dtype == BOOL and field == 11:
        return float(bits != 0)
    if dtype in (HALF, BFLOAT16) and field == 13:
        return _half(dtype, bits & 0xFFFF_FFFF)
    if dtype in _INTEGERS and field in _INTEGER_FIELDS:
        return float(_integer(field, bits))
    return None


def _integer(field: int, bits: int) -> int:
    if field == 7:
        return signed32(bits)
    if field == 10:
        return signed64(bits)
    return bits & 0xFFFF_FFFF if field == 16 else bits


def _half(dtype: int, bits: int) -> float:
    """Sixteen bits, sign-extended or not. A wider number is a float32 bit pattern, which torch writes to this field."""
    if bits >> 16 not in (0, 0xFFFF):
        return _float32(bits)
    if dtype == BFLOAT16:
        return _float32((bits & 0xFFFF) << 16)
    return float(struct.unpack("<e", (bits & 0xFFFF).to_bytes(2, "little"))[0])


def _float32(bits: int) -> float:
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
