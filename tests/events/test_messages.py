"""Events and summaries on the wire: what is read, what is passed over, what is malformed."""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from columns import points, values

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

Decoded = Callable[..., Any]


def summary_event(*values: bytes, wall_time: float = 2.0, step: int = 3) -> bytes:
    return event(bytes_field(5, b"".join(bytes_field(1, value) for value in values)), wall_time=wall_time, step=step)


GROUP = varint(15 << 3 | 3) + varint_field(1, 5) + varint(9 << 3 | 3) + varint(9 << 3 | 4) + varint(15 << 3 | 4)


def test_step_wall_time_and_value(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A point is what its event says."""
    decoder = decoded(scalar_record("a", -7, 0.25, 1700000000.125))
    assert points(impl, [(decoder, 0)]) == [(-7, 1700000000.125, 0.25, 0)]


def test_a_missing_step_and_wall_time_are_zero(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Writers leave out what is zero."""
    decoder = decoded(record(bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))))
    assert points(impl, [(decoder, 0)]) == [(0, 0.0, 1.0, 0)]


def test_steps_are_whole_int64(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Both ends of the range arrive."""
    ends = [-(1 << 63), (1 << 63) - 1]
    decoder = decoded(*(scalar_record("a", step, 1.0) for step in ends))
    assert [point[0] for point in points(impl, [(decoder, 0)])] == ends


def test_fields_come_in_any_order(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The summary may stand before the step it belongs to."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    decoder = decoded(record(summary + varint_field(2, 9) + double_field(1, 4.0)))
    assert points(impl, [(decoder, 0)]) == [(9, 4.0, 1.0, 0)]


def test_unknown_fields_and_groups_are_passed_over(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Whatever a later format adds does not hide a point."""
    extra = varint_field(99, 1) + bytes_field(98, b"abc") + double_field(97, 1.0) + float_field(96, 1.0) + GROUP
    value = extra + scalar_value("a", 1.5) + extra
    decoder = decoded(record(extra + summary_event(value) + extra))
    assert (values(impl, decoder), decoder.damage()) == ([1.5], [])


def test_known_fields_of_another_wire_type_are_passed_over(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A step that is a string is no step, a simple value that is a varint no value."""
    wrong = bytes_field(2, b"7") + varint_field(1, 7) + varint_field(5, 1)
    value = varint_field(1, 3) + varint_field(2, 4) + scalar_value("a", 1.0)
    decoder = decoded(record(wrong + summary_event(value)))
    assert points(impl, [(decoder, 0)]) == [(3, 2.0, 1.0, 0)]


def test_of_fields_that_exclude_each_other_the_last_counts(decoded: Decoded) -> None:
    """An event is either a summary or a version or something else."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    version = bytes_field(3, b"brain.Event:2")
    assert decoded(record(event(summary + version))).file_version == 2
    assert decoded(record(event(summary + version))).points == 0
    assert decoded(record(event(version + summary))).points == 1
    assert decoded(record(event(version + summary))).file_version == 0


def test_a_summary_in_pieces_is_one_summary(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Messages that come twice are merged."""
    pieces = [bytes_field(5, bytes_field(1, scalar_value("a", number))) for number in (1.0, 2.0, 3.0)]
    assert values(impl, decoded(record(event(b"".join(pieces))))) == [1.0, 2.0, 3.0]


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
def test_a_malformed_event_is_lost_alone(impl: SimpleNamespace, decoded: Decoded, bad: bytes) -> None:
    """Nothing of it is kept, as nothing in it can be trusted; it is reported as damage."""
    frame = record(summary_event(scalar_value("a", 1.0)) + bad)
    decoder = decoded(frame, scalar_record("a", 1, 2.0))
    assert (values(impl, decoder), decoder.records) == ([2.0], 1)
    assert [(offset, length) for offset, length, _ in decoder.damage()] == [(0, len(frame))]


@pytest.mark.parametrize("bad", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_good_value_beside_a_malformed_one_is_kept(impl: SimpleNamespace, decoded: Decoded, bad: bytes) -> None:
    """Only the value that makes no sense is lost; the record is reported all the same."""
    frame = record(summary_event(scalar_value("a", 1.0), scalar_value("a", 2.0) + bad, scalar_value("a", 3.0)))
    decoder = decoded(frame)
    assert (values(impl, decoder), decoder.records) == ([1.0, 3.0], 0)
    assert [(offset, length) for offset, length, _ in decoder.damage()] == [(0, len(frame))]


def test_values_before_the_place_where_a_summary_breaks_are_kept(impl: SimpleNamespace, decoded: Decoded) -> None:
    """What could be read was read."""
    broken = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)) + b"\x0a\x7f")
    decoder = decoded(record(event(broken)))
    assert (values(impl, decoder), len(decoder.damage())) == ([1.0], 1)


def test_ten_byte_varints_keep_their_low_64_bits(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Bits beyond the 64th are dropped, as other readers do."""
    summary = bytes_field(5, bytes_field(1, scalar_value("a", 1.0)))
    decoder = decoded(record(b"\x10" + b"\xff" * 9 + b"\x7f" + summary))
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
def test_file_version(decoded: Decoded, text: str, version: int) -> None:
    """The number after the last "brain.Event:"; -1 for what is no such number."""
    assert decoded(version_record(text)).file_version == version


def test_no_version_record_is_version_zero(decoded: Decoded) -> None:
    """Before any version record the version is 0."""
    assert decoded(scalar_record("a", 0, 1.0)).file_version == 0


def test_first_and_last_wall_time(decoded: Decoded) -> None:
    """The first finite one and the highest finite one; points with others are kept."""
    walls = [math.nan, 5.0, math.inf, 9.0, 3.0, -math.inf]
    decoder = decoded(*(scalar_record("a", 0, 1.0, wall) for wall in walls))
    assert (decoder.first_wall_time, decoder.last_wall_time, decoder.points) == (5.0, 9.0, 6)


def test_scalars_have_times_of_their_own(decoded: Decoded) -> None:
    """The lowest and the highest of scalar points: a header may be older or younger than all of them."""
    walls = [math.nan, 5.0, math.inf, 9.0, 3.0, -math.inf]
    decoder = decoded(version_record(wall_time=70.0), *(scalar_record("a", 0, 1.0, wall) for wall in walls))
    assert (decoder.first_scalar_wall_time, decoder.last_scalar_wall_time) == (3.0, 9.0)
    assert math.isnan(decoded(version_record(wall_time=70.0)).last_scalar_wall_time)


def test_no_wall_time_is_nan(decoded: Decoded) -> None:
    """Before any event there is none."""
    decoder = decoded()
    assert math.isnan(decoder.first_wall_time)
    assert math.isnan(decoder.last_wall_time)


def test_the_highest_step_is_that_of_summaries(decoded: Decoded) -> None:
    """Not the last, and not that of other events; -1 before any."""
    assert decoded(version_record(step=8)).highest_step == -1
    records = [scalar_record("a", 9, 1.0), scalar_record("a", 4, 1.0), start_record(step=20)]
    assert decoded(*records).highest_step == 9


def test_starts_are_listed(decoded: Decoded) -> None:
    """SessionLog START with step, wall time and the offset of its record; other statuses are none."""
    records = [version_record(), start_record(step=5, wall_time=1.5), start_record(status=2), start_record(status=3)]
    decoder = decoded(*records, start_record(step=0, wall_time=2.5))
    assert decoder.starts() == [
        (5, 1.5, len(records[0])),
        (0, 2.5, sum(map(len, records))),
    ]


def test_session_logs_are_listed_with_what_they_say(decoded: Decoded) -> None:
    """START, STOP, CHECKPOINT and what nobody knows, in file order."""
    decoder = decoded(*(start_record(step=10 * status, status=status) for status in (1, 3, 2, 9)))
    assert decoder.session_logs() == [(1, 10), (3, 30), (2, 20), (9, 90)]


def scalars_at(*points: tuple[str, int]) -> list[bytes]:
    return [scalar_record(tag, step, 1.0, 100.0 + place) for place, (tag, step) in enumerate(points)]


def test_a_writer_that_goes_back_is_one_regression(decoded: Decoded) -> None:
    """However many tags go back, at once or later; each time that one of them goes back again is another."""
    first = scalars_at(("a", 0), ("b", 0), ("a", 5), ("b", 5))
    second = scalars_at(("a", 3), ("b", 3), ("a", 4), ("b", 4))
    third = scalars_at(("b", 1), ("a", 1))
    decoder = decoded(*first, *second, *third)
    before_second = sum(map(len, first))
    assert decoder.regressions() == [(3, 100.0, before_second), (1, 100.0, before_second + sum(map(len, second)))]
    assert decoder.regression_count == 2


def test_a_start_is_reason_enough_to_go_back(decoded: Decoded) -> None:
    """The first time that a tag writes after it, not later."""
    decoder = decoded(*scalars_at(("a", 5), ("b", 5)), start_record(step=3), *scalars_at(("a", 3), ("b", 4), ("a", 2)))
    assert [step for step, _, _ in decoder.regressions()] == [2]


def test_tags_that_count_on_their_own_are_no_regression(decoded: Decoded) -> None:
    """Batches and epochs in one file."""
    assert (
        decoded(*scalars_at(("batch", 0), ("batch", 99), ("epoch", 0), ("batch", 199), ("epoch", 1))).regressions()
        == []
    )


def test_regressions_beyond_thousands_are_only_counted(decoded: Decoded) -> None:
    """A writer in disorder does not fill the memory."""
    decoder = decoded(*(scalar_record("a", 9999 - step, 1.0) for step in range(5000)))
    assert (decoder.regression_count, len(decoder.regressions())) == (4999, 4096)


def test_series_tell_their_ends(decoded: Decoded) -> None:
    """First step, its wall time, and last step in the file, in whichever form."""
    text = tensor_record("t", 7, tensor(STRING, [b"x"]), 9.0, summary_metadata("text"))
    assert decoded(*scalars_at(("a", 4), ("a", 2)), text).ends() == [(4, 100.0, 2), (7, 9.0, 7)]


def test_a_tag_that_is_no_utf8_is_shown_with_replacements(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Two different byte strings stay two series even if they look alike."""
    decoder = decoded(summary_record([scalar_value(b"\xffa", 1.0), scalar_value(b"\xfea", 2.0)]))
    assert [decoder.describe(i).tag for i in range(2)] == ["\ufffda", "\ufffda"]
    assert [values(impl, decoder, i) for i in range(2)] == [[1.0], [2.0]]


@pytest.mark.parametrize("tag", ["", "损失/训练", "a\0b", "x" * 5000, " spaces ", "../..", "🧪"])
def test_tags_are_any_text(decoded: Decoded, tag: str) -> None:
    """Tags are kept as they are."""
    assert decoded(scalar_record(tag, 0, 1.0)).describe(0).tag == tag


def test_the_oldest_tensors_have_their_node_name_for_a_tag(decoded: Decoded) -> None:
    """Only where the tag is empty, and only tensors."""
    proto = tensor(1, [1.0])
    values_ = [
        tensor_value("", proto) + bytes_field(7, b"node"),
        tensor_value("tag", proto) + bytes_field(7, b"node"),
        scalar_value("", 1.0) + bytes_field(7, b"node"),
    ]
    decoder = decoded(summary_record(values_))
    assert [decoder.describe(i).tag for i in range(decoder.series_count())] == ["node", "tag", ""]


def test_malformed_metadata_costs_the_value(impl: SimpleNamespace, decoded: Decoded) -> None:
    """The value is lost and reported, and the next metadata of the tag counts as the first."""
    bad = scalar_value("a", 1.0, b"\x0a\x7f")
    good = scalar_value("a", 2.0, summary_metadata("scalars"))
    decoder = decoded(summary_record([bad]), summary_record([good]))
    assert (values(impl, decoder), len(decoder.damage())) == ([2.0], 1)
    assert decoder.describe(0).metadata == summary_metadata("scalars")


def test_many_tags_in_any_order_are_told_apart(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A thousand tags, forwards and backwards."""
    names = [f"layer_{i}/loss" for i in range(1000)]
    records = [summary_record([scalar_value(name, 1.0)], step=0) for name in names]
    records += [summary_record([scalar_value(name, 2.0)], step=1) for name in reversed(names)]
    decoder = decoded(*records)
    assert [decoder.describe(i).tag for i in range(decoder.series_count())] == names
    assert all(values(impl, decoder, i) == [1.0, 2.0] for i in range(1000))


def test_questions_about_series_that_are_not_there(decoded: Decoded) -> None:
    """IndexError, also for negative numbers."""
    decoder = decoded(scalar_record("a", 0, 1.0))
    for index in (1, -1, 1 << 40):
        with pytest.raises(IndexError):
            decoder.describe(index)
        with pytest.raises(IndexError):
            decoder.lengths([0, index])
    assert decoder.lengths([0, 0]) == [1, 1]
