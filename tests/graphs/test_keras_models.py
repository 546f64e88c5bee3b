"""Keras models whose layers are called several times: a node for each call, and their parameters once."""

import json
from typing import Any

import pytest

from lightboard.graphs import keras_layers
from lightboard.graphs.graph import Graph
from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.totals_table import totals_table
from support.onnx_models import GRAPH_FILES

ANSWERS: dict[str, Any] = json.loads((GRAPH_FILES / "keras_shared.answers.json").read_bytes())
"""What Keras says of the model that `shared_model` reads."""

Edges = set[tuple[str, str]]


def shared_model() -> Graph:
    """A model by Keras 3: two texts share an embedding, a model in which a layer is shared, and a sequence."""
    return read_keras_model((GRAPH_FILES / "keras_shared.json").read_bytes())


def edges_of(graph: Graph) -> list[tuple[str, str]]:
    """The names of nodes at the ends of each edge."""
    ends = zip(graph.edges.source.tolist(), graph.edges.target.tolist(), strict=True)
    return [(graph.names[source], graph.names[target]) for source, target in ends]


def between_children(graph: Graph, scope: str) -> list[list[str]]:
    """The edges from one child of a scope to another."""
    found = set[tuple[str, str]]()
    for ends in edges_of(graph):
        if all(name.startswith(f"{scope}/") for name in ends):
            source, target = (name[len(scope) + 1 :].partition("/")[0] for name in ends)
            found |= {(source, target)} if source != target else set()
    return sorted(map(list, found))


def in_keras_2(base: int) -> Graph:
    """A model as Keras 2 writes it, with a sequence that is called twice and whose calls are counted from `base`."""
    dense = {"class_name": "Dense", "config": {"name": "d", "units": 4}}
    layers = [
        {"class_name": "InputLayer", "config": {"name": "a"}, "inbound_nodes": []},
        {
            "class_name": "Sequential",
            "config": {"name": "s", "layers": [dense]},
            "inbound_nodes": [[["a", 0, 0, {}]], [["s", base, 0, {}]]],
        },
    ]
    ends = {"input_layers": [["a", 0, 0]], "output_layers": [["s", base + 1, 0]]}
    model = {"class_name": "Functional", "config": {"name": "m", "layers": layers, **ends}}
    return read_keras_model(json.dumps(model).encode())


def repeated(times: int, depth: int) -> bytes:
    """A layer in as many models inside of each other, each of which is called several times."""
    layer: dict[str, Any] = {"class_name": "Dense", "config": {"name": "d"}, "inbound_nodes": [[]] * times}
    for _ in range(depth):
        layer = {"class_name": "Model", "config": {"name": "m", "layers": [layer]}, "inbound_nodes": [[]] * times}
    return json.dumps({"class_name": "Model", "config": {"name": "top", "layers": [layer]}}).encode()


def test_calls_are_connected_as_keras_connects_them() -> None:
    assert between_children(shared_model(), "matching") == ANSWERS["edges"]


def test_each_call_of_a_model_has_the_calls_in_it() -> None:
    graph = shared_model()
    assert [between_children(graph, f"matching/encoder #{call}") for call in (1, 2)] == [ANSWERS["inner"]] * 2


def test_parameters_count_at_the_first_call() -> None:
    graph = shared_model()
    rows = totals_table(ScopedGraph(graph), 1000).rows
    counted = {row.path.removeprefix("matching/"): row.parameters for row in rows if row.depth == 2}
    layers = dict[str, list[int | None]]()
    for label, count in counted.items():
        layers.setdefault(label.partition(" #")[0], []).append(count)
    written = {name: [count] if name in counted else [count, 0] for name, count in ANSWERS["layers"].items()}
    assert (rows[0].parameters, rows[0].partial, layers) == (ANSWERS["parameters"], (), written)


def test_a_later_call_names_the_first() -> None:
    graph = shared_model()
    assert graph.attributes is not None
    named = {
        graph.names[node]: value
        for node, pairs in graph.attributes.items()
        for name, value in pairs
        if name == "shares_weights_with"
    }
    first, second = "matching/encoder #1", "matching/encoder #2"
    assert named == {
        "matching/words #2": "matching/words #1",
        f"{first}/mix #2": f"{first}/mix #1",
        **{f"{second}/{name}": f"{first}/{name}" for name in ("steps", "mix #1", "mean")},
        f"{second}/mix #2": f"{first}/mix #1",
        "matching/head #2/input_layer": "matching/head #1/input_layer",
        "matching/head #2/hidden": "matching/head #1/hidden",
    }


def test_each_call_computes() -> None:
    graph = shared_model()
    assert graph.layers is not None
    flops = dict(zip(graph.names, graph.layers.flops.tolist(), strict=True))
    assert [flops[f"matching/head #{call}/hidden"] for call in (1, 2)] == [2 * 8 * 4, 2 * 8 * 4]


@pytest.mark.parametrize("base", [0, 1])
def test_calls_of_keras_2_are_counted_from_0_or_1(base: int) -> None:
    assert edges_of(in_keras_2(base)) == [("m/a", "m/s #1/d"), ("m/s #1/d", "m/s #2/d")]


def test_a_layer_is_one_node_for_tensorboard() -> None:
    graph = read_keras_model((GRAPH_FILES / "keras_shared.json").read_bytes(), by_call=False)
    labels = {name.removeprefix("matching/").partition("/")[0] for name in graph.names}
    assert labels == set(ANSWERS["layers"])


def test_too_many_calls_are_one_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keras_layers, "MAX_BOXES", 100)
    graph = read_keras_model(repeated(10, 6))
    sentence = "layers are called too often for a box for each call, so each layer is one box"
    assert (graph.names, graph.problems) == (["top" + "/m" * 6 + "/d"], [sentence])
