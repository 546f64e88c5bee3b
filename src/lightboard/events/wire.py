"""The protocol-buffers wire format, as far as needed to iterate over the fields of a message."""

from collections.abc import Iterator
from typing import TypeAlias

VARINT, FIXED64, BYTES, GROUP_START, GROUP_END, FIXED32 = range(6)

Field: TypeAlias = tuple[int, int, int, int]
"""Field number, wire type, then the number itself (varint) or the first byte of the payload, then its end."""


class MalformedError(Exception):
    """The bytes are not a valid message."""


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Read a varint of at most ten bytes. Returns its low 64 bits and the position after it."""
    if at < end and data[at] < 0x80:  # most have one byte
        return data[at], at + 1
    value = 0
    for count in range(10):
        if at >= end:
            raise MalformedError
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise MalformedError


def signed64(value: int) -> int:
    """Interpret 64 bits as two's complement."""
    return value - (1 << 64) if value >> 63 else value


def signed32(value: int) -> int:
    """Interpret the low 32 bits as two's complement, like an int32 field."""
    value &= 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


def fields(data: bytes, at: int, end: int) -> Iterator[Field]:
    """Iterate over the fields of the message in data[at:end]. Groups are skipped.

    Raises MalformedError at the first invalid byte.
    """
    depth = 0
    while at < end:
        key, at = varint(data, at, end)
        if key >> 32 or key >> 3 == 0:
            raise MalformedError
        wire_type = key & 7
        begin = at
        number = 0
        if wire_type == VARINT:
            number, at = varint(data, at, end)
        elif wire_type == FIXED64:
            at += 8
        elif wire_type == BYTES:
            length, begin = varint(data, at, end)
            at = begin + length
        elif wire_type == FIXED32:
            at += 4
        elif wire_type == GROUP_START:
            depth += 1
            continue
        elif wire_type == GROUP_END and depth:
            depth -= 1
            continue
        else:
            raise MalformedError
        if at > end:
            raise MalformedError
        if not depth:
            yield key >> 3, wire_type, number if wire_type == VARINT else begin, at
    if depth:
        raise MalformedError
