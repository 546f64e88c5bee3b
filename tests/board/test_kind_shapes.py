"""Responses about data kinds have the documented shape, on logs of torch."""

import json
import pathlib
from functools import cache
from typing import Any

import pytest

from lightboard.board.endpoint import Endpoint
from lightboard.board.kinds_api import every_kind
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from support.board_client import BoardClient

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs" / "torch_kinds"
TYPED = [one for one in every_kind() if not isinstance(one.response, str) and "{" not in one.path]


@cache
def client() -> BoardClient:
    """A board over these logs."""
    catalog = Catalog()
    Loader(catalog, sources(str(LOGS))).load()
    return BoardClient({}, provider=CatalogProvider(catalog, BoardSettings(logdir=str(LOGS))))


def value_of(kind: str) -> dict[str, Any]:
    """Run, tag and key of the first value of a kind."""
    board = client()
    names = {run["id"]: run["name"] for run in board.get("/api/v1/runs").json()["runs"]}
    series = board.post("/api/v1/values", json={"plugin": kind}).json()["series"][0]
    return {"run": names[series["run"]], "tag": series["tag"], "at": series["keys"][0]}


def tensor_of() -> dict[str, Any]:
    """Run and name of the first embedding."""
    found = client().get("/api/v1/projector").json()["tensors"][0]
    return {"run": found["run"], "name": found["name"]}


def column_of() -> dict[str, Any]:
    """The first column of its metadata as well."""
    found = client().get("/api/v1/projector").json()["tensors"][0]
    return tensor_of() | {"column": found["metadata"]["columns"][0]["name"]}


QUESTIONS = {
    "/api/v1/audio/clips": lambda: value_of("audio"),
    "/api/v1/audio/peaks": lambda: value_of("audio") | {"sample": 0, "px": 100},
    "/api/v1/histograms/one": lambda: value_of("histograms"),
    "/api/v1/histograms/series": lambda: {key: value_of("histograms")[key] for key in ("run", "tag")},
    "/api/v1/projector/labels": lambda: column_of() | {"rows": "0,1"},
    "/api/v1/text/value": lambda: value_of("text"),
}
BODIES = {
    "/api/v1/images": lambda: {
        "tag": value_of("images")["tag"],
        "values": [{key: value_of("images")[key] for key in ("run", "at")}],
    },
    "/api/v1/meshes": dict,
    "/api/v1/pr_curves": lambda: {"tag": value_of("pr_curves")["tag"]},
    "/api/v1/pr_curves/progress": lambda: {"tag": value_of("pr_curves")["tag"]},
    "/api/v1/projector/neighbours": lambda: tensor_of() | {"row": 0, "count": 3, "metric": "cosine"},
    "/api/v1/projector/search": lambda: column_of() | {"query": "a"},
    "/api/v1/projector/layouts": lambda: tensor_of() | {"method": "pca", "dims": 2, "params": {}},
    "/api/v1/text/search": lambda: {"pattern": "a"},
}


@pytest.mark.parametrize("endpoint", TYPED, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_kind_responses_have_the_documented_shape(endpoint: Endpoint) -> None:
    """No field more, none less."""
    assert not isinstance(endpoint.response, str)
    params = QUESTIONS.get(endpoint.path, dict)()
    body = BODIES[endpoint.path]() if endpoint.method == "POST" else None
    answer = client().request(endpoint.method, endpoint.path, params=params, json=body)

    assert answer.status_code in (200, 202), answer.text
    assert json.loads(endpoint.response.model_validate(answer.json()).model_dump_json()) == answer.json()
