"""Where RunMetadata are in event files, and which of them have step stats. Cheap to import."""

from collections.abc import Iterator
from typing import NamedTuple

from lightboard.events.byte_reader import ByteReader, read_fields
from lightboard.events.wire import BYTES, MalformedError

Span = tuple[int, int]


class StepStatsValue(NamedTuple):
    """A RunMetadata in an event file: its bytes there, and what it was written with. `wall` is in seconds."""

    tag: str
    step: int
    wall: float
    begin: int
    end: int


def has_nodes(reader: ByteReader, begin: int, end: int) -> bool:
    """Whether any node of any device is in a RunMetadata. PyTorch writes such without. Raises what `reader` does."""
    try:
        for step_stats in messages(reader, 1, begin, end):
            for device in messages(reader, 1, *step_stats):
                if any(stop > start for start, stop in messages(reader, 2, *device)):
                    return True
    except MalformedError:
        pass
    return False


def messages(reader: ByteReader, field: int, begin: int, end: int) -> Iterator[Span]:
    """Where the messages of a field are. Raises MalformedError after the last one before damage."""
    for number, wire_type, value, stop in read_fields(reader, begin, end):
        if number == field and wire_type == BYTES:
            yield value, stop
