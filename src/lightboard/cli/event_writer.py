"""A minimal writer of event files in TensorBoard's format, for the demo."""

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
    """Writes one new event file in `folder`, without buffering."""

    def __init__(self, folder: Path, *, wall_time: float | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time() if wall_time is None else wall_time
        name = f"events.out.tfevents.{int(now):010d}.demo.{os.getpid()}.{len(list(folder.iterdir()))}"
        self._file: BinaryIO = (folder / name).open("xb", buffering=0)
        self._write(now, 0, field(3, b"brain.Event:2"))

    def start_session(self, step: int, wall_time: float) -> None:
        """Write that training restarts at `step`, which supersedes points of older files from this step on."""
        self._write(wall_time, step, field(7, SESSION_START))

    def add_scalars(self, step: int, values: Mapping[str, float], wall_time: float) -> None:
        """Write one value for each tag."""
        summary = b"".join(field(1, field(1, tag.encode()) + float_field(2, value)) for tag, value in values.items())
        self._write(wall_time, step, field(5, summary))

    def add_values(self, step: int, values: Iterable[bytes], wall_time: float) -> None:
        """Write serialized fields of a Summary, as `demo_views` creates them. Nothing is written if there are none."""
        summary = b"".join(values)
        if summary:
            self._write(wall_time, step, field(5, summary))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, wall_time: float, step: int, content: bytes) -> None:
        event = b"\x09" + struct.pack("<d", wall_time) + b"\x10" + varint(step) + content
        length = struct.pack("<Q", len(event))
        self._file.write(length + checksum(length) + event + checksum(event))


def checksum(data: bytes) -> bytes:
    """The masked CRC-32C that follows lengths and records, as four bytes."""
    return struct.pack("<I", masked(crc32c(data)))


def field(number: int, data: bytes) -> bytes:
    """Encode a protobuf field of bytes."""
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def float_field(number: int, value: float) -> bytes:
    """Encode a protobuf field of one float32. Values out of its range become infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if value > 0 else float("-inf"))
    return bytes([number << 3 | 5]) + packed


def varint(number: int) -> bytes:
    """Encode a non-negative number as a protobuf varint."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])
