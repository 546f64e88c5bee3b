"""Reads variables from TensorFlow checkpoints, without TensorFlow.

A checkpoint has an index `<prefix>.index`, which maps variable names to BundleEntryProtos, and shards
`<prefix>.data-00000-of-00001` with the raw numbers. The index has the table format of LevelDB: blocks of entries whose
keys share prefixes, an index of the blocks, and a footer. Not supported: V1 checkpoints (a single file), string
tensors, sliced variables.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lightboard.errors import Unshowable
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields, signed64, varint
from lightboard.query.projector.matrix import Matrix

MAGIC = 0xDB4775248B80FB57
FOOTER_BYTES = 48
MAX_INDEX_BYTES = 64 << 20
MAX_VARIABLES = 200_000

DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 10: "?", 19: "<f2", 22: "<u4", 23: "<u8"}
BFLOAT16 = 14


class Variable(NamedTuple):
    """The location of one variable. `dtype` is a DataType of TensorFlow; `offset` and `size` are in bytes."""

    name: str
    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    sliced: bool


class Index(NamedTuple):
    """The variables of a checkpoint by name, and its number of shards."""

    shards: int
    variables: dict[str, Variable]


def parse_index(data: bytes) -> Index:
    """Parse an `.index` file. Raises Unshowable."""
    try:
        return index_of(data)
    except (MalformedError, IndexError, struct.error):
        raise Unshowable("the index of the checkpoint is damaged") from None


def index_of(data: bytes) -> Index:
    """Like `parse_index`. Damage raises MalformedError, IndexError or struct.error."""
    if len(data) < FOOTER_BYTES or struct.unpack_from("<Q", data, len(data) - 8)[0] != MAGIC:
        raise Unshowable("this is not a checkpoint of TensorFlow 2 or of tf.train.Saver's format 2")
    footer = data[-FOOTER_BYTES:]
    _, end = handle_of(footer, 0)  # the meta index, which is empty
    block_index, _ = handle_of(footer, end)
    shards = 1
    variables: dict[str, Variable] = {}
    for _, handle in entries_of(block_at(data, *block_index)):
        for key, value in entries_of(block_at(data, *handle_of(handle, 0)[0])):
            if key == b"":
                shards = shards_of(value)
            elif len(variables) < MAX_VARIABLES:
                variable = variable_of(key.decode("utf-8", "replace"), value)
                variables[variable.name] = variable
    return Index(shards, variables)


def handle_of(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """Parse the offset and size of a block. Returns them and the position after them."""
    offset, at = varint(data, at, len(data))
    size, at = varint(data, at, len(data))
    return (offset, size), at


def block_at(data: bytes, offset: int, size: int) -> bytes:
    """The bytes of one block. Raises MalformedError, or Unshowable if it is compressed."""
    if offset + size + 5 > len(data):
        raise MalformedError
    if data[offset + size] != 0:
        raise Unshowable("the index of the checkpoint is compressed, which TensorFlow does not do")
    return data[offset : offset + size]


def entries_of(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values of a block. Raises MalformedError."""
    (restarts,) = struct.unpack_from("<I", block, len(block) - 4)
    end = len(block) - 4 - 4 * restarts
    if end < 0:
        raise MalformedError
    at, key = 0, b""
    while at < end:
        shared, at = varint(block, at, end)
        own, at = varint(block, at, end)
        length, at = varint(block, at, end)
        if shared > len(key) or at + own + length > end:
            raise MalformedError
        key = key[:shared] + block[at : at + own]
        yield key, block[at + own : at + own + length]
        at += own + length


def shards_of(value: bytes) -> int:
    """The number of shards in a BundleHeaderProto. Raises Unshowable if the numbers are big-endian."""
    shards = 1
    for number, wire_type, content, _ in fields(value, 0, len(value)):
        if number == 1 and wire_type == VARINT:
            shards = content
        elif number == 2 and wire_type == VARINT and content:
            raise Unshowable("the checkpoint is big-endian")
    return shards


def variable_of(name: str, value: bytes) -> Variable:
    """Parse a BundleEntryProto. Raises MalformedError."""
    numbers = {1: 0, 3: 0, 4: 0, 5: 0}
    shape: tuple[int, ...] = ()
    sliced = False
    for number, wire_type, begin, end in fields(value, 0, len(value)):
        if wire_type == VARINT and number in numbers:
            numbers[number] = begin
        elif number == 2 and wire_type == BYTES:
            shape = shape_of(value, begin, end)
        elif number == 7:
            sliced = True
    return Variable(name, numbers[1], shape, numbers[3], signed64(numbers[4]), signed64(numbers[5]), sliced)


def shape_of(value: bytes, begin: int, end: int) -> tuple[int, ...]:
    """Parse a TensorShapeProto: the size of each dimension, -1 if unknown. Raises MalformedError."""
    shape = []
    for number, wire_type, dim_begin, dim_end in fields(value, begin, end):
        if number == 2 and wire_type == BYTES:
            size = 0
            for field, field_type, content, _ in fields(value, dim_begin, dim_end):
                if field == 1 and field_type == VARINT:
                    size = signed64(content)
            shape.append(size)
    return tuple(shape)


def is_table(variable: Variable) -> bool:
    """Whether a variable is a non-empty matrix of numbers, and not the state of an optimizer."""
    numeric = variable.dtype in DTYPES or variable.dtype == BFLOAT16
    return len(variable.shape) == 2 and min(variable.shape) > 0 and numeric and ".OPTIMIZER_SLOT" not in variable.name


def numbers_of(variable: Variable, data: bytes) -> Matrix:
    """Decode the bytes of a two-dimensional variable to float32. Raises Unshowable."""
    if variable.dtype == BFLOAT16:
        wide = np.frombuffer(data[: len(data) // 2 * 2], "<u2").astype(np.uint32) << 16
        flat = wide.view(np.float32)
    elif variable.dtype in DTYPES:
        dtype = np.dtype(DTYPES[variable.dtype])
        flat = np.frombuffer(data[: len(data) // dtype.itemsize * dtype.itemsize], dtype).astype(np.float32)
    else:
        raise Unshowable(f"variable {variable.name!r} holds no numbers")
    expected = 1
    for size in variable.shape:
        expected *= max(0, size)
    if flat.size != expected:
        raise Unshowable(
            f"variable {variable.name!r} is damaged: its shape is {variable.shape}, it has {flat.size} numbers"
        )
    return flat.reshape(variable.shape[0], variable.shape[1])
