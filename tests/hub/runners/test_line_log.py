"""Logs of timed lines."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub.runners.line_log import LineLogWriter, file_names, read_lines
from lightboard.hub.runners.log_part import LogLine, LogPart

EVERYTHING = 1 << 30


def written(folder: Path, *pieces: bytes, **options: int) -> LineLogWriter:
    """A writer that has got pieces of output, one each second."""
    clock = itertools.count(1_700_000_000)
    writer = LineLogWriter(folder / "log", lambda: float(next(clock)), **options)
    for piece in pieces:
        writer.write(piece)
    return writer


def read_all(folder: Path) -> list[str]:
    """The texts of all lines."""
    return [line.text for line in read_lines(folder / "log", 0, EVERYTHING).lines]


def test_a_line_has_the_time_of_its_first_piece(tmp_path: Path) -> None:
    """Output arrives in pieces of any size."""
    written(tmp_path, b"on", b"e\ntwo\nth", b"ree\n").close()

    assert read_lines(tmp_path / "log", 0, EVERYTHING).lines == (
        LogLine(1_700_000_000.0, "one"),
        LogLine(1_700_000_001.0, "two"),
        LogLine(1_700_000_001.0, "three"),
    )


def test_a_line_without_newline_is_not_read_until_the_end(tmp_path: Path) -> None:
    """Its rest may follow."""
    writer = written(tmp_path, b"one\nhalf")
    before = read_all(tmp_path)
    writer.close()

    assert (before, read_all(tmp_path)) == (["one"], ["one", "half"])


def test_progress_bars_are_transient_lines(tmp_path: Path) -> None:
    """A carriage return ends a line too; before a newline it is nothing."""
    written(tmp_path, b"10%\r20%\r", b"100%\r", b"\ndone\r\n").close()

    lines = read_lines(tmp_path / "log", 0, EVERYTHING).lines

    assert [(line.text, line.transient) for line in lines] == [
        ("10%", True), ("20%", True), ("100%", False), ("done", False),
    ]  # fmt: skip


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    """The other characters are kept."""
    written(tmp_path, b"a\xffb\n", "Привет 你好\n".encode()).close()

    assert read_all(tmp_path) == ["a\ufffdb", "Привет 你好"]


def test_old_files_are_deleted_and_counted(tmp_path: Path) -> None:
    """A reader that asks for them is told how many bytes are lost, and gets whole lines."""
    written(tmp_path, *(b"line %d\n" % number for number in range(100)), file_bytes=200, max_files=3).close()

    part = read_lines(tmp_path / "log", 0, EVERYTHING)

    names = file_names(tmp_path / "log")
    assert len(names) == 3
    assert part.lost_bytes == int(names[0])
    assert [line.text for line in part.lines] == [f"line {number}" for number in range(100 - len(part.lines), 100)]


def test_an_endless_line_is_cut(tmp_path: Path) -> None:
    """So that a reader always makes progress."""
    writer = written(tmp_path, *[b"x" * (1 << 19)] * 5)

    assert [len(text) for text in read_all(tmp_path)] == [1 << 20] * 2
    writer.close()
    assert sum(map(len, read_all(tmp_path))) == 5 << 19


def test_a_file_that_is_deleted_while_the_log_is_read_is_no_error(tmp_path: Path) -> None:
    """As when a job is deleted whose log is followed: a link to nothing is such a file, listed and not there."""
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "0000000000000000").symlink_to("deleted")

    assert [read_lines(tmp_path / "log", cursor, EVERYTHING) for cursor in (0, 500, -10)] == [
        LogPart(lines=(), cursor=cursor) for cursor in (0, 500, 0)
    ]


def test_a_log_that_does_not_exist_has_no_lines(tmp_path: Path) -> None:
    """As before the supervisor has begun."""
    part = read_lines(tmp_path / "log", 7, EVERYTHING)

    assert (part.lines, part.cursor) == ((), 7)


@given(
    st.lists(st.binary(max_size=40).map(lambda piece: piece.replace(b"\r", b"")), max_size=12),
    st.integers(10, 60),
    st.integers(1, 80),
)
def test_no_byte_is_lost_or_read_twice(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], file_bytes: int, max_bytes: int
) -> None:
    """However output is cut into pieces, the log into files, and the reading into parts."""
    folder = tmp_path_factory.mktemp("log")
    written(folder, *pieces, file_bytes=file_bytes, max_files=1_000).close()
    texts: list[str] = []
    cursor = 0
    while (part := read_lines(folder / "log", cursor, max_bytes)).lines:
        texts += [line.text for line in part.lines]
        cursor = part.cursor
    output = b"".join(pieces)

    assert texts == [line.decode(errors="replace") for line in output.removesuffix(b"\n").split(b"\n") if output]


def test_a_line_whose_rest_was_deleted_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    """As that of a job which prints without newlines, faster than anybody reads."""
    writer = LineLogWriter(tmp_path / "log", lambda: 0.0, file_bytes=20)
    for _ in range(3):
        writer.write(b"x" * 30)
    _, second, _, _ = sorted((tmp_path / "log").iterdir())
    second.unlink()

    assert read_lines(tmp_path / "log", 0, 10) == LogPart(lines=(), cursor=0)
    writer.close()
