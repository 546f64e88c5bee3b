"""Variables out of TensorFlow checkpoints, without TensorFlow.

A checkpoint is a table `<prefix>.index`, variable name -> BundleEntryProto, and shards `<prefix>.data-00000-of-00001`
that hold the numbers as they lie in memory. The table is of LevelDB's form: blocks of keys that share prefixes, an
index of the blocks, a footer. Not here: V1 checkpoints (one file), string tensors, variables cut into slices.
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
MOST_INDEX_BYTES = 64 << 20
MOST_VARIABLES = 200_000

DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 10: "?", 19: "<f2", 22: "<u4", 23: "<u8"}
BFLOAT16 = 14


class Variable(NamedTuple):
    """Where the numbers of one variable lie. `dtype` is TensorFlow's number for it; `size` in bytes."""

    name: str
    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    sliced: bool


class Index(NamedTuple):
    """All variables of a checkpoint by name, and how many shards it has."""

    shards: int
    variables: dict[str, Variable]


def parse_index(data: bytes) -> Index:
    """The table in the bytes of an `.index` file. Raises Unshowable."""
    try:
        return index_of(data)
    except (MalformedError, IndexError, struct.error):
        raise Unshowable("the index of the checkpoint is damaged") from None


def index_of(data: bytes) -> Index:
    """As `parse_index`, with whatever damage raises."""
    if len(data) < FOOTER_BYTES or struct.unpack_from("<Q", data, len(data) - 8)[0] != MAGIC:
        raise Unshowable("this is no checkpoint of TensorFlow 2 or of tf.train.Saver's format 2")
    footer = data[-FOOTER_BYTES:]
    _, at = handle_of(footer, 0)
    blocks, _ = handle_of(footer, at)
    shards = 1
    variables: dict[str, Variable] = {}
    for _, handle in entries_of(block_at(data, *blocks)):
        for key, value in entries_of(block_at(data, *handle_of(handle, 0)[0])):
            if key == b"":
                shards = shards_of(value)
            elif len(variables) < MOST_VARIABLES:
                variable = variable_of(key.decode("utf-8", "replace"), value)
                variables[variable.name] = variable
    return Index(shards, variables)


def handle_of(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """Offset and size of a block, and the place after them."""
    offset, at = varint(data, at, len(data))
    size, at = varint(data, at, len(data))
    return (offset, size), at


def block_at(data: bytes, offset: int, size: int) -> bytes:
    """The bytes of one block. Raises MalformedError, Unshowable where it is compressed."""
    if offset + size + 5 > len(data):
        raise MalformedError
    if data[offset + size] != 0:
        raise Unshowable("the index of the checkpoint is compressed, which TensorFlow does not do")
    return data[offset : offset + size]


def entries_of(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Key and value of each entry of a block."""
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
    """How many shards a BundleHeaderProto tells. Raises Unshowable for numbers of the other byte order."""
    shards = 1
    for number, wire_type, found, _ in fields(value, 0, len(value)):
        if number == 1 and wire_type == VARINT:
            shards = found
        elif number == 2 and wire_type == VARINT and found:
            raise Unshowable("the checkpoint is big-endian")
    return shards


def variable_of(name: str, value: bytes) -> Variable:
    """One BundleEntryProto."""
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
    """A TensorShapeProto: the size in each dimension, -1 where it is not told."""
    shape = []
    for number, wire_type, at, stop in fields(value, begin, end):
        if number == 2 and wire_type == BYTES:
            size = 0
            for field, kind, found, _ in fields(value, at, stop):
                if field == 1 and kind == VARINT:
                    size = signed64(found)
            shape.append(size)
    return tuple(shape)


def is_table(variable: Variable) -> bool:
    """Whether it can be looked at as rows of numbers and is no state of an optimizer."""
    known = variable.dtype in DTYPES or variable.dtype == BFLOAT16
    return len(variable.shape) == 2 and min(variable.shape) > 0 and known and ".OPTIMIZER_SLOT" not in variable.name


def numbers_of(variable: Variable, data: bytes) -> Matrix:
    """The bytes of a variable as float32 in its shape. Raises Unshowable."""
    if variable.dtype == BFLOAT16:
        wide = np.frombuffer(data[: len(data) // 2 * 2], "<u2").astype(np.uint32) << 16
        flat = wide.view(np.float32)
    elif variable.dtype in DTYPES:
        dtype = np.dtype(DTYPES[variable.dtype])
        flat = np.frombuffer(data[: len(data) // dtype.itemsize * dtype.itemsize], dtype).astype(np.float32)
    else:
        raise Unshowable(f"variable {variable.name!r} holds no numbers")
    wanted = 1
    for size in variable.shape:
        wanted *= max(0, size)
    if flat.size != wanted:
        raise Unshowable(
            f"variable {variable.name!r} is damaged: its shape is {variable.shape}, it has {flat.size} numbers"
        )
    return flat.reshape(variable.shape[0], variable.shape[1])
