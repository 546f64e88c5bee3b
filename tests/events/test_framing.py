"""Where records begin and end, what is skipped, and that nothing good is lost."""

import struct
from types import SimpleNamespace

import pytest
from columns import values

from lightboard.events.crc32c import crc32c, masked
from lightboard.testing.event_files import event, record, scalar_record, scalar_records, version_record

GOOD = [scalar_record("loss", step, step / 2) for step in range(6)]


def header(length: int) -> bytes:
    """A right header for data of that length."""
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", masked(crc32c(packed)))


def spoiled(frame: bytes, place: int) -> bytes:
    """The same bytes with one of them changed."""
    return frame[:place] + bytes([frame[place] ^ 0x40]) + frame[place + 1 :]


def damaged(data: bytes, offset: int) -> tuple[int, int, int]:
    """How a decoder reports that these bytes were skipped."""
    return offset, len(data), crc32c(data)


def test_crc32c_has_the_published_check_value(impl: SimpleNamespace) -> None:
    """CRC-32C of "123456789" is E3069283, whole or in two goes."""
    assert impl.crc32c(b"123456789") == 0xE3069283
    assert impl.crc32c(b"6789", impl.crc32c(b"12345")) == 0xE3069283


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 63, 1023, 3071, 3072, 3073, 10_000, 70_001])
def test_crc32c_is_the_same_at_every_length(impl: SimpleNamespace, size: int) -> None:
    """Short runs, long runs and those between give what the table gives."""
    data = bytes((i * 131 + i // 7) & 0xFF for i in range(size))
    assert impl.crc32c(data) == crc32c(data)


def test_whole_records_are_consumed(impl: SimpleNamespace) -> None:
    """All bytes are consumed and every point is there."""
    decoder = impl.Decoder()
    data = b"".join(GOOD)
    assert decoder.feed(data) == len(data)
    assert (decoder.offset, decoder.records, decoder.points) == (len(data), 6, 6)
    assert values(impl, decoder) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert decoder.damage() == []


def test_an_incomplete_record_waits(impl: SimpleNamespace) -> None:
    """Cut anywhere, the last record is not consumed, and is read once the rest is there."""
    for cut in range(1, len(GOOD[1])):
        decoder = impl.Decoder()
        assert decoder.feed(GOOD[0] + GOOD[1][:cut]) == len(GOOD[0])
        assert decoder.feed(GOOD[1]) == len(GOOD[1])
        assert (values(impl, decoder), decoder.damage()) == ([0.0, 0.5], [])


def test_nothing_is_consumed_of_nothing(impl: SimpleNamespace) -> None:
    """Empty data change nothing."""
    decoder = impl.Decoder()
    assert (decoder.feed(b""), decoder.offset, decoder.damage()) == (0, 0, [])


def test_an_empty_record_is_a_record(impl: SimpleNamespace) -> None:
    """A frame without data holds an event of nothing but defaults."""
    decoder = impl.Decoder()
    decoder.feed(record(b"") + GOOD[1])
    assert (decoder.records, values(impl, decoder)) == (2, [0.5])


def test_a_record_with_wrong_data_is_skipped_alone(impl: SimpleNamespace) -> None:
    """A right header follows, so only the bad record is lost, and is reported with offset, length and checksum."""
    decoder = impl.Decoder()
    bad = spoiled(GOOD[1], 20)
    decoder.feed(GOOD[0] + bad + GOOD[2])
    assert values(impl, decoder) == [0.0, 1.0]
    assert decoder.damage() == [damaged(bad, len(GOOD[0]))]


def test_a_bad_record_at_the_end_is_skipped(impl: SimpleNamespace) -> None:
    """A file that ends with a whole, wrong record is read to its end."""
    decoder = impl.Decoder()
    bad = spoiled(GOOD[1], len(GOOD[1]) - 1)
    assert decoder.feed(GOOD[0] + bad) == len(GOOD[0]) + len(bad)
    assert decoder.damage() == [damaged(bad, len(GOOD[0]))]


def test_a_bad_record_before_half_a_header_waits(impl: SimpleNamespace) -> None:
    """Whether the length was right shows only when the next header is whole."""
    decoder = impl.Decoder()
    bad = spoiled(GOOD[1], 20)
    assert decoder.feed(bad + GOOD[2][:5]) == 0
    assert decoder.feed(bad + GOOD[2]) == len(bad + GOOD[2])
    assert values(impl, decoder) == [1.0]


def test_a_wrong_length_is_passed_by_looking_for_the_next_record(impl: SimpleNamespace) -> None:
    """With its header wrong a record is lost; the next is found byte by byte."""
    decoder = impl.Decoder()
    bad = spoiled(GOOD[1], 2)
    decoder.feed(GOOD[0] + bad + GOOD[2])
    assert values(impl, decoder) == [0.0, 1.0]
    assert decoder.damage() == [damaged(bad, len(GOOD[0]))]


def test_a_record_cut_short_in_the_middle_of_a_file(impl: SimpleNamespace) -> None:
    """A writer died within a record and another went on after it: the records after it are all found."""
    for cut in range(1, len(GOOD[1])):
        decoder = impl.Decoder()
        decoder.feed(GOOD[0] + GOOD[1][:cut] + b"".join(GOOD[2:]))
        assert values(impl, decoder) == [0.0, 1.0, 1.5, 2.0, 2.5], cut
        assert decoder.damage() == [damaged(GOOD[1][:cut], len(GOOD[0]))]


@pytest.mark.parametrize("garbage", [bytes(5000), b"\xff" * 100, b"x", bytes(range(256)) * 3])
def test_garbage_between_records_is_passed(impl: SimpleNamespace, garbage: bytes) -> None:
    """Zero pages and other rubbish are one damaged range; records before and after are kept."""
    decoder = impl.Decoder()
    decoder.feed(GOOD[0] + garbage + GOOD[1])
    assert values(impl, decoder) == [0.0, 0.5]
    assert decoder.damage() == [damaged(garbage, len(GOOD[0]))]


def test_a_damaged_range_stays_open(impl: SimpleNamespace) -> None:
    """Rubbish is consumed but for what could begin a header, and the range grows as more rubbish comes."""
    decoder = impl.Decoder()
    assert decoder.feed(bytes(100)) == 89
    assert decoder.damage() == [damaged(bytes(89), 0)]
    assert decoder.feed(bytes(50)) == 39
    assert decoder.damage() == [damaged(bytes(128), 0)]
    assert decoder.feed(bytes(11) + GOOD[0]) == 11 + len(GOOD[0])
    assert decoder.damage() == [damaged(bytes(139), 0)]
    assert values(impl, decoder) == [0.0]


def test_a_right_header_beyond_the_data_waits(impl: SimpleNamespace) -> None:
    """A record that is not all there yet is waited for, also while looking for one."""
    decoder = impl.Decoder()
    big = scalar_record("x" * 300, 1, 1.0)
    assert decoder.feed(big[:200]) == 0
    assert decoder.feed(bytes(30) + big[:200]) == 30
    assert decoder.feed(big) == len(big)
    assert decoder.damage() == [damaged(bytes(30), 0)]


def test_a_false_header_is_passed(impl: SimpleNamespace) -> None:
    """Bytes that look like a header while looking for a record do not take good records with them."""
    decoder = impl.Decoder()
    false = header(len(GOOD[0]) + 8)
    decoder.feed(b"\1" + false + b"".join(GOOD))
    assert values(impl, decoder) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert decoder.damage() == [damaged(b"\1" + false, 0)]


def test_no_record_is_longer_than_two_gibibytes(impl: SimpleNamespace) -> None:
    """A header that promises more is damage at once, whatever its checksum: nobody waits for it."""
    decoder = impl.Decoder()
    decoder.feed(header(1 << 31) + GOOD[0])
    assert (values(impl, decoder), decoder.damage()) == ([0.0], [damaged(header(1 << 31), 0)])
    waiting = impl.Decoder()
    assert waiting.feed(header((1 << 31) - 1) + GOOD[0]) == 0


@pytest.mark.parametrize("reach", [0, 5])
def test_headers_made_to_waste_time(impl: SimpleNamespace, reach: int) -> None:
    """Right headers everywhere, each promising all that follows: reading stays linear and finds the record after."""
    size = 12 * 8_000
    false = b"".join(header(max(size - place - 16 + reach, 0)) for place in range(0, size, 12))
    decoder = impl.Decoder()
    decoder.feed(b"\1" + false + b"".join(GOOD))
    assert (values(impl, decoder), decoder.damage()) == ([0.0, 0.5, 1.0, 1.5, 2.0, 2.5], [damaged(b"\1" + false, 0)])


def test_damaged_ranges_that_touch_are_one(impl: SimpleNamespace) -> None:
    """Two bad records in a row are one range."""
    decoder = impl.Decoder()
    bad = spoiled(GOOD[1], 20) + spoiled(GOOD[2], 20)
    decoder.feed(bad + GOOD[3] + spoiled(GOOD[4], 20) + GOOD[5])
    assert decoder.damage() == [damaged(bad, 0), damaged(spoiled(GOOD[4], 20), len(bad) + len(GOOD[3]))]


def test_a_record_that_is_no_event_is_damage(impl: SimpleNamespace) -> None:
    """Right checksums around bytes that are no message: the record is reported, the next goes on."""
    decoder = impl.Decoder()
    bad = record(b"\x0a\xff")
    decoder.feed(GOOD[0] + bad + GOOD[1])
    assert (decoder.records, values(impl, decoder)) == (2, [0.0, 0.5])
    assert decoder.damage() == [damaged(bad, len(GOOD[0]))]


def test_any_chop_gives_the_same(impl: SimpleNamespace) -> None:
    """Fed one byte at a time, a file with damage is read as when fed whole."""
    data = version_record() + GOOD[0] + bytes(40) + GOOD[1] + spoiled(GOOD[2], 3) + GOOD[3] + record(event())
    whole = impl.Decoder()
    whole.feed(data)
    slow = impl.Decoder()
    for end in range(1, len(data) + 1):
        slow.feed(data[slow.offset : end])
    assert (slow.offset, slow.records, slow.damage()) == (whole.offset, whole.records, whole.damage())
    assert values(impl, slow) == values(impl, whole) == [0.0, 0.5, 1.5]


def test_truncated_anywhere_keeps_every_whole_record(impl: SimpleNamespace) -> None:
    """For every length of the file, the points of the whole records are there, no more, and nothing is damaged."""
    data = b"".join(GOOD)
    ends = [sum(map(len, GOOD[: count + 1])) for count in range(len(GOOD))]
    for length in range(len(data) + 1):
        decoder = impl.Decoder()
        decoder.feed(data[:length])
        assert decoder.points == sum(end <= length for end in ends)
        assert decoder.damage() == []


def test_any_bit_flipped_costs_one_record_at_most(impl: SimpleNamespace) -> None:
    """Whatever bit of a file turns, the records it does not lie in are all read."""
    data = b"".join(GOOD)
    for place in range(len(data) * 8):
        turned = bytearray(data)
        turned[place // 8] ^= 1 << place % 8
        hit = next(i for i in range(len(GOOD)) if place // 8 < sum(map(len, GOOD[: i + 1])))
        decoder = impl.Decoder()
        # One more byte than a header, so that the last record, too, is followed by something.
        decoder.feed(bytes(turned) + version_record())
        expected = [step / 2 for step in range(6) if step != hit]
        assert (values(impl, decoder), len(decoder.damage())) == (expected, 1), place


def test_many_points_of_a_file_are_all_there(impl: SimpleNamespace) -> None:
    """A thousand points in, a thousand points out."""
    decoder = impl.Decoder()
    decoder.feed(b"".join(scalar_records("a", ((step, step * 1.0, -step * 1.0) for step in range(1000)))))
    assert values(impl, decoder) == [-step * 1.0 for step in range(1000)]
