"""Encodes event files by hand, for tests: every kind of record, also invalid ones, without protobuf.

Values (`scalar_value`, `tensor_value`, ...) are put into `summary_record`. Functions named `*_record` return a complete
frame with its checksums. A file is a sequence of records: `write_events(path, [version_record(), ...])`.
"""

import pathlib
import struct
from collections.abc import Iterable, Mapping, Sequence

from lightboard.events.crc32c import masked
from lightboard.events.decode import crc32c

FLOAT, DOUBLE, INT32, UINT8, INT16, INT8, STRING = 1, 2, 3, 4, 5, 6, 7
INT64, BOOL, BFLOAT16, UINT16, HALF, UINT32, UINT64 = 9, 10, 14, 17, 19, 22, 23

_CONTENT = {
    FLOAT: "f",
    DOUBLE: "d",
    INT32: "i",
    UINT8: "B",
    INT16: "h",
    INT8: "b",
    INT64: "q",
    BOOL: "?",
    UINT16: "H",
    HALF: "e",
    UINT32: "I",
    UINT64: "Q",
}
_VALUE_FIELDS = {
    FLOAT: 5,
    DOUBLE: 6,
    INT32: 7,
    UINT8: 7,
    INT16: 7,
    INT8: 7,
    STRING: 8,
    INT64: 10,
    BOOL: 11,
    BFLOAT16: 13,
    UINT16: 7,
    HALF: 13,
    UINT32: 16,
    UINT64: 17,
}


# Wire format


def varint(number: int) -> bytes:
    """A varint. Negative numbers are encoded as 64-bit two's complement."""
    number &= 0xFFFF_FFFF_FFFF_FFFF
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def varint_field(field: int, number: int) -> bytes:
    """A varint field with its key."""
    return varint(field << 3) + varint(number)


def bytes_field(field: int, data: bytes) -> bytes:
    """A length-delimited field: bytes, string, message or packed numbers."""
    return varint(field << 3 | 2) + varint(len(data)) + data


def double_field(field: int, number: float) -> bytes:
    """A double field."""
    return varint(field << 3 | 1) + struct.pack("<d", number)


def float_field(field: int, number: float) -> bytes:
    """A float field."""
    return varint(field << 3 | 5) + struct.pack("<f", number)


# Frames and events


def record(data: bytes) -> bytes:
    """Frame `data` with its length and both checksums."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked(crc32c(length))) + data + struct.pack("<I", masked(crc32c(data)))


def event(content: bytes = b"", *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """A serialized Event with the encoded field `content`. A step of 0 is left out, as by writers."""
    return double_field(1, wall_time) + (varint_field(2, step) if step else b"") + content


def version_record(version: str = "brain.Event:2", *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """The first record of a file."""
    return record(event(bytes_field(3, version.encode()), step=step, wall_time=wall_time))


def start_record(*, step: int = 0, wall_time: float = 0.0, status: int = 1) -> bytes:
    """An event with a SessionLog, by default START."""
    return record(event(bytes_field(7, varint_field(1, status)), step=step, wall_time=wall_time))


def summary_record(values: Sequence[bytes], *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """An event with a Summary of the given values."""
    summary = b"".join(bytes_field(1, value) for value in values)
    return record(event(bytes_field(5, summary), step=step, wall_time=wall_time))


def scalar_record(tag: str, step: int, value: float, wall_time: float = 0.0, metadata: bytes = b"") -> bytes:
    """An event with one simple_value."""
    return summary_record([scalar_value(tag, value, metadata)], step=step, wall_time=wall_time)


def tensor_record(tag: str, step: int, tensor_proto: bytes, wall_time: float = 0.0, metadata: bytes = b"") -> bytes:
    """An event with one tensor."""
    return summary_record([tensor_value(tag, tensor_proto, metadata)], step=step, wall_time=wall_time)


def graph_record(graph: bytes, *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """An event with a serialized GraphDef."""
    return record(event(bytes_field(4, graph), step=step, wall_time=wall_time))


def meta_graph_record(meta_graph: bytes, *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """An event with a serialized MetaGraphDef."""
    return record(event(bytes_field(9, meta_graph), step=step, wall_time=wall_time))


def tagged_run_metadata_record(tag: str, run_metadata: bytes, *, step: int = 0, wall_time: float = 0.0) -> bytes:
    """An event with a tagged, serialized RunMetadata."""
    tagged = bytes_field(1, tag.encode()) + bytes_field(2, run_metadata)
    return record(event(bytes_field(8, tagged), step=step, wall_time=wall_time))


def hparams_start_record(config: Mapping[str, float | str | bool], group_name: str = "") -> bytes:
    """The record that the hparams plugin writes when a session starts."""
    info = b"".join(
        bytes_field(1, bytes_field(1, key.encode()) + bytes_field(2, _hparam(value))) for key, value in config.items()
    )
    return _hparams_record("session_start_info", bytes_field(3, info + bytes_field(4, group_name.encode())))


def hparams_end_record(status: int = 1) -> bytes:
    """The record that the hparams plugin writes when a session ends. 1 is success, 2 failure, 3 running."""
    return _hparams_record("session_end_info", bytes_field(4, varint_field(1, status)))


def _hparams_record(tag: str, content: bytes) -> bytes:
    return summary_record([bare_value(f"_hparams_/{tag}", summary_metadata("hparams", content))])


def _hparam(value: float | str | bool) -> bytes:
    if isinstance(value, bool):
        return varint_field(4, value)
    return bytes_field(3, value.encode()) if isinstance(value, str) else double_field(2, value)


# Values of a summary


def _value(tag: str | bytes, payload: bytes, metadata: bytes) -> bytes:
    name = tag.encode() if isinstance(tag, str) else tag
    return bytes_field(1, name) + payload + (bytes_field(9, metadata) if metadata else b"")


def scalar_value(tag: str | bytes, value: float, metadata: bytes = b"") -> bytes:
    """A simple_value."""
    return _value(tag, float_field(2, value), metadata)


def tensor_value(tag: str | bytes, tensor_proto: bytes, metadata: bytes = b"") -> bytes:
    """A tensor (see `tensor`)."""
    return _value(tag, bytes_field(8, tensor_proto), metadata)


def image_value(tag: str | bytes, encoded: bytes, *, width: int = 1, height: int = 1, metadata: bytes = b"") -> bytes:
    """An old-style image."""
    image = varint_field(1, height) + varint_field(2, width) + varint_field(3, 3) + bytes_field(4, encoded)
    return _value(tag, bytes_field(4, image), metadata)


def audio_value(tag: str | bytes, encoded: bytes, *, sample_rate: float = 44100.0, metadata: bytes = b"") -> bytes:
    """An old-style audio clip."""
    audio = float_field(1, sample_rate) + bytes_field(4, encoded) + bytes_field(5, b"audio/wav")
    return _value(tag, bytes_field(6, audio), metadata)


def histogram_value(tag: str | bytes, limits: Sequence[float], counts: Sequence[float], metadata: bytes = b"") -> bytes:
    """An old-style histogram."""
    histogram = double_field(1, limits[0]) + double_field(2, limits[-1]) + double_field(3, sum(counts))
    histogram += bytes_field(6, struct.pack(f"<{len(limits)}d", *limits))
    histogram += bytes_field(7, struct.pack(f"<{len(counts)}d", *counts))
    return _value(tag, bytes_field(5, histogram), metadata)


def bare_value(tag: str | bytes, metadata: bytes = b"") -> bytes:
    """A value with only a tag and metadata, as for hparams."""
    return _value(tag, b"", metadata)


def summary_metadata(
    plugin: str, content: bytes = b"", *, display_name: str = "", description: str = "", data_class: int = 0
) -> bytes:
    """A serialized SummaryMetadata."""
    plugin_data = bytes_field(1, plugin.encode()) + (bytes_field(2, content) if content else b"")
    metadata = bytes_field(1, plugin_data)
    if display_name:
        metadata += bytes_field(2, display_name.encode())
    if description:
        metadata += bytes_field(3, description.encode())
    return metadata + (varint_field(4, data_class) if data_class else b"")


def tensor(
    dtype: int,
    values: Sequence[float] | Sequence[int] | Sequence[bytes],
    *,
    shape: Sequence[int] | None = (),
    content: bool = False,
) -> bytes:
    """A serialized TensorProto. Numbers are packed in the field of their type, or with `content` as raw bytes.

    If `shape` is None, it is left out. Values of HALF and BFLOAT16 are bit patterns, except for HALF with `content`.
    """
    proto = varint_field(1, dtype)
    if shape is not None:
        proto += bytes_field(2, b"".join(bytes_field(2, varint_field(1, size)) for size in shape))
    if content:
        layout = "H" if dtype == BFLOAT16 else _CONTENT[dtype]
        return proto + bytes_field(4, struct.pack(f"<{len(values)}{layout}", *values))
    field = _VALUE_FIELDS[dtype]
    if dtype == STRING:
        return proto + b"".join(bytes_field(field, value) for value in values if isinstance(value, bytes))
    if dtype in (FLOAT, DOUBLE):
        return proto + bytes_field(field, struct.pack(f"<{len(values)}{_CONTENT[dtype]}", *values))
    return proto + bytes_field(field, b"".join(varint(int(value)) for value in values))


# Files


def scalar_records(tag: str, points: Iterable[tuple[int, float, float]]) -> list[bytes]:
    """One record for each (step, wall time, value)."""
    return [scalar_record(tag, step, value, wall_time) for step, wall_time, value in points]


def write_events(path: pathlib.Path, records: Iterable[bytes], *, version: str | None = "brain.Event:2") -> None:
    """Write a whole event file, and create its folder. If `version` is None, the first record is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    first = [version_record(version)] if version is not None else []
    path.write_bytes(b"".join([*first, *records]))


def append_events(path: pathlib.Path, records: Iterable[bytes]) -> None:
    """Append records to a file."""
    with path.open("ab") as file:
        file.write(b"".join(records))
