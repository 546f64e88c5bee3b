"""The series block: the binary format in which one downsampled series is sent to the page. Only encodes.

Little-endian. Header of 64 bytes: run id u32, flags u32, points n u32, smoothed points m u32, held u64, in range u64,
first x i64, aux of the first point f64, byte lengths of the x deltas, smoothed x deltas and aux deltas u32 each,
restarts u32. Then y (n), smoothed y (m), restarts (i64), x deltas (n - 1 varints), smoothed x deltas (m varints, the
first relative to the first x), aux deltas (n - 1 varints). y, smoothed y and the whole block are padded to 8 bytes.
Varints are zigzag LEB128 of differences modulo 2^64.

A group also has, before the restarts, its lower and upper edge (n, like y), the number of members with a value at each
point, and the number of members whose value is not finite (u32, n), each padded to 8 bytes. If x is real, every x is a
float64 instead of an integer or varint, including the first x and the restarts.
"""

import struct
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

RAW, WIDE, AUX, MICROSECONDS, GROUP, REAL, REPEATS = 1, 2, 4, 8, 16, 32, 64


class Block(NamedTuple):
    """The contents of a block. `smoothed_xs` is empty if the smoothed points have the same xs.

    If x is real, xs and restarts hold the bits of doubles.
    """

    run: int
    flags: int
    held: int
    in_range: int
    xs: Sequence[int]
    ys: Sequence[float]
    smoothed_xs: Sequence[int]
    smoothed_ys: Sequence[float]
    restarts: Sequence[int]
    aux: Sequence[int]
    first_aux: float
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    members: Sequence[int] = ()
    nonfinite: Sequence[int] = ()

    def encode(self) -> bytes:
        """The encoded block. Its length is a multiple of 8."""
        first = self.xs[0] if self.xs else 0
        real = self.flags & REAL
        deltas = _integers(self.xs) if real else _deltas(self.xs)
        smoothed_deltas = _integers(self.smoothed_xs) if real else _deltas([first, *self.smoothed_xs])
        aux_deltas = _deltas(self.aux)
        counts = (self.run, self.flags, len(self.ys), len(self.smoothed_ys), self.held, self.in_range, first)
        lengths = (len(deltas), len(smoothed_deltas), len(aux_deltas), len(self.restarts))
        header = struct.pack("<IIIIQQq", *counts) + struct.pack("<dIIII", self.first_aux, *lengths)
        body = header + self._numbers(self.ys) + self._numbers(self.smoothed_ys)
        if self.flags & GROUP:
            body += self._numbers(self.lows) + self._numbers(self.highs)
            for column in (self.members, self.nonfinite):
                body += _padded(struct.pack(f"<{len(column)}I", *column))
        body += _integers(self.restarts)
        return _padded(body + deltas + smoothed_deltas + aux_deltas)

    def _numbers(self, values: Sequence[float]) -> bytes:
        if self.flags & WIDE:
            return struct.pack(f"<{len(values)}d", *values)
        return _padded(b"".join(map(_float32, values)))


def _float32(value: float) -> bytes:
    try:
        return struct.pack("<f", value)
    except OverflowError:  # a smoothed value slightly above the largest float32 becomes infinite, as in C
        return struct.pack("<f", float("inf") if value > 0 else float("-inf"))


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _integers(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}q", *numbers)


def _deltas(numbers: Sequence[int]) -> bytes:
    pairs = pairwise(numbers)
    return b"".join(_varint(later - earlier) for earlier, later in pairs)


def _varint(difference: int) -> bytes:
    bits = difference & 0xFFFF_FFFF_FFFF_FFFF
    bits = ((bits << 1) & 0xFFFF_FFFF_FFFF_FFFF) ^ (0xFFFF_FFFF_FFFF_FFFF if bits >> 63 else 0)
    out = bytearray()
    while bits > 0x7F:
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)
