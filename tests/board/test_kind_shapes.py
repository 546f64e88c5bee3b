"""Responses about data kinds have the documented shape, on logs of torch."""

import json
import pathlib
from typing import Any

import pytest

from lightboard.board.endpoint import Endpoint
from lightboard.board.kinds_api import every_kind
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from support.board_client import BoardClient, start_threads

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
FOLDERS = {
    "torch_kinds": LOGS / "torch_kinds",
    "tf215-keras-full": LOGS / "tf215-keras-full",
    "captures": LOGS.parent / "profiles",
}
"""The second has a graph, the third has captures."""
CAPTURE = "captures/torch"
TYPED = [one for one in every_kind() if not isinstance(one.response, str) and "{" not in one.path]


@pytest.fixture(scope="module")
def board() -> BoardClient:
    """Over these logs."""
    catalog = Catalog()
    spec = ",".join(f"{name}:{path}" for name, path in FOLDERS.items())
    Loader(catalog, sources("", spec), LoaderOptions(threads=0)).load()
    made = BoardClient({}, provider=CatalogProvider(catalog, BoardSettings(logdir_spec=spec)))
    start_threads(made.shared.pool)
    return made


def value_of(board: BoardClient, kind: str) -> dict[str, Any]:
    """Run, tag and key of the first value of a kind."""
    names = {run["id"]: run["name"] for run in board.get("/api/v1/runs").json()["runs"]}
    series = board.post("/api/v1/values", json={"plugin": kind}).json()["series"][0]
    return {"run": names[series["run"]], "tag": series["tag"], "at": series["keys"][0]}


def tensor_of(board: BoardClient) -> dict[str, Any]:
    """Run and name of the first embedding."""
    found = board.get("/api/v1/projector").json()["tensors"][0]
    return {"run": found["run"], "name": found["name"]}


def column_of(board: BoardClient) -> dict[str, Any]:
    """The first column of its metadata as well."""
    found = board.get("/api/v1/projector").json()["tensors"][0]
    return tensor_of(board) | {"column": found["metadata"]["columns"][0]["name"]}


def graph_of(board: BoardClient) -> dict[str, Any]:
    """Run and tag of the first graph."""
    return {key: value_of(board, "graphs")[key] for key in ("run", "tag")}


def box_of(board: BoardClient, kind: str) -> dict[str, Any]:
    """The first box of a kind in that graph, or any if there is none, as well."""
    boxes = board.get("/api/v1/graphs/scope", params=graph_of(board)).json()["boxes"]
    return graph_of(board) | {"path": next((box for box in boxes if box["kind"] == kind), boxes[0])["path"]}


QUESTIONS = {
    "/api/v1/audio/clips": lambda board: value_of(board, "audio"),
    "/api/v1/audio/peaks": lambda board: value_of(board, "audio") | {"sample": 0, "px": 100},
    "/api/v1/graphs/diff": lambda board: graph_of(board) | {f"base_{k}": v for k, v in graph_of(board).items()},
    "/api/v1/graphs/members": lambda board: box_of(board, "stack"),
    "/api/v1/graphs/node": lambda board: box_of(board, "op"),
    "/api/v1/graphs/scope": graph_of,
    "/api/v1/graphs/search": lambda board: graph_of(board) | {"text": "e"},
    "/api/v1/graphs/summary": graph_of,
    "/api/v1/graphs/totals": graph_of,
    "/api/v1/histograms/one": lambda board: value_of(board, "histograms"),
    "/api/v1/histograms/series": lambda board: {key: value_of(board, "histograms")[key] for key in ("run", "tag")},
    "/api/v1/profiles/breakdown": lambda _board: {"capture": CAPTURE},
    "/api/v1/profiles/diff": lambda _board: {"capture": CAPTURE, "base": CAPTURE},
    "/api/v1/profiles/find": lambda _board: {"capture": CAPTURE, "search": "e"},
    "/api/v1/profiles/memory": lambda _board: {"capture": "captures/torch_gpu"},
    "/api/v1/profiles/operators": lambda _board: {"capture": "captures/torch_gpu", "by": "shape"},
    "/api/v1/profiles/overview": lambda _board: {"capture": CAPTURE},
    "/api/v1/profiles/range": lambda _board: {"capture": CAPTURE, "begin_us": 0, "end_us": 1e6},
    "/api/v1/profiles/skew": lambda _board: {"capture": CAPTURE},
    "/api/v1/profiles/slice": lambda _board: {"capture": CAPTURE, "host": 0, "slice": 3},
    "/api/v1/profiles/steps": lambda _board: {"capture": CAPTURE},
    "/api/v1/profiles/timeline": lambda _board: {"capture": CAPTURE},
    "/api/v1/profiles/tree": lambda _board: {"capture": CAPTURE, "depth": 3},
    "/api/v1/projector/labels": lambda board: column_of(board) | {"rows": "0,1"},
    "/api/v1/text/value": lambda board: value_of(board, "text"),
}
BODIES = {
    "/api/v1/graphs": lambda _board: {},
    "/api/v1/graphs/paths": lambda board: graph_of(board) | {"paths": ["gone"]},
    "/api/v1/images": lambda board: {
        "tag": value_of(board, "images")["tag"],
        "values": [{key: value_of(board, "images")[key] for key in ("run", "at")}],
    },
    "/api/v1/meshes": lambda _board: {},
    "/api/v1/pr_curves": lambda board: {"tag": value_of(board, "pr_curves")["tag"]},
    "/api/v1/pr_curves/progress": lambda board: {"tag": value_of(board, "pr_curves")["tag"]},
    "/api/v1/projector/neighbours": lambda board: tensor_of(board) | {"row": 0, "count": 3, "metric": "cosine"},
    "/api/v1/projector/search": lambda board: column_of(board) | {"query": "a"},
    "/api/v1/projector/layouts": lambda board: tensor_of(board) | {"method": "pca", "dims": 2, "params": {}},
    "/api/v1/text/search": lambda board: {"pattern": "a"},
}


@pytest.mark.parametrize("endpoint", TYPED, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_kind_responses_have_the_documented_shape(endpoint: Endpoint, board: BoardClient) -> None:
    """No field more, none less."""
    assert not isinstance(endpoint.response, str)
    params = QUESTIONS[endpoint.path](board) if endpoint.path in QUESTIONS else {}
    body = BODIES[endpoint.path](board) if endpoint.method == "POST" else None
    answer = board.request(endpoint.method, endpoint.path, params=params, json=body)

    assert answer.status_code in (200, 202), answer.text
    assert json.loads(endpoint.response.model_validate(answer.json()).model_dump_json()) == answer.json()
