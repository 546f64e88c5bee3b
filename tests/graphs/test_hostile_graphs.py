"""Graphs as no writer makes them: deep, wide, cyclic, nameless, cut off, or no graphs at all."""

import json
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.events.wire import MalformedError
from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.run_metadata import add_stats, read_traced_graph
from lightboard.graphs.scoped_graph import Place, ScopedGraph
from lightboard.graphs.text_format import message_text
from lightboard.graphs.totals import totals_of
from support.examples import examples
from support.graph_defs import (
    attribute,
    bytes_field,
    dense_layer,
    function_attribute,
    function_def,
    graph_def,
    node_def,
    shape,
    shapes_attribute,
    type_attribute,
)

NAMES = st.lists(st.sampled_from(["a", "b", "c_1", "c_2", "c_3", "", "(a)", "a (2)"]), max_size=4).map("/".join)
NODES = st.lists(st.tuples(NAMES, st.lists(st.tuples(NAMES, st.booleans()), max_size=3)), min_size=1, max_size=25)


def graph_of(nodes: list[tuple[str, list[tuple[str, bool]]]]) -> ScopedGraph:
    """A graph of nodes, each with the names of its inputs and whether they are control dependencies."""
    encoded = (node_def(name, "Op", ["^" * control + each for each, control in inputs]) for name, inputs in nodes)
    return ScopedGraph(read_graph_def(graph_def(*encoded)))


@given(NODES)
@examples(30)
def test_the_boxes_of_a_scope_have_all_of_its_nodes(nodes: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    graph = graph_of(nodes)
    for scope in range(graph.root.tree.scopes):
        place = Place(graph.root, scope, "")
        inside = sum(totals_of(place, box.items).nodes for box in graph.view(place).boxes)
        assert inside == graph.root.tree.high[scope] - graph.root.tree.low[scope]
    assert graph.root.tree.high[0] == len(nodes)


ATTRIBUTES = st.lists(
    st.sampled_from(
        [
            type_attribute("T"),
            type_attribute("dtype", 3),
            shapes_attribute((2, 3)),
            attribute("shape", bytes_field(7, shape(4))),
            function_attribute("f", "body"),
            function_attribute("g", "other"),
            attribute("_class", bytes_field(2, b"loc:@a")),
            attribute("long", bytes_field(2, b"x" * 2000)),
        ]
    ),
    max_size=3,
).map(b"".join)
TYPED_NODES = st.lists(
    st.tuples(
        *(st.sampled_from("abc"), st.sampled_from(["Add", "VariableV2", "Const", "prim::GetAttr"])),
        st.lists(st.sampled_from(["a", "b", "b:1", "^c", "nowhere"]), max_size=3),
        *(ATTRIBUTES, st.sampled_from(["", "/cpu:0"])),
    ),
    max_size=12,
)


@given(TYPED_NODES)
@examples(60)
def test_nodes_are_the_same_in_any_order_of_their_fields(
    nodes: list[tuple[str, str, list[str], bytes, str]],
) -> None:
    """Writers put name, operation and inputs first, which is a faster way than the one for fields in any order."""
    functions = [function_def(name, {}, [], {}) for name in ("body", "other")]
    plain = [node_def(*each) for each in nodes]
    turned = [attributes + node_def(name, op, inputs, b"", device) for name, op, inputs, attributes, device in nodes]
    first, second = (read_graph_def(graph_def(*each, functions=functions)) for each in (plain, turned))

    assert columns_of(first) == columns_of(second)


def columns_of(graph: Graph) -> list[object]:
    """What a graph is, but for where its nodes are in the file."""
    edges = graph.edges
    by_node = [
        (name, graph.op(at), graph.device(at), graph.output_types(at), graph.calls.get(at))
        for at, name in enumerate(graph.names)
    ]
    ends = (edges.source, edges.source_slot, edges.target, edges.target_slot, edges.control)
    numbers = [column.tolist() for column in (graph.labels, graph.parameters, *ends)]
    return [by_node, numbers, graph.problems]


@given(NODES)
@examples(30)
def test_each_edge_is_shown_in_one_scope_or_is_inside_of_a_box(nodes: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    graph = graph_of(nodes)
    tree = graph.root.tree
    shown = 0
    for scope in range(tree.scopes):
        view = graph.view(Place(graph.root, scope, ""))
        shown += sum(edge.count for edge in view.edges)
        for box in view.boxes:  # between members; from a node to itself only in what has no box of its own
            spans = [(int(tree.low[item]), int(tree.high[item])) for item in box.items]
            for source, target in zip(tree.sources.tolist(), tree.targets.tolist(), strict=True):
                ends = [[at for at, (low, high) in enumerate(spans) if low <= end < high] for end in (source, target)]
                is_loop = source == target and box.items[ends[0][0]] >= tree.scopes if ends[0] else False
                shown += bool(ends[0] and ends[1] and (ends[0] != ends[1] or (is_loop and box.kind == "rest")))
    assert shown == len(tree.graph.edges)


@given(NODES)
@examples(30)
def test_every_path_leads_back_to_its_item(nodes: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    graph = graph_of(nodes)
    items = range(len(graph.root.tree.labels))

    assert [graph.find(graph.root.tree.path(item)).item for item in items] == list(items)


def test_structure_does_not_depend_on_names_or_order() -> None:
    nodes = dense_layer("one", "x") + dense_layer("other", "x")[::-1]
    tree = ScopedGraph(read_graph_def(graph_def(*nodes))).root.tree

    assert tree.digests[1] == tree.digests[2]


def test_a_thousand_levels_open() -> None:
    path = "/".join(f"s{level}" for level in range(1000))
    graph = graph_of([(f"{path}/x", []), (f"{path}/y", [(f"{path}/x", False)])])

    view = graph.view(graph.find(path))

    assert ([box.label for box in view.boxes], [edge.count for edge in view.edges]) == (["x", "y"], [1])


def test_a_name_of_a_million_levels_keeps_the_rest_in_one_label() -> None:
    graph = graph_of([("a/" * 1_000_000 + "x", [])])

    assert (graph.root.tree.scopes, len(graph.root.tree.labels)) == (2001, 2002)


def test_fifty_thousand_children_are_few_boxes_and_a_rest() -> None:
    graph = graph_of([(f"n{at}x", [(f"n{at - 1}x", False)]) for at in range(0, 100_000, 2)])

    view = graph.view(graph.find(""))

    items = [item for box in view.boxes for item in box.items]
    assert (view.total, len(view.boxes) <= 300, view.boxes[-1].kind) == (50_000, True, "rest")
    assert sorted(items) == sorted(graph.root.tree.children_of(0).tolist())
    assert graph.view(graph.find("")) == view


def test_a_cycle_is_two_edges() -> None:
    graph = graph_of([("a", [("b", False)]), ("b", [("a", False)])])

    edges = graph.view(graph.find("")).edges

    assert sorted((edge.source, edge.target, edge.count) for edge in edges) == [(0, 1, 1), (1, 0, 1)]


def whole() -> bytes:
    """A graph with functions."""
    body = function_def("f", {"x": 1}, [node_def("y", "Mul", ("x", "x"))], {"z": "y:z:0"})
    call = node_def("call", "PartitionedCall", ("l/Relu",), function_attribute("f", "f"))
    return graph_def(*dense_layer("l", "x"), call, functions=[body])


@pytest.mark.parametrize("end", range(0, len(whole()), 7))
def test_a_graph_cut_off_anywhere_is_a_part_of_it(end: int) -> None:
    graph = ScopedGraph(read_graph_def(whole()[:end]))

    assert graph.root.tree.graph.names == [f"l/{name}" for name in ("kernel", "MatMul", "Relu")][
        : len(graph.graph)
    ] or (graph.root.tree.graph.names == ["l/kernel", "l/MatMul", "l/Relu", "call"])


@given(st.binary(max_size=400), st.integers(0, 2**32))
@examples(25)
def test_damaged_bytes_are_read_as_far_as_possible(junk: bytes, seed: int) -> None:
    data = bytearray(whole())
    data[random.Random(seed).randrange(len(data))] ^= 1 << seed % 8
    for each in (junk, bytes(data), bytes(data) + junk):
        for graph in (read_graph_def(each), read_traced_graph(each), add_stats(read_graph_def(each), junk)):
            scopes = ScopedGraph(graph)
            assert scopes.view(scopes.find("")).total <= len(graph)
        with suppress(MalformedError):
            list(message_text(each, "GraphDef"))


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["config", "layers", "name", "class_name", "inbound_nodes", "input_layers", "dtype"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


@given(JSON)
@examples(40)
def test_any_json_is_a_model_or_one_sentence(value: object) -> None:
    message = "the value holds no Keras model"
    with suppress(Unshowable):
        graph = read_keras_model(json.dumps(value).encode())
        assert len(ScopedGraph(graph).root.tree.nodes) == len(graph)
        return
    with pytest.raises(Unshowable, match=message):
        read_keras_model(json.dumps(value).encode())
