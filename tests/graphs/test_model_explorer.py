"""Graphs in the JSON of Model Explorer."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.graphs.graph import Call, TensorType
from lightboard.graphs.model_explorer import read_model_explorer
from lightboard.graphs.scoped_graph import ScopedGraph
from support.examples import examples
from support.onnx_models import edges_of

EDGE = {"sourceNodeId": "0", "sourceNodeOutputId": "0", "targetNodeInputId": "1"}
NODES: list[dict[str, Any]] = [
    {
        "id": "0",
        "label": "input",
        "namespace": "",
        "outputsMetadata": [{"id": "0", "attrs": [{"key": "tensor_shape", "value": "float32[1,?,8]"}]}],
    },
    {
        "id": "1",
        "label": "stablehlo.add",
        "namespace": "model/block_1",
        "attrs": [{"key": "axis", "value": "-1"}],
        "incomingEdges": [EDGE],
    },
    {"id": "model/block_1/mul", "label": "mul", "namespace": "model/block_1", "incomingEdges": [{"sourceNodeId": "1"}]},
]


def encoded(value: object) -> bytes:
    """A file with this JSON."""
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "value",
    [
        {"id": "main", "nodes": NODES},
        {"label": "model", "graphs": [{"id": "main", "nodes": NODES}]},
        [{"label": "model", "graphs": [{"id": "main", "nodes": NODES}]}],
        {"graphCollections": [{"label": "model", "graphs": [{"id": "main", "nodes": NODES}]}]},
    ],
    ids=["graph", "collection", "list", "collections"],
)
def test_a_graph_in_each_of_the_forms_of_a_file(value: object) -> None:
    graph = read_model_explorer(encoded(value))

    assert graph.names == ["input", "model/block_1/stablehlo.add", "model/block_1/mul"]
    assert edges_of(graph) == [
        ("input", 0, "model/block_1/stablehlo.add", 1),
        ("model/block_1/stablehlo.add", -1, "model/block_1/mul", -1),
    ]
    assert (graph.output_types(0), graph.attributes) == (
        (TensorType("float32", (1, -1, 8)),),
        {0: [], 1: [("axis", "-1")], 2: []},
    )


def test_a_subgraph_is_a_function_that_its_node_calls() -> None:
    call = {"id": "call", "label": "while", "subgraphIds": ["body", "missing"]}
    body = {"id": "x", "label": "add", "subgraphIds": ["body"]}
    graph = read_model_explorer(encoded([{"id": "main", "nodes": [call]}, {"id": "body", "nodes": [body]}]))

    assert (graph.names, graph.calls, list(graph.functions)) == (["call"], {0: (Call("body", "body"),)}, ["body"])
    scopes = ScopedGraph(graph)
    assert scopes.find("call/x/x/x").node == 0


def test_several_graphs_are_in_scopes_of_their_own() -> None:
    nodes = [{"id": "x", "label": "f", "attrs": [{"key": "k", "value": 1}]}]
    graph = read_model_explorer(encoded([{"id": "a/b", "nodes": nodes}, {"id": "c", "nodes": nodes}]))

    assert (graph.names, graph.attributes) == (["a_b/x", "c/x"], {0: [("k", "1")], 1: [("k", "1")]})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is no JSON that can be read"),
        (b"[" * 100_000, "the file is no JSON that can be read"),
        (b'{"id": "main"', "the file is no JSON that can be read"),
        (b"{}", "the file is no graph of Model Explorer"),
        (b'{"lr": 0.1, "nodes": 3}', "the file is no graph of Model Explorer"),
    ],
)
def test_what_is_no_graph_is_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Unshowable, match=f"^{sentence}$"):
        read_model_explorer(data)


def test_edges_from_nodes_that_do_not_exist_are_a_problem() -> None:
    nodes = [{"id": "x", "incomingEdges": [{"sourceNodeId": "y"}, {"sourceNodeId": "x"}, 3]}]

    assert read_model_explorer(encoded({"nodes": nodes})).problems == ["1 inputs name nodes that are not in the graph"]


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=4) | st.booleans() | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("nodes", "graphs", "id", "label", "namespace", "attrs", "key", "value", "incomingEdges"),
                    *("sourceNodeId", "subgraphIds", "outputsMetadata"),
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=40,
)


@given(st.lists(JSON, max_size=5), st.lists(JSON, max_size=5))
@examples(80)
def test_any_json_is_a_graph_or_one_sentence(nodes: list[object], others: list[object]) -> None:
    with suppress(Unshowable):
        graph = read_model_explorer(encoded([{"id": "a", "nodes": nodes}, *others]))
        assert len(ScopedGraph(graph).root.tree.nodes) == len(graph)
