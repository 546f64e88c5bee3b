"""The arguments of one event, read from its file when somebody asks for them."""

import json
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from lightboard import cancellation
from lightboard.events.byte_reader import ReadRange
from lightboard.events.truncated_reader import TruncatedReader
from lightboard.events.wire import BYTES, FIXED64, VARINT, MalformedError, fields, signed64, varint
from lightboard.profiles.file_names import profile_name
from lightboard.profiles.step_stats import MAX_NODE_BYTES
from lightboard.profiles.step_stats_args import node_args
from lightboard.profiles.text_stream import GZIP, raw_pieces, text_of, unzipped

MAX_ARGS = 200
"""Arguments of an event that are shown."""

MAX_VALUE_CHARS = 2000
"""Longer values are cut."""

FIRST_CHARS, MAX_EVENT_CHARS = 64 << 10, 1 << 20
"""How much of the text is decoded at first, and at most. Arguments of larger events are not shown."""

MAX_LENGTH_BYTES = 10
"""The longest varint."""


class EventArg(NamedTuple):
    """An argument for display. `cut` says that `value` is only its beginning."""

    name: str
    value: str
    cut: bool


def read_args(base_name: str, read: ReadRange, size: int, offset: int) -> list[EventArg]:
    """The arguments of the event at `offset` of a file, decompressed; none if it cannot be read any more."""
    found = profile_name(base_name)
    try:
        if found is None:
            return shown(step_stats_args(read, offset))
        if found is not None and found.format == "xplane":
            return shown(xplane_args(read, size, offset))
        return shown(json_args(read, size, offset))
    except MalformedError:
        return []


def shown(args: Iterator[tuple[str, str]]) -> list[EventArg]:
    """The first arguments, cut."""
    result = list[EventArg]()
    for name, value in args:
        if len(result) >= MAX_ARGS:
            break
        result.append(EventArg(name[:MAX_VALUE_CHARS], value[:MAX_VALUE_CHARS], len(value) > MAX_VALUE_CHARS))
    return result


def json_args(read: ReadRange, size: int, offset: int) -> Iterator[tuple[str, str]]:
    """The arguments of an event of a trace."""
    event = json_event(read, size, offset)
    args = event.get("args") if isinstance(event, dict) else None
    for name, value in args.items() if isinstance(args, dict) else ():
        yield text_of(name), text_of(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def json_event(read: ReadRange, size: int, offset: int) -> Any:
    """The value at an offset of the text, None if it is malformed or too long."""
    text, wanted, decoder = "", FIRST_CHARS, json.JSONDecoder(strict=False)
    pieces = text_from(read, size, offset)
    while True:
        while len(text) < wanted and (piece := next(pieces, "")):
            text += piece
        try:
            return decoder.raw_decode(text)[0]
        except (json.JSONDecodeError, RecursionError):
            if len(text) < wanted or wanted >= MAX_EVENT_CHARS:
                return None
        wanted = MAX_EVENT_CHARS


def text_from(read: ReadRange, size: int, offset: int) -> Iterator[str]:
    """The text from an offset on, one character for each byte. What is compressed is read from its beginning."""
    if read(0, len(GZIP)) != GZIP:
        at = offset
        while piece := read(at, FIRST_CHARS):
            yield piece.decode("latin-1")
            at += len(piece)
        return
    for piece in unzipped(raw_pieces(read, size), []):
        cancellation.check()
        if offset < len(piece):
            yield piece[offset:].decode("latin-1")
        offset = max(0, offset - len(piece))


def step_stats_args(read: ReadRange, offset: int) -> Iterator[tuple[str, str]]:
    """The arguments of a NodeExecStats in an event file. Raises MalformedError."""
    length = length_before(read, offset)
    if length > MAX_NODE_BYTES:
        raise MalformedError
    return node_args(read(offset, length))


def xplane_args(read: ReadRange, size: int, offset: int) -> Iterator[tuple[str, str]]:
    """The stats of an XEvent. Raises MalformedError."""
    reader = TruncatedReader(read, size)
    end = offset + length_before(read, offset)
    names = stat_names(reader, offset)
    data = reader.slice(offset, end)
    for number, wire_type, begin, stop in fields(data, 0, len(data)):
        if number == 4 and wire_type == BYTES:
            yield stat_of(data, begin, stop, names)


def length_before(read: ReadRange, offset: int) -> int:
    """The length of the message that begins at `offset`, which is before it. Raises MalformedError."""
    before = read(max(0, offset - MAX_LENGTH_BYTES), min(offset, MAX_LENGTH_BYTES))
    at = len(before) - 1
    while at > 0 and before[at - 1] & 0x80:
        at -= 1
    return varint(before, max(0, at), len(before))[0]


def stat_names(reader: TruncatedReader, offset: int) -> dict[int, str]:
    """The names of stats in the XPlane around an offset."""
    for number, wire_type, begin, end in reader.fields(0, reader.size):
        if number == 1 and wire_type == BYTES and begin <= offset < end:
            found = dict[int, str]()
            for inner, inner_type, value, stop in reader.fields(begin, end):
                if inner == 5 and inner_type == BYTES:
                    entry = reader.slice(value, stop)
                    found.update(stat_name(entry))
            return found
    return {}


def stat_name(entry: bytes) -> dict[int, str]:
    """An entry of the map of stats, by its number. Raises MalformedError."""
    key, name = 0, ""
    for number, wire_type, value, stop in fields(entry, 0, len(entry)):
        if number == 1 and wire_type == VARINT:
            key = signed64(value)
        elif number == 2 and wire_type == BYTES:
            for inner, inner_type, begin, end in fields(entry, value, stop):
                if inner == 2 and inner_type == BYTES:
                    name = entry[begin:end].decode(errors="replace")
    return {key: name}


def stat_of(data: bytes, begin: int, end: int, names: dict[int, str]) -> tuple[str, str]:
    """The name and the value of an XStat. Raises MalformedError."""
    key, text = 0, ""
    for number, wire_type, value, stop in fields(data, begin, end):
        if number == 1 and wire_type == VARINT:
            key = signed64(value)
        elif number == 2 and wire_type == FIXED64:
            text = str(struct.unpack("<d", data[value:stop])[0])
        elif number == 3 and wire_type == VARINT:
            text = str(value)
        elif number == 4 and wire_type == VARINT:
            text = str(signed64(value))
        elif number in (5, 6) and wire_type == BYTES:
            text = data[value:stop].decode(errors="replace")
        elif number == 7 and wire_type == VARINT:
            text = names.get(value, str(value))
    return names.get(key, f"stat {key}"), text
