"""The edges of a node, or those that cross the border of a scope."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lightboard.graphs.graph import Graph, Ints
from lightboard.graphs.scope_tree import ScopeTree


class End(NamedTuple):
    """The node at the other end of an edge, and what flows: elements (-1 if unknown), text, whether it is control."""

    node: int
    elements: int
    shape: str
    control: bool


def crossing_edges(tree: ScopeTree, low: int, high: int) -> tuple[Ints, Ints]:
    """The edges that come into the nodes at positions [low, high), and those that leave them."""
    by_source, by_target = tree.sources[tree.outgoing], tree.targets[tree.incoming]
    leaving = tree.outgoing[np.searchsorted(by_source, low) : np.searchsorted(by_source, high)]
    entering = tree.incoming[np.searchsorted(by_target, low) : np.searchsorted(by_target, high)]
    if high - low > 1:
        leaving = leaving[(tree.targets[leaving] < low) | (tree.targets[leaving] >= high)]
        entering = entering[(tree.sources[entering] < low) | (tree.sources[entering] >= high)]
    return np.sort(entering), np.sort(leaving)


def ends_of(graph: Graph, edges: Ints, *, incoming: bool, limit: int) -> Iterator[End]:
    """The other ends of the first edges."""
    for edge in edges[:limit].tolist():
        node = int((graph.edges.source if incoming else graph.edges.target)[edge])
        outputs, slot = graph.output_types(int(graph.edges.source[edge])), int(graph.edges.source_slot[edge])
        flow = outputs[slot] if 0 <= slot < len(outputs) else None
        elements, shape = (flow.elements, str(flow)) if flow is not None else (-1, "")
        yield End(node, elements, shape, bool(graph.edges.control[edge]))


def op_counts(tree: ScopeTree, low: int, high: int) -> list[tuple[str, int]]:
    """How many nodes at positions [low, high) have each operation, most frequent first."""
    counts = np.bincount(tree.graph.op_ids[tree.nodes[low:high]], minlength=len(tree.graph.ops)).tolist()
    found = [(op, count) for op, count in zip(tree.graph.ops, counts, strict=True) if count]
    return sorted(found, key=lambda each: (-each[1], each[0]))
