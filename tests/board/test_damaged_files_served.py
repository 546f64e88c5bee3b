"""A running server keeps serving valid records whatever happens to a file."""

import json
import os
import pathlib
import urllib.request
from collections.abc import Iterator

import pytest

from lightboard.testing.event_files import scalar_record, version_record
from support.board_process import LightboardProcess

POINTS = 6
RECORDS = [version_record(), *(scalar_record("loss", step, step / 4) for step in range(POINTS))]
WHOLE = b"".join(RECORDS)
ENDS = [sum(map(len, RECORDS[: i + 1])) for i in range(len(RECORDS))]


@pytest.fixture
def served(tmp_path: pathlib.Path) -> Iterator[tuple[LightboardProcess, pathlib.Path]]:
    """A real server over one run, and the run's only file."""
    path = tmp_path / "run" / "events.out.tfevents.1"
    path.parent.mkdir()
    path.write_bytes(WHOLE)
    with LightboardProcess("--logdir", str(path.parent.parent), "--port", "0") as running:
        yield running, path


def steps(running: LightboardProcess) -> list[int]:
    """Steps that the server has after looking again; it must answer."""
    urllib.request.urlopen(
        urllib.request.Request(f"http://127.0.0.1:{running.port}/api/v1/reload", method="POST"), timeout=30
    ).close()
    body = json.dumps({"tags": ["loss"]}).encode()
    ask = urllib.request.Request(
        f"http://127.0.0.1:{running.port}/api/v1/scalars/stats", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(ask, timeout=30) as answer:
        if not json.load(answer)["stats"]:
            return []
    with urllib.request.urlopen(
        f"http://127.0.0.1:{running.port}/api/v1/scalars/series?run=run&tag=loss", timeout=30
    ) as answer:
        return [step for _, step, _ in json.load(answer)["points"]]


def replace(path: pathlib.Path, data: bytes) -> None:
    """Put a new file in the old one's place, as rsync does."""
    new = path.with_name("new")
    new.write_bytes(data)
    os.replace(new, path)


def test_truncated_at_every_byte(served: tuple[LightboardProcess, pathlib.Path]) -> None:
    """Complete records are served; after the file grows back, all are."""
    running, path = served
    for size in range(len(WHOLE)):
        os.truncate(path, 0)
        path.write_bytes(WHOLE[:size])
        whole = sum(end <= size for end in ENDS)
        assert steps(running) == list(range(max(0, whole - 1))), f"cut at byte {size}"
    path.write_bytes(WHOLE)
    assert steps(running) == list(range(POINTS))


def test_every_bit_flipped(served: tuple[LightboardProcess, pathlib.Path]) -> None:
    """One flipped bit costs one record, and the damage is reported."""
    running, path = served
    for bit in range(8 * len(WHOLE)):
        data = bytearray(WHOLE)
        data[bit // 8] ^= 1 << bit % 8
        replace(path, bytes(data))
        hurt = next(i for i, end in enumerate(ENDS) if bit // 8 < end)
        assert steps(running) == [step for step in range(POINTS) if step + 1 != hurt], f"bit {bit}"
        with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/api/v1/problems", timeout=30) as answer:
            (problem,) = json.load(answer)["problems"]
        assert (problem["run"], problem["offset"]) == ("run", ENDS[hurt] - len(RECORDS[hurt])), f"bit {bit}"


def test_deleted_and_restored(served: tuple[LightboardProcess, pathlib.Path]) -> None:
    """Its points disappear and return."""
    running, path = served
    path.unlink()
    assert steps(running) == []

    path.write_bytes(WHOLE)

    assert steps(running) == list(range(POINTS))


def test_truncated_and_replaced(served: tuple[LightboardProcess, pathlib.Path]) -> None:
    """No points, then those of the new file."""
    running, path = served
    os.truncate(path, 0)
    assert steps(running) == []

    replace(path, version_record() + scalar_record("loss", 77, 1.0))

    assert steps(running) == [77]


def test_replaced_by_a_folder(served: tuple[LightboardProcess, pathlib.Path]) -> None:
    """A folder where the file was stops nothing."""
    running, path = served
    path.unlink()
    path.mkdir()
    assert steps(running) == []

    path.rmdir()
    path.write_bytes(WHOLE)

    assert steps(running) == list(range(POINTS))
