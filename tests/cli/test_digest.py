"""--inspect: TensorBoard's digest, and what was damaged."""

import pathlib

import pytest

from lightboard.cli.main import main
from lightboard.testing.event_files import (
    scalar_record,
    scalar_records,
    start_record,
    write_events,
)


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """One run with two scalars, a restart that goes back, and a damaged record."""
    damaged = bytearray(scalar_record("loss", 9, 1.0))
    damaged[-1] ^= 1
    records = [
        *scalar_records("loss", [(1, 1.0, 4.0), (2, 2.0, 3.0), (3, 3.0, 2.0)]),
        start_record(step=2, wall_time=4.0),
        *scalar_records("loss", [(2, 5.0, 1.0)]),
        *scalar_records("lr", [(0, 6.0, 0.5)]),
        bytes(damaged),
    ]
    (tmp_path / "train").mkdir()
    write_events(tmp_path / "train" / "events.out.tfevents.1", records)
    return tmp_path


def test_a_run_is_digested(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tags by kind, steps by kind, damage by byte."""
    assert main(["--inspect", "--logdir", str(logdir)]) == 0

    file = logdir / "train" / "events.out.tfevents.1"
    size, bad = file.stat().st_size, len(scalar_record("loss", 9, 1.0))
    assert (
        capsys.readouterr().out
        == f"""\
Found event files in:
{logdir}/train

These tags are in {logdir}/train:
audio -
histograms -
images -
scalars
   loss
   lr
tensor -
{"=" * 70}

Event statistics for {logdir}/train:
audio -
graph -
histograms -
images -
scalars
   first_step           1
   last_step            0
   max_step             3
   min_step             0
   num_steps            4
   outoforder_steps     [(3, 2)]
sessionlog:start
   outoforder_steps     []
   steps                [2]
tensor -
damaged, skipped
   bytes {size - bad} to {size} of {file}
{"=" * 70}

"""
    )


def test_one_tag_is_digested(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--tag."""
    assert main(["--inspect", "--logdir", str(logdir), "--tag", "lr"]) == 0

    assert capsys.readouterr().out.split("\n\n")[1].splitlines()[:5] == [
        f"Event statistics for tag lr in {logdir}/train:",
        "scalars",
        "   first_step           0",
        "   last_step            0",
        "   max_step             0",
    ]


def test_one_file_is_digested(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--event_file."""
    file = str(logdir / "train" / "events.out.tfevents.1")
    assert main(["--inspect", "--event_file", file]) == 0

    assert capsys.readouterr().out.startswith(f"These tags are in {file}:\naudio -\n")


@pytest.mark.parametrize(
    "words", [["--event_file", "/no/such/file"], ["--event_file", "/"], ["--event_file", "x", "y"]]
)
def test_what_cannot_be_read_is_an_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """In one line with a hint."""
    assert main(["--inspect", *words]) == 2
    assert capsys.readouterr().err.startswith("lightboard: ")


def test_an_empty_folder_is_said(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not an error: there is just nothing."""
    assert main(["--inspect", str(tmp_path)]) == 0
    assert capsys.readouterr().err == f"no event files below {tmp_path}\n"
