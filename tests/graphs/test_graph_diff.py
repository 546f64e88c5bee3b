"""Differences of graphs: what was added, removed, renamed and changed, whatever the graphs are."""

import hypothesis.strategies as st
from hypothesis import given

from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.graph_diff import Difference, GraphDiff, ScopeCounts, compare_graphs
from lightboard.graphs.scoped_graph import ScopedGraph
from support.graph_defs import attribute, dense_layer, graph_def, node_def, type_attribute

X = node_def("x", "Placeholder")
NAMES = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join)


@st.composite
def graphs(draw: st.DrawFn) -> ScopedGraph:
    """Few names and operations, so that graphs have much in common."""
    names = draw(st.lists(NAMES, max_size=8))
    nodes = []
    for at, name in enumerate(names):
        inputs = draw(st.lists(st.sampled_from(names[:at]), max_size=2)) if at else []
        nodes.append(node_def(name, draw(st.sampled_from(["Relu", "Add"])), inputs))
    return scoped(*nodes)


def scoped(*nodes: bytes) -> ScopedGraph:
    """A graph of these nodes."""
    return ScopedGraph(read_graph_def(graph_def(*nodes)))


def compared(base: list[bytes], nodes: list[bytes]) -> GraphDiff:
    """What is different in the second graph."""
    return compare_graphs(scoped(*base), scoped(*nodes))


def test_a_node_between_two_others_is_added_and_changes_the_inputs_of_what_follows() -> None:
    before = [X, node_def("a/y", "Relu", ("x",))]
    after = [X, node_def("a/new", "Neg", ("x",)), node_def("a/y", "Relu", ("a/new",))]
    diff = compared(before, after)

    assert diff.differences == [
        Difference("added", "a", "a/new", None, "op", "Neg", 1),
        Difference("changed", "a", "a/y", "a/y", "op", "Relu", 1, ("inputs",)),
    ]
    assert diff.scopes == [ScopeCounts("", 1, 0, 0, 1), ScopeCounts("a", 1, 0, 0, 1)]


def test_a_scope_that_was_removed_is_one_difference() -> None:
    diff = compared([X, *dense_layer("a/dense", "x")], [X])

    assert diff.differences == [Difference("removed", "", None, "a", "scope", "", 3)]
    assert diff.scopes == [ScopeCounts("", 0, 3, 0, 0)]


def test_a_scope_of_the_same_structure_with_another_name_is_renamed() -> None:
    """What is in it is as it was."""
    diff = compared([X, *dense_layer("dense", "x")], [X, *dense_layer("linear", "x")])

    assert diff.differences == [Difference("renamed", "", "linear", "dense", "scope", "", 3)]
    assert diff.counts == ScopeCounts("", 0, 0, 3, 0)


def test_what_is_different_about_a_node() -> None:
    base = [
        node_def("op", "Relu"),
        node_def("types", "Relu", (), type_attribute("T", 1)),
        node_def("attributes", "Relu", (), attribute("axis", b"\x18\x01")),
    ]
    changed = [
        node_def("op", "Neg"),
        node_def("types", "Relu", (), type_attribute("T", 2)),
        node_def("attributes", "Relu", (), attribute("axis", b"\x18\x02")),
    ]

    assert {each.path: each.changes for each in compared(base, changed).differences} == {
        "op": ("op",),
        "types": ("types",),
        "attributes": ("attributes",),
    }


def test_inputs_in_another_order_are_other_inputs() -> None:
    base = [X, node_def("y", "Const"), node_def("z", "Sub", ("x", "y"))]
    swapped = [X, node_def("y", "Const"), node_def("z", "Sub", ("y", "x"))]

    assert [(each.path, each.changes) for each in compared(base, swapped).differences] == [("z", ("inputs",))]


@given(graphs())
def test_a_graph_does_not_differ_from_itself(graph: ScopedGraph) -> None:
    assert compare_graphs(graph, graph) == GraphDiff()


@given(graphs(), graphs())
def test_the_other_way_round_added_is_removed(one: ScopedGraph, other: ScopedGraph) -> None:
    """And nothing else changes."""
    there = {(each.status, each.base_path, each.path, each.changes) for each in compare_graphs(one, other).differences}
    turned = {"added": "removed", "removed": "added"}
    back = {
        (turned.get(each.status, each.status), each.path, each.base_path, each.changes)
        for each in compare_graphs(other, one).differences
    }

    assert there == back


@given(graphs(), graphs())
def test_nodes_are_added_removed_or_matched(one: ScopedGraph, other: ScopedGraph) -> None:
    """So that the difference of both sizes is that of both counts."""
    counts = compare_graphs(one, other).counts

    assert len(other.graph) - len(one.graph) == counts.added - counts.removed


@given(graphs(), graphs())
def test_graphs_without_differences_have_the_same_nodes_and_edges(one: ScopedGraph, other: ScopedGraph) -> None:
    def content(graph: ScopedGraph) -> tuple[list[object], list[object]]:
        tree, edges = graph.root.tree, graph.graph.edges
        paths = [tree.path(tree.item(node)) for node in range(len(graph.graph))]
        ends = zip(edges.source.tolist(), edges.target.tolist(), edges.target_slot.tolist(), strict=True)
        nodes = sorted((path, graph.graph.op(node)) for node, path in enumerate(paths))
        return [*nodes], sorted((paths[source], paths[target], slot) for source, target, slot in ends)

    assert (content(one) == content(other)) == (compare_graphs(one, other) == GraphDiff())
