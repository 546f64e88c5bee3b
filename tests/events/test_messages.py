"""Events and summaries on the wire: fields that are read, ignored, or malformed."""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.testing.event_files import (
    STRING,
    bytes_field,
    double_field,
    event,
    float_field,
    record,
    scalar_record,
    scalar_value,
    start_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    tensor_value,
    varint,
    varint_field,
    version_record,
)
from support.series_columns import points, values

Decode = Callable[..., Any]


def summary_event(*values: bytes, wall_time: float = 2.0, step: int = 3) -> bytes:
    return event(bytes_field(5, b"".join(bytes_field(1, value) for value in values)), wall_time=wall_time, step=step)


GROUP = varint(15 << 3 | 3) + varint_field(1, 5) + varint(9 << 3 | 3) + varint(9 << 3 | 4) + varint(15 << 3 | 4)


def test_points_have_step_wall_time_and_value(impl: SimpleNamespace, decode: Decode) -> None:
    """Steps may be negative."""
    decoder = decode(scalar_record("a", -7, 0.25, 1700000000.125))
    assert points(impl, [(decoder, 0)]) == [(-7, 1700000000.125, 0.25, 0)]


def test_missing_fields_are_zero(impl: SimpleNamespace, decode: Decode) -> None:
    """Writers omit zeros."""
    decoder = decode(record(bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))))
    assert points(impl, [(decoder, 0)]) == [(0, 0.0, 1.0, 0)]


def test_steps_are_int64(impl: SimpleNamespace, decode: Decode) -> None:
    """Both ends of the range are read."""
    ends = [-(1 << 63), (1 << 63) - 1]
    decoder = decode(*(scalar_record("a", step, 1.0) for step in ends))
    assert [point[0] for point in points(impl, [(decoder, 0)])] == ends


def test_fields_may_come_in_any_order(impl: SimpleNamespace, decode: Decode) -> None:
    """The summary may precede its step."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    decoder = decode(record(summary + varint_field(2, 9) + double_field(1, 4.0)))
    assert points(impl, [(decoder, 0)]) == [(9, 4.0, 1.0, 0)]


def test_unknown_fields_and_groups_are_ignored(impl: SimpleNamespace, decode: Decode) -> None:
    """Extensions of the format cost no point."""
    extra = varint_field(99, 1) + bytes_field(98, b"abc") + double_field(97, 1.0) + float_field(96, 1.0) + GROUP
    value = extra + scalar_value("a", 1.5) + extra
    decoder = decode(record(extra + summary_event(value) + extra))
    assert (values(impl, decoder), decoder.damage()) == ([1.5], [])


def test_fields_of_another_wire_type_are_ignored(impl: SimpleNamespace, decode: Decode) -> None:
    """A string in place of a step, a varint in place of a simple value."""
    wrong = bytes_field(2, b"7") + varint_field(1, 7) + varint_field(5, 1)
    value = varint_field(1, 3) + varint_field(2, 4) + scalar_value("a", 1.0)
    decoder = decode(record(wrong + summary_event(value)))
    assert points(impl, [(decoder, 0)]) == [(3, 2.0, 1.0, 0)]


def test_the_last_field_of_a_oneof_wins(decode: Decode) -> None:
    """An event has either a summary or a version."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    version = bytes_field(3, b"brain.Event:2")
    assert decode(record(event(summary + version))).file_version == 2
    assert decode(record(event(summary + version))).points == 0
    assert decode(record(event(version + summary))).points == 1
    assert decode(record(event(version + summary))).file_version == 0


def test_repeated_summaries_are_merged(impl: SimpleNamespace, decode: Decode) -> None:
    """As protobuf merges repeated messages."""
    pieces = [bytes_field(5, bytes_field(1, scalar_value("a", number))) for number in (1.0, 2.0, 3.0)]
    assert values(impl, decode(record(event(b"".join(pieces))))) == [1.0, 2.0, 3.0]


MALFORMED = {
    "key cut short": b"\x80",
    "field number 0": b"\x02\x00",
    "wire type 6": b"\x0e",
    "wire type 7": b"\x0f",
    "length beyond the end": b"\x5a\x05abc",
    "fixed64 cut short": b"\x59abc",
    "fixed32 cut short": b"\x5dabc",
    "varint of eleven bytes": b"\x58" + b"\xff" * 10 + b"\x01",
    "key above 32 bits": varint(1 << 35) + b"\x00",
    "group that never ends": varint(15 << 3 | 3),
    "group that never began": varint(15 << 3 | 4),
    "length of 2^64 - 1": b"\x5a" + varint(-1),
}


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_events_are_damage(impl: SimpleNamespace, decode: Decode, bad: bytes) -> None:
    """None of their values is used; the next record is read."""
    frame = record(summary_event(scalar_value("a", 1.0)) + bad)
    decoder = decode(frame, scalar_record("a", 1, 2.0))
    assert (values(impl, decoder), decoder.records) == ([2.0], 1)
    assert [(offset, length) for offset, length, _ in decoder.damage()] == [(0, len(frame))]


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED.keys())
def test_values_beside_a_malformed_one_are_kept(impl: SimpleNamespace, decode: Decode, bad: bytes) -> None:
    """Only the malformed value is lost. The record is reported as damage."""
    frame = record(summary_event(scalar_value("a", 1.0), scalar_value("a", 2.0) + bad, scalar_value("a", 3.0)))
    decoder = decode(frame)
    assert (values(impl, decoder), decoder.records) == ([1.0, 3.0], 0)
    assert [(offset, length) for offset, length, _ in decoder.damage()] == [(0, len(frame))]


def test_values_before_a_malformed_field_are_kept(impl: SimpleNamespace, decode: Decode) -> None:
    """A length beyond the end of the summary."""
    broken = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)) + b"\x0a\x7f")
    decoder = decode(record(event(broken)))
    assert (values(impl, decoder), len(decoder.damage())) == ([1.0], 1)


def test_ten_byte_varints_keep_their_low_64_bits(impl: SimpleNamespace, decode: Decode) -> None:
    """Other readers drop the rest as well."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    decoder = decode(record(b"\x10" + b"\xff" * 9 + b"\x7f" + summary))
    assert [point[0] for point in points(impl, [(decoder, 0)])] == [-1]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("brain.Event:2", 2),
        ("brain.Event:1", 1),
        ("brain.Event:17", 17),
        ("brain.Event:2.5", 2),
        ("2", 2),
        ("brain.Event:brain.Event:3", 3),
        ("", -1),
        ("brain.Event:", -1),
        ("brain.Event:0", -1),
        ("brain.Event:two", -1),
        ("brain.Event:-2", -1),
        ("brain.Event:2x", -1),
        ("brain.Event:2.x", -1),
        ("brain.Event:12345678901", -1),
    ],
)
def test_file_version(decode: Decode, text: str, version: int) -> None:
    """The number after the last "brain.Event:"; -1 if it is not a number above 0."""
    assert decode(version_record(text)).file_version == version


def test_the_version_is_zero_without_a_record(decode: Decode) -> None:
    """A scalar alone does not set it."""
    assert decode(scalar_record("a", 0, 1.0)).file_version == 0


def test_first_and_last_wall_time(decode: Decode) -> None:
    """The first and the highest that are finite. Points with other times are kept."""
    walls = [math.nan, 5.0, math.inf, 9.0, 3.0, -math.inf]
    decoder = decode(*(scalar_record("a", 0, 1.0, wall) for wall in walls))
    assert (decoder.first_wall_time, decoder.last_wall_time, decoder.points) == (5.0, 9.0, 6)


def test_wall_times_of_scalars_are_separate(decode: Decode) -> None:
    """Lowest and highest of scalar points; the header may be older or newer."""
    walls = [math.nan, 5.0, math.inf, 9.0, 3.0, -math.inf]
    decoder = decode(version_record(wall_time=70.0), *(scalar_record("a", 0, 1.0, wall) for wall in walls))
    assert (decoder.first_scalar_wall_time, decoder.last_scalar_wall_time) == (3.0, 9.0)
    assert math.isnan(decode(version_record(wall_time=70.0)).last_scalar_wall_time)


def test_wall_times_are_nan_before_any_event(decode: Decode) -> None:
    """First and last."""
    decoder = decode()
    assert math.isnan(decoder.first_wall_time)
    assert math.isnan(decoder.last_wall_time)


def test_the_highest_step_ignores_other_events(decode: Decode) -> None:
    """Only summaries count, in any order; -1 before any."""
    assert decode(version_record(step=8)).highest_step == -1
    records = [scalar_record("a", 9, 1.0), scalar_record("a", 4, 1.0), start_record(step=20)]
    assert decode(*records).highest_step == 9


def test_session_starts_are_listed(decode: Decode) -> None:
    """With step, wall time and offset of the record. Other statuses are not."""
    records = [version_record(), start_record(step=5, wall_time=1.5), start_record(status=2), start_record(status=3)]
    decoder = decode(*records, start_record(step=0, wall_time=2.5))
    assert decoder.starts() == [
        (5, 1.5, len(records[0])),
        (0, 2.5, sum(map(len, records))),
    ]


def test_session_logs_are_listed(decode: Decode) -> None:
    """START, STOP, CHECKPOINT and unknown statuses, in file order."""
    decoder = decode(*(start_record(step=10 * status, status=status) for status in (1, 3, 2, 9)))
    assert decoder.session_logs() == [(1, 10), (3, 30), (2, 20), (9, 90)]


def scalars_at(*points: tuple[str, int]) -> list[bytes]:
    return [scalar_record(tag, step, 1.0, 100.0 + place) for place, (tag, step) in enumerate(points)]


def test_a_step_back_of_several_tags_is_one_regression(decode: Decode) -> None:
    """Also if they go back one after the other. A second step back of a tag is another one."""
    first = scalars_at(("a", 0), ("b", 0), ("a", 5), ("b", 5))
    second = scalars_at(("a", 3), ("b", 3), ("a", 4), ("b", 4))
    third = scalars_at(("b", 1), ("a", 1))
    decoder = decode(*first, *second, *third)
    before_second = sum(map(len, first))
    assert decoder.regressions() == [(3, 100.0, before_second), (1, 100.0, before_second + sum(map(len, second)))]
    assert decoder.regression_count == 2


def test_a_start_explains_one_step_back(decode: Decode) -> None:
    """For each tag the first write after it, and no later one."""
    decoder = decode(*scalars_at(("a", 5), ("b", 5)), start_record(step=3), *scalars_at(("a", 3), ("b", 4), ("a", 2)))
    assert [step for step, _, _ in decoder.regressions()] == [2]


def test_tags_may_count_independently(decode: Decode) -> None:
    """Batches and epochs in one file are no regression."""
    assert (
        decode(*scalars_at(("batch", 0), ("batch", 99), ("epoch", 0), ("batch", 199), ("epoch", 1))).regressions() == []
    )


def test_listed_regressions_are_limited(decode: Decode) -> None:
    """The rest is counted, so that unsorted files do not fill the memory."""
    decoder = decode(*(scalar_record("a", 9999 - step, 1.0) for step in range(5000)))
    assert (decoder.regression_count, len(decoder.regressions())) == (4999, 4096)


def test_series_have_first_and_last_steps(decode: Decode) -> None:
    """First step with its wall time, and last step, for scalars and references."""
    text = tensor_record("t", 7, tensor(STRING, [b"x"]), 9.0, summary_metadata("text"))
    assert decode(*scalars_at(("a", 4), ("a", 2)), text).ends() == [(4, 100.0, 2), (7, 9.0, 7)]


def test_tags_that_are_not_utf8_are_replaced(impl: SimpleNamespace, decode: Decode) -> None:
    """Different byte strings stay different series, even if they look alike."""
    decoder = decode(summary_record([scalar_value(b"\xffa", 1.0), scalar_value(b"\xfea", 2.0)]))
    assert [decoder.describe(i).tag for i in range(2)] == ["\ufffda", "\ufffda"]
    assert [values(impl, decoder, i) for i in range(2)] == [[1.0], [2.0]]


@pytest.mark.parametrize("tag", ["", "损失/训练", "a\0b", "x" * 5000, " spaces ", "../..", "🧪"])
def test_tags_may_be_any_text(decode: Decode, tag: str) -> None:
    """Empty, in any script, with null bytes, or very long."""
    assert decode(scalar_record(tag, 0, 1.0)).describe(0).tag == tag


def test_tensors_without_a_tag_use_the_node_name(decode: Decode) -> None:
    """The oldest format of tensors. Simple values do not."""
    proto = tensor(1, [1.0])
    values_ = [
        tensor_value("", proto) + bytes_field(7, b"node"),
        tensor_value("tag", proto) + bytes_field(7, b"node"),
        scalar_value("", 1.0) + bytes_field(7, b"node"),
    ]
    decoder = decode(summary_record(values_))
    assert [decoder.describe(i).tag for i in range(decoder.series_count())] == ["node", "tag", ""]


def test_values_with_malformed_metadata_are_damage(impl: SimpleNamespace, decode: Decode) -> None:
    """The next metadata of the tag counts as its first."""
    bad = scalar_value("a", 1.0, b"\x0a\x7f")
    good = scalar_value("a", 2.0, summary_metadata("scalars"))
    decoder = decode(summary_record([bad]), summary_record([good]))
    assert (values(impl, decoder), len(decoder.damage())) == ([2.0], 1)
    assert decoder.describe(0).metadata == summary_metadata("scalars")


def test_many_tags_in_any_order_are_distinguished(impl: SimpleNamespace, decode: Decode) -> None:
    """A thousand tags, forwards and backwards."""
    names = [f"layer_{i}/loss" for i in range(1000)]
    records = [summary_record([scalar_value(name, 1.0)], step=0) for name in names]
    records += [summary_record([scalar_value(name, 2.0)], step=1) for name in reversed(names)]
    decoder = decode(*records)
    assert [decoder.describe(i).tag for i in range(decoder.series_count())] == names
    assert all(values(impl, decoder, i) == [1.0, 2.0] for i in range(1000))


def test_unknown_series_raise_index_error(decode: Decode) -> None:
    """Negative indices do not count from the end."""
    decoder = decode(scalar_record("a", 0, 1.0))
    for index in (1, -1, 1 << 40):
        with pytest.raises(IndexError):
            decoder.describe(index)
        with pytest.raises(IndexError):
            decoder.lengths([0, index])
    assert decoder.lengths([0, 0]) == [1, 1]
