"""Finds the audio clips in values of summaries: their position and their label.

A value is either a Summary.Audio with one clip, or a tensor of strings: [k] clips, or [k, 2] clips and labels. See
summary.proto of TensorFlow and TensorBoard's audio plugin. `wav` reads the clips.
"""

from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader, read_fields
from lightboard.events.messages import AUDIO
from lightboard.events.payloads import find_payload, read_strings
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields

PLUGIN = "audio"
WAV_ENCODING = 11

MAX_LABEL_BYTES = 10_000
"""Longer labels are truncated."""


class Clip(NamedTuple):
    """One clip: the position of its bytes in the value, and its label ("" if none), by convention Markdown."""

    begin: int
    end: int
    label: str


def parse_clips(reader: ByteReader) -> list[Clip]:
    """The clips of one value, without reading their bytes. Raises Unshowable."""
    payload = find_payload(reader)
    try:
        if payload.field == AUDIO:
            return _old_clips(reader, payload.begin, payload.end)
        strings = read_strings(reader)
        if len(strings.shape) == 2 and strings.shape[1] == 2:
            pairs = zip(strings.spans[::2], strings.spans[1::2], strict=True)
            return [Clip(*clip, _label(reader, *label)) for clip, label in pairs]
        return [Clip(*span, "") for span in strings.spans]
    except MalformedError:
        raise Unshowable("the sound is malformed, or the file has changed", hint="reload and try again") from None


def _old_clips(reader: ByteReader, at: int, end: int) -> list[Clip]:
    """The clip of a Summary.Audio; empty if the writer left it out."""
    found: list[Clip] = []
    for number, wire_type, begin, stop in read_fields(reader, at, end):
        if number == 4 and wire_type == BYTES:
            found = [Clip(begin, stop, "")]
    return found


def _label(reader: ByteReader, begin: int, end: int) -> str:
    return reader.slice(begin, min(end, begin + MAX_LABEL_BYTES)).decode("utf-8", "replace")


def is_wav_tag(metadata: bytes) -> bool:
    """Whether TensorBoard treats clips with this SummaryMetadata as WAV. Old values without metadata always are."""
    plugin, encoding = b"", 0
    try:
        for number, wire_type, begin, end in fields(metadata, 0, len(metadata)):
            if number != 1 or wire_type != BYTES:
                continue
            for inner, inner_type, at, stop in fields(metadata, begin, end):
                if inner == 1 and inner_type == BYTES:
                    plugin = metadata[at:stop]
                elif inner == 2 and inner_type == BYTES:
                    encoding = _encoding(metadata, at, stop)
    except MalformedError:
        return False
    return not plugin or encoding == WAV_ENCODING


def _encoding(metadata: bytes, at: int, end: int) -> int:
    """The field `encoding` of AudioPluginData."""
    found = 0
    for number, wire_type, value, _ in fields(metadata, at, end):
        if number == 2 and wire_type == VARINT:
            found = value
    return found
