"""Hyperparameters as TensorBoard's hparams plugin stores them: in the metadata of three tags, not in points.

Parses the start and the end of a session. The first start of a run counts, as in TensorBoard, and the last end.
`series.experiment` parses the experiment.
"""

import struct
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from lightboard.events.wire import BYTES, FIXED64, VARINT, MalformedError, fields
from lightboard.series.timeseries import Tag

PLUGIN = "hparams"
START_TAG = "_hparams_/session_start_info"
END_TAG = "_hparams_/session_end_info"

Scalar = float | str | bool
Outcome = Literal["unknown", "success", "failure", "running"]
OUTCOMES: tuple[Outcome, ...] = ("unknown", "success", "failure", "running")
"""In the order of their numbers in the message."""

_PLUGIN_DATA, _CONTENT = 1, 2
_START_INFO, _END_INFO = 3, 4
_CONFIG, _GROUP_NAME = 1, 4
_STATUS = 1
_NUMBER, _TEXT, _FLAG = 2, 3, 4


class Hparams(NamedTuple):
    """The hyperparameters of a run in the order written, its group ("" for none), and its outcome."""

    config: dict[str, Scalar]
    group_name: str
    outcome: Outcome


def find_hparams(tags: Mapping[str, Tag]) -> Hparams | None:
    """The hyperparameters in the tags of a run; None if there is no session."""
    start = tags.get(START_TAG)
    if start is None or start.plugin != PLUGIN:
        return None
    end = tags.get(END_TAG)
    outcome = parse_outcome(last_metadata(end)) if end is not None and end.plugin == PLUGIN else "unknown"
    config, group_name = parse_session_start(start.metadata)
    return Hparams(config, group_name, outcome)


def last_metadata(tag: Tag) -> bytes:
    """The metadata of the last file that has any: a resumed job ends twice."""
    for decoder, index in reversed(tag.parts):
        if index >= 0 and (metadata := decoder.describe(index).metadata):
            return metadata
    return tag.metadata


def parse_session_start(metadata: bytes) -> tuple[dict[str, Scalar], str]:
    """Parameters and group from the metadata of START_TAG. For malformed bytes, the fields before the error count."""
    config: dict[str, Scalar] = {}
    group_name = ""
    try:
        for at, end in message_spans(metadata, _START_INFO):
            for number, wire_type, begin, stop in fields(metadata, at, end):
                if number == _CONFIG and wire_type == BYTES:
                    key, value = parse_parameter(metadata[begin:stop])
                    if value is not None:
                        config[key] = value
                elif number == _GROUP_NAME and wire_type == BYTES:
                    group_name = decode_text(metadata[begin:stop])
    except MalformedError:
        pass
    return config, group_name


@lru_cache(64)  # few different values
def parse_outcome(metadata: bytes) -> Outcome:
    """The status from the metadata of END_TAG."""
    status = 0
    try:
        for at, end in message_spans(metadata, _END_INFO):
            for number, wire_type, value, _ in fields(metadata, at, end):
                if number == _STATUS and wire_type == VARINT:
                    status = value
    except MalformedError:
        pass
    return OUTCOMES[status] if status < len(OUTCOMES) else "unknown"


def message_spans(metadata: bytes, kind: int) -> list[tuple[int, int]]:
    """The positions of the message `kind` of HParamsPluginData in a SummaryMetadata. Raises MalformedError."""
    found = [(0, len(metadata))]
    for wanted in (_PLUGIN_DATA, _CONTENT, kind):
        found = [
            (begin, stop)
            for at, end in found
            for number, wire_type, begin, stop in fields(metadata, at, end)
            if number == wanted and wire_type == BYTES
        ]
    return found


@lru_cache(1 << 14)  # runs of a sweep share most of their parameters, and with the cache their memory
def parse_parameter(entry: bytes) -> tuple[str, Scalar | None]:
    """Parse an entry of the map. The value is None if it is no number, string or boolean. Raises MalformedError."""
    key, value = "", None
    for number, wire_type, begin, stop in fields(entry, 0, len(entry)):
        if number == 1 and wire_type == BYTES:
            key = sys.intern(decode_text(entry[begin:stop]))
        elif number == 2 and wire_type == BYTES:
            value = parse_scalar(entry, begin, stop)
    return key, value


def parse_scalar(entry: bytes, at: int, end: int) -> Scalar | None:
    """Parse a google.protobuf.Value. Raises MalformedError."""
    found: Scalar | None = None
    for number, wire_type, value, stop in fields(entry, at, end):
        if number == _NUMBER and wire_type == FIXED64:
            (found,) = struct.unpack_from("<d", entry, value)
        elif number == _TEXT and wire_type == BYTES:
            found = decode_text(entry[value:stop])
        elif number == _FLAG and wire_type == VARINT:
            found = bool(value)
    return found


def decode_text(data: bytes) -> str:
    """Decode UTF-8 with replacement characters."""
    return data.decode("utf-8", "replace")
