"""`lightboard export`: every point in one file, without a server."""

import csv
import errno
import json
import os
import pathlib
import zipfile
from collections.abc import Iterator

import pytest

from lightboard.board.export.export import SeriesId
from lightboard.cli.export import ProgressLine, write
from lightboard.cli.main import main
from lightboard.errors import LightboardError
from lightboard.testing.event_files import scalar_record, scalar_records, start_record, write_events

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two runs with odd names; one began again and wrote a step twice."""
    folder = tmp_path / "logs"
    again = [start_record(step=1, wall_time=3.0), *scalar_records("Loss/train", [(1, 4.0, 0.25)])]
    write_events(folder / "a,b" / "tfevents.1", [*scalar_records("Loss/train", [(0, 1.0, 0.1), (1, 2.0, 0.5)]), *again])
    write_events(
        folder / "каша" / "tfevents.1",
        [scalar_record("Loss/train", 5, float("nan"), 1.5), scalar_record("lr", 0, 1.0, 2.0)],
    )
    return folder


def rows(file: pathlib.Path) -> list[list[str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.reader(text))


def test_exports_everything_as_csv(logdir: pathlib.Path, tmp_path: pathlib.Path, capsys: Captured) -> None:
    """Tags in natural order, runs by slot; it prints one line."""
    out = tmp_path / "out.csv"

    assert main(["export", "--logdir", str(logdir), str(out)]) == 0
    assert rows(out) == [
        ["run", "tag", "step", "wall_time", "value"],
        ["a,b", "Loss/train", "0", "1.0", "0.10000000149011612"],
        ["a,b", "Loss/train", "1", "4.0", "0.25"],
        ["каша", "Loss/train", "5", "1.5", "NaN"],
        ["каша", "lr", "0", "2.0", "1.0"],
    ]
    assert capsys.readouterr().err == f"3 series, 157 B in {out}\n"


def test_superseded_points_follow_the_purge_flag(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """TensorBoard's."""
    out = tmp_path / "out.json"

    assert main(["export", str(logdir), str(out), "--purge_orphaned_data", "false", "--run", "A,B"]) == 0
    assert json.loads(out.read_text()) == {
        "series": [
            {
                "run": "a,b",
                "tag": "Loss/train",
                "points": [[1.0, 0, 0.10000000149011612, 0], [2.0, 1, 0.5, 1], [4.0, 1, 0.25, 0]],
            }
        ]
    }


def test_exports_matches_as_zip(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With regular expressions, as on the page."""
    out = tmp_path / "out.ZIP"

    assert main(["export", "--logdir", str(logdir), "--tag", "^loss", str(out), "--run", "каша"]) == 0
    assert zipfile.ZipFile(out).namelist() == ["scalars/Loss/train/каша.csv", "index.csv"]


def test_existing_files_are_replaced_atomically(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Failures keep them."""
    out = tmp_path / "out.csv"
    out.write_text("old")

    assert main(["export", str(logdir), str(out), "--tag", "nothing"]) == 1
    assert (out.read_text(), sorted(os.listdir(tmp_path))) == ("old", ["logs", "out.csv"])
    assert main(["export", str(logdir), str(out)]) == 0
    assert (len(rows(out)), sorted(os.listdir(tmp_path))) == (5, ["logs", "out.csv"])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("export", 2, "no output file"),
        ("export LOGS", 2, "LOGS must end with one of .csv, .json, .zip"),
        ("export OUT.csv", 2, "no logdir"),
        ("export LOGS OUT.csv --run [", 2, "--run [: unterminated character set at position 0"),
        ("export LOGS/nothing OUT.csv", 2, "LOGS/nothing is not there"),
        ("export LOGS OUT.csv --tag nothing", 1, "no scalar matches"),
        ("export LOGS LOGS/none/OUT.csv", 1, "cannot write LOGS/none/OUT.csv: No such file or directory"),
        ("export EMPTY OUT.csv", 1, "no event files below EMPTY"),
        ("LOGS --run x", 1, "--run requires export"),
    ],
)
def test_invalid_arguments_are_one_error(
    words: str, code: int, said: str, logdir: pathlib.Path, tmp_path: pathlib.Path, capsys: Captured
) -> None:
    """Nothing is written."""
    (tmp_path / "empty").mkdir()

    def real(text: str) -> str:
        return (
            text.replace("LOGS", str(logdir))
            .replace("OUT", str(tmp_path / "out") if "/OUT" not in text else "OUT")
            .replace("EMPTY", str(tmp_path / "empty"))
        )

    assert main([real(word) for word in words.split()]) == code
    first, second = capsys.readouterr().err.splitlines()
    assert (first, second[:6]) == (f"lightboard: {real(said)}", "hint: ")
    assert sorted(os.listdir(tmp_path)) == ["empty", "logs"]


def test_terminals_show_progress(capsys: Captured) -> None:
    """On one line, removed at the end."""
    progress = ProgressLine(2, shown=True)
    series = progress.count_series([SeriesId("a", "t"), SeriesId("b", "t")])

    assert list(progress.track(f"{one.run}".encode() * 2_000_000 for one in series)) == [
        b"a" * 2_000_000,
        b"b" * 2_000_000,
    ]
    assert capsys.readouterr().err == "\r1 of 2 series, 2.0 MB\x1b[K\r\x1b[K"


def test_a_full_disk_is_reported(tmp_path: pathlib.Path) -> None:
    """Without leftovers."""

    def pieces() -> Iterator[bytes]:
        yield b"step,value\n"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(LightboardError) as caught:
        write(str(tmp_path / "OUT.csv"), pieces())

    assert (caught.value.message, caught.value.hint) == (
        f"cannot write {tmp_path}/OUT.csv: No space left on device",
        "make room there, or give a file on another disk",
    )
    assert os.listdir(tmp_path) == []
