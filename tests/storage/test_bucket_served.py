"""A real board over a real S3 server serves the same as over files on disk."""

import json
import pathlib
import time
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.board_process import TIMEOUT_SECS, LightboardProcess
from support.swift_server import SwiftServer

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
STEP_SECS = 0.2


@pytest.fixture
def bucket(swift: SwiftServer, monkeypatch: pytest.MonkeyPatch) -> Iterator["LogBucket"]:
    for name, value in swift.environment.items():
        monkeypatch.setenv(name, value)
    with LogBucket(swift) as bucket:
        yield bucket


class LogBucket:
    """A bucket with logs below `runs`, in folders with odd names."""

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

    def __enter__(self) -> "LogBucket":
        return self

    def __exit__(self, *_: object) -> None:
        for path in list(self.keys):
            self.delete(path)


def serve(logdir: str, *flags: str) -> LightboardProcess:
    return LightboardProcess("--logdir", logdir, "--port", "0", "--reload_interval", "0.5", *flags)


def poll_until(read: Callable[[], Any], accept: Callable[[Any], bool]) -> Any:
    """The first accepted result, or the last one at the timeout."""
    until = time.monotonic() + TIMEOUT_SECS
    while not accept(found := read()) and time.monotonic() < until:
        time.sleep(STEP_SECS)
    return found


def wait_until_loaded(board: LightboardProcess) -> LightboardProcess:
    poll_until(lambda: board.json("/api/v1/status"), lambda status: not status["loading"] and status["runs"] > 0)
    return board


def points(board: LightboardProcess, run: str, tag: str) -> list[list[float]]:
    query = urllib.parse.urlencode({"run": run, "tag": tag})
    answer = board.open(f"/data/plugin/scalars/scalars?{query}")
    return json.loads(answer.read()) if answer.status == 200 else []


def read_everything(board: LightboardProcess) -> dict[str, Any]:
    """Runs, all scalars, and the first images, through TensorBoard's routes."""
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


def test_buckets_are_served_like_files_on_disk(bucket, tmp_path):
    """All scalars and images, from folders with names that need escaping."""
    folders = {"torch/plain": "训练 №7", "torch/everything": "50% a+b", "tensorflow_kinds/a": "x/tf %20"}
    for source, folder in folders.items():
        for file in filter(pathlib.Path.is_file, (LOGS / source).iterdir()):
            bucket.put(f"{folder}/{file.name}", file.read_bytes())
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / file.name).write_bytes(file.read_bytes())
    with wait_until_loaded(serve(bucket.url)) as remote, wait_until_loaded(serve(str(tmp_path))) as local:
        found, expected = read_everything(remote), read_everything(local)
        status = remote.json("/api/v1/status")
    assert found == expected
    assert found["runs"] == sorted(folders.values())
    assert [value[:4] for value in found.values() if isinstance(value, bytes)] == [b"\x89PNG"] * 3
    assert (status["live"], status["logdir"], status["unreadable"]) == ("poll", bucket.url, [])


def test_grown_and_deleted_objects_are_noticed(bucket):
    """Half of a file, then all of it, then none."""
    (file,) = (LOGS / "torch" / "plain").iterdir()
    data = file.read_bytes()
    bucket.put(f"a/{file.name}", data)
    bucket.put(f"b/{file.name}", data[: len(data) // 2])
    with wait_until_loaded(serve(bucket.url)) as board:
        tag = next(iter(board.json("/data/plugin/scalars/tags")["a"]))
        whole, half = points(board, "a", tag), points(board, "b", tag)
        bucket.put(f"b/{file.name}", data)
        grown = poll_until(lambda: points(board, "b", tag), lambda found: found == whole)
        bucket.delete(f"b/{file.name}")
        left = poll_until(lambda: board.json("/data/runs"), lambda names: names == ["a"])
    assert (0 < len(half) < len(whole), grown == whole, left) == (True, True, ["a"])


@pytest.mark.parametrize(
    ("url", "changed", "lines"),
    [
        (
            "s3://no-such-bucket/runs",
            {},
            [
                "lightboard: s3://no-such-bucket/runs: there is no such bucket",
                "hint: check the name and, for your own server, the endpoint (AWS_ENDPOINT_URL for s3://)",
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
                "hint: give its folder",
            ],
        ),
    ],
)
def test_unusable_buckets_are_explained_at_start(bucket, monkeypatch, url, changed, lines):
    """The process exits with one message and no traceback."""
    bucket.put("a/tfevents", b"")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/none")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/none")
    for name, value in changed.items():
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name)
    with serve(url) as board:
        assert (board.lines, board.process.wait(TIMEOUT_SECS)) == (lines, 1)


def test_missing_folders_of_a_bucket_may_appear_later(bucket):
    """The bucket exists; the first run may come at any time."""
    (file,) = (LOGS / "torch" / "plain").iterdir()
    with serve(f"{bucket.url}/later") as board:
        assert board.lines[0].startswith(f"note: {bucket.url}/later is not there yet")
        bucket.put(f"later/a/{file.name}", file.read_bytes())
        assert poll_until(lambda: board.json("/data/runs"), bool) == ["a"]
