"""Parsing hparams messages: experiments, session starts and session ends."""

import math

from lightboard.series.experiment import (
    Experiment,
    Interval,
    Metric,
    MetricName,
    Parameter,
    SessionEnd,
    SessionStart,
    parse_experiment,
    read_session_end,
    read_session_start,
)
from lightboard.testing.event_files import bytes_field, double_field, summary_metadata, varint_field


def text_field(field: int, value: str) -> bytes:
    """A string field."""
    return bytes_field(field, value.encode())


def hparams_metadata(kind: int, content: bytes) -> bytes:
    """Metadata of the hparams plugin with this content."""
    return summary_metadata("hparams", bytes_field(kind, content))


LIST = bytes_field(1, double_field(2, 16.0)) + bytes_field(1, text_field(3, "all")) + bytes_field(1, varint_field(4, 1))
RATE = text_field(1, "lr") + text_field(2, "Rate") + text_field(3, "how *fast*") + varint_field(4, 3)
RATE += bytes_field(6, double_field(1, 1e-4) + double_field(2, 0.5)) + varint_field(7, 1)
LOSS = (
    bytes_field(1, text_field(1, "train") + text_field(2, "loss"))
    + text_field(3, "Loss")
    + text_field(4, "lower")
    + varint_field(5, 1)
)


def test_experiments_are_parsed() -> None:
    """Names, descriptions, domains, and metrics with groups."""
    content = text_field(6, "sweep") + text_field(1, "all of it") + text_field(2, "me") + double_field(3, 12.5)
    content += (
        bytes_field(4, RATE) + bytes_field(4, text_field(1, "size") + bytes_field(5, LIST)) + bytes_field(5, LOSS)
    )

    assert parse_experiment(hparams_metadata(2, content)) == Experiment(
        "sweep",
        "all of it",
        "me",
        12.5,
        (
            Parameter("lr", "Rate", "how *fast*", "float64", None, Interval(1e-4, 0.5), True),
            Parameter("size", values=(16.0, "all", True)),
        ),
        (Metric(MetricName("train", "loss"), "Loss", "lower", "training"),),
    )


def test_the_last_domain_wins() -> None:
    """Domains are a oneof."""
    both = text_field(1, "x") + bytes_field(6, double_field(2, 1.0)) + bytes_field(5, b"")

    assert parse_experiment(hparams_metadata(2, bytes_field(4, both))).parameters == (Parameter("x", values=()),)


def test_sessions_have_start_and_end() -> None:
    """With URLs, times and status. Null values are dropped."""
    entry = text_field(1, "lr") + bytes_field(2, double_field(2, 0.1))
    nothing = text_field(1, "none") + bytes_field(2, varint_field(1, 0))
    start = (
        bytes_field(1, entry)
        + bytes_field(1, nothing)
        + text_field(2, "m://x")
        + text_field(3, "http://y")
        + text_field(4, "g")
    )

    assert read_session_start(hparams_metadata(3, start + double_field(5, 7.0))) == SessionStart(
        {"lr": 0.1}, "m://x", "http://y", "g", 7.0
    )
    assert read_session_end(hparams_metadata(4, varint_field(1, 2) + double_field(2, 9.0))) == SessionEnd(2, 9.0)


def test_malformed_messages_are_read_partially() -> None:
    """Up to the malformed field."""
    broken = text_field(6, "sweep") + b"\x2a\xff\x01half"

    assert parse_experiment(hparams_metadata(2, broken)) == Experiment("sweep")
    assert parse_experiment(b"\xff\xff\xff") == Experiment()
    assert read_session_start(hparams_metadata(3, b"\x0a\x05")) == SessionStart({})
    assert read_session_end(b"") == SessionEnd()


def test_unknown_enum_values_are_accepted() -> None:
    """They may come from later versions."""
    odd = text_field(1, "x") + varint_field(4, 99)

    assert parse_experiment(hparams_metadata(2, bytes_field(4, odd))).parameters == (Parameter("x"),)
    assert read_session_end(hparams_metadata(4, varint_field(1, 99))).status == 99


def test_domains_may_be_infinite() -> None:
    """On both sides."""
    open_end = text_field(1, "x") + bytes_field(6, double_field(1, -math.inf) + double_field(2, math.inf))

    assert parse_experiment(hparams_metadata(2, bytes_field(4, open_end))).parameters[0].interval == Interval(
        -math.inf, math.inf
    )


def test_the_number_of_values_is_limited() -> None:
    """A message may consist of one repeated field."""
    many = text_field(1, "x") + bytes_field(5, bytes_field(1, varint_field(4, 1)) * 20_000)

    values = parse_experiment(hparams_metadata(2, bytes_field(4, many))).parameters[0].values
    assert values is not None
    assert len(values) == 10_000
