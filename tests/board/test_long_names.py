"""Images, audio and downloads of very long tags: URLs use digests."""

import json
import pathlib
import struct
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import pytest

from lightboard.board.long_names import digest_of
from lightboard.testing.event_files import (
    FLOAT,
    STRING,
    bytes_field,
    summary_metadata,
    tensor,
    tensor_record,
    varint_field,
    version_record,
)
from support.board_process import LightboardProcess

TAG = "t/é" * 16_384
"""64 KiB."""

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 1, 1) + bytes(30)
WAV = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0" + struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16) + b"data\x02\0\0\0ab"
FORM = {"x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LightboardProcess]:
    """A board over one run with one long tag of each kind."""
    folder = tmp_path_factory.mktemp("long") / "run"
    folder.mkdir()
    records = [version_record()]
    for kind, strings in (("images", [b"1", b"1", PNG]), ("audio", [WAV]), ("text", [b"words"])):
        proto = tensor(STRING, strings, shape=[len(strings)])
        records.append(tensor_record(f"{TAG}{kind}", 0, proto, 1.0, summary_metadata(kind)))
    content = bytes_field(2, TAG.encode()) + varint_field(3, 1) + b"".join(varint_field(6, size) for size in (1, 1, 3))
    points = tensor(FLOAT, [1.0, 2.0, 3.0], shape=(1, 1, 3), content=True)
    records.append(tensor_record(f"{TAG}mesh", 0, points, 1.0, summary_metadata("mesh", content)))
    (folder / "events.out.tfevents.1").write_bytes(b"".join(records))
    with LightboardProcess(str(folder.parent), "--port", "0") as running:
        yield running


def post(board: LightboardProcess, path: str, body: bytes, **headers: str) -> Any:
    """A question."""
    line = HTTPConnection("127.0.0.1", board.port)
    line.request("POST", path, body, headers)
    answer = line.getresponse()
    said = answer.read()
    line.close()
    assert answer.status == 200, said
    return json.loads(said)


def key(board: LightboardProcess, kind: str) -> str:
    """The key of the only value of a kind."""
    question = json.dumps({"plugin": kind}).encode()
    found: str = post(board, "/api/v1/values", question)["series"][0]["keys"][0]
    return found


@pytest.mark.parametrize(
    ("path", "kind", "name", "more", "found"),
    [
        ("images/data", "images", f"{TAG}images", {"sample": 0}, PNG),
        ("images/data", "images", f"{TAG}images", {"sample": 0, "save": "true"}, PNG),
        ("audio/data", "audio", f"{TAG}audio", {"sample": 0}, WAV),
        ("text/data", "text", f"{TAG}text", {"cell": 0}, b"words"),
        ("values/raw", "text", f"{TAG}text", {"plugin": "text"}, b"words"),
        ("meshes/file", "mesh", TAG, {"sample": 0}, struct.pack("<3f", 1, 2, 3)),
    ],
)
def test_values_are_found_by_digest(
    board: LightboardProcess, path: str, kind: str, name: str, more: dict[str, Any], found: bytes
) -> None:
    """URLs and headers stay short enough for proxies and clients."""
    query = urlencode({"of": digest_of("run", name), "at": key(board, kind), **more})
    answer = board.open(f"/api/v1/{path}?{query}")
    body = answer.read()

    assert (answer.status, found in body) == (200, True)
    assert max(map(len, answer.headers.values())) < 1_000


def test_tensorboard_keys_stay_short(board: LightboardProcess) -> None:
    """They are opaque parts of URLs."""
    found = []
    for kind, one in (("images", "individualImage"), ("audio", "individualAudio")):
        query = urlencode({"run": "run", "tag": f"{TAG}{kind}"}).encode()
        (told,) = post(board, f"/data/plugin/{kind}/{kind}", query, **FORM)
        assert len(told["query"]) < 200
        found.append(board.open(f"/data/plugin/{kind}/{one}?{told['query']}").read())

    assert found == [PNG, WAV]


@pytest.mark.parametrize("digest", ["", "0" * 32, "é"])
def test_unknown_digests_are_404(board: LightboardProcess, digest: str) -> None:
    """As any other name that is not there."""
    answer = board.open(f"/api/v1/images/data?{urlencode({'of': digest, 'at': '1.1', 'sample': 0})}")

    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (404, "not_found")


def test_the_page_computes_the_same_digests() -> None:
    """`web/src/api/client.test.ts` has this one."""
    digest = digest_of("r", "t" * 65_536)

    assert f"of={digest}" in (pathlib.Path(__file__).parents[2] / "web/src/api/client.test.ts").read_text()
