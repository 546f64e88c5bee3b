"""A record stands for a process only as long as that process runs."""

import dataclasses
import os
import pathlib
import subprocess
import sys

import pytest

from lightboard.board.announcement import Address
from lightboard.notebook.board_record import BoardCommand, BoardRecord, running_boards, write_record
from lightboard.notebook.process_start import from_ps, machine_name, process_start

COMMAND = BoardCommand("0.2.0", "/work", ("--logdir", "runs"), "")


@pytest.fixture
def board() -> BoardRecord:
    """A record for this process."""
    pid = os.getpid()
    return BoardRecord(COMMAND, machine_name(), pid, process_start(pid), Address("localhost", 6006, "/board"))


def test_what_is_written_is_read(board: BoardRecord, tmp_path: pathlib.Path) -> None:
    """Every field."""
    write_record(str(tmp_path), board)

    assert running_boards(str(tmp_path)) == [board]


def test_another_process_with_the_same_id_is_no_board(board: BoardRecord, tmp_path: pathlib.Path) -> None:
    """Ids are used again; the record is removed, with the output of the board."""
    stale = dataclasses.replace(board, started="1")
    write_record(str(tmp_path), stale)
    (tmp_path / f"{stale.stem}.log").touch()

    assert running_boards(str(tmp_path)) == []
    assert list(tmp_path.iterdir()) == []


def test_the_records_of_other_machines_stay(board: BoardRecord, tmp_path: pathlib.Path) -> None:
    """They share the home; what runs there cannot be seen from here."""
    other = dataclasses.replace(board, machine="elsewhere")
    write_record(str(tmp_path), other)

    assert running_boards(str(tmp_path)) == []
    assert [file.name for file in tmp_path.iterdir()] == [f"elsewhere-{board.pid}.json"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"command": {"words": []}, "address": []}'])
def test_a_file_of_another_version_is_passed_over(text: str, tmp_path: pathlib.Path) -> None:
    """It may describe a board that runs, so it stays."""
    (tmp_path / "vm-1.json").write_text(text)

    assert running_boards(str(tmp_path)) == []
    assert (tmp_path / "vm-1.json").read_text() == text


def test_a_process_that_has_ended_has_no_start() -> None:
    """Not even while its parent has not noticed."""
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.read()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert (process_start(child.pid), from_ps(child.pid)) == ("", "")
    assert (process_start(child.pid), from_ps(child.pid)) == ("", "")


def test_ps_tells_the_start_where_there_is_no_proc() -> None:
    """The same each time, and another for another process."""
    assert from_ps(os.getpid()) == from_ps(os.getpid()) != ""
