"""Graphs that are cyclic, in parts, without names, deep, wide or cut off, in each format: what is shown of them."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from support.board_client import BoardClient, closing_boards
from support.extreme_graphs import FORMATS, Nodes, files_of

LEVELS = [f"s{level}" for level in range(1000)]
DEEP = "/".join(LEVELS)
CHAIN = [(f"s/n{at}x", [f"s/n{at - 1}x"] if at else []) for at in range(20)]
RETURNS = {tag: int(tag == "m.mlir") for tag in FORMATS}
"""Nodes that a format adds: functions in StableHLO return something."""

CUT: dict[str, tuple[int, str] | str] = {
    **dict.fromkeys(("__run_graph__", "m.pb"), (12, "the graph is cut off or malformed after 12 nodes")),
    "graph.pbtxt": (13, "the text is cut off or malformed, so only a part of it is shown"),
    "m.onnx": (13, "the model is cut off or malformed, so only a part of it is shown"),
    "m.graph.json": "the file is no JSON that can be read",
    "m.hlo": (11, "the text is cut off"),
    "m.hlo.pb": (12, "the program is cut off or malformed, so only a part of it is shown"),
    "m.mlir": (13, "the text is cut off"),
    "m.pt2": "the file is no archive that can be read",
    "keras": "the model is no JSON that can be read",
}
"""What is shown of each format: the nodes and what is said about them, or why there are none."""


@pytest.fixture(autouse=True)
def closed_boards() -> Iterator[None]:
    """No board is left behind."""
    with closing_boards():
        yield


class Shown:
    """A graph on a board."""

    def __init__(self, tag: str, data: bytes) -> None:
        self._asked = {"run": "a", "tag": tag, "form": "conceptual" if tag == "keras" else "op"}
        self._client = BoardClient({})
        for path, content in files_of(tag, data).items():
            self._client.memory.storage.write(path, content)
        self._client.memory.refresh()

    def ask(self, route: str, **query: str) -> httpx.Response:
        """The answer of one route."""
        return self._client.get(f"/api/v1/graphs/{route}", params=self._asked | query)

    def scope(self, path: str = "") -> Any:
        """What a scope has."""
        return self.ask("scope", path=path).json()

    def summary(self, field: str) -> Any:
        """What the summary of the whole graph says."""
        return self.ask("summary").json()[field]


def shown(tag: str, nodes: Nodes) -> Shown:
    """A graph of these nodes."""
    return Shown(tag, FORMATS[tag](nodes))


@pytest.mark.parametrize("tag", FORMATS)
def test_a_cycle_is_two_edges(tag: str) -> None:
    """In StableHLO, only what stands above can be an input."""
    graph = shown(tag, [("a", ["b"]), ("b", ["a"]), ("c", [])])

    lost = ["1 inputs name nodes that are not in the graph"] if tag == "m.mlir" else []
    assert (graph.summary("edges"), graph.summary("problems")) == (2 - len(lost), lost)


@pytest.mark.parametrize("tag", FORMATS)
def test_parts_that_are_not_connected_are_all_there(tag: str) -> None:
    graph = shown(tag, [("a", []), ("s/b", []), ("s/c", ["s/b"]), ("t/d", [])])

    assert (graph.summary("nodes") - RETURNS[tag], graph.summary("edges")) == (4, 1)


@pytest.mark.parametrize("tag", FORMATS)
def test_nodes_without_names_are_there(tag: str) -> None:
    graph = shown(tag, [("", []), ("/", [""]), ("//", ["/"]), ("a//b", ["//"])])

    assert graph.summary("nodes") - RETURNS[tag] == 4


@pytest.mark.parametrize("tag", [each for each in FORMATS if each != "keras"])
def test_a_thousand_levels_open(tag: str) -> None:
    """Of the scopes of XLA, a thousand characters are read."""
    levels = f"jit(f)/{DEEP}"[:1000].split("/")[1:-1] if tag.startswith("m.hlo") else LEVELS
    graph = shown(tag, [("z", []), (f"{DEEP}/x", []), (f"{DEEP}/y", [f"{DEEP}/x"])])

    scope = graph.ask("scope", path="/".join(levels))
    assert scope.status_code == 200
    assert (scope.json()["total"], [edge["count"] for edge in scope.json()["edges"]]) == (2, [1])


def test_keras_models_inside_of_each_other() -> None:
    deep = "/".join(LEVELS[:100])
    scope = shown("keras", [("z", []), (f"{deep}/x", []), (f"{deep}/y", [f"{deep}/x"])]).scope(f"m/{deep}")

    assert ([box["label"] for box in scope["boxes"]], [edge["count"] for edge in scope["edges"]]) == (["x", "y"], [1])


def test_keras_models_that_are_nested_too_deeply_are_a_sentence() -> None:
    answer = shown("keras", [(f"{DEEP}/x", [])]).ask("scope")

    assert (answer.status_code, answer.json()["error"]["message"]) == (422, "the model is nested too deeply to be read")


@pytest.mark.parametrize(("tag", "part"), CUT.items())
def test_what_is_cut_off_is_a_part_or_a_sentence(tag: str, part: tuple[int, str] | str) -> None:
    data = FORMATS[tag](CHAIN)
    graph = Shown(tag, data[: len(data) * 6 // 10])

    answer = graph.ask("summary").json()
    if isinstance(part, str):
        assert answer["error"]["message"] == part
    else:
        assert (answer["nodes"], answer["problems"][-1]) == part


@pytest.mark.parametrize(
    "tag", [each if each == "__run_graph__" else pytest.param(each, marks=pytest.mark.long) for each in FORMATS]
)
def test_fifty_thousand_children_are_a_few_boxes(tag: str) -> None:
    names = [f"w/n{at * 7919 % 50_000}x" for at in range(50_000)]
    graph = shown(tag, [("z", []), *((name, [names[at - 1]] if at else []) for at, name in enumerate(names))])

    answer = graph.ask("scope", path="m/w" if tag == "keras" else "w")

    assert (answer.json()["total"], len(answer.content) < 50_000) == (50_000, True)
