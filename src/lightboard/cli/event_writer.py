"""Writes event files for the demo: real bytes in TensorBoard's format, and nothing more than it needs."""

import os
import struct
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from lightboard.events.crc32c import masked
from lightboard.events.decode import crc32c

SESSION_START = b"\x08\x01"
"""SessionLog{status: START}"""


class EventWriter:
    """One new event file in `folder`. Every record is on disk when its call returns."""

    def __init__(self, folder: Path, *, wall_time: float | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time() if wall_time is None else wall_time
        name = f"events.out.tfevents.{int(now):010d}.demo.{os.getpid()}.{len(list(folder.iterdir()))}"
        self._file: BinaryIO = (folder / name).open("xb", buffering=0)
        self._write(now, 0, field(3, b"brain.Event:2"))

    def start_session(self, step: int, wall_time: float) -> None:
        """Says that training begins again at `step`: what older files hold from there on is superseded."""
        self._write(wall_time, step, field(7, SESSION_START))

    def add_scalars(self, step: int, values: Mapping[str, float], wall_time: float) -> None:
        """One value for each tag."""
        summary = b"".join(field(1, field(1, tag.encode()) + float_field(2, value)) for tag, value in values.items())
        self._write(wall_time, step, field(5, summary))

    def add_values(self, step: int, values: Iterable[bytes], wall_time: float) -> None:
        """Serialized fields of a Summary, as `demo_views` makes them; nothing is written if there are none."""
        summary = b"".join(values)
        if summary:
            self._write(wall_time, step, field(5, summary))

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _write(self, wall_time: float, step: int, what: bytes) -> None:
        event = b"\x09" + struct.pack("<d", wall_time) + b"\x10" + varint(step) + what
        length = struct.pack("<Q", len(event))
        self._file.write(length + checksum(length) + event + checksum(event))


def checksum(data: bytes) -> bytes:
    """The masked CRC that follows lengths and records."""
    return struct.pack("<I", masked(crc32c(data)))


def field(number: int, data: bytes) -> bytes:
    """A protobuf field of bytes."""
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def float_field(number: int, value: float) -> bytes:
    """A protobuf field of one float; what a float32 cannot hold becomes infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if value > 0 else float("-inf"))
    return bytes([number << 3 | 5]) + packed


def varint(number: int) -> bytes:
    """A number from 0 up, seven bits a byte."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])
