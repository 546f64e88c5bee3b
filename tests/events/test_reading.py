"""Reading from open files: records of any size, and files that change meanwhile."""

import os
import pathlib
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.testing.event_files import (
    append_events,
    bytes_field,
    image_value,
    record,
    scalar_record,
    scalar_records,
    scalar_value,
    summary_record,
    version_record,
    write_events,
)
from support.series_columns import references, values

MIB = 1 << 20


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "events.out.tfevents.1"


def read_all(decoder: Any, path: pathlib.Path, limit: int = 1 << 30) -> int:
    """Read until nothing new comes; returns the number of bytes."""
    total = 0
    fd = os.open(path, os.O_RDONLY)
    try:
        while read := decoder.read(fd, limit):
            total += read
    finally:
        os.close(fd)
    return total


def image(size: int, step: int = 1) -> bytes:
    """A record with an image of about `size` bytes and a scalar after it."""
    values_ = [image_value("img", bytes(i & 0xFF for i in range(251)) * (size // 251 + 1)), scalar_value("a", step)]
    return summary_record(values_, step=step)


def test_files_are_read_to_their_end(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Another read returns 0."""
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(100))))
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    assert (decoder.offset, values(impl, decoder)) == (path.stat().st_size, [float(i) for i in range(100)])


@pytest.mark.parametrize("first", [1, 2, 15, 16, 17])
def test_points_appended_later_are_added(impl: SimpleNamespace, path: pathlib.Path, first: int) -> None:
    """However few there were at first."""
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(first))))
    decoder = impl.Decoder()
    read_all(decoder, path)
    for i in range(first, 100):
        append_events(path, scalar_records("a", [(i, 0.0, float(i))]))
        read_all(decoder, path)
    assert values(impl, decoder) == [float(i) for i in range(100)]


@pytest.mark.parametrize("limit", [1, 100, 4096, MIB])
def test_reads_may_be_small(impl: SimpleNamespace, path: pathlib.Path, limit: int) -> None:
    """Any limit makes progress and reaches the end."""
    write_events(path, [image(3 * MIB), *scalar_records("b", ((i, 0.0, 1.0) for i in range(500)))])
    decoder = impl.Decoder()
    assert read_all(decoder, path, limit) == path.stat().st_size
    assert (decoder.records, decoder.points, decoder.damage()) == (502, 501, [])


def test_growing_files_are_read_on(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Incomplete records are read once they are whole."""
    decoder = impl.Decoder()
    write_events(path, [])
    read_all(decoder, path)
    frame = scalar_record("a", 1, 1.5)
    for place in range(len(frame)):
        append_events(path, [frame[place : place + 1]])
        read_all(decoder, path)
        assert decoder.points == (place + 1 == len(frame))
    append_events(path, [scalar_record("a", 2, 2.5)])
    read_all(decoder, path)
    assert values(impl, decoder) == [1.5, 2.5]


def test_incomplete_long_records_are_not_consumed(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """An image of several megabytes that is still being written."""
    frame = image(5 * MIB)
    write_events(path, [frame[: 4 * MIB]])
    decoder = impl.Decoder()
    assert read_all(decoder, path) == len(version_record())
    append_events(path, [frame[4 * MIB :]])
    assert read_all(decoder, path) == len(frame)
    (reference,) = references(impl, [(decoder, 0)])
    data = path.read_bytes()
    assert data[reference.offset : reference.offset + reference.length] == image_value(
        "img", bytes(i & 0xFF for i in range(251)) * (5 * MIB // 251 + 1)
    )
    assert values(impl, decoder, 1) == [1.0]


@pytest.mark.parametrize("size", [MIB - 300, MIB - 28, MIB - 16, MIB, MIB + 1, 2 * MIB])
def test_records_of_about_the_window_size_are_read(impl: SimpleNamespace, path: pathlib.Path, size: int) -> None:
    """No length is special."""
    write_events(path, [image(size, 1), scalar_record("a", 2, 2.0), image(size, 3)])
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    assert (decoder.damage(), values(impl, decoder, 1)) == ([], [1.0, 2.0, 3.0])


def damaged_ranges(decoder: Any) -> list[tuple[int, int]]:
    """Offset and length of each damaged range."""
    return [(offset, length) for offset, length, _ in decoder.damage()]


@pytest.mark.parametrize("place", [5, 13, MIB + 9, -2])
def test_a_damaged_long_record_is_skipped(impl: SimpleNamespace, path: pathlib.Path, place: int) -> None:
    """Wherever the damage is, and as with `feed`."""
    frames = [scalar_record("a", 0, 0.5), image(MIB + 300), scalar_record("a", 2, 2.5)]
    flipped = bytearray(frames[1])
    flipped[place] ^= 1
    data = frames[0] + bytes(flipped) + frames[2]
    path.write_bytes(data)
    decoder = impl.Decoder()
    assert read_all(decoder, path) == len(data)
    assert values(impl, decoder) == [0.5, 2.5]
    fed = impl.Decoder()
    fed.feed(data)
    assert decoder.damage() == fed.damage()
    assert damaged_ranges(decoder) == [(len(frames[0]), len(frames[1]))]


def test_a_damaged_long_record_at_the_end_is_skipped(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """The file is read to its end."""
    flipped = bytearray(image(2 * MIB))
    flipped[-1] ^= 1
    path.write_bytes(flipped)
    decoder = impl.Decoder()
    assert read_all(decoder, path) == len(flipped)
    assert damaged_ranges(decoder) == [(0, len(flipped))]


def test_long_records_that_are_not_events_are_damage(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """The next record is read."""
    bad = record(b"\x07" + bytes(2 * MIB))
    path.write_bytes(bad + scalar_record("a", 1, 1.0))
    decoder = impl.Decoder()
    read_all(decoder, path)
    assert (damaged_ranges(decoder), values(impl, decoder)) == ([(0, len(bad))], [1.0])


def test_garbage_longer_than_the_window_is_skipped(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Zero pages between two records are one damaged range."""
    frames = [scalar_record("a", 0, 0.5), scalar_record("a", 1, 1.5)]
    path.write_bytes(frames[0] + bytes(MIB + 77) + frames[1])
    decoder = impl.Decoder()
    read_all(decoder, path)
    assert (values(impl, decoder), damaged_ranges(decoder)) == ([0.5, 1.5], [(len(frames[0]), MIB + 77)])


def test_truncated_open_files_keep_their_points(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Reading beyond the end returns 0."""
    write_events(path, scalar_records("a", [(0, 0.0, 1.0), (1, 0.0, 2.0)]))
    decoder = impl.Decoder()
    read_all(decoder, path)
    os.truncate(path, 10)
    assert read_all(decoder, path) == 0
    assert values(impl, decoder) == [1.0, 2.0]


def test_empty_files_are_read(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """They have nothing to consume."""
    path.write_bytes(b"")
    assert read_all(impl.Decoder(), path) == 0


def test_unreadable_descriptors_raise_os_error(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """A closed descriptor, a folder."""
    with pytest.raises(OSError, match="Bad file descriptor"):
        impl.Decoder().read(-1, 100)
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(IsADirectoryError):
            impl.Decoder().read(fd, 100)
    finally:
        os.close(fd)


def test_a_record_may_hold_many_points(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Thousands in the first record, and those of the following ones."""
    crowded = summary_record([scalar_value("a", float(i)) for i in range(3000)], step=0)
    write_events(path, [crowded, *scalar_records("b", ((i, 0.0, float(i)) for i in range(9000)))])
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    found = [list(values(impl, decoder, 0)), list(values(impl, decoder, 1))]
    assert found == [[float(i) for i in range(3000)], [float(i) for i in range(9000)]]


def bytes_read() -> int:
    """How many bytes this process has read from files."""
    with open("/proc/self/io", encoding="ascii") as lines:
        return int(next(line for line in lines if line.startswith("rchar")).split()[1])


TIB = 1 << 40


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="counts what was read as Linux does")
@pytest.mark.parametrize("inside", [0, 5, 4096])
def test_holes_are_not_read(impl: SimpleNamespace, path: pathlib.Path, inside: int) -> None:
    """Two records with a terabyte between them cost a few reads."""
    first, last = scalar_record("a", 1, 1.0, 0.0), scalar_record("a", 2, 2.0, 0.0)
    at = TIB + inside
    with open(path, "wb") as file:
        file.write(first)
        file.seek(at)
        file.write(last)
    decoder = impl.Decoder()
    before = bytes_read()
    read_all(decoder, path)
    assert bytes_read() - before < 8 * MIB
    assert (decoder.offset, values(impl, decoder)) == (at + len(last), [1.0, 2.0])
    assert [damage[:2] for damage in decoder.damage()] == [(len(first), at - len(first))]


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="counts what was read as Linux does")
def test_holes_at_the_end_are_not_read(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Except for bytes that may begin a header; appended records are found."""
    first = scalar_record("a", 1, 1.0, 0.0)
    with open(path, "wb") as file:
        file.write(first)
        file.truncate(TIB)
    decoder = impl.Decoder()
    before = bytes_read()
    read_all(decoder, path)
    assert (decoder.offset, decoder.damage()[0][:2]) == (TIB - 11, (len(first), TIB - 11 - len(first)))
    append_events(path, [scalar_record("a", 2, 2.0, 0.0)])
    read_all(decoder, path)
    assert (values(impl, decoder), bytes_read() - before < 8 * MIB) == ([1.0, 2.0], True)


@pytest.mark.parametrize("zeros", [1, 11, 12, 13, 75, 4096, 3 * MIB + 7])
@pytest.mark.parametrize("length", [256, 1 << 16])
def test_headers_that_begin_with_zeros_are_found_after_zeros(
    impl: SimpleNamespace, path: pathlib.Path, zeros: int, length: int
) -> None:
    """The low byte of a length may be zero. The zeros are stored or a hole."""
    last = scalar_record("t" * 300, 2, 2.0, 0.0)
    body = next(body for n in range(length) if len(body := bytes_field(3, b"v" * (length - n))) == length)
    good = record(body)
    for stored in (True, False):
        with open(path, "wb") as file:
            file.write(b"x")
            if stored:
                file.write(bytes(zeros))
            else:
                file.seek(1 + zeros)
            file.write(good + last)
        decoder = impl.Decoder()
        read_all(decoder, path)
        assert decoder.damage() == [(0, 1 + zeros, impl.crc32c(b"x" + bytes(zeros)))]
        assert decoder.records == 2
