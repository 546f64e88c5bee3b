"""Graphs for other programs: DOT, and the JSON of Model Explorer, which is read again."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.graph_export import write_dot, write_model_explorer
from lightboard.graphs.model_explorer import read_model_explorer
from lightboard.graphs.scoped_graph import Place, ScopedGraph
from support.examples import examples
from support.graph_defs import (
    function_attribute,
    function_def,
    graph_def,
    node_def,
    shapes_attribute,
    type_attribute,
)
from support.onnx_models import edges_of

TYPES = shapes_attribute((4, -1)) + type_attribute("T")
CALLING = graph_def(
    node_def('say "x"', "Placeholder", (), TYPES),
    node_def("a/b/relu", "Relu", ['say "x"'], TYPES),
    node_def("a/call", "PartitionedCall", ["a/b/relu", "^a/b/relu"], function_attribute("f", "body")),
    functions=[function_def("body", {"y": 1}, [node_def("neg", "Neg", ["y"])], {"out": "neg"})],
)


def scoped(data: bytes) -> ScopedGraph:
    """The scopes of a GraphDef."""
    return ScopedGraph(read_graph_def(data))


def exported(graph: ScopedGraph) -> Graph:
    """What Model Explorer's JSON of a graph is read as."""

    def attributes(place: Place) -> list[tuple[str, str]]:
        return [("path", place.path)]

    return read_model_explorer("".join(write_model_explorer(graph, attributes)).encode())


def test_dot_has_clusters_for_scopes_and_functions() -> None:
    assert "".join(write_dot(scoped(CALLING))).splitlines() == [
        "digraph {",
        '  compound=true; node [shape=box, fontname="sans-serif"];',
        '  n0_0 [label="say \\"x\\"\\nPlaceholder"];',
        '  subgraph cluster_0_1 { label="a";',
        '  subgraph cluster_0_2 { label="b";',
        '  n0_1 [label="relu\\nRelu"];',
        "  }",
        '  n0_2 [label="call\\nPartitionedCall\\nbody()"];',
        "  }",
        '  n0_0 -> n0_1 [label="float32 4×?"];',
        '  n0_1 -> n0_2 [label="float32 4×?"];',
        "  n0_1 -> n0_2 [style=dashed];",
        '  subgraph cluster_1 { label="function body";',
        '  n1_0 [label="y\\nArgument"];',
        '  n1_1 [label="neg\\nNeg"];',
        '  n1_2 [label="out\\nResult"];',
        '  n1_0 -> n1_1 [label="float32"];',
        "  n1_1 -> n1_2;",
        "  }",
        "}",
    ]


def test_the_json_of_model_explorer_is_read_as_the_same_graph() -> None:
    graph = read_graph_def(CALLING)
    found = exported(ScopedGraph(graph))

    assert (found.names, [found.op(at) for at in range(3)]) == (graph.names, ["Placeholder", "Relu", "PartitionedCall"])
    assert [found.output_types(at) for at in range(3)] == [graph.output_types(at) for at in range(3)]
    assert edges_of(found) == edges_of(graph)
    assert {name: body.names for name, body in found.functions.items()} == {"body": ["y", "neg", "out"]}
    assert [call.function for call in found.calls[2]] == ["body"]
    assert found.attributes == {0: [("path", 'say "x"')], 1: [("path", "a/b/relu")], 2: [("path", "a/call")]}


NAMES = st.lists(st.text('ab"\\\n\x00é', min_size=1, max_size=3), min_size=1, max_size=3).map("/".join)


@given(st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=2)), min_size=1, max_size=10))
@examples(50)
def test_any_names_can_be_exported(nodes: list[tuple[str, list[str]]]) -> None:
    graph = scoped(graph_def(*(node_def(name, "Op", inputs) for name, inputs in nodes)))
    found, dot = exported(graph), "".join(write_dot(graph))

    paths = [graph.root.tree.path(graph.root.tree.item(at)) for at in range(len(graph.graph))]
    assert found.names == paths
    assert len(found.edges) == len(graph.graph.edges)
    assert dot.count("\n  n0_") == len(nodes) + len(graph.graph.edges)


class Gathered(np.ndarray):
    """An array that counts the elements which are taken from it by the places in another."""

    elements = 0

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, np.ndarray):
            Gathered.elements += key.size
        return super().__getitem__(key)


def test_an_export_takes_each_edge_once_however_many_nodes_there_are() -> None:
    graph = scoped(graph_def(node_def("x", "Op"), *(node_def(f"a/n{at}", "Op", ["x"]) for at in range(200))))
    tree, Gathered.elements = graph.root.tree, 0
    tree.sources, tree.targets = tree.sources.view(Gathered), tree.targets.view(Gathered)

    assert len(exported(graph).edges) == 200
    assert Gathered.elements <= 200
