"""Parses Event, Summary and their parts into plain tuples. Knows nothing about series."""

import struct
from typing import NamedTuple

from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, MalformedError, fields, signed32, signed64

FILE_VERSION, GRAPH_DEF, SUMMARY, LOG_MESSAGE, SESSION_LOG, TAGGED_RUN_METADATA, META_GRAPH_DEF = range(3, 10)
SIMPLE_VALUE, OLD_HISTOGRAM, IMAGE, HISTOGRAM, AUDIO, TENSOR = 2, 3, 4, 5, 6, 8

START, STOP, CHECKPOINT = 1, 2, 3
_VERSION_PREFIX = b"brain.Event:"


class Event(NamedTuple):
    """One record. `what` is the number of the last field set of the oneof `what`, 0 if none. `spans` are its bytes;
    several if a summary is split over several fields."""

    wall_time: float
    step: int
    what: int
    spans: list[tuple[int, int]]


class Value(NamedTuple):
    """One value of a summary. `payload` is the field number of the payload, 0 if none; [begin, end) are its bytes."""

    tag: bytes
    payload: int
    number: float
    begin: int
    end: int
    metadata: bytes


class Metadata(NamedTuple):
    """The part of SummaryMetadata that says what kind of data a tag holds."""

    plugin: bytes
    data_class: int


def parse_event(data: bytes, at: int, end: int) -> Event:
    """Parse an Event, one level deep. Raises MalformedError."""
    wall_time, step, what = 0.0, 0, 0
    spans: list[tuple[int, int]] = []
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 1 and wire_type == FIXED64:
            (wall_time,) = struct.unpack_from("<d", data, value)
        elif number == 2 and wire_type == VARINT:
            step = signed64(value)
        elif FILE_VERSION <= number <= META_GRAPH_DEF and wire_type == BYTES:
            if number != SUMMARY or what != SUMMARY:
                spans = []
            what = number
            spans.append((value, stop))
    return Event(wall_time, step, what, spans)


def summary_values(data: bytes, at: int, end: int) -> tuple[list[tuple[int, int]], bool]:
    """The spans of the values of a Summary, and whether it is well-formed. Values before an error count."""
    spans = []
    try:
        for number, wire_type, value, stop in fields(data, at, end):
            if number == 1 and wire_type == BYTES:
                spans.append((value, stop))
    except MalformedError:
        return spans, False
    return spans, True


def parse_value(data: bytes, at: int, end: int) -> Value:
    """Parse a Summary.Value. The oldest tensors have a node name instead of a tag. Raises MalformedError."""
    tag = node_name = metadata = b""
    payload, number, begin, finish = 0, 0.0, 0, 0
    for field, wire_type, value, stop in fields(data, at, end):
        if field == 1 and wire_type == BYTES:
            tag = data[value:stop]
        elif field == 7 and wire_type == BYTES:
            node_name = data[value:stop]
        elif field == 9 and wire_type == BYTES:
            metadata = data[value:stop]
        elif field == SIMPLE_VALUE and wire_type == FIXED32:
            payload = field
            (number,) = struct.unpack_from("<f", data, value)
        elif field in (OLD_HISTOGRAM, IMAGE, HISTOGRAM, AUDIO, TENSOR) and wire_type == BYTES:
            payload, begin, finish = field, value, stop
    if payload == TENSOR and not tag:
        tag = node_name
    return Value(tag, payload, float(number), begin, finish, metadata)


def parse_metadata(metadata: bytes) -> Metadata:
    """Plugin name and data class of a SummaryMetadata. Raises MalformedError."""
    plugin, data_class = b"", 0
    for number, wire_type, value, stop in fields(metadata, 0, len(metadata)):
        if number == 1 and wire_type == BYTES:
            for inner, inner_type, begin, finish in fields(metadata, value, stop):
                if inner == 1 and inner_type == BYTES:
                    plugin = metadata[begin:finish]
        elif number == 4 and wire_type == VARINT:
            data_class = signed32(value)
    return Metadata(plugin, data_class)


def content_spans(metadata: bytes) -> list[tuple[int, int]]:
    """The positions of PluginData.content, which each plugin defines, in a SummaryMetadata. Raises MalformedError."""
    return [
        (begin, finish)
        for number, wire_type, value, stop in fields(metadata, 0, len(metadata))
        if number == 1 and wire_type == BYTES
        for inner, inner_type, begin, finish in fields(metadata, value, stop)
        if inner == 2 and inner_type == BYTES
    ]


def session_status(data: bytes, at: int, end: int) -> int:
    """The status of a SessionLog: START, STOP, CHECKPOINT or another number. Raises MalformedError."""
    status = 0
    for number, wire_type, value, _ in fields(data, at, end):
        if number == 1 and wire_type == VARINT:
            status = value
    return status


def parse_tagged_run_metadata(data: bytes, at: int, end: int) -> tuple[bytes, int, int]:
    """Tag and span of the serialized RunMetadata. Raises MalformedError."""
    tag, begin, finish = b"", at, at
    for number, wire_type, value, stop in fields(data, at, end):
        if number == 1 and wire_type == BYTES:
            tag = data[value:stop]
        elif number == 2 and wire_type == BYTES:
            begin, finish = value, stop
    return tag, begin, finish


def parse_file_version(text: bytes) -> int:
    """The number in "brain.Event:2"; -1 if there is no number greater than 0."""
    _, _, digits = text.rpartition(_VERSION_PREFIX)
    whole, _, fraction = digits.partition(b".")
    if not (0 < len(whole) < 10 and whole.isdigit() and (not fraction or fraction.isdigit())):
        return -1
    return int(whole) or -1
