"""The numbers of tensors of any shape, as NumPy arrays.

A tensor is a TensorProto: `tensor_content`, or the repeated fields, of which the last number fills what is missing.
Nothing is made that its bytes do not pay for. Not here: the one number of a scalar (`tensor`), which the decoder reads
itself.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events import tensor as dtypes
from lightboard.events.messages import TENSOR
from lightboard.events.payloads import MAX_BYTES, payload_of, shape_of, too_large
from lightboard.events.window import Window
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


def numbers_of(window: Window) -> npt.NDArray[Any]:
    """The numeric tensor of a value, in its own type (bfloat16 as float32). Raises Unshowable."""
    payload = payload_of(window)
    if payload.field != TENSOR:
        raise Unshowable("the value holds no tensor")
    if payload.end - payload.begin > MAX_BYTES:
        raise Unshowable(too_large(payload.end - payload.begin), hint="download the value instead")
    try:
        return tensor_numbers(window.slice(payload.begin, payload.end))
    except MalformedError:
        raise Unshowable("the tensor is malformed") from None


def tensor_numbers(data: bytes) -> npt.NDArray[Any]:
    """The numbers of a serialized TensorProto in its shape. Raises MalformedError, Unshowable."""
    dtype, shape, content, pieces = 0, None, b"", []
    for number, wire_type, value, stop in fields(data, 0, len(data)):
        if number == 1 and wire_type == VARINT:
            dtype = value
        elif number == 2 and wire_type == BYTES:
            shape = shape_of(data, value, stop)
        elif number == 4 and wire_type == BYTES:
            content = data[value:stop]
        elif number in _PACKED or number in _VARINTS:
            pieces.append(_values(data, number, wire_type, value, stop))
    layout = _DTYPES.get(dtype)
    if layout is None:
        raise Unshowable(f"tensors of type {dtype} are not numbers")
    return _shaped(content_numbers(content, dtype) if content else _joined(pieces, dtype, layout), shape)


def content_numbers(content: bytes, dtype: int) -> npt.NDArray[Any]:
    """Raw content as numbers of that type (bfloat16 as float32); a last one that is not whole is left out.

    Raises Unshowable for a type that is no number.
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
    """Packed varints; where all have one byte, which is usual, without a loop."""
    raw = np.frombuffer(data[at:end], np.uint8)
    if not (raw & 0x80).any():
        return raw.astype(np.uint64)
    found = []
    while at < end:
        value, at = varint(data, at, end)
        found.append(value)
    return np.array(found, np.uint64)


def _joined(pieces: list[npt.NDArray[Any]], dtype: int, layout: str) -> npt.NDArray[Any]:
    """The repeated fields in the tensor's own type. Raises MalformedError."""
    if not pieces:
        return np.zeros(0, layout if dtype != dtypes.BFLOAT16 else np.float32)
    values = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    if dtype in (dtypes.HALF, dtypes.BFLOAT16):
        return _halves(values, dtype)
    if dtype == dtypes.BOOL:
        return values.astype(np.bool_)
    if values.dtype.kind == "u":
        # Negative numbers come as 64 bits of two's complement, or as 32 where the writer was careless.
        return values.astype(np.uint64).view(np.int64).astype(layout)
    return values.astype(layout)


def _halves(bits: npt.NDArray[Any], dtype: int) -> npt.NDArray[Any]:
    """Sixteen bits each; torch writes the 32 bits of a float there."""
    bits = bits.astype(np.uint64)
    upper = (bits >> np.uint64(16)) & np.uint64(0xFFFF)
    if ((upper != 0) & (upper != 0xFFFF)).any():
        return bits.astype(np.uint32).view(np.float32)
    if dtype == dtypes.BFLOAT16:
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits.astype(np.uint16).view(np.float16)


def _shaped(values: npt.NDArray[Any], shape: tuple[int, ...] | None) -> npt.NDArray[Any]:
    """In the shape said, the last number repeated where too few were given. Raises Unshowable."""
    if shape is None:
        return values if values.size != 1 else values.reshape(())
    if any(size < 0 for size in shape):
        return values
    count = math.prod(shape)
    if count == values.size:
        return values.reshape(shape)
    if count * values.itemsize > MAX_BYTES:
        raise Unshowable(too_large(count * values.itemsize))
    if values.size > count:
        raise Unshowable(f"the tensor holds {values.size} numbers, its shape says {count}")
    filled = np.zeros(count, values.dtype)
    filled[: values.size] = values
    if values.size:
        filled[values.size :] = values[-1]
    return filled.reshape(shape)
