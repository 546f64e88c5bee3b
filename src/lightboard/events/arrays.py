"""Reads the numbers of tensors of any shape as NumPy arrays.

A tensor is a TensorProto. Its numbers are in `tensor_content` or in the repeated fields, whose last number fills the
rest. No array is allocated that is larger than its bytes justify. The decoder reads the number of a scalar by itself,
see `tensor`.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events import tensor as dtypes
from lightboard.events.byte_reader import ByteReader
from lightboard.events.messages import TENSOR
from lightboard.events.payloads import MAX_BYTES, find_payload, parse_shape, too_large_message
from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, MalformedError, fields, varint

_DTYPES: dict[int, str] = {
    dtypes.FLOAT: "<f4",
    dtypes.DOUBLE: "<f8",
    dtypes.INT32: "<i4",
    dtypes.UINT8: "<u1",
    dtypes.INT16: "<i2",
    dtypes.INT8: "<i1",
    dtypes.INT64: "<i8",
    dtypes.BOOL: "?",
    dtypes.BFLOAT16: "<u2",
    dtypes.UINT16: "<u2",
    dtypes.HALF: "<f2",
    dtypes.UINT32: "<u4",
    dtypes.UINT64: "<u8",
}
_PACKED = {5: "<f4", 6: "<f8"}
_VARINTS = frozenset({7, 10, 11, 13, 16, 17})


def read_numbers(reader: ByteReader) -> npt.NDArray[Any]:
    """The numeric tensor of a value, in its own type (bfloat16 as float32). Raises Unshowable."""
    payload = find_payload(reader)
    if payload.field != TENSOR:
        raise Unshowable("the value holds no tensor")
    if payload.end - payload.begin > MAX_BYTES:
        raise Unshowable(too_large_message(payload.end - payload.begin), hint="download the value instead")
    try:
        return tensor_numbers(reader.slice(payload.begin, payload.end))
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None


def tensor_numbers(data: bytes) -> npt.NDArray[Any]:
    """The numbers of a serialized TensorProto in its shape. Raises MalformedError, Unshowable."""
    dtype, shape, content, pieces = 0, None, b"", []
    for number, wire_type, value, stop in fields(data, 0, len(data)):
        if number == 1 and wire_type == VARINT:
            dtype = value
        elif number == 2 and wire_type == BYTES:
            shape = parse_shape(data, value, stop)
        elif number == 4 and wire_type == BYTES:
            content = data[value:stop]
        elif number in _PACKED or number in _VARINTS:
            pieces.append(_values(data, number, wire_type, value, stop))
    layout = _DTYPES.get(dtype)
    if layout is None:
        raise Unshowable(f"tensors of type {dtype} are not numbers")
    return _reshape(content_numbers(content, dtype) if content else _concatenate(pieces, dtype, layout), shape)


def content_numbers(content: bytes, dtype: int) -> npt.NDArray[Any]:
    """Raw content as numbers of that type (bfloat16 as float32). An incomplete number at the end is dropped.

    Raises Unshowable for a type that is not numeric.
    """
    layout = _DTYPES.get(dtype)
    if layout is None:
        raise Unshowable(f"tensors of type {dtype} are not numbers")
    values = np.frombuffer(content[: len(content) // np.dtype(layout).itemsize * np.dtype(layout).itemsize], layout)
    if dtype == dtypes.BFLOAT16:
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values


def _values(data: bytes, number: int, wire_type: int, at: int, end: int) -> npt.NDArray[Any]:
    """The numbers of one repeated field, packed or not."""
    if number in _PACKED:
        single = FIXED32 if number == 5 else FIXED64
        width = 4 if number == 5 else 8
        if wire_type not in (BYTES, single) or (end - at) % width:
            raise MalformedError
        return np.frombuffer(data[at:end], _PACKED[number])
    if wire_type == VARINT:
        return np.array([at], np.uint64)
    if wire_type != BYTES:
        raise MalformedError
    return _varints(data, at, end)


def _varints(data: bytes, at: int, end: int) -> npt.NDArray[np.uint64]:
    """Packed varints, without a loop in the common case that all have one byte."""
    raw = np.frombuffer(data[at:end], np.uint8)
    if not (raw & 0x80).any():
        return raw.astype(np.uint64)
    found = []
    while at < end:
        value, at = varint(data, at, end)
        found.append(value)
    return np.array(found, np.uint64)


def _concatenate(pieces: list[npt.NDArray[Any]], dtype: int, layout: str) -> npt.NDArray[Any]:
    """The numbers of the repeated fields, in the type of the tensor. Raises MalformedError."""
    if not pieces:
        return np.zeros(0, layout if dtype != dtypes.BFLOAT16 else np.float32)
    values = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    if dtype in (dtypes.HALF, dtypes.BFLOAT16):
        return _halves(values, dtype)
    if dtype == dtypes.BOOL:
        return values.astype(np.bool_)
    if values.dtype.kind == "u":
        # Negative numbers have 64 bits in two's complement. Some writers use 32 bits.
        return values.astype(np.uint64).view(np.int64).astype(layout)
    return values.astype(layout)


def _halves(bits: npt.NDArray[Any], dtype: int) -> npt.NDArray[Any]:
    """Numbers of 16 bits each. torch writes the 32 bits of a float instead."""
    bits = bits.astype(np.uint64)
    upper = (bits >> np.uint64(16)) & np.uint64(0xFFFF)
    if ((upper != 0) & (upper != 0xFFFF)).any():
        return bits.astype(np.uint32).view(np.float32)
    if dtype == dtypes.BFLOAT16:
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits.astype(np.uint16).view(np.float16)


def _reshape(values: npt.NDArray[Any], shape: tuple[int, ...] | None) -> npt.NDArray[Any]:
    """The numbers in the given shape. If there are too few, the last one is repeated. Raises Unshowable."""
    if shape is None:
        return values if values.size != 1 else values.reshape(())
    if any(size < 0 for size in shape):
        return values
    count = math.prod(shape)
    if count == values.size:
        return values.reshape(shape)
    if count * values.itemsize > MAX_BYTES:
        raise Unshowable(too_large_message(count * values.itemsize))
    if values.size > count:
        raise Unshowable(f"the tensor holds {values.size} numbers, its shape says {count}")
    filled = np.zeros(count, values.dtype)
    filled[: values.size] = values
    if values.size:
        filled[values.size :] = values[-1]
    return filled.reshape(shape)
