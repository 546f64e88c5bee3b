"""A running server keeps serving valid records whatever happens to a file."""

import json
import os
import pathlib
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from lightboard.testing.event_files import scalar_record, version_record
from support.board_process import TIMEOUT_SECS, LightboardProcess

POINTS = 6
RECORDS = [version_record(), *(scalar_record("loss", step, step / 4) for step in range(POINTS))]
WHOLE = b"".join(RECORDS)
ENDS = [sum(map(len, RECORDS[: i + 1])) for i in range(len(RECORDS))]


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Of one run."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "run").mkdir()
    return folder


@pytest.fixture(scope="module")
def board(logdir: pathlib.Path) -> Iterator[LightboardProcess]:
    """A real server."""
    with LightboardProcess("--logdir", str(logdir), "--port", "0") as running:
        yield running


@pytest.fixture
def path(logdir: pathlib.Path) -> pathlib.Path:
    """The only file of the only run."""
    path = logdir / "run" / "events.out.tfevents.1"
    replace(path, WHOLE)
    return path


@pytest.fixture
def line(board: LightboardProcess, path: pathlib.Path) -> Iterator[HTTPConnection]:
    """To the server, which has read the file."""
    line = HTTPConnection("127.0.0.1", board.port, timeout=TIMEOUT_SECS)
    assert steps(line) == list(range(POINTS))
    yield line
    line.close()


def ask(line: HTTPConnection, method: str, path: str, body: object = None) -> Any:
    """It must answer."""
    line.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    answer = line.getresponse()
    said = answer.read()
    assert answer.status == 200, said
    return json.loads(said)


def steps(line: HTTPConnection) -> list[int]:
    """Steps that the server has after looking again."""
    ask(line, "POST", "/api/v1/reload")
    if not ask(line, "POST", "/api/v1/scalars/stats", {"tags": ["loss"]})["stats"]:
        return []
    return [step for _, step, _ in ask(line, "GET", "/api/v1/scalars/series?run=run&tag=loss")["points"]]


def replace(path: pathlib.Path, data: bytes) -> None:
    """Put a new file in the old one's place, as rsync does."""
    new = path.with_name("new")
    new.write_bytes(data)
    os.replace(new, path)


def test_truncated_in_every_part_of_every_record(line: HTTPConnection, path: pathlib.Path) -> None:
    """Complete records are served; after the file grows back, all are. `test_damage.py` cuts at every byte."""
    for end, record in zip(ENDS, RECORDS, strict=True):
        for place in (0, 1, 8, 11, 12, 13, len(record) - 5, len(record) - 4, len(record) - 1):
            size = end - len(record) + place
            os.truncate(path, 0)
            path.write_bytes(WHOLE[:size])
            whole = sum(end <= size for end in ENDS)
            assert steps(line) == list(range(max(0, whole - 1))), f"cut at byte {size}"
    path.write_bytes(WHOLE)
    assert steps(line) == list(range(POINTS))


def test_a_bit_flipped_in_every_byte(line: HTTPConnection, path: pathlib.Path) -> None:
    """It costs one record, and the damage is reported. `test_damage.py` flips every bit."""
    for place in range(len(WHOLE)):
        data = bytearray(WHOLE)
        data[place] ^= 1 << place % 8
        replace(path, bytes(data))
        hurt = next(i for i, end in enumerate(ENDS) if place < end)
        assert steps(line) == [step for step in range(POINTS) if step + 1 != hurt], f"byte {place}"
        (problem,) = ask(line, "GET", "/api/v1/problems")["problems"]
        assert (problem["run"], problem["offset"]) == ("run", ENDS[hurt] - len(RECORDS[hurt])), f"byte {place}"


def test_deleted_and_restored(line: HTTPConnection, path: pathlib.Path) -> None:
    """Its points disappear and return."""
    path.unlink()
    assert steps(line) == []

    path.write_bytes(WHOLE)

    assert steps(line) == list(range(POINTS))


def test_truncated_and_replaced(line: HTTPConnection, path: pathlib.Path) -> None:
    """No points, then those of the new file."""
    os.truncate(path, 0)
    assert steps(line) == []

    replace(path, version_record() + scalar_record("loss", 77, 1.0))

    assert steps(line) == [77]


def test_replaced_by_a_folder(line: HTTPConnection, path: pathlib.Path) -> None:
    """A folder where the file was stops nothing."""
    path.unlink()
    path.mkdir()
    assert steps(line) == []

    path.rmdir()
    path.write_bytes(WHOLE)

    assert steps(line) == list(range(POINTS))
