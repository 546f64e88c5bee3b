"""The binary format in which captures are stored that were read: a header as JSON, then the columns.

8 bytes  MAGIC, which has the version of the format and of the readers
4 bytes  length of the header, little-endian
4 bytes  checksum of the header
header   facts, then length and checksum of each column
columns  each at a multiple of ALIGNMENT, in the byte order of the machine
"""

import json
import struct
import sys
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.events.decode import NATIVE, crc32c
from lightboard.profiles.capture import HostCapture, Points, Process, Slices, StepMarker, Track

checksum = crc32c if NATIVE else zlib.crc32
"""CRC-32C by the processor is several times as fast; without the core it would take longer than to read the file."""

MAGIC = b"LBCAP2" + sys.byteorder[0].encode() + (b"c" if NATIVE else b"z")
"""To be changed when the format changes, or what a reader makes of a file."""

ALIGNMENT = 64
BEGIN = struct.Struct("<8sII")
SLICES = (np.int32, np.int64, np.int64, np.int32, np.int8, np.int64)
POINTS = (np.int32, np.int64, np.int32, np.float64)
TYPES = (*SLICES, *POINTS, *POINTS, *POINTS, *POINTS, np.int32)


class DamagedError(Exception):
    """The bytes are no capture, or one of another version."""


def columns_of(capture: HostCapture) -> list[NDArray[Any]]:
    """All columns, in the order of `TYPES`."""
    groups = (capture.slices, capture.instants, capture.counters, capture.flow_begins, capture.flow_ends)
    return [*(getattr(rows, name) for rows in groups for name in rows.__slots__), capture.scope]


def pack(capture: HostCapture) -> Iterator[bytes | memoryview]:
    """A capture as pieces of bytes."""
    columns = [np.ascontiguousarray(column).view(np.uint8).data for column in columns_of(capture)]
    facts = {
        "host": capture.host,
        "rank": capture.rank,
        "processes": [(each.id, each.name) for each in capture.processes],
        "tracks": [(each.process, each.id, each.name) for each in capture.tracks],
        "names": capture.names,
        "steps": capture.steps,
        "scope_names": capture.scope_names,
        "problems": capture.problems,
        "columns": [(len(column), checksum(column)) for column in columns],
    }
    header = json.dumps(facts).encode()
    yield BEGIN.pack(MAGIC, len(header), checksum(header))
    yield header
    at = BEGIN.size + len(header)
    for column in columns:
        yield bytes(-at % ALIGNMENT)
        yield column
        at += -at % ALIGNMENT + len(column)


def unpack(data: Any) -> HostCapture:
    """The capture in a buffer, whose memory the columns use. Raises DamagedError."""
    view = memoryview(data)
    if len(view) < BEGIN.size:
        raise DamagedError
    magic, length, expected = BEGIN.unpack_from(view)
    header = bytes(view[BEGIN.size : BEGIN.size + length])
    if magic != MAGIC or len(header) != length or checksum(header) != expected:
        raise DamagedError
    facts, at, columns = json.loads(header), BEGIN.size + length, list[NDArray[Any]]()
    for dtype, (size, expected) in zip(TYPES, facts["columns"], strict=True):
        at += -at % ALIGNMENT
        if checksum(view[at : at + size]) != expected or at + size > len(view):
            raise DamagedError
        column = np.frombuffer(view, dtype, size // np.dtype(dtype).itemsize, at) if size else np.empty(0, dtype)
        columns.append(column)
        at += size
    points = [
        Points(*columns[begin : begin + len(POINTS)]) for begin in range(len(SLICES), len(TYPES) - 1, len(POINTS))
    ]
    instants, counters, flow_begins, flow_ends = points
    return HostCapture(
        host=facts["host"],
        rank=facts["rank"],
        processes=[Process(*each) for each in facts["processes"]],
        tracks=[Track(*each) for each in facts["tracks"]],
        names=facts["names"],
        slices=Slices(*columns[: len(SLICES)]),
        instants=instants,
        counters=counters,
        flow_begins=flow_begins,
        flow_ends=flow_ends,
        steps=[StepMarker(*each) for each in facts["steps"]],
        scope=columns[-1],
        scope_names=facts["scope_names"],
        problems=facts["problems"],
    )
