"""Reading straight from open files: the same as being fed, for records of any size and files that change."""

import os
import pathlib
from types import SimpleNamespace
from typing import Any

import pytest
from columns import references, values

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

MIB = 1 << 20


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "events.out.tfevents.1"


def read_all(decoder: Any, path: pathlib.Path, limit: int = 1 << 30) -> int:
    """Read until nothing new is there; how much was read."""
    total = 0
    fd = os.open(path, os.O_RDONLY)
    try:
        while read := decoder.read(fd, limit):
            total += read
    finally:
        os.close(fd)
    return total


def image(size: int, step: int = 1) -> bytes:
    """A record with one picture of about `size` bytes and a scalar after it."""
    values_ = [image_value("img", bytes(i & 0xFF for i in range(251)) * (size // 251 + 1)), scalar_value("a", step)]
    return summary_record(values_, step=step)


def test_a_file_is_read_to_its_end(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """All of it, and then nothing more."""
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(100))))
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    assert (decoder.offset, values(impl, decoder)) == (path.stat().st_size, [float(i) for i in range(100)])


@pytest.mark.parametrize("first", [1, 2, 15, 16, 17])
def test_a_file_read_to_its_end_goes_on(impl: SimpleNamespace, path: pathlib.Path, first: int) -> None:
    """However few points there were at the first end, all that are appended later are added."""
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(first))))
    decoder = impl.Decoder()
    read_all(decoder, path)
    for i in range(first, 100):
        append_events(path, scalar_records("a", [(i, 0.0, float(i))]))
        read_all(decoder, path)
    assert values(impl, decoder) == [float(i) for i in range(100)]


@pytest.mark.parametrize("limit", [1, 100, 4096, MIB])
def test_in_small_goes(impl: SimpleNamespace, path: pathlib.Path, limit: int) -> None:
    """However little is asked for at once, reading gets on and arrives."""
    write_events(path, [image(3 * MIB), *scalar_records("b", ((i, 0.0, 1.0) for i in range(500)))])
    decoder = impl.Decoder()
    assert read_all(decoder, path, limit) == path.stat().st_size
    assert (decoder.records, decoder.points, decoder.damage()) == (502, 501, [])


def test_a_growing_file(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """What is appended is read next time, half-written records when they are whole."""
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


def test_a_long_record_waits_for_its_end(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """A picture of megabytes that is being written is not consumed before it is whole."""
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
def test_records_about_as_long_as_a_window(impl: SimpleNamespace, path: pathlib.Path, size: int) -> None:
    """No length is special."""
    write_events(path, [image(size, 1), scalar_record("a", 2, 2.0), image(size, 3)])
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    assert (decoder.damage(), values(impl, decoder, 1)) == ([], [1.0, 2.0, 3.0])


def reported(decoder: Any) -> list[tuple[int, int]]:
    """The damaged ranges, without checksums."""
    return [(offset, length) for offset, length, _ in decoder.damage()]


@pytest.mark.parametrize("place", [5, 13, MIB + 9, -2])
def test_a_damaged_long_record(impl: SimpleNamespace, path: pathlib.Path, place: int) -> None:
    """Wherever it is damaged, it alone is lost, as if it had been fed."""
    frames = [scalar_record("a", 0, 0.5), image(MIB + 300), scalar_record("a", 2, 2.5)]
    turned = bytearray(frames[1])
    turned[place] ^= 1
    data = frames[0] + bytes(turned) + frames[2]
    path.write_bytes(data)
    decoder = impl.Decoder()
    assert read_all(decoder, path) == len(data)
    assert values(impl, decoder) == [0.5, 2.5]
    fed = impl.Decoder()
    fed.feed(data)
    assert decoder.damage() == fed.damage()
    assert reported(decoder) == [(len(frames[0]), len(frames[1]))]


def test_a_damaged_long_record_at_the_end(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """The file is read to its end all the same."""
    turned = bytearray(image(2 * MIB))
    turned[-1] ^= 1
    path.write_bytes(turned)
    decoder = impl.Decoder()
    assert read_all(decoder, path) == len(turned)
    assert reported(decoder) == [(0, len(turned))]


def test_a_long_record_that_is_no_event(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Reported, and the next record goes on."""
    bad = record(b"\x07" + bytes(2 * MIB))
    path.write_bytes(bad + scalar_record("a", 1, 1.0))
    decoder = impl.Decoder()
    read_all(decoder, path)
    assert (reported(decoder), values(impl, decoder)) == ([(0, len(bad))], [1.0])


def test_megabytes_of_rubbish(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Zero pages longer than a window between two records are one damaged range."""
    frames = [scalar_record("a", 0, 0.5), scalar_record("a", 1, 1.5)]
    path.write_bytes(frames[0] + bytes(MIB + 77) + frames[1])
    decoder = impl.Decoder()
    read_all(decoder, path)
    assert (values(impl, decoder), reported(decoder)) == ([0.5, 1.5], [(len(frames[0]), MIB + 77)])


def test_a_file_cut_short_while_open(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Reading beyond its end gives nothing, and keeps what there was."""
    write_events(path, scalar_records("a", [(0, 0.0, 1.0), (1, 0.0, 2.0)]))
    decoder = impl.Decoder()
    read_all(decoder, path)
    os.truncate(path, 10)
    assert read_all(decoder, path) == 0
    assert values(impl, decoder) == [1.0, 2.0]


def test_an_empty_file(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """Nothing is read from nothing."""
    path.write_bytes(b"")
    assert read_all(impl.Decoder(), path) == 0


def test_what_cannot_be_read(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """OSError from the system call, be it a closed descriptor or a folder."""
    with pytest.raises(OSError, match="Bad file descriptor"):
        impl.Decoder().read(-1, 100)
    fd = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(IsADirectoryError):
            impl.Decoder().read(fd, 100)
    finally:
        os.close(fd)


def test_one_record_full_of_points(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """However many rows one record at the very beginning brings, they and those that follow are all there."""
    crowded = summary_record([scalar_value("a", float(i)) for i in range(3000)], step=0)
    write_events(path, [crowded, *scalar_records("b", ((i, 0.0, float(i)) for i in range(9000)))])
    decoder = impl.Decoder()
    assert read_all(decoder, path) == path.stat().st_size
    found = [list(values(impl, decoder, 0)), list(values(impl, decoder, 1))]
    assert found == [[float(i) for i in range(3000)], [float(i) for i in range(9000)]]


def bytes_read() -> int:
    """How many bytes this process has read from files so far."""
    with open("/proc/self/io", encoding="ascii") as lines:
        return int(next(line for line in lines if line.startswith("rchar")).split()[1])


TIB = 1 << 40


@pytest.mark.skipif(not os.path.exists("/proc/self/io"), reason="counts what was read as Linux does")
@pytest.mark.parametrize("inside", [0, 5, 4096])
def test_a_hole_is_not_read(impl: SimpleNamespace, path: pathlib.Path, inside: int) -> None:
    """A record, a terabyte of nothing, another record: both are there, and nearly nothing was read."""
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
def test_a_hole_at_the_end_is_not_read(impl: SimpleNamespace, path: pathlib.Path) -> None:
    """What might still begin a header is left; what comes later goes on from there."""
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
def test_zeros_before_a_header_that_begins_with_zeros(
    impl: SimpleNamespace, path: pathlib.Path, zeros: int, length: int
) -> None:
    """The low byte of a length may be zero: the record is found, whether the zeros are a hole or are stored."""
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
