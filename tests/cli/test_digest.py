"""--inspect: TensorBoard's summary, with damage."""

import os
import pathlib

import pytest

from lightboard.cli.main import main
from lightboard.testing.event_files import (
    meta_graph_record,
    scalar_record,
    scalar_records,
    start_record,
    tagged_run_metadata_record,
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


def test_runs_are_summarized(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tags by kind, steps, damage."""
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
sessionlog:checkpoint -
sessionlog:start
   outoforder_steps     []
   steps                [2]
sessionlog:stop -
tensor -
damaged, skipped
   bytes {size - bad} to {size} of {file}
{"=" * 70}

"""
    )


def test_session_logs_are_summarized(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As TensorBoard prints them."""
    said = [(1, 0), (3, 100), (3, 200), (2, 200), (1, 150), (3, 150), (2, 300)]
    write_events(tmp_path / "events.out.tfevents.1", [start_record(step=step, status=status) for status, step in said])
    assert main(["--inspect", "--logdir", str(tmp_path)]) == 0

    digest = capsys.readouterr().out
    assert digest[digest.index("sessionlog:checkpoint") : digest.rindex("tensor -\n=")] == (
        """\
sessionlog:checkpoint
   first_step           100
   last_step            150
   max_step             200
   min_step             100
   num_steps            3
   outoforder_steps     [(200, 150)]
sessionlog:start
   outoforder_steps     []
   steps                [0, 150]
sessionlog:stop
   outoforder_steps     []
   steps                [200, 300]
"""
    )


def test_one_tag_is_summarized(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--tag."""
    assert main(["--inspect", "--logdir", str(logdir), "--tag", "lr"]) == 0

    assert capsys.readouterr().out.split("\n\n")[1].splitlines()[:5] == [
        f"Event statistics for tag lr in {logdir}/train:",
        "scalars",
        "   first_step           0",
        "   last_step            0",
        "   max_step             0",
    ]


def test_only_runs_that_have_the_tag_are_listed(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others have nothing to say."""
    write_events(logdir / "eval" / "events.out.tfevents.1", [scalar_record("accuracy", 0, 1.0)])
    assert main(["--inspect", "--logdir", str(logdir), "--tag", "lr"]) == 0

    assert capsys.readouterr().out.startswith(f"Found event files in:\n{logdir}/train\n\nEvent statistics for tag lr")


@pytest.mark.parametrize("flag", ["--logdir", "--event_file"])
def test_unknown_tags_are_noted(flag: str, logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The summary is empty, as in TensorBoard."""
    file = str(logdir / "train" / "events.out.tfevents.1")
    path, name = (str(logdir), f"{logdir}/train") if flag == "--logdir" else (file, file)
    assert main(["--inspect", flag, path, "--tag", "losss"]) == 0

    out, err = capsys.readouterr()
    assert err == "note: no run has a tag 'losss'; without --tag all tags are listed\n"
    assert out.endswith(f"Event statistics for tag losss in {name}:\n{'=' * 70}\n\n")


def test_graphs_are_not_tensors(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In either form."""
    records = [meta_graph_record(b"\n\0"), tagged_run_metadata_record("step1", b"\n\0", step=1)]
    write_events(tmp_path / "events.out.tfevents.1", records)
    assert main(["--inspect", "--logdir", str(tmp_path)]) == 0

    out = capsys.readouterr().out
    assert ("\ngraph\n" in out, out.count("\ntensor -\n"), "step1" in out) == (True, 2, False)


def test_one_file_is_summarized(logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--event_file."""
    file = str(logdir / "train" / "events.out.tfevents.1")
    assert main(["--inspect", "--event_file", file]) == 0

    assert capsys.readouterr().out.startswith(f"These tags are in {file}:\naudio -\n")


@pytest.mark.parametrize(
    "words",
    [
        ["--event_file", "/no/such/file"],
        ["--event_file", "/"],
        ["--event_file", "x", "y"],
        ["--logdir", "/no/such/folder"],
        ["--logdir_spec", "a:/,b:/no/such/folder"],
    ],
)
def test_unreadable_input_is_an_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """In one line with a hint."""
    assert main(["--inspect", *words]) == 1
    assert capsys.readouterr().err.startswith("lightboard: ")


def test_pipes_are_not_opened(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Opening one could block."""
    os.mkfifo(tmp_path / "tfevents")
    assert main(["--inspect", "--event_file", str(tmp_path / "tfevents")]) == 1
    assert "it is not a regular file" in capsys.readouterr().err


def test_an_empty_folder_is_reported(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not as an error."""
    assert main(["--inspect", str(tmp_path)]) == 0
    assert capsys.readouterr().err == f"no event files below {tmp_path}\n"


@pytest.mark.parametrize("words", [["--tag", "lr"], ["--event_file", "events.out.tfevents.1"]])
def test_inspect_flags_need_inspect(words: list[str], logdir: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """TensorBoard ignores them; see docs/tensorboard.md."""
    assert main(["--logdir", str(logdir), *words]) == 1

    assert capsys.readouterr().err == (
        "lightboard: --event_file and --tag require --inspect\nhint: add --inspect, or leave them out\n"
    )
