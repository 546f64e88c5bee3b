"""The binary format in which captures are stored that were read: a header as JSON, then the columns.

8 bytes  MAGIC, which has the version of the format and of the readers
4 bytes  length of the header, little-endian
4 bytes  checksum of the header
header   facts, then the length of each column and the checksum of each `CHECKED_BYTES` of it
columns  each at a multiple of ALIGNMENT, in the byte order of the machine
"""

import json
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from mmap import ALLOCATIONGRANULARITY, MADV_DONTNEED, mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.events.decode import NATIVE, crc32c
from lightboard.profiles.capture import (
    NO_BREAKDOWN,
    NO_STEPS,
    Blocks,
    BreakdownTimes,
    HostCapture,
    InferredSteps,
    Points,
    Process,
    Row,
    SliceRows,
    Slices,
    StepMarker,
    Track,
    nothing,
)
from lightboard.profiles.duration_histograms import DurationHistograms

checksum = crc32c if NATIVE else zlib.crc32
"""CRC-32C by the processor is several times as fast; without the core it would take longer than to read the file."""

MAGIC = b"LBCAP7" + sys.byteorder[0].encode() + (b"c" if NATIVE else b"z")
"""To be changed when the format changes, or what a reader makes of a file."""

ALIGNMENT = 64
BEGIN = struct.Struct("<8sII")
SLICES = (np.int32, np.int64, np.int64, np.int32, np.int8, np.int64)
POINTS = (np.int32, np.int64, np.int32, np.float64)
ROWS = (np.int32, np.int8, np.int64, np.int32)
BLOCKS = (np.int32, np.int64, np.int64, np.int64, np.int64, np.int32, np.int64)
SCOPE = (np.int32,)
DURATIONS = (np.int32, np.int16, np.int64, np.int64)
STEPS = (np.int64, np.int64)
BREAKDOWN = (np.int64,)
TYPES = (*SLICES, *POINTS, *POINTS, *POINTS, *POINTS, *SCOPE, *DURATIONS, *STEPS, *BREAKDOWN, *ROWS, *BLOCKS)

CHECKED_BYTES = 8 << 20
"""Columns are checked in pieces, each of which is out of memory again before the next."""


KEPT_BYTES = 128 << 20
"""Smaller captures stay in memory where they were used."""


class DamagedError(Exception):
    """The bytes are no capture, or one of another version."""


def columns_of_slices(capture: HostCapture) -> list[NDArray[Any]]:
    """The columns of slices."""
    return [getattr(capture.slices, name) for name in Slices.__slots__]


def columns_of(capture: HostCapture) -> list[NDArray[Any]]:
    """All columns, in the order of `TYPES`, without those of rows if these are not computed."""
    groups = (capture.instants, capture.counters, capture.flow_begins, capture.flow_ends)
    columns = columns_of_slices(capture) + [getattr(rows, name) for rows in groups for name in rows.__slots__]
    columns += [capture.scope, *(getattr(capture.durations, name) for name in DurationHistograms.__slots__)]
    steps, breakdown = capture.inferred_steps or NO_STEPS, capture.breakdown or NO_BREAKDOWN
    columns += [steps.begin_ns, steps.duration_ns, breakdown.times_ns]
    rows = capture.rows
    return columns if rows is None else [*columns, rows.order, rows.depth, rows.self_ns, rows.rows, *rows.blocks]


def pieces_of(column: memoryview, used: Callable[[], None]) -> Iterator[memoryview]:
    """The pieces of a column that are checked. `used` is called after each."""
    for at in range(0, len(column), CHECKED_BYTES):
        yield column[at : at + CHECKED_BYTES]
        used()


def pack(capture: HostCapture, used: Callable[[], None] = lambda: None) -> Iterator[bytes | memoryview]:
    """A capture as pieces of bytes, which has rows and operators. `used` is called after each piece that was read."""
    columns = [np.ascontiguousarray(column).reshape(-1).view(np.uint8).data for column in columns_of(capture)]
    facts = {
        "host": capture.host,
        "rank": capture.rank,
        "processes": [(each.id, each.name) for each in capture.processes],
        "tracks": [(each.process, each.id, each.name) for each in capture.tracks],
        "names": capture.names,
        "steps": capture.steps,
        "scope_names": capture.scope_names,
        "problems": capture.problems,
        "operators": capture.operators,
        "inferred_steps": None if capture.inferred_steps is None else capture.inferred_steps.name,
        "breakdown": None if capture.breakdown is None else (capture.breakdown.begin_ns, capture.breakdown.end_ns),
        "columns": [(len(column), list(map(checksum, pieces_of(column, used)))) for column in columns],
    }
    header = json.dumps(facts).encode()
    yield BEGIN.pack(MAGIC, len(header), checksum(header))
    yield header
    at = BEGIN.size + len(header)
    for column in columns:
        yield bytes(-at % ALIGNMENT)
        yield from pieces_of(column, used)
        at += -at % ALIGNMENT + len(column)


def unpack(memory: mmap) -> HostCapture:
    """The capture in a mapped file, whose memory the columns use. Raises DamagedError."""
    view = memoryview(memory)
    if len(view) < BEGIN.size:
        raise DamagedError
    magic, length, expected = BEGIN.unpack_from(view)
    header = bytes(view[BEGIN.size : BEGIN.size + length])
    if magic != MAGIC or len(header) != length or checksum(header) != expected:
        raise DamagedError
    facts, at, columns = json.loads(header), BEGIN.size + length, list[NDArray[Any]]()
    for dtype, (size, expected) in zip(TYPES, facts["columns"], strict=True):
        at += -at % ALIGNMENT
        if at + size > len(view) or not is_whole(memory, at, size, expected):
            raise DamagedError
        column = np.frombuffer(view, dtype, size // np.dtype(dtype).itemsize, at) if size else np.empty(0, dtype)
        columns.append(column)
        at += size
    parts, begin = list[list[NDArray[Any]]](), 0
    for part in (SLICES, POINTS, POINTS, POINTS, POINTS, SCOPE, DURATIONS, STEPS, BREAKDOWN, ROWS, BLOCKS):
        parts.append(columns[begin : begin + len(part)])
        begin += len(part)
    slices, instants, counters, flow_begins, flow_ends, scope, durations, steps, times, rows, blocks = parts
    return HostCapture(
        host=facts["host"],
        rank=facts["rank"],
        processes=[Process(*each) for each in facts["processes"]],
        tracks=[Track(*each) for each in facts["tracks"]],
        names=facts["names"],
        slices=Slices(*slices),
        instants=Points(*instants),
        counters=Points(*counters),
        flow_begins=Points(*flow_begins),
        flow_ends=Points(*flow_ends),
        steps=[StepMarker(*each) for each in facts["steps"]],
        scope=scope[0],
        scope_names=facts["scope_names"],
        problems=facts["problems"],
        rows=SliceRows(rows[0], rows[1], rows[2], rows[3].reshape(-1, len(Row._fields)), Blocks(*blocks)),
        operators=facts["operators"],
        durations=DurationHistograms(*durations),
        inferred_steps=None if facts["inferred_steps"] is None else InferredSteps(facts["inferred_steps"], *steps),
        breakdown=None if facts["breakdown"] is None else BreakdownTimes(*facts["breakdown"], *times),
        is_mapped=True,
        let_go=partial(release, memory, 0, len(memory)) if len(memory) > KEPT_BYTES else nothing,
    )


def is_whole(memory: mmap, begin: int, size: int, expected: list[int]) -> bool:
    """Whether a column has these checksums. What was read of it is not kept in memory."""
    view = memoryview(memory)
    for at, wanted in zip(range(begin, begin + size, CHECKED_BYTES), expected, strict=True):
        if checksum(view[at : min(at + CHECKED_BYTES, begin + size)]) != wanted:
            return False
        release(memory, at, CHECKED_BYTES)
    return True


def release(memory: mmap, begin: int, size: int) -> None:
    """Let the pages of a part of a mapped file, which nobody has changed, out of memory."""
    if hasattr(memory, "madvise"):
        begin -= begin % ALLOCATIONGRANULARITY
        memory.madvise(MADV_DONTNEED, begin, min(size, len(memory) - begin))
