"""What writers say of a whole experiment and of each of its sessions: TensorBoard's hparams messages, decoded.

Of an experiment: names, domains and metrics that were declared. Of a session: group, addresses, times, status. Not
here: which of these count, or what is true where nothing was declared (`query.experiment`).
"""

import struct
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from lightboard.events.wire import BYTES, FIXED64, VARINT, MalformedError, fields, signed32
from lightboard.series.hparams import Scalar, parameter, pieces, scalar, text

EXPERIMENT_TAG = "_hparams_/experiment"

W = TypeVar("W")

Type = Literal["unset", "string", "bool", "float64"]
TYPES: tuple[Type, ...] = ("unset", "string", "bool", "float64")
DatasetType = Literal["unknown", "training", "validation"]
DATASET_TYPES: tuple[DatasetType, ...] = ("unknown", "training", "validation")

MOST_INFOS = 10_000
"""Parameters and metrics of one experiment that are looked at, and values of one domain."""

_VERSION, _EXPERIMENT, _START, _END = 1, 2, 3, 4

Body = dict[int, list[bytes | float | int]]
"""The fields of a message by number, in the order written: bytes, doubles (8 bytes) and whole numbers (varints)."""


class Interval(NamedTuple):
    """A domain of numbers, ends included."""

    low: float
    high: float


class Parameter(NamedTuple):
    """A hyper-parameter. `values` are its domain where that is a list, `interval` where it is one; both None: any."""

    name: str
    display_name: str = ""
    description: str = ""
    type: Type = "unset"
    values: tuple[Scalar, ...] | None = None
    interval: Interval | None = None
    differs: bool = False


class MetricName(NamedTuple):
    """A scalar `tag` in the run `group` below the run of a session; "" is that run itself."""

    group: str
    tag: str


class Metric(NamedTuple):
    """A metric that people look at."""

    name: MetricName
    display_name: str = ""
    description: str = ""
    dataset_type: DatasetType = "unknown"


class Experiment(NamedTuple):
    """What is known of all sessions together; `time_created` in seconds, 0 where nobody said."""

    name: str = ""
    description: str = ""
    user: str = ""
    time_created: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    metrics: tuple[Metric, ...] = ()


class SessionStart(NamedTuple):
    """What a session said when it began; `time` in seconds, 0 where it did not say."""

    config: dict[str, Scalar]
    model_uri: str = ""
    monitor_url: str = ""
    group_name: str = ""
    time: float = 0.0


class SessionEnd(NamedTuple):
    """And when it ended; `status` is the number that travels: 0 unknown, 1 success, 2 failure, 3 running."""

    status: int = 0
    time: float = 0.0


def experiment_of(metadata: bytes) -> Experiment:
    """Out of the SummaryMetadata of EXPERIMENT_TAG; what is malformed counts as not said."""
    said = message(metadata, _EXPERIMENT)
    return Experiment(
        name=word(said, 6),
        description=word(said, 1),
        user=word(said, 2),
        time_created=number(said, 3),
        parameters=tuple(parameter_of(body(one)) for one in messages(said, 4)),
        metrics=tuple(metric_of(body(one)) for one in messages(said, 5)),
    )


def parameter_of(said: Body) -> Parameter:
    """One HParamInfo. Of the two forms of a domain the last one written counts, as in any oneof."""
    forms = [key for key in said if key in (5, 6)]
    form = forms[-1] if forms else 0
    interval = body(messages(said, 6)[-1]) if form == 6 else {}
    return Parameter(
        name=word(said, 1),
        display_name=word(said, 2),
        description=word(said, 3),
        type=one_of(TYPES, said, 4),
        values=list_of(messages(said, 5)[-1]) if form == 5 else None,
        interval=Interval(number(interval, 1), number(interval, 2)) if form == 6 else None,
        differs=bool(number(said, 7)),
    )


def metric_of(said: Body) -> Metric:
    """One MetricInfo."""
    names = messages(said, 1)
    name = body(names[-1]) if names else {}
    return Metric(
        MetricName(word(name, 1), word(name, 2)), word(said, 3), word(said, 4), one_of(DATASET_TYPES, said, 5)
    )


@lru_cache(1 << 14)  # asked again and again while other runs go on
def session_start_of(metadata: bytes) -> SessionStart:
    """Out of the SummaryMetadata of a session's start. Not to be changed by the caller."""
    said = message(metadata, _START)
    config: dict[str, Scalar] = {}
    for entry in messages(said, 1):
        try:
            key, value = parameter(entry)
        except MalformedError:
            continue
        if value is not None:
            config[key] = value
    return SessionStart(config, word(said, 2), word(said, 3), word(said, 4), number(said, 5))


@lru_cache(1 << 14)
def session_end_of(metadata: bytes) -> SessionEnd:
    """Out of the SummaryMetadata of a session's end."""
    said = message(metadata, _END)
    return SessionEnd(signed32(int(number(said, 1))), number(said, 2))


def list_of(data: bytes) -> tuple[Scalar, ...]:
    """A google.protobuf.ListValue; items that are neither number, text nor flag are left out."""
    found = []
    for item in messages(body(data), 1):
        try:
            value = scalar(item, 0, len(item))
        except MalformedError:
            continue
        if value is not None:
            found.append(value)
    return tuple(found)


def message(metadata: bytes, kind: int) -> Body:
    """The message `kind` of HParamsPluginData in a SummaryMetadata; empty where there is none."""
    try:
        places = pieces(metadata, kind)
    except MalformedError:
        return {}
    return body(b"".join(metadata[at:end] for at, end in places))  # messages in pieces are one message


def body(data: bytes) -> Body:
    """The fields of a message, as far as they make sense."""
    found: Body = {}
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
            several = found.pop(key, [])  # so that the key that came last is the last one
            found[key] = several
            if len(several) < MOST_INFOS:
                several.append(value)
    except MalformedError:
        pass
    return found


def messages(said: Body, key: int) -> list[bytes]:
    """The messages or texts of a field."""
    return [value for value in said.get(key, ()) if isinstance(value, bytes)]


def word(said: Body, key: int) -> str:
    """A text; "" where there is none."""
    found = messages(said, key)
    return text(found[-1]) if found else ""


def number(said: Body, key: int) -> float:
    """A number; 0 where there is none."""
    found = [value for value in said.get(key, ()) if not isinstance(value, bytes)]
    return found[-1] if found else 0


def one_of(words: tuple[W, ...], said: Body, key: int) -> W:
    """The word of that number, the first for one that nobody knows."""
    at = int(number(said, key))
    return words[at] if at < len(words) else words[0]
