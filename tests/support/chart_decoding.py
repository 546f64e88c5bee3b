"""Decodes binary chart responses as described in docs/http.md."""

import struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64]


class ChartBlock(NamedTuple):
    """One block: a run, or a group if `members` is not None."""

    run: int
    raw: bool
    held: int
    in_range: int
    x: Column
    y: Column
    smoothed_x: Column
    smoothed_y: Column
    low: Column
    high: Column
    members: list[int] | None
    nonfinite: list[int]
    restarts: list[float]
    aux: list[float]


def decode_charts(body: bytes) -> list[list[ChartBlock]]:
    """The blocks of each chart."""
    _, count, _ = struct.unpack_from("<4sIQ", body)
    at, found = 16, []
    for _ in range(count):
        _, blocks, size = struct.unpack_from("<IIQ", body, at)
        end = (at := at + 16) + size
        chart = []
        while at < end:
            block, at = decode_block(body, at)
            chart.append(block)
        assert (at, len(chart)) == (end, blocks)
        found.append(chart)
    assert at == len(body)
    return found


def decode_block(body: bytes, at: int) -> tuple[ChartBlock, int]:
    """The block at an offset, and the offset after it."""
    run, flags, n, m, held, in_range, first, first_aux, *lengths, restarts = struct.unpack_from(
        "<IIIIQQqdIIII", body, at
    )
    at += 64
    number = np.dtype("<f8" if flags & 2 else "<f4")

    def take(kind: npt.DTypeLike, count: int) -> Column:
        nonlocal at
        column = np.frombuffer(body, kind, count, at).astype(float)
        at += (column.size * np.dtype(kind).itemsize + 7) // 8 * 8
        return column

    def xs(size: int, given: bool) -> Column:
        nonlocal at
        data = body[at : at + size]
        at += size
        if flags & 32:
            return np.frombuffer(data, "<f8")
        return np.array([first] * given + running_sums(data, first), float) / (1e6 if flags & 8 else 1)

    y, smoothed_y = take(number, n), take(number, m)
    is_group = bool(flags & 16)
    low, high = (take(number, n), take(number, n)) if is_group else (np.empty(0), np.empty(0))
    members = [int(count) for count in take("<u4", n)] if is_group else None
    nonfinite = [int(count) for count in take("<u4", n)] if is_group else []
    marks = take("<f8" if flags & 32 else "<i8", restarts) / (1e6 if flags & 8 else 1)
    x, smoothed_x = xs(lengths[0], n > 0), xs(lengths[1], False)
    aux = [first_aux, *running_sums(body[at : at + lengths[2]], int(first_aux))] if flags & 4 and n else []
    at = (at + lengths[2] + 7) // 8 * 8
    edges = (low, high, members, nonfinite)
    return ChartBlock(run, bool(flags & 1), held, in_range, x, y, smoothed_x, smoothed_y, *edges, [*marks], aux), at


def running_sums(data: bytes, value: int) -> list[int]:
    """Cumulative sums of zigzag varints."""
    sums, shift, bits = [], 0, 0
    for byte in data:
        bits |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            value += (bits >> 1) ^ -(bits & 1)
            sums.append(value)
            shift = bits = 0
    return sums
