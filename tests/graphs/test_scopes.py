"""Scopes of graphs: paths, boxes, edges between them, edges that leave, stacks, functions."""

import pytest

from lightboard.errors import NotFound
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.scoped_graph import ScopedGraph
from support.graph_defs import (
    dense_layer,
    function_attribute,
    function_def,
    graph_def,
    node_def,
    shapes_attribute,
    type_attribute,
)


def scoped(*nodes: bytes, functions: tuple[bytes, ...] = ()) -> ScopedGraph:
    """The scopes of a GraphDef."""
    return ScopedGraph(read_graph_def(graph_def(*nodes, functions=functions)))


def boxes(graph: ScopedGraph, path: str = "") -> list[tuple[str, str, int]]:
    """Label, kind and number of members of each box of a scope."""
    return [(box.label, box.kind, len(box.items)) for box in graph.view(graph.inside(graph.find(path))).boxes]


def edges(graph: ScopedGraph, path: str = "") -> list[tuple[str, str, int, int]]:
    """Labels of source and target, count and elements of each edge of a scope."""
    view = graph.view(graph.inside(graph.find(path)))
    return [
        (view.boxes[edge.source].label, view.boxes[edge.target].label, edge.count, edge.elements) for edge in view.edges
    ]


def layers(count: int) -> ScopedGraph:
    """A chain of dense layers between an input and a loss."""
    nodes = [node_def("x", "Placeholder", (), shapes_attribute((4, 8)) + type_attribute("dtype"))]
    source = "x"
    for at in range(count):
        nodes += dense_layer(f"layer_{at}", source)
        source = f"layer_{at}/Relu"
    return scoped(*nodes, node_def("loss", "Mean", (source,)))


def test_a_scope_shows_its_children_in_the_order_of_the_file() -> None:
    assert boxes(layers(2)) == [
        ("x", "input", 1),
        ("layer_0", "scope", 1),
        ("layer_1", "scope", 1),
        ("loss", "op", 1),
    ]


def test_edges_between_nodes_of_two_scopes_are_lifted_to_them() -> None:
    assert edges(layers(2)) == [
        ("x", "layer_0", 1, 32),
        ("layer_0", "layer_1", 1, 32),
        ("layer_1", "loss", 1, 32),
    ]


def test_an_edge_of_a_node_to_itself_is_shown_at_its_box_and_at_no_scope_around_it() -> None:
    graph = scoped(
        node_def("cell/state", "Merge", ("cell/state", "cell/state:1")), node_def("cell/out", "Exit", ("cell/state",))
    )

    assert edges(graph, "") == []
    assert edges(graph, "cell") == [("state", "state", 2, -1), ("state", "out", 1, -1)]


def test_edges_that_leave_a_scope_are_bridges() -> None:
    graph = layers(2)
    place = graph.find("layer_1")
    view = graph.view(place)

    found = [
        (
            view.boxes[bridge.box].label,
            bridge.incoming,
            bridge.count,
            [place.path_of_node(node) for node in bridge.nodes],
        )
        for bridge in view.bridges
    ]

    assert found == [("MatMul", True, 1, ["layer_0/Relu"]), ("Relu", False, 1, ["loss"])]


def test_equal_layers_are_one_stack() -> None:
    graph = layers(400)

    assert boxes(graph) == [("x", "input", 1), ("layer_[0–399]", "stack", 400), ("loss", "op", 1)]
    assert edges(graph) == [("x", "layer_[0–399]", 1, 32), ("layer_[0–399]", "loss", 1, 32)]


def test_a_layer_of_another_structure_is_no_member() -> None:
    nodes = [node for at in range(8) for node in dense_layer(f"layer_{at}", "x", 9 if at == 3 else 8)]

    assert boxes(scoped(*nodes)) == [("layer_[0–2]", "stack", 3), ("layer_3", "scope", 1), ("layer_[4–7]", "stack", 4)]


def test_the_first_of_a_series_of_tensorflow_has_no_number() -> None:
    nodes = [node for name in ("dense", "dense_1", "dense_2") for node in dense_layer(name, "x")]

    assert boxes(scoped(*nodes)) == [("dense_[0–2]", "stack", 3)]


def test_layers_with_names_of_their_own_are_no_stack() -> None:
    nodes = [node for name in ("query", "key", "value") for node in dense_layer(name, "x")]

    assert boxes(scoped(*nodes)) == [("query", "scope", 1), ("key", "scope", 1), ("value", "scope", 1)]


def test_members_of_a_stack_are_in_the_order_of_their_numbers() -> None:
    graph = layers(12)

    box = graph.members(graph.find("layer_0"))

    assert [graph.root.tree.path(item) for item in box.items] == [f"layer_{at}" for at in range(12)]


def test_what_begins_no_stack_has_no_members() -> None:
    graph = layers(2)

    with pytest.raises(NotFound, match="no stack begins at 'layer_0'"):
        graph.members(graph.find("layer_0"))


def test_a_node_with_the_name_of_a_scope_is_in_it() -> None:
    graph = scoped(node_def("dense", "Identity"), node_def("dense/MatMul", "MatMul", ("dense",)))

    assert boxes(graph, "dense") == [("(dense)", "op", 1), ("MatMul", "op", 1)]
    assert edges(graph, "dense") == [("(dense)", "MatMul", 1, -1)]


def test_nodes_of_the_same_name_are_told_apart() -> None:
    graph = scoped(node_def("a", "Add"), node_def("a", "Add"), node_def("", "Mul"), node_def("", "Mul"))

    assert boxes(graph) == [("a", "op", 1), ("a (2)", "op", 1), ("(no name)", "op", 1), ("(no name) (2)", "op", 1)]


def test_the_body_of_a_function_is_the_scope_of_its_call() -> None:
    body = function_def("f", {"x": 1}, [node_def("square", "Mul", ("x", "x"))], {"y": "square:z:0"})
    graph = scoped(
        node_def("x", "Placeholder"),
        node_def("call", "PartitionedCall", ("x",), function_attribute("f", "f")),
        functions=(body,),
    )

    assert boxes(graph) == [("x", "input", 1), ("call", "call", 1)]
    assert boxes(graph, "call") == [("x", "input", 1), ("square", "op", 1), ("y", "op", 1)]
    assert edges(graph, "call") == [("x", "square", 2, -1), ("square", "y", 1, -1)]
    assert graph.find("call/square").path == "call/square"


def test_a_loop_has_a_scope_for_each_of_its_functions() -> None:
    functions = (
        function_def("c", {"i": 3}, [node_def("less", "Less", ("i", "i"))], {"go": "less:z:0"}),
        function_def("b", {"i": 3}, [node_def("add", "Add", ("i", "i"))], {"i_out": "add:z:0"}),
    )
    loop = node_def("loop", "While", (), function_attribute("cond", "c") + function_attribute("body", "b"))
    graph = scoped(loop, functions=functions)

    assert [(label, place.path) for label, place in graph.branches(graph.find("loop"))] == [
        ("cond", "loop/cond"),
        ("body", "loop/body"),
    ]
    assert boxes(graph, "loop/body") == [("i", "input", 1), ("add", "op", 1), ("i_out", "op", 1)]


def test_a_function_that_calls_itself_opens_level_by_level() -> None:
    body = function_def("f", {}, [node_def("again", "PartitionedCall", (), function_attribute("f", "f"))], {})
    graph = scoped(node_def("call", "PartitionedCall", (), function_attribute("f", "f")), functions=(body,))

    assert graph.find("call/again/again/again").path == "call/again/again/again"
    assert boxes(graph, "call/again/again") == [("again", "call", 1)]


def test_a_node_without_a_function_is_no_scope() -> None:
    graph = layers(1)

    with pytest.raises(NotFound, match="'loss' is a node without a scope"):
        graph.inside(graph.find("loss"))


def test_a_path_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(NotFound, match="no node or scope 'layer_7'"):
        layers(1).find("layer_7")


def test_children_above_the_limit_are_one_box() -> None:
    graph = scoped(*(node_def(f"n{at}x{at}", f"Op{at}") for at in range(1000)))

    found = boxes(graph)

    assert (found[0], found[-1]) == (("n0x0", "op", 1), ("", "rest", 1001 - len(found)))
