"""Projector routes and their errors."""

import json
import struct
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lightboard.config import BoardSettings
from lightboard.query.projector import service
from lightboard.query.projector.layouts import Layouts
from lightboard.query.provider import CatalogProvider
from lightboard.schema import projector as schema
from lightboard.testing.fakes import MemoryBoard
from support.board_client import BoardClient

ROWS = np.array([[0, 0], [4, 0], [0, 2], [4, 2], [2, 1]], np.float32)
CONFIG = """
embeddings { tensor_name: "words:00003" tensor_path: "t.tsv" metadata_path: "m.tsv" bookmarks_path: "b.json"
             sprite { image_path: "s.png" single_image_dim: 2 single_image_dim: 3 } }
embeddings { tensor_name: "bare" tensor_path: "t.tsv" }
embeddings { tensor_name: "gone" tensor_path: "none.tsv" }
embeddings { tensor_name: "half" tensor_path: "t.tsv" metadata_path: "../m.tsv" sprite { image_path: "m.tsv" } }
"""
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 6, 9) + b"\x08\x06\0\0\0"
FILES = {
    "run/projector_config.pbtxt": CONFIG.encode(),
    "run/t.tsv": "".join("\t".join(map(str, row)) + "\n" for row in ROWS.tolist()).encode(),
    "run/m.tsv": b"name\tweight\nleft\t1\nright\t2.5\nlow left\t\nlow right\t-4\nleft\t0\n",
    "run/b.json": b'[{"label": "a view"}]',
    "run/s.png": PNG,
    "broken/projector_config.pbtxt": b"embeddings { tensor_name",
}
WORDS = {"run": "run", "name": "words:00003"}


@pytest.fixture
def client() -> Iterator[BoardClient]:
    """A board over FILES."""
    made = BoardClient(provider=CatalogProvider(MemoryBoard(FILES).catalog, BoardSettings(logdir="memory")))
    yield made
    made.board.projector.close()


def api(client: BoardClient, path: str, **query: Any) -> Any:
    return client.get(f"/api/v1/projector{path}", params=query).json()


def post(client: BoardClient, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/projector{path}", json=body).json()


def test_tensors_are_listed(client: BoardClient) -> None:
    """With size, step and attachments."""
    answer = schema.TensorList.model_validate(api(client, ""))
    assert answer.tensors[0].model_dump() == {
        "run": "run",
        "name": "words:00003",
        "tensor": "words",
        "step": 3,
        "rows": 5,
        "held": 5,
        "dims": 2,
        "metadata": {
            "columns": [
                {"name": "name", "kind": "category", "distinct": 4},
                {"name": "weight", "kind": "number", "distinct": 5},
            ],
            "lines": 5,
        },
        "sprite": {"width": 6, "height": 9, "tile": (2, 3)},
        "bookmarks": True,
        "problem": None,
        "warning": None,
    }
    assert [one.name for one in answer.tensors] == ["words:00003", "bare", "gone", "half"]


def test_unreadable_parts_are_reported_in_place(client: BoardClient) -> None:
    """At tensor, attachment or config; the rest is served."""
    answer = api(client, "")
    told = {one["name"]: (one["rows"], one["problem"], one["warning"]) for one in answer["tensors"]}
    assert told["gone"] == (0, "none.tsv does not exist (the config names it, but nothing wrote it)", None)
    assert told["half"] == (
        5,
        None,
        "'../m.tsv' leads out of the folder of the config (put the file beside the config); m.tsv is not an image",
    )
    assert answer["problems"] == [{"run": "broken", "problem": "field 'tensor_name' of the config has no value"}]


def test_tensors_are_counted_as_a_kind(client: BoardClient) -> None:
    """Here and in TensorBoard's plugin list."""
    assert client.get("/api/v1/tags").json()["plugins"] == {"projector": 2}
    assert client.get("/data/plugins_listing").json()["projector"]["enabled"]


def test_added_tensors_appear_at_once() -> None:
    """torch appends an entry for each `add_embedding`."""
    memory = MemoryBoard(FILES)
    board = BoardClient(provider=CatalogProvider(memory.catalog, BoardSettings(logdir="memory")))
    before = len(api(board, "")["tensors"])
    memory.storage.append("run/projector_config.pbtxt", b'embeddings { tensor_name: "new" tensor_path: "t.tsv" }')
    memory.refresh()
    assert [one["name"] for one in api(board, "")["tensors"]][before:] == ["new"]


def test_categorical_columns_as_bytes(client: BoardClient) -> None:
    """Indices and their labels."""
    body = client.get("/api/v1/projector/column", params=WORDS | {"column": "name"}).content
    labels = b'["left","right","low left","low right"]'
    codes = struct.pack("<5H2x", 0, 1, 2, 3, 0)
    assert body == struct.pack("<4I", 0, 5, 4, len(labels)) + codes + labels


def test_numeric_columns_as_bytes(client: BoardClient) -> None:
    """NaN for empty cells."""
    body = client.get("/api/v1/projector/column", params=WORDS | {"column": "weight"}).content
    assert body[:16] == struct.pack("<4I", 1, 5, 0, 0)
    assert np.array_equal(np.frombuffer(body[16:], "<f4"), [1, 2.5, np.nan, -4, 0], equal_nan=True)


def test_columns_as_json(client: BoardClient) -> None:
    """In their own or a requested type."""
    weight = WORDS | {"column": "weight", "format": "json"}
    assert api(client, "/column", **weight) == {
        "kind": "number",
        "labels": None,
        "codes": None,
        "values": [1.0, 2.5, "NaN", -4.0, 0.0],
    }
    assert api(client, "/column", **weight, form="category") == {
        "kind": "category",
        "labels": ["1", "2.5", "", "-4", "0"],
        "codes": [0, 1, 2, 3, 4],
        "values": None,
    }


def test_labels_of_points(client: BoardClient) -> None:
    """Of requested points in order, or of all."""
    name = WORDS | {"column": "name"}
    assert api(client, "/labels", **name, rows="3,0-1") == {"labels": ["low right", "left", "right"]}
    assert api(client, "/labels", **name)["labels"][4] == "left"


def test_sprites_are_sandboxed(client: BoardClient) -> None:
    """With unchanged bytes."""
    answer = client.get("/api/v1/projector/sprite", params=WORDS)
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, PNG, "image/png")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


def test_bookmarks_are_served(client: BoardClient) -> None:
    """If valid."""
    assert api(client, "/bookmarks", **WORDS) == [{"label": "a view"}]


def test_vectors_can_be_downloaded(client: BoardClient) -> None:
    """Exactly."""
    assert api(client, "/vectors", **WORDS, rows="1,4") == {"rows": [1, 4], "vectors": [[4.0, 0.0], [2.0, 1.0]]}
    answer = client.get("/api/v1/projector/vectors", params=WORDS | {"format": "tsv", "rows": "1-2"})
    assert answer.text == "4.0\t0.0\n0.0\t2.0\n"
    assert answer.headers["content-disposition"] == 'attachment; filename="run-words_00003.tsv"'


def test_nearest_neighbours(client: BoardClient) -> None:
    """Sorted by distance."""
    found = post(client, "/neighbours", **WORDS, row=0, count=2, metric="euclidean")
    assert found == {"rows": [2, 4], "distances": [2.0, pytest.approx(5**0.5)]}


def test_points_can_be_searched(client: BoardClient) -> None:
    """By text or pattern."""
    assert post(client, "/search", **WORDS, column="name", query="LEFT") == {"rows": [0, 2, 4], "total": 3}
    assert post(client, "/search", **WORDS, column="name", query="^l.*t$", regex=True)["rows"] == [0, 2, 3, 4]


def positions(client: BoardClient, name: str) -> list[list[float]]:
    body = client.get(f"/api/v1/projector/layouts/{name}/positions", params={"frame": 1}).content
    count, dims = struct.unpack_from("<II", body)
    ends = np.frombuffer(body, "<f4", 2 * dims, 8).reshape(dims, 2).astype(float)
    steps = np.frombuffer(body, "<u2", offset=8 + 8 * dims).reshape(count, dims) / 65535
    return (ends[:, 0] + steps * (ends[:, 1] - ends[:, 0])).round(3).tolist()


def test_pca_is_immediate(client: BoardClient) -> None:
    """Largest variance first, and deterministic."""
    asked = {**WORDS, "method": "pca"}
    made = schema.LayoutResponse.model_validate(post(client, "/layouts", **asked))
    assert (made.state, made.frame, made.points, made.total, made.rows) == ("done", 1, 5, 5, None)
    assert made.variance == pytest.approx([0.8, 0.2])
    assert positions(client, made.id) == [[-2, -1], [2, -1], [-2, 1], [2, 1], [0, 0]]
    assert post(client, "/layouts", **asked)["id"] == made.id == api(client, f"/layouts/{made.id}")["id"]


def test_pca_components_can_be_chosen(client: BoardClient) -> None:
    """One for each dimension; missing ones are flat."""
    made = post(client, "/layouts", **WORDS, method="pca", dims=3, params={"components": [1, 0, 7]})
    assert positions(client, made["id"])[0] == [-1, -2, 0]


def test_layouts_of_selected_points(client: BoardClient) -> None:
    """In order, without duplicates."""
    made = post(client, "/layouts", **WORDS, method="pca", rows=[3, 1, 1])
    assert (made["rows"], made["points"], made["total"]) == ([1, 3], 2, 2)
    assert [place[0] for place in positions(client, made["id"])] == [-1, 1]


def test_axes_can_be_defined_by_labels(client: BoardClient) -> None:
    """A component replaces missing ones."""
    ends = {"column": "name", "left": "left", "right": "/right$/"}
    made = post(client, "/layouts", **WORDS, method="custom", params=ends)
    across = np.array([ROWS[[1, 3]].mean(axis=0) - ROWS[[0, 2, 4]].mean(axis=0)]).T
    expected = (ROWS - ROWS.mean(axis=0)) @ across / np.linalg.norm(across)
    found = np.array(positions(client, made["id"]))
    assert np.allclose(found[:, :1], expected, atol=1e-3)
    assert found[:, 1].tolist() == [-1, -1, 1, 1, 0]


def test_missing_libraries_are_reported(client: BoardClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hint, and in the list beforehand."""
    monkeypatch.setitem(service.NEEDS, "umap", "no_such_library")
    answer = client.post("/api/v1/projector/layouts", json=WORDS | {"method": "umap"})
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        {
            "code": "unshowable",
            "message": "no_such_library is not installed",
            "hint": "pip install 'lightboard[projector]'",
        },
    )
    missing = [{"method": "umap", "hint": "pip install 'lightboard[projector]'"}]
    assert api(client, "")["missing"] == missing


def test_long_layouts_report_progress_and_can_be_cancelled(client: BoardClient) -> None:
    """Requesting one again restarts it."""
    client.board.projector.load().layouts = Layouts([sys.executable, "-c", "import sys; sys.stdin.buffer.read()"])
    asked = {**WORDS, "method": "tsne", "params": {"perplexity": 5}}
    begun = post(client, "/layouts", **asked)
    assert begun["state"] in ("queued", "running")
    path = f"/api/v1/projector/layouts/{begun['id']}"
    assert client.request("DELETE", path).json()["state"] == "cancelled"
    assert api(client, f"/layouts/{begun['id']}")["state"] == "cancelled"
    assert post(client, "/layouts", **asked)["state"] in ("queued", "running")


def test_large_tensors_are_sampled(client: BoardClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The response says which points of how many."""
    monkeypatch.setitem(service.MAX_POINTS, ("tsne", 2), 4)
    client.board.projector.load().layouts = Layouts([sys.executable, "-c", "import sys; sys.stdin.buffer.read()"])
    begun = post(client, "/layouts", **WORDS, method="tsne")
    assert (begun["points"], begun["total"], len(begun["rows"])) == (4, 5, 4)
    assert set(begun["rows"]) < set(range(5))


@pytest.mark.parametrize(
    ("method", "path", "asked", "status", "message"),
    [
        ("GET", "/column", {"name": "none", "column": "x"}, 404, "run 'run' has no tensor 'none'"),
        ("GET", "/column", {"name": "bare", "column": "x"}, 422, "tensor 'bare' has no metadata"),
        ("GET", "/column", {"column": "x"}, 422, "the metadata has no column 'x'"),
        ("GET", "/column", {"column": "name", "form": "number"}, 422, "column 'name' has no numbers"),
        ("GET", "/labels", {"column": "name", "rows": "5"}, 400, "rows go from 0 to 4"),
        ("GET", "/labels", {"column": "name", "rows": "0-99999999"}, 400, "at most 2000000 rows can be named"),
        ("GET", "/sprite", {"name": "bare"}, 404, "tensor 'bare' has no sprite"),
        ("GET", "/sprite", {"name": "half"}, 422, "m.tsv is not an image"),
        ("GET", "/bookmarks", {"name": "bare"}, 404, "tensor 'bare' has no bookmarks"),
        ("GET", "/vectors", {"name": "gone"}, 422, "none.tsv does not exist"),
        ("POST", "/neighbours", {"row": 5}, 400, "rows go from 0 to 4"),
        (
            "POST",
            "/search",
            {"column": "name", "query": "(", "regex": True},
            400,
            "not a regular expression: missing ), ",
        ),
        ("POST", "/layouts", {"method": "pca", "rows": [9]}, 400, "rows go from 0 to 4"),
        ("POST", "/layouts", {"method": "pca", "rows": []}, 400, "no points are selected"),
        ("POST", "/layouts", {"method": "tsne", "rows": [1, 2]}, 400, "a layout needs at least 4 points"),
        ("POST", "/layouts", {"method": "pca", "params": {"components": [1]}}, 400, "params.components must name 2"),
        (
            "POST",
            "/layouts",
            {"method": "custom", "params": {"column": "name", "up": "x"}},
            422,
            "no point matches 'x'",
        ),
        ("GET", "/layouts/none", {}, 404, "no layout 'none'"),
        ("DELETE", "/layouts/none", {}, 404, "no layout 'none'"),
        ("GET", "/layouts/none/positions", {}, 404, "no layout 'none'"),
    ],
)
def test_invalid_projector_requests(
    client: BoardClient, method: str, path: str, asked: dict[str, Any], status: int, message: str
) -> None:
    """With the right status."""
    named = {} if path.startswith("/layouts/") else WORDS | asked
    given = {"json": named} if method == "POST" else {"params": named}
    answer = client.request(method, f"/api/v1/projector{path}", **given)
    assert (answer.status_code, answer.json()["error"]["message"][: len(message)]) == (status, message)


def test_invalid_bookmarks_are_not_served(client: BoardClient) -> None:
    """What comes as JSON is JSON."""
    files = FILES | {"run/b.json": b"<script>alert(1)</script>"}
    board = BoardClient(provider=CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="memory")))
    assert api(board, "/bookmarks", **WORDS)["error"]["message"] == "the bookmarks are not a JSON list"


def test_sprites_with_exaggerated_sizes_are_refused() -> None:
    """Browsers would allocate them."""
    huge = PNG[:16] + struct.pack(">II", 2**31, 2**31) + PNG[24:]
    board = BoardClient(
        provider=CatalogProvider(MemoryBoard(FILES | {"run/s.png": huge}).catalog, BoardSettings(logdir="m"))
    )
    first = api(board, "")["tensors"][0]
    assert (first["sprite"], first["warning"]) == (None, "s.png says it has 2147483648 x 2147483648 pixels")
    assert board.get("/api/v1/projector/sprite", params=WORDS).status_code == 422


def test_projector_responses_are_json() -> None:
    """Also without tensors."""
    board = BoardClient()
    answer = json.loads(board.get("/api/v1/projector").content)
    assert (answer["tensors"], answer["problems"]) == ([], [])
