"""Sound clips out of the values of a summary: where each lies, and what it is called.

A value is an old Summary.Audio of one clip, or a tensor of strings: [k] clips, or [k, 2] clips and labels. Formats:
summary.proto of TensorFlow and TensorBoard's audio plugin. Not here: what is in a clip (`wav.py`).
"""

from typing import NamedTuple

from lightboard.errors import Unshowable
from lightboard.events.messages import AUDIO
from lightboard.events.payloads import payload_of, strings_of
from lightboard.events.window import Window, fields_of
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields

PLUGIN = "audio"
WAV_ENCODING = 11

MAX_LABEL_BYTES = 10_000
"""What is read of a label."""


class Clip(NamedTuple):
    """One clip: where its bytes lie in the value, and its label, Markdown by convention, "" if none."""

    begin: int
    end: int
    label: str


def clips_of(window: Window) -> list[Clip]:
    """The clips of one value, unread. Raises Unshowable."""
    payload = payload_of(window)
    try:
        if payload.field == AUDIO:
            return _old_clips(window, payload.begin, payload.end)
        strings = strings_of(window)
        if len(strings.shape) == 2 and strings.shape[1] == 2:
            pairs = zip(strings.spans[::2], strings.spans[1::2], strict=True)
            return [Clip(*clip, _label(window, *label)) for clip, label in pairs]
        return [Clip(*span, "") for span in strings.spans]
    except MalformedError:
        raise Unshowable("the sound is malformed, or the file has changed", hint="reload and look again") from None


def _old_clips(window: Window, at: int, end: int) -> list[Clip]:
    """The clip of a Summary.Audio; none where the writer left it out."""
    found: list[Clip] = []
    for number, wire_type, begin, stop in fields_of(window, at, end):
        if number == 4 and wire_type == BYTES:
            found = [Clip(begin, stop, "")]
    return found


def _label(window: Window, begin: int, end: int) -> str:
    return window.slice(begin, min(end, begin + MAX_LABEL_BYTES)).decode("utf-8", "replace")


def says_wav(metadata: bytes) -> bool:
    """Does TensorBoard take the clips for WAV? By their SummaryMetadata: old values without any always are."""
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
    """The field of that name in AudioPluginData."""
    found = 0
    for number, wire_type, value, _ in fields(metadata, at, end):
        if number == 2 and wire_type == VARINT:
            found = value
    return found
