"""Every reader of graphs, with damaged files: each route answers a graph, or says in one sentence why there is none."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest

from lightboard.graphs.file_names import GraphFormat
from lightboard.query.graphs import FORMS
from support.board_client import BoardClient, board_with_files, closing_boards
from support.damaged_graphs import Reader, readers

READERS = (
    *("graphs", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model", "graph_tagged_run_metadata"),
    *("onnx", "torch_export", "stablehlo", "hlo", "hlo (message)", "graph_def", "graph_def (text)", "saved_model"),
    "model_explorer",
)
OPENED = 6
"""Boxes of a scope that are opened, and about which all is asked."""

LEVELS = 3


@pytest.fixture(autouse=True)
def closed_boards() -> Iterator[None]:
    """No board is left behind."""
    with closing_boards():
        yield


known_readers = cache(readers)


def test_every_format_has_a_target() -> None:
    kinds = {name.partition(" ")[0] for name in READERS}

    assert kinds == {*get_args(GraphFormat), *FORMS}
    assert tuple(known_readers()) == READERS


@pytest.mark.parametrize("name", READERS)
def test_what_is_intact_is_shown(name: str) -> None:
    reader = known_readers()[name]

    assert reader.seeds
    assert [faults_of(reader, seed) for seed in reader.seeds] == [([], True)] * len(reader.seeds)


@pytest.mark.parametrize("name", READERS)
def test_what_is_damaged_is_a_graph_or_a_sentence(name: str) -> None:
    assert damaged_faults(name, range(12)) == {}


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_what_is_damaged_more_often_is_a_graph_or_a_sentence(name: str) -> None:
    assert damaged_faults(name, range(12, 800)) == {}


def damaged_faults(name: str, seeds: range) -> dict[int, list[str]]:
    """What is wrong with answers about damaged graphs, by the seed of the damage."""
    reader, found = known_readers()[name], {}
    for seed in seeds:
        chance = random.Random(seed)
        faults, _ = faults_of(reader, reader.damage(chance.choice(reader.seeds), chance))
        if faults:
            found[seed] = faults
    return found


def faults_of(reader: Reader, data: bytes) -> tuple[list[str], bool]:
    """What is wrong with answers about a graph, and whether there is one."""
    with closing_boards():
        visit = Visit(board_with_files(reader.files(data)), reader)
        visit.open("", LEVELS)
        for route in ("summary", "totals", "search?text=a", "search?text=dtype=float", "export?format=dot"):
            visit.ask(route)
        visit.ask("export?format=model-explorer")
        visit.ask(f"diff?base_run=a&base_tag={reader.tag}&base_form={reader.form}")
        visit.ask_tensorboard()
        return visit.faults, visit.shown


class Visit:
    """What somebody asks who looks at a graph. `shown` is whether there was one, `faults` what was answered badly."""

    def __init__(self, client: BoardClient, reader: Reader) -> None:
        self.faults: list[str] = []
        self.shown = False
        self._client, self._reader = client, reader
        self._asked = {"run": "a", "tag": reader.tag, "form": reader.form}

    def ask(self, route: str, **query: str) -> Any:
        """The answer of a route, None if there is none."""
        name, _, rest = route.partition("?")
        pairs = dict(each.split("=", 1) for each in rest.split("&") if each)
        answer = self._client.get(f"/api/v1/graphs/{name}", params=self._asked | pairs | query)
        if answer.status_code == 200:
            return answer.json() if answer.headers["content-type"].startswith("application/json") else answer.text
        message = str(answer.json().get("error", {}).get("message", ""))
        if answer.status_code not in (404, 422) or not message or len(message) > 500 or "\n" in message:
            self.faults.append(f"{route} {query}: {answer.status_code} {message[:300]}")
        return None

    def open(self, path: str, levels: int) -> None:
        """A scope with everything that its first boxes have."""
        scope = self.ask("scope", path=path)
        if scope is None:
            return
        self.shown = True
        for box in scope["boxes"][:OPENED]:
            self.ask("node", path=box["path"])
            if box["members"] > 1:
                self.ask("members", path=box["path"])
            if box["opens"] and levels:
                self.open(box["path"], levels - 1)

    def ask_tensorboard(self) -> None:
        """What TensorBoard's page asks."""
        limits = {"limit_attr_size": "64", "large_attrs_key": "_too_large_attrs"}
        for route, query in (
            ("info", {}),
            ("graph", {"run": "a", **limits}),
            ("graph", {"run": "a", "tag": self._reader.tag, **limits}),
            ("graph", {"run": "a", "tag": self._reader.tag, "conceptual": "true"}),
            ("run_metadata", {"run": "a", "tag": self._reader.tag}),
        ):
            answer = self._client.get(f"/data/plugin/graphs/{route}", params=query)
            if answer.status_code not in (200, 404, 422):
                self.faults.append(f"{route} {query}: {answer.status_code} {answer.text[:300]}")
