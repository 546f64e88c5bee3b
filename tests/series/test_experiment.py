"""Experiments and sessions out of the messages that writers leave."""

import math

from lightboard.series.experiment import (
    Experiment,
    Interval,
    Metric,
    MetricName,
    Parameter,
    SessionEnd,
    SessionStart,
    experiment_of,
    session_end_of,
    session_start_of,
)
from lightboard.testing.event_files import bytes_field, double_field, summary_metadata, varint_field


def text(field: int, words: str) -> bytes:
    """A field of text."""
    return bytes_field(field, words.encode())


def said(kind: int, content: bytes) -> bytes:
    """The metadata of a tag that says this."""
    return summary_metadata("hparams", bytes_field(kind, content))


LIST = bytes_field(1, double_field(2, 16.0)) + bytes_field(1, text(3, "all")) + bytes_field(1, varint_field(4, 1))
RATE = text(1, "lr") + text(2, "Rate") + text(3, "how *fast*") + varint_field(4, 3)
RATE += bytes_field(6, double_field(1, 1e-4) + double_field(2, 0.5)) + varint_field(7, 1)
LOSS = bytes_field(1, text(1, "train") + text(2, "loss")) + text(3, "Loss") + text(4, "lower") + varint_field(5, 1)


def test_an_experiment_is_read_whole() -> None:
    """Names, descriptions, both kinds of domains, metrics with their groups."""
    content = text(6, "sweep") + text(1, "all of it") + text(2, "me") + double_field(3, 12.5)
    content += bytes_field(4, RATE) + bytes_field(4, text(1, "size") + bytes_field(5, LIST)) + bytes_field(5, LOSS)

    assert experiment_of(said(2, content)) == Experiment(
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


def test_of_two_domains_the_last_counts() -> None:
    """They are one of two."""
    both = text(1, "x") + bytes_field(6, double_field(2, 1.0)) + bytes_field(5, b"")

    assert experiment_of(said(2, bytes_field(4, both))).parameters == (Parameter("x", values=()),)


def test_a_session_says_how_it_began_and_ended() -> None:
    """Addresses and times beside its parameters."""
    entry = text(1, "lr") + bytes_field(2, double_field(2, 0.1))
    nothing = text(1, "none") + bytes_field(2, varint_field(1, 0))
    start = bytes_field(1, entry) + bytes_field(1, nothing) + text(2, "m://x") + text(3, "http://y") + text(4, "g")

    assert session_start_of(said(3, start + double_field(5, 7.0))) == SessionStart(
        {"lr": 0.1}, "m://x", "http://y", "g", 7.0
    )
    assert session_end_of(said(4, varint_field(1, 2) + double_field(2, 9.0))) == SessionEnd(2, 9.0)


def test_what_is_malformed_counts_as_not_said() -> None:
    """As far as it makes sense it counts."""
    broken = text(6, "sweep") + b"\x2a\xff\x01half"

    assert experiment_of(said(2, broken)) == Experiment("sweep")
    assert experiment_of(b"\xff\xff\xff") == Experiment()
    assert session_start_of(said(3, b"\x0a\x05")) == SessionStart({})
    assert session_end_of(b"") == SessionEnd()


def test_numbers_nobody_knows_are_unknown() -> None:
    """A type or status of a later version."""
    odd = text(1, "x") + varint_field(4, 99)

    assert experiment_of(said(2, bytes_field(4, odd))).parameters == (Parameter("x"),)
    assert session_end_of(said(4, varint_field(1, 99))).status == 99


def test_a_domain_may_have_no_end() -> None:
    """Infinities travel as doubles."""
    open_end = text(1, "x") + bytes_field(6, double_field(1, -math.inf) + double_field(2, math.inf))

    assert experiment_of(said(2, bytes_field(4, open_end))).parameters[0].interval == Interval(-math.inf, math.inf)


def test_a_million_values_are_not_kept() -> None:
    """A message can be all of one field."""
    many = text(1, "x") + bytes_field(5, bytes_field(1, varint_field(4, 1)) * 20_000)

    values = experiment_of(said(2, bytes_field(4, many))).parameters[0].values
    assert values is not None
    assert len(values) == 10_000
