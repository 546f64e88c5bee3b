"""What a board stores between starts, outside the logdir."""

import json
import os
import pathlib
import shutil
import signal
from http.client import HTTPConnection, HTTPResponse

import pytest

from lightboard.testing.event_files import scalar_record, write_events
from support.board_process import TIMEOUT_SECS, LightboardProcess


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two runs."""
    for run in ("a", "b"):
        write_events(tmp_path / "logs" / run / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    return tmp_path / "logs"


@pytest.fixture
def home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The user's own folder, which need not be there."""
    monkeypatch.setenv("LIGHTBOARD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def served(logdir: pathlib.Path) -> LightboardProcess:
    return LightboardProcess(str(logdir), "--port", "0", "--reload_task", "blocking")


def edit(board: LightboardProcess, body: object) -> None:
    connection = HTTPConnection("127.0.0.1", board.port, timeout=TIMEOUT_SECS)
    connection.request("PATCH", "/api/v1/overlay", json.dumps(body), {"content-type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()


def next_overlay(page: HTTPResponse) -> bytes:
    """The data of the next `overlay` event of a stream."""
    while page.readline() != b"event: overlay\n":
        pass
    return page.readline()


def slots(board: LightboardProcess) -> dict[str, int]:
    return {run["name"]: run["slot"] for run in board.json("/api/v1/runs")["runs"]}


def test_colours_survive_deleted_runs(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """New runs do not get the colour of old ones."""
    with served(logdir) as board:
        first = slots(board)
        assert board.end(signal.SIGINT) == (0, "")
    shutil.rmtree(logdir / "a")
    write_events(logdir / "0" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    with served(logdir) as board:
        second = slots(board)

    assert (first, second) == ({"a": 0, "b": 1}, {"b": 1, "0": 2})


def test_annotations_persist(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """Also with another spelling of the folder; the logdir stays unchanged."""
    with served(logdir) as board:
        edit(board, {"runs": {"a": {"note": "n"}}})
    with served(logdir / "a" / "..") as board:
        overlay = board.json("/api/v1/overlay")

    assert (overlay["revision"], overlay["writable"], overlay["runs"]) == (1, True, {"a": {"note": "n"}})
    assert sorted(os.listdir(logdir)) == ["a", "b"]
    assert sorted(os.listdir(home / "boards")) == [".lock", overlay["path_hint"]]


def test_edits_reach_every_page(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """Also the editing one, and later ones."""
    with served(logdir) as board:
        pages = [board.open("/api/v1/events"), board.open("/api/v1/events")]
        edit(board, {"runs": {"a": {"note": "n"}}})
        pages.append(board.open("/api/v1/events"))
        told = [next_overlay(page) for page in pages]
        for page in pages:
            page.close()

    assert told == [b'data: {"revision": 1}\n'] * 3


def test_two_boards_merge_their_edits(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """Neither overwrites the other."""
    with served(logdir) as one, served(logdir) as two:
        edit(one, {"runs": {"a": {"note": "one"}}})
        edit(two, {"runs": {"b": {"note": "two"}}})
        seen = [board.json("/api/v1/overlay")["runs"] for board in (one, two)]

    assert seen == [{"a": {"note": "one"}, "b": {"note": "two"}}] * 2


def test_a_corrupt_file_is_reported_at_the_start(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """Once; the board starts empty."""
    with served(logdir) as board:
        edit(board, {"runs": {"a": {"note": "n"}}})
    (file,) = (home / "boards").glob("*.json")
    file.write_text("{")
    with served(logdir) as board:
        notes = [line for line in board.lines if "damaged" in line]
        overlay = board.json("/api/v1/overlay")

    assert notes == [f"note: {file} is damaged (no JSON in line 1); it is kept as {file.name}.damaged"]
    assert overlay["runs"] == {}


def test_a_board_works_without_a_writable_home(logdir: pathlib.Path, home: pathlib.Path) -> None:
    """And says that edits are not saved."""
    home.write_text("a file in the way")
    with served(logdir) as board:
        assert (board.json("/api/v1/overlay")["writable"], slots(board)) == (False, {"a": 0, "b": 1})
        assert board.end(signal.SIGINT) == (0, "")
