"""Whatever happens to a file that a running server shows, the server answers, and every good record is served."""

import json
import os
import pathlib
import urllib.request
from collections.abc import Iterator

import pytest

from lightboard.testing.event_files import scalar_record, version_record
from running import Running

POINTS = 6
RECORDS = [version_record(), *(scalar_record("loss", step, step / 4) for step in range(POINTS))]
WHOLE = b"".join(RECORDS)
ENDS = [sum(map(len, RECORDS[: i + 1])) for i in range(len(RECORDS))]


@pytest.fixture
def served(tmp_path: pathlib.Path) -> Iterator[tuple[Running, pathlib.Path]]:
    """A real server over one run, and the run's only file."""
    path = tmp_path / "run" / "events.out.tfevents.1"
    path.parent.mkdir()
    path.write_bytes(WHOLE)
    with Running("--logdir", str(path.parent.parent), "--port", "0") as running:
        yield running, path


def steps(running: Running) -> list[int]:
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


def test_cut_at_every_byte(served: tuple[Running, pathlib.Path]) -> None:
    """The records that are whole are served, wherever the file ends; grown back, all are."""
    running, path = served
    for size in range(len(WHOLE)):
        os.truncate(path, 0)
        path.write_bytes(WHOLE[:size])
        whole = sum(end <= size for end in ENDS)
        assert steps(running) == list(range(max(0, whole - 1))), f"cut at byte {size}"
    path.write_bytes(WHOLE)
    assert steps(running) == list(range(POINTS))


def test_every_bit_flipped(served: tuple[Running, pathlib.Path]) -> None:
    """One wrong bit costs one record: those before and after it are served, and the damage is named."""
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


def test_deleted_and_back(served: tuple[Running, pathlib.Path]) -> None:
    """A deleted file takes its points with it; when it comes back, so do they."""
    running, path = served
    path.unlink()
    assert steps(running) == []

    path.write_bytes(WHOLE)

    assert steps(running) == list(range(POINTS))


def test_emptied_and_replaced_by_something_else(served: tuple[Running, pathlib.Path]) -> None:
    """An emptied file has no points; another log in its place is shown instead."""
    running, path = served
    os.truncate(path, 0)
    assert steps(running) == []

    replace(path, version_record() + scalar_record("loss", 77, 1.0))

    assert steps(running) == [77]


def test_replaced_by_a_folder(served: tuple[Running, pathlib.Path]) -> None:
    """A folder where the file was stops nothing."""
    running, path = served
    path.unlink()
    path.mkdir()
    assert steps(running) == []

    path.rmdir()
    path.write_bytes(WHOLE)

    assert steps(running) == list(range(POINTS))
