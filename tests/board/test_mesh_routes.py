"""Mesh routes: lists, binary blocks, downloads, errors."""

import struct
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from lightboard.events import arrays
from lightboard.query import tags as tag_queries
from lightboard.testing.event_files import (
    FLOAT,
    UINT8,
    bytes_field,
    summary_metadata,
    tensor,
    tensor_record,
    varint_field,
    version_record,
)
from support.board_client import BoardClient, board_with_records

SQUARE = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]
HALVES = [0.0, 1.0, 2.0, 0.0, 2.0, 3.0]
KINDS = {"VERTEX": 1, "FACE": 2, "COLOR": 3}


def metadata(name: str, part: str, shape: tuple[int, ...], *, version: int = 0, config: str = "") -> bytes:
    content = varint_field(1, version) + bytes_field(2, name.encode()) + varint_field(3, KINDS[part])
    content += bytes_field(5, config.encode()) + b"".join(varint_field(6, size) for size in shape)
    return summary_metadata("mesh", content, description="*what*")


def part(step: int, name: str, kind: str, numbers: Sequence[float], dtype: int = FLOAT, **said: Any) -> bytes:
    """A record with one part of one mesh, and sizes as they are unless `shape` says otherwise."""
    shape = said.pop("shape", (1, len(numbers) // 3, 3))
    proto = tensor(dtype, numbers, shape=shape, content=True)
    return tensor_record(f"{name}_{kind}", step, proto, 100.0 + step, metadata(name, kind, shape, **said))


def client_of(**runs: bytes) -> BoardClient:
    return board_with_records(runs)


def solid(step: int, config: str = "") -> bytes:
    return (
        part(step, "solid", "VERTEX", [x * (step + 1) for x in SQUARE], config=config)
        + part(step, "solid", "FACE", HALVES)
        + part(step, "solid", "COLOR", [255, 0, 0] * 4, UINT8)
    )


def meshes(client: BoardClient, **question: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.post("/api/v1/meshes", json=question).json()["meshes"]
    return found


def ask(client: BoardClient, what: str, at: int = 0, which: int = 0, **query: Any) -> httpx.Response:
    """One value of the first mesh there is."""
    mesh = meshes(client)[which]
    run = next(run["name"] for run in client.get("/api/v1/runs").json()["runs"] if run["id"] == mesh["run"])
    query = {"run": run, "name": mesh["name"], "at": mesh["keys"][at]} | query
    return client.get(f"/api/v1/meshes/{what}", params=query)


def test_tensorboard_mesh_lists_scan_tags_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many runs have meshes."""
    client = client_of(a=solid(0), b=solid(0), c=part(0, "cloud", "VERTEX", SQUARE))
    looks: list[str] = []
    original = tag_queries.tags_by_run
    monkeypatch.setattr(tag_queries, "tags_by_run", lambda *args: looks.append("") or original(*args))

    found = client.get("/data/plugin/mesh/tags").json()

    assert (len(looks), {run: list(tags) for run, tags in found.items()}) == (
        1,
        {"a": ["solid"], "b": ["solid"], "c": ["cloud"]},
    )


def head(answer: httpx.Response) -> tuple[int, ...]:
    """Points, faces, vertices held, faces held, broken vertices, broken faces, flags."""
    assert answer.status_code == 200, answer.text
    return struct.unpack_from("<7I", answer.content)


def test_parts_of_a_mesh_are_grouped() -> None:
    """By name, then run; steps and keys are those of the vertices."""
    found = meshes(client_of(a=solid(0, '{"x": 1}') + solid(5) + part(0, "cloud", "VERTEX", SQUARE), b=solid(2)))
    assert [len(one.pop("keys")) for one in found] == [1, 2, 1]
    same = {"description": "<p><em>what</em></p>", "samples": 1}
    assert found == [
        same
        | {
            "name": "cloud",
            "run": 0,
            "tag": "cloud_VERTEX",
            "steps": [0],
            "walls": [100.0],
            "parts": ["vertex"],
            "config": "",
        },
        same
        | {
            "name": "solid",
            "run": 0,
            "tag": "solid_VERTEX",
            "steps": [0, 5],
            "walls": [100.0, 105.0],
            "parts": ["vertex", "face", "color"],
            "config": '{"x": 1}',
        },
        same
        | {
            "name": "solid",
            "run": 1,
            "tag": "solid_VERTEX",
            "steps": [2],
            "walls": [102.0],
            "parts": ["vertex", "face", "color"],
            "config": "",
        },
    ]


def test_meshes_are_counted_once() -> None:
    """However many series they have."""
    assert client_of(a=solid(0)).get("/api/v1/tags").json()["plugins"]["mesh"] == 1


def test_a_mesh_needs_vertices() -> None:
    """And a known metadata version, in the requested runs."""
    client = client_of(a=part(0, "x", "FACE", HALVES), b=part(0, "y", "VERTEX", SQUARE, version=1), c=solid(0))
    assert [(one["name"], one["run"]) for one in meshes(client)] == [("solid", 2)]
    assert meshes(client, runs=[0, 1]) == []


def test_blocks_combine_parts_of_one_step() -> None:
    """Vertices with faces and colours."""
    answer = ask(client_of(a=solid(0) + solid(5)), "data", at=1)
    assert head(answer) == (4, 2, 4, 2, 0, 0, 2)
    assert answer.headers["content-type"] == "application/octet-stream"
    assert struct.unpack_from("<6d", answer.content, 32) == (0, 0, 0, 6, 6, 0)
    assert list(struct.unpack_from("<12f", answer.content, 80)) == [-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0]
    assert answer.content[-12:] == b"\xff\0\0" * 4


def test_faces_apply_to_later_steps() -> None:
    """Not to earlier ones."""
    shapes = b"".join(part(step, "s", "VERTEX", SQUARE) for step in (0, 1, 2))
    client = client_of(a=shapes + part(1, "s", "FACE", HALVES))
    assert [head(ask(client, "data", at=at))[:2] for at in range(3)] == [(4, 0), (4, 2), (4, 2)]


def test_meshes_of_a_batch() -> None:
    """Chosen by index; unknown ones are 404."""
    client = client_of(a=part(0, "pair", "VERTEX", [*SQUARE[:6], *SQUARE[6:]], shape=(2, 2, 3)))
    assert meshes(client)[0]["samples"] == 2
    block = ask(client, "data", sample=1).content
    assert struct.unpack_from("<6d", block, 32) == (0, 1, 0, 1, 1, 0)
    assert ask(client, "data", sample=2).status_code == 404


def test_large_clouds_are_sampled() -> None:
    """The response says so; the download has all points."""
    cloud = [float(x) for x in range(3000)]
    client = client_of(a=part(0, "cloud", "VERTEX", cloud))
    assert head(ask(client, "data", most=10)) == (10, 0, 1000, 0, 0, 0, 1)
    file = ask(client, "file")
    assert file.headers["content-disposition"] == 'attachment; filename="a-cloud-0-0.ply"'
    assert file.content.endswith(struct.pack("<3000f", *cloud))


def test_invalid_geometry_is_counted() -> None:
    """NaN vertices, faces out of range; the rest is drawn."""
    client = client_of(
        a=part(0, "s", "VERTEX", [float("nan"), *SQUARE[1:]]) + part(0, "s", "FACE", [*HALVES, 1, 2, 99])
    )
    assert head(ask(client, "data")) == (3, 0, 4, 3, 1, 3, 0)


@pytest.mark.parametrize("shape", [(4, 3, 1), (12,), (1, 2, 2, 3), (0, 0, 3), (1, 1, 12)])
def test_inconsistent_shapes_are_safe(shape: tuple[int, ...]) -> None:
    """A response or a 4xx."""
    client = client_of(a=part(0, "s", "VERTEX", SQUARE, shape=shape))
    assert ask(client, "data").status_code in (200, 404, 422)


def test_exaggerated_shapes_allocate_nothing() -> None:
    """Few numbers that claim to be many are refused before room is made for them."""
    client = client_of(a=part(0, "s", "VERTEX", SQUARE, shape=(1, 2**28, 3)))
    answer = ask(client, "data")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unshowable")


def test_oversized_tensors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before reading; the file can be downloaded."""
    monkeypatch.setattr(arrays, "MAX_BYTES", 100)
    answer = ask(client_of(a=part(0, "s", "VERTEX", SQUARE * 20)), "data")
    assert answer.status_code == 422
    assert answer.json()["error"]["hint"] == "download the value instead"


def test_the_number_of_meshes_is_bounded() -> None:
    """Pages offer them one by one."""
    client = client_of(a=part(0, "s", "VERTEX", SQUARE, shape=(2**31 - 1, 1, 3)))
    assert meshes(client)[0]["samples"] == 10_000


@pytest.mark.parametrize(
    ("name", "at", "code"), [("nothing", "0.0", "tag_not_found"), ("solid", "zz", "value_not_found")]
)
def test_missing_meshes_and_values(name: str, at: str, code: str) -> None:
    """A mesh, a value."""
    answer = client_of(a=solid(0)).get("/api/v1/meshes/data", params={"run": "a", "name": name, "at": at})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)


def test_samples_per_plugin_limits_meshes() -> None:
    """With the last one."""
    client = BoardClient({}, samples={"mesh": 2})
    data = version_record() + b"".join(part(step, "s", "VERTEX", SQUARE) for step in range(9))
    client.memory.storage.write("a/events.out.tfevents.1", data)
    client.memory.refresh()
    found = client.get("/data/plugin/mesh/meshes?run=a&tag=s").json()
    assert [one["step"] for one in found] == [0, 8]
