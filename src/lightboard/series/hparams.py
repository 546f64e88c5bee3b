"""Hyper-parameters as TensorBoard's hparams plugin stores them: in the metadata of three tags, not in points.

Read are the start and the end of a session; the experiment, which only says what its runs say anyway, is not. The first
that a run says of its start counts, as in TensorBoard; of its end, the last. Not here: which run they belong to.
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
"""By the number that travels."""

_PLUGIN_DATA, _CONTENT = 1, 2
_START_INFO, _END_INFO = 3, 4
_CONFIG, _GROUP_NAME = 1, 4
_STATUS = 1
_NUMBER, _TEXT, _FLAG = 2, 3, 4


class Hparams(NamedTuple):
    """What a run says of itself: its parameters in the order written, its group ("" for none), how it ended."""

    config: dict[str, Scalar]
    group_name: str
    outcome: Outcome


def hparams_of(tags: Mapping[str, Tag]) -> Hparams | None:
    """The hyper-parameters among the tags of a run; None where it says of no session."""
    start = tags.get(START_TAG)
    if start is None or start.plugin != PLUGIN:
        return None
    end = tags.get(END_TAG)
    outcome = outcome_of(last_metadata(end)) if end is not None and end.plugin == PLUGIN else "unknown"
    config, group_name = session_start(start.metadata)
    return Hparams(config, group_name, outcome)


def last_metadata(tag: Tag) -> bytes:
    """What the last file says that says anything: a job that was taken up again ends twice."""
    for decoder, index in reversed(tag.parts):
        if index >= 0 and (metadata := decoder.describe(index).metadata):
            return metadata
    return tag.metadata


def session_start(metadata: bytes) -> tuple[dict[str, Scalar], str]:
    """Parameters and group out of the metadata of START_TAG; of malformed bytes what comes before they break."""
    config: dict[str, Scalar] = {}
    group_name = ""
    try:
        for at, end in pieces(metadata, _START_INFO):
            for number, wire_type, begin, stop in fields(metadata, at, end):
                if number == _CONFIG and wire_type == BYTES:
                    key, value = parameter(metadata[begin:stop])
                    if value is not None:
                        config[key] = value
                elif number == _GROUP_NAME and wire_type == BYTES:
                    group_name = text(metadata[begin:stop])
    except MalformedError:
        pass
    return config, group_name


@lru_cache(64)  # there are not many
def outcome_of(metadata: bytes) -> Outcome:
    """The status out of the metadata of END_TAG."""
    status = 0
    try:
        for at, end in pieces(metadata, _END_INFO):
            for number, wire_type, value, _ in fields(metadata, at, end):
                if number == _STATUS and wire_type == VARINT:
                    status = value
    except MalformedError:
        pass
    return OUTCOMES[status] if status < len(OUTCOMES) else "unknown"


def pieces(metadata: bytes, kind: int) -> list[tuple[int, int]]:
    """Where in a SummaryMetadata the message `kind` of HParamsPluginData lies. Raises MalformedError."""
    found = [(0, len(metadata))]
    for wanted in (_PLUGIN_DATA, _CONTENT, kind):
        found = [
            (begin, stop)
            for at, end in found
            for number, wire_type, begin, stop in fields(metadata, at, end)
            if number == wanted and wire_type == BYTES
        ]
    return found


@lru_cache(1 << 14)  # most runs of a sweep share most of their parameters, and then share the memory too
def parameter(entry: bytes) -> tuple[str, Scalar | None]:
    """One entry of the map: name and value, None for what is neither number, text nor flag. Raises MalformedError."""
    key, value = "", None
    for number, wire_type, begin, stop in fields(entry, 0, len(entry)):
        if number == 1 and wire_type == BYTES:
            key = sys.intern(text(entry[begin:stop]))
        elif number == 2 and wire_type == BYTES:
            value = scalar(entry, begin, stop)
    return key, value


def scalar(entry: bytes, at: int, end: int) -> Scalar | None:
    """A google.protobuf.Value. Raises MalformedError."""
    found: Scalar | None = None
    for number, wire_type, value, stop in fields(entry, at, end):
        if number == _NUMBER and wire_type == FIXED64:
            (found,) = struct.unpack_from("<d", entry, value)
        elif number == _TEXT and wire_type == BYTES:
            found = text(entry[value:stop])
        elif number == _FLAG and wire_type == VARINT:
            found = bool(value)
    return found


def text(data: bytes) -> str:
    """UTF-8, with replacements where it is none."""
    return data.decode("utf-8", "replace")
