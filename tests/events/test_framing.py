"""Record boundaries, damage, and the records that damage must not cost."""

import struct
from types import SimpleNamespace

import pytest

from lightboard.events.crc32c import crc32c, masked
from lightboard.testing.event_files import event, record, scalar_record, scalar_records, version_record
from support.series_columns import values

GOOD = [scalar_record("loss", step, step / 2) for step in range(6)]


def header(length: int) -> bytes:
    """A correct header for data of this length."""
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", masked(crc32c(packed)))


def flip_bit(frame: bytes, place: int) -> bytes:
    """The same bytes with one bit flipped."""
    return frame[:place] + bytes([frame[place] ^ 0x40]) + frame[place + 1 :]


def damage_of(data: bytes, offset: int) -> tuple[int, int, int]:
    """The entry that a decoder reports for these bytes."""
    return offset, len(data), crc32c(data)


def test_crc32c_has_the_published_check_value(impl: SimpleNamespace) -> None:
    """CRC-32C of "123456789" is E3069283, computed at once or in two parts."""
    assert impl.crc32c(b"123456789") == 0xE3069283
    assert impl.crc32c(b"6789", impl.crc32c(b"12345")) == 0xE3069283


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 63, 1023, 3071, 3072, 3073, 10_000, 70_001])
def test_crc32c_is_right_at_every_length(impl: SimpleNamespace, size: int) -> None:
    """The table implementation is the reference for short, medium and long inputs."""
    data = bytes((i * 131 + i // 7) & 0xFF for i in range(size))
    assert impl.crc32c(data) == crc32c(data)


def test_whole_records_are_consumed(impl: SimpleNamespace) -> None:
    """The offset moves to the end and there is no damage."""
    decoder = impl.Decoder()
    data = b"".join(GOOD)
    assert decoder.feed(data) == len(data)
    assert (decoder.offset, decoder.records, decoder.points) == (len(data), 6, 6)
    assert values(impl, decoder) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert decoder.damage() == []


def test_incomplete_records_wait(impl: SimpleNamespace) -> None:
    """Cut anywhere, the last record is read once the rest has arrived."""
    for cut in range(1, len(GOOD[1])):
        decoder = impl.Decoder()
        assert decoder.feed(GOOD[0] + GOOD[1][:cut]) == len(GOOD[0])
        assert decoder.feed(GOOD[1]) == len(GOOD[1])
        assert (values(impl, decoder), decoder.damage()) == ([0.0, 0.5], [])


def test_empty_input_changes_nothing(impl: SimpleNamespace) -> None:
    """The offset stays at 0."""
    decoder = impl.Decoder()
    assert (decoder.feed(b""), decoder.offset, decoder.damage()) == (0, 0, [])


def test_empty_records_are_valid(impl: SimpleNamespace) -> None:
    """A frame without data is an event with default values."""
    decoder = impl.Decoder()
    decoder.feed(record(b"") + GOOD[1])
    assert (decoder.records, values(impl, decoder)) == (2, [0.5])


def test_records_with_wrong_data_are_skipped(impl: SimpleNamespace) -> None:
    """The next header is right, so one record is lost and reported with offset, length and checksum."""
    decoder = impl.Decoder()
    bad = flip_bit(GOOD[1], 20)
    decoder.feed(GOOD[0] + bad + GOOD[2])
    assert values(impl, decoder) == [0.0, 1.0]
    assert decoder.damage() == [damage_of(bad, len(GOOD[0]))]


def test_a_damaged_last_record_is_skipped(impl: SimpleNamespace) -> None:
    """The file is read to its end."""
    decoder = impl.Decoder()
    bad = flip_bit(GOOD[1], len(GOOD[1]) - 1)
    assert decoder.feed(GOOD[0] + bad) == len(GOOD[0]) + len(bad)
    assert decoder.damage() == [damage_of(bad, len(GOOD[0]))]


def test_a_damaged_record_waits_for_the_next_header(impl: SimpleNamespace) -> None:
    """Only the next header shows whether its length was right."""
    decoder = impl.Decoder()
    bad = flip_bit(GOOD[1], 20)
    assert decoder.feed(bad + GOOD[2][:5]) == 0
    assert decoder.feed(bad + GOOD[2]) == len(bad + GOOD[2])
    assert values(impl, decoder) == [1.0]


def test_damaged_headers_are_skipped_byte_by_byte(impl: SimpleNamespace) -> None:
    """Until the next valid header."""
    decoder = impl.Decoder()
    bad = flip_bit(GOOD[1], 2)
    decoder.feed(GOOD[0] + bad + GOOD[2])
    assert values(impl, decoder) == [0.0, 1.0]
    assert decoder.damage() == [damage_of(bad, len(GOOD[0]))]


def test_records_after_a_truncated_one_are_found(impl: SimpleNamespace) -> None:
    """One writer died within a record, and another appended to the file."""
    for cut in range(1, len(GOOD[1])):
        decoder = impl.Decoder()
        decoder.feed(GOOD[0] + GOOD[1][:cut] + b"".join(GOOD[2:]))
        assert values(impl, decoder) == [0.0, 1.0, 1.5, 2.0, 2.5], cut
        assert decoder.damage() == [damage_of(GOOD[1][:cut], len(GOOD[0]))]


@pytest.mark.parametrize("garbage", [bytes(5000), b"\xff" * 100, b"x", bytes(range(256)) * 3])
def test_garbage_between_records_is_skipped(impl: SimpleNamespace, garbage: bytes) -> None:
    """Zero pages and other garbage are one damaged range."""
    decoder = impl.Decoder()
    decoder.feed(GOOD[0] + garbage + GOOD[1])
    assert values(impl, decoder) == [0.0, 0.5]
    assert decoder.damage() == [damage_of(garbage, len(GOOD[0]))]


def test_damaged_ranges_grow(impl: SimpleNamespace) -> None:
    """Garbage is consumed except for what may be the start of a header."""
    decoder = impl.Decoder()
    assert decoder.feed(bytes(100)) == 89
    assert decoder.damage() == [damage_of(bytes(89), 0)]
    assert decoder.feed(bytes(50)) == 39
    assert decoder.damage() == [damage_of(bytes(128), 0)]
    assert decoder.feed(bytes(11) + GOOD[0]) == 11 + len(GOOD[0])
    assert decoder.damage() == [damage_of(bytes(139), 0)]
    assert values(impl, decoder) == [0.0]


def test_long_records_are_waited_for(impl: SimpleNamespace) -> None:
    """Also while searching for a header after damage."""
    decoder = impl.Decoder()
    big = scalar_record("x" * 300, 1, 1.0)
    assert decoder.feed(big[:200]) == 0
    assert decoder.feed(bytes(30) + big[:200]) == 30
    assert decoder.feed(big) == len(big)
    assert decoder.damage() == [damage_of(bytes(30), 0)]


def test_fake_headers_are_skipped(impl: SimpleNamespace) -> None:
    """Garbage that looks like a header does not cost good records."""
    decoder = impl.Decoder()
    fake = header(len(GOOD[0]) + 8)
    decoder.feed(b"\1" + fake + b"".join(GOOD))
    assert values(impl, decoder) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert decoder.damage() == [damage_of(b"\1" + fake, 0)]


def test_records_are_limited_to_two_gibibytes(impl: SimpleNamespace) -> None:
    """A header with a larger length is damage, whatever its checksum."""
    decoder = impl.Decoder()
    decoder.feed(header(1 << 31) + GOOD[0])
    assert (values(impl, decoder), decoder.damage()) == ([0.0], [damage_of(header(1 << 31), 0)])
    waiting = impl.Decoder()
    assert waiting.feed(header((1 << 31) - 1) + GOOD[0]) == 0


@pytest.mark.parametrize("reach", [0, 5])
def test_nested_fake_headers_take_linear_time(impl: SimpleNamespace, reach: int) -> None:
    """Valid headers everywhere, each claiming all that follows. The record after them is found."""
    size = 12 * 8_000
    fake = b"".join(header(max(size - place - 16 + reach, 0)) for place in range(0, size, 12))
    decoder = impl.Decoder()
    decoder.feed(b"\1" + fake + b"".join(GOOD))
    assert (values(impl, decoder), decoder.damage()) == (
        [0.0, 0.5, 1.0, 1.5, 2.0, 2.5],
        [damage_of(b"\1" + fake, 0)],
    )


def test_adjacent_damaged_ranges_are_merged(impl: SimpleNamespace) -> None:
    """Two damaged records in a row are one range."""
    decoder = impl.Decoder()
    bad = flip_bit(GOOD[1], 20) + flip_bit(GOOD[2], 20)
    decoder.feed(bad + GOOD[3] + flip_bit(GOOD[4], 20) + GOOD[5])
    assert decoder.damage() == [damage_of(bad, 0), damage_of(flip_bit(GOOD[4], 20), len(bad) + len(GOOD[3]))]


def test_records_that_are_not_events_are_damage(impl: SimpleNamespace) -> None:
    """With valid checksums. The next record is read."""
    decoder = impl.Decoder()
    bad = record(b"\x0a\xff")
    decoder.feed(GOOD[0] + bad + GOOD[1])
    assert (decoder.records, values(impl, decoder)) == (2, [0.0, 0.5])
    assert decoder.damage() == [damage_of(bad, len(GOOD[0]))]


def test_the_size_of_reads_does_not_matter(impl: SimpleNamespace) -> None:
    """Byte by byte, a damaged file gives the same result as at once."""
    data = version_record() + GOOD[0] + bytes(40) + GOOD[1] + flip_bit(GOOD[2], 3) + GOOD[3] + record(event())
    whole = impl.Decoder()
    whole.feed(data)
    slow = impl.Decoder()
    for end in range(1, len(data) + 1):
        slow.feed(data[slow.offset : end])
    assert (slow.offset, slow.records, slow.damage()) == (whole.offset, whole.records, whole.damage())
    assert values(impl, slow) == values(impl, whole) == [0.0, 0.5, 1.5]


def test_truncated_files_keep_every_whole_record(impl: SimpleNamespace) -> None:
    """Cut at any byte, and an incomplete record is not damage."""
    data = b"".join(GOOD)
    ends = [sum(map(len, GOOD[: count + 1])) for count in range(len(GOOD))]
    for length in range(len(data) + 1):
        decoder = impl.Decoder()
        decoder.feed(data[:length])
        assert decoder.points == sum(end <= length for end in ends)
        assert decoder.damage() == []


def test_a_flipped_bit_costs_one_record(impl: SimpleNamespace) -> None:
    """Whichever bit of the file it is."""
    data = b"".join(GOOD)
    for place in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        hit = next(i for i in range(len(GOOD)) if place // 8 < sum(map(len, GOOD[: i + 1])))
        decoder = impl.Decoder()
        # The last record must be followed by another, or it waits for the next header.
        decoder.feed(bytes(flipped) + version_record())
        expected = [step / 2 for step in range(6) if step != hit]
        assert (values(impl, decoder), len(decoder.damage())) == (expected, 1), place


def test_a_thousand_points_are_read(impl: SimpleNamespace) -> None:
    """In order."""
    decoder = impl.Decoder()
    decoder.feed(b"".join(scalar_records("a", ((step, step * 1.0, -step * 1.0) for step in range(1000)))))
    assert values(impl, decoder) == [-step * 1.0 for step in range(1000)]
