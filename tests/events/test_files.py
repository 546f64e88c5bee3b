"""Reading many files at one call: the same as opening and reading each."""

import os
import pathlib
from types import SimpleNamespace
from typing import Any

from columns import values

from lightboard.testing.event_files import scalar_records, write_events

SAMPLE = 64


def event_file(path: pathlib.Path, count: int) -> pathlib.Path:
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(count))))
    return path


def read(impl: SimpleNamespace, *paths: Any, limit: int = 1 << 20) -> tuple[list[Any], list[Any]]:
    """What each read brought, and the decoders."""
    decoders = [impl.Decoder() for _ in paths]
    return impl.read_files(list(zip(paths, decoders, strict=True)), limit, SAMPLE), decoders


def test_each_file_is_read_whole(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """Every point of every file, and of each file what stat and two samples say."""
    paths = [event_file(tmp_path / str(count), count) for count in (0, 1, 500)]
    found, decoders = read(impl, *map(str, paths))
    wanted = []
    for path in paths:
        data, status = path.read_bytes(), path.stat()
        samples = impl.crc32c(data[:SAMPLE]), impl.crc32c(data[-SAMPLE:])
        wanted.append((len(data), len(data), status.st_mtime_ns, status.st_dev, status.st_ino, *samples))
    assert found == wanted
    assert [decoder.points for decoder in decoders] == [0, 1, 500]
    assert values(impl, decoders[2]) == [float(i) for i in range(500)]


def test_half_a_record_is_left(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """The samples are of what was decoded, not of what lies behind it."""
    path = event_file(tmp_path / "f", 9)
    whole = path.read_bytes()
    path.write_bytes(whole + b"half")
    found, _ = read(impl, path)
    tail = whole[-SAMPLE:]
    assert (found[0][:2], found[0][6]) == ((len(whole), len(whole) + 4), impl.crc32c(tail))


def test_what_cannot_be_read_is_none(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """Nothing there, a folder, a pipe nobody writes to: None each, at once, and the others are read."""
    os.mkfifo(tmp_path / "pipe")
    good = event_file(tmp_path / "good", 3)
    found, decoders = read(impl, tmp_path / "missing", good, tmp_path, tmp_path / "pipe")
    assert ([one is None for one in found], decoders[1].points) == ([True, False, True, True], 3)


def test_names_that_are_no_text(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """Bytes that are not UTF-8 are opened as they came from the listing."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with open(path, "wb") as file:
        file.write(event_file(tmp_path / "f", 2).read_bytes())
    assert read(impl, path)[1][0].points == 2


def test_a_file_that_is_open_already(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """Is read by its descriptor as by its path, and stays open; what is no open file is None."""
    path = event_file(tmp_path / "f", 5)
    fd, folder = os.open(path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    try:
        found, decoders = read(impl, fd, folder, path, -1, 1 << 40)
        assert (found[0], found[1], found[3], found[4]) == (found[2], None, None, None)
        assert (decoders[0].points, os.fstat(fd).st_size) == (5, path.stat().st_size)
    finally:
        os.close(fd)
        os.close(folder)
