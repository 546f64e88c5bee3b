"""Parses TensorBoard's hparams messages about an experiment and its sessions.

An experiment declares names, domains and metrics; a session has group, URLs, times and status. `query.experiment`
decides which of these count, and infers what was not declared.
"""

import struct
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from lightboard.events.wire import BYTES, FIXED64, VARINT, MalformedError, fields, signed32
from lightboard.series.hparams import Scalar, decode_text, message_spans, parse_parameter, parse_scalar

EXPERIMENT_TAG = "_hparams_/experiment"

W = TypeVar("W")

Type = Literal["unset", "string", "bool", "float64"]
TYPES: tuple[Type, ...] = ("unset", "string", "bool", "float64")
DatasetType = Literal["unknown", "training", "validation"]
DATASET_TYPES: tuple[DatasetType, ...] = ("unknown", "training", "validation")

MAX_INFOS = 10_000
"""The maximum number of parameters and metrics of one experiment, and of values of one domain."""

_VERSION, _EXPERIMENT, _START, _END = 1, 2, 3, 4

MessageFields = dict[int, list[bytes | float | int]]
"""The fields of a message by number, in the order written: bytes, doubles (8 bytes) and integers (varints)."""


class Interval(NamedTuple):
    """A closed interval of numbers."""

    low: float
    high: float


class Parameter(NamedTuple):
    """A hyperparameter. Its domain is the list `values` or the `interval`, or anything if both are None."""

    name: str
    display_name: str = ""
    description: str = ""
    type: Type = "unset"
    values: tuple[Scalar, ...] | None = None
    interval: Interval | None = None
    differs: bool = False


class MetricName(NamedTuple):
    """A scalar `tag` in the run `group` relative to the run of a session; "" is that run itself."""

    group: str
    tag: str


class Metric(NamedTuple):
    """A declared metric."""

    name: MetricName
    display_name: str = ""
    description: str = ""
    dataset_type: DatasetType = "unknown"


class Experiment(NamedTuple):
    """What the sessions have in common. `time_created` is in seconds, 0 if unknown."""

    name: str = ""
    description: str = ""
    user: str = ""
    time_created: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    metrics: tuple[Metric, ...] = ()


class SessionStart(NamedTuple):
    """What a session reported at its start. `time` is in seconds, 0 if unknown."""

    config: dict[str, Scalar]
    model_uri: str = ""
    monitor_url: str = ""
    group_name: str = ""
    time: float = 0.0


class SessionEnd(NamedTuple):
    """What a session reported at its end. `status`: 0 unknown, 1 success, 2 failure, 3 running."""

    status: int = 0
    time: float = 0.0


def parse_experiment(metadata: bytes) -> Experiment:
    """Parse the SummaryMetadata of EXPERIMENT_TAG. Malformed parts are ignored."""
    message = find_message(metadata, _EXPERIMENT)
    return Experiment(
        name=text_value(message, 6),
        description=text_value(message, 1),
        user=text_value(message, 2),
        time_created=number_value(message, 3),
        parameters=tuple(parse_hparam_info(parse_fields(one)) for one in bytes_values(message, 4)),
        metrics=tuple(parse_metric_info(parse_fields(one)) for one in bytes_values(message, 5)),
    )


def parse_hparam_info(message: MessageFields) -> Parameter:
    """Parse a HParamInfo. Of the two kinds of domain the last one written counts, as in any oneof."""
    forms = [key for key in message if key in (5, 6)]
    form = forms[-1] if forms else 0
    interval = parse_fields(bytes_values(message, 6)[-1]) if form == 6 else {}
    return Parameter(
        name=text_value(message, 1),
        display_name=text_value(message, 2),
        description=text_value(message, 3),
        type=enum_value(TYPES, message, 4),
        values=parse_list(bytes_values(message, 5)[-1]) if form == 5 else None,
        interval=Interval(number_value(interval, 1), number_value(interval, 2)) if form == 6 else None,
        differs=bool(number_value(message, 7)),
    )


def parse_metric_info(message: MessageFields) -> Metric:
    """Parse a MetricInfo."""
    names = bytes_values(message, 1)
    name = parse_fields(names[-1]) if names else {}
    return Metric(
        MetricName(text_value(name, 1), text_value(name, 2)),
        text_value(message, 3),
        text_value(message, 4),
        enum_value(DATASET_TYPES, message, 5),
    )


@lru_cache(1 << 14)  # called again for each change of another run
def read_session_start(metadata: bytes) -> SessionStart:
    """Parse the SummaryMetadata of a session's start. Callers must not modify the result."""
    message = find_message(metadata, _START)
    config: dict[str, Scalar] = {}
    for entry in bytes_values(message, 1):
        try:
            key, value = parse_parameter(entry)
        except MalformedError:
            continue
        if value is not None:
            config[key] = value
    return SessionStart(
        config, text_value(message, 2), text_value(message, 3), text_value(message, 4), number_value(message, 5)
    )


@lru_cache(1 << 14)
def read_session_end(metadata: bytes) -> SessionEnd:
    """Parse the SummaryMetadata of a session's end."""
    message = find_message(metadata, _END)
    return SessionEnd(signed32(int(number_value(message, 1))), number_value(message, 2))


def parse_list(data: bytes) -> tuple[Scalar, ...]:
    """Parse a google.protobuf.ListValue. Items other than numbers, strings and booleans are left out."""
    values = []
    for item in bytes_values(parse_fields(data), 1):
        try:
            value = parse_scalar(item, 0, len(item))
        except MalformedError:
            continue
        if value is not None:
            values.append(value)
    return tuple(values)


def find_message(metadata: bytes, kind: int) -> MessageFields:
    """The message `kind` of HParamsPluginData in a SummaryMetadata; empty if there is none."""
    try:
        places = message_spans(metadata, kind)
    except MalformedError:
        return {}
    return parse_fields(b"".join(metadata[at:end] for at, end in places))  # one message, split over fields


def parse_fields(data: bytes) -> MessageFields:
    """The fields of a message up to the first error."""
    values: MessageFields = {}
    try:
        for key, wire_type, begin, end in fields(data, 0, len(data)):
            if wire_type == BYTES:
                value: bytes | float | int = data[begin:end]
            elif wire_type == FIXED64:
                (value,) = struct.unpack_from("<d", data, begin)
            elif wire_type == VARINT:
                value = begin
            else:
                continue
            several = values.pop(key, [])  # keeps the keys in the order of their last occurrence
            values[key] = several
            if len(several) < MAX_INFOS:
                several.append(value)
    except MalformedError:
        pass
    return values


def bytes_values(message: MessageFields, key: int) -> list[bytes]:
    """All values of a field that are bytes."""
    return [value for value in message.get(key, ()) if isinstance(value, bytes)]


def text_value(message: MessageFields, key: int) -> str:
    """The last string of a field; "" if there is none."""
    values = bytes_values(message, key)
    return decode_text(values[-1]) if values else ""


def number_value(message: MessageFields, key: int) -> float:
    """The last number of a field; 0 if there is none."""
    values = [value for value in message.get(key, ()) if not isinstance(value, bytes)]
    return values[-1] if values else 0


def enum_value(words: tuple[W, ...], message: MessageFields, key: int) -> W:
    """The last enum value of a field; the first of `words` if it is unknown."""
    at = int(number_value(message, key))
    return words[at] if at < len(words) else words[0]
