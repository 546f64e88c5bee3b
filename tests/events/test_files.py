"""Reading several files in one call."""

import os
import pathlib
from types import SimpleNamespace
from typing import Any

from lightboard.testing.event_files import scalar_records, write_events
from support.series_columns import values

SAMPLE = 64


def event_file(path: pathlib.Path, count: int) -> pathlib.Path:
    write_events(path, scalar_records("a", ((i, 0.0, float(i)) for i in range(count))))
    return path


def read_files(impl: SimpleNamespace, *paths: Any, limit: int = 1 << 20) -> tuple[list[Any], list[Any]]:
    """The result for each path, and the decoders."""
    decoders = [impl.Decoder() for _ in paths]
    return impl.read_files(list(zip(paths, decoders, strict=True)), limit, SAMPLE), decoders


def test_files_are_read_whole(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """With size, times, inode and the checksums of two samples of each."""
    paths = [event_file(tmp_path / str(count), count) for count in (0, 1, 500)]
    found, decoders = read_files(impl, *map(str, paths))
    expected = []
    for path in paths:
        data, status = path.read_bytes(), path.stat()
        samples = impl.crc32c(data[:SAMPLE]), impl.crc32c(data[-SAMPLE:])
        expected.append((len(data), len(data), status.st_mtime_ns, status.st_dev, status.st_ino, *samples))
    assert found == expected
    assert [decoder.points for decoder in decoders] == [0, 1, 500]
    assert values(impl, decoders[2]) == [float(i) for i in range(500)]


def test_samples_end_at_the_last_whole_record(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """Bytes of an incomplete record are not part of the last sample."""
    path = event_file(tmp_path / "f", 9)
    whole = path.read_bytes()
    path.write_bytes(whole + b"half")
    found, _ = read_files(impl, path)
    tail = whole[-SAMPLE:]
    assert (found[0][:2], found[0][6]) == ((len(whole), len(whole) + 4), impl.crc32c(tail))


def test_unreadable_files_are_none(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """A missing file, a folder, a pipe without a writer: none of them blocks, and the others are read."""
    os.mkfifo(tmp_path / "pipe")
    good = event_file(tmp_path / "good", 3)
    found, decoders = read_files(impl, tmp_path / "missing", good, tmp_path, tmp_path / "pipe")
    assert ([one is None for one in found], decoders[1].points) == ([True, False, True, True], 3)


def test_names_that_are_not_utf8_are_opened(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """As listings return them, with surrogate escapes."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with open(path, "wb") as file:
        file.write(event_file(tmp_path / "f", 2).read_bytes())
    assert read_files(impl, path)[1][0].points == 2


def test_descriptors_are_read_like_paths(impl: SimpleNamespace, tmp_path: pathlib.Path) -> None:
    """They stay open. Descriptors of folders and invalid ones are None."""
    path = event_file(tmp_path / "f", 5)
    fd, folder = os.open(path, os.O_RDONLY), os.open(tmp_path, os.O_RDONLY)
    try:
        found, decoders = read_files(impl, fd, folder, path, -1, 1 << 40)
        assert (found[0], found[1], found[3], found[4]) == (found[2], None, None, None)
        assert (decoders[0].points, os.fstat(fd).st_size) == (5, path.stat().st_size)
    finally:
        os.close(fd)
        os.close(folder)
