"""A real board over a real S3 server: what it serves is what it serves of the same files on disk."""

import json
import pathlib
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from running import PATIENCE_SECS, Running
from swift_server import SwiftServer

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
STEP_SECS = 0.2


@pytest.fixture
def runs(swift: SwiftServer, monkeypatch: pytest.MonkeyPatch) -> Iterator["Bucket"]:
    for name, value in swift.environment.items():
        monkeypatch.setenv(name, value)
    with Bucket(swift) as bucket:
        yield bucket


class Bucket:
    """A bucket of its own, with logs of the corpus below `runs`, in folders with odd names."""

    name = "logs-of-all"

    def __init__(self, swift: SwiftServer) -> None:
        self.swift = swift
        self.keys: set[str] = set()
        swift.make_bucket(self.name)

    @property
    def url(self) -> str:
        return f"s3://{self.name}/runs"

    def put(self, path: str, data: bytes) -> None:
        self.keys.add(path)
        self.swift.put(self.name, f"runs/{path}", data)

    def delete(self, path: str) -> None:
        self.keys.discard(path)
        self.swift.delete(self.name, f"runs/{path}")

    def __enter__(self) -> "Bucket":
        return self

    def __exit__(self, *_: object) -> None:
        for path in list(self.keys):
            self.delete(path)


def serve(place: str, *words: str) -> Running:
    return Running("--logdir", place, "--port", "0", "--reload_interval", "0.5", *words)


def when(look: Callable[[], Any], fits: Callable[[Any], bool]) -> Any:
    """The first answer that fits, or the last one."""
    until = time.monotonic() + PATIENCE_SECS
    while not fits(found := look()) and time.monotonic() < until:
        time.sleep(STEP_SECS)
    return found


def loaded(board: Running) -> Running:
    when(lambda: board.json("/api/v1/status"), lambda status: not status["loading"] and status["runs"] > 0)
    return board


def points(board: Running, run: str, tag: str) -> list[list[float]]:
    query = urllib.parse.urlencode({"run": run, "tag": tag})
    answer = board.open(f"/data/plugin/scalars/scalars?{query}")
    return json.loads(answer.read()) if answer.status == 200 else []


def everything(board: Running) -> dict[str, Any]:
    """Runs, every scalar, and the first image of some tags, as TensorBoard's addresses give them."""
    scalars = board.json("/data/plugin/scalars/tags")
    images = board.json("/data/plugin/images/tags")
    found: dict[str, Any] = {"runs": sorted(board.json("/data/runs")), "images": images}
    for run, tags in scalars.items():
        found |= {f"{run} {tag}": points(board, run, tag) for tag in tags}
    for run, tag in sorted((run, tag) for run, tags in images.items() for tag in tags)[:3]:
        query = urllib.parse.urlencode({"run": run, "tag": tag, "sample": 0})
        value = board.json(f"/data/plugin/images/images?{query}")[0]
        found[f"{run} {tag}"] = board.open(f"/data/plugin/images/individualImage?{value['query']}").read()
    return found


def test_a_bucket_is_served_as_the_same_files_on_disk(runs, tmp_path):
    """Every scalar and every image, from folders whose names are no plain words."""
    places = {"torch/plain": "训练 №7", "torch/everything": "50% a+b", "tensorflow_kinds/a": "x/tf %20"}
    for source, place in places.items():
        for file in filter(pathlib.Path.is_file, (LOGS / source).iterdir()):
            runs.put(f"{place}/{file.name}", file.read_bytes())
            (tmp_path / place).mkdir(parents=True, exist_ok=True)
            (tmp_path / place / file.name).write_bytes(file.read_bytes())
    with loaded(serve(runs.url)) as remote, loaded(serve(str(tmp_path))) as local:
        found, expected = everything(remote), everything(local)
        status = remote.json("/api/v1/status")
    assert found == expected
    assert found["runs"] == sorted(places.values())
    assert [value[:4] for value in found.values() if isinstance(value, bytes)] == [b"\x89PNG"] * 3
    assert (status["live"], status["logdir"], status["unreadable"]) == ("poll", runs.url, [])


def test_an_object_that_grows_shows_its_new_points_and_goes_with_its_run(runs):
    """Half of a file, then all of it, then nothing."""
    (file,) = (LOGS / "torch" / "plain").iterdir()
    data = file.read_bytes()
    runs.put(f"a/{file.name}", data)
    runs.put(f"b/{file.name}", data[: len(data) // 2])
    with loaded(serve(runs.url)) as board:
        tag = next(iter(board.json("/data/plugin/scalars/tags")["a"]))
        whole, half = points(board, "a", tag), points(board, "b", tag)
        runs.put(f"b/{file.name}", data)
        grown = when(lambda: points(board, "b", tag), lambda found: found == whole)
        runs.delete(f"b/{file.name}")
        left = when(lambda: board.json("/data/runs"), lambda names: names == ["a"])
    assert (0 < len(half) < len(whole), grown == whole, left) == (True, True, ["a"])


@pytest.mark.parametrize(
    ("url", "changed", "lines"),
    [
        (
            "s3://no-such-bucket/runs",
            {},
            [
                "lightboard: s3://no-such-bucket/runs: there is no such bucket",
                "hint: look at the name; for a server of your own, at the endpoint as well (AWS_ENDPOINT_URL for s3://)",
            ],
        ),
        (
            "s3://logs-of-all/runs",
            {"AWS_SECRET_ACCESS_KEY": "made-up"},
            [
                "lightboard: s3://logs-of-all/runs: the credentials are not accepted (SignatureDoesNotMatch)",
                "hint: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket",
            ],
        ),
        (
            "s3://logs-of-all/runs",
            {"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None, "AWS_METADATA_ENDPOINT": "http://127.0.0.1:1"},
            [
                "lightboard: s3://logs-of-all/runs: no credentials",
                "hint: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket",
            ],
        ),
        (
            "s3://logs-of-all/runs/a/tfevents",
            {},
            [
                "lightboard: s3://logs-of-all/runs/a/tfevents is an object, not a folder",
                "hint: give the folder that holds it",
            ],
        ),
    ],
)
def test_what_cannot_be_served_is_one_clear_message(runs, monkeypatch, url, changed, lines):
    """Nothing is started, and no traceback is shown."""
    runs.put("a/tfevents", b"")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/none")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/none")
    for name, value in changed.items():
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name)
    with serve(url) as board:
        assert (board.lines, board.process.wait(PATIENCE_SECS)) == (lines, 1)


def test_a_folder_that_is_not_there_yet_is_waited_for(runs):
    """The bucket is there; the first run may come at any time."""
    (file,) = (LOGS / "torch" / "plain").iterdir()
    with serve(f"{runs.url}/later") as board:
        assert board.lines[0].startswith(f"note: {runs.url}/later is not there yet")
        runs.put(f"later/a/{file.name}", file.read_bytes())
        assert when(lambda: board.json("/data/runs"), bool) == ["a"]
