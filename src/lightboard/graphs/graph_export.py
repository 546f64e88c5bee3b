"""Writes graphs for other programs, piece by piece: as DOT for Graphviz, as JSON for Model Explorer."""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lightboard import cancellation
from lightboard.graphs.graph import TensorType
from lightboard.graphs.scope_tree import ScopeTree
from lightboard.graphs.scoped_graph import Body, Place, ScopedGraph

NODES_PER_CHECK = 1000

CONTROL = "control"
"""The output and the input of control dependencies."""

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")

AttributesOf = Callable[[Place], list[tuple[str, str]]]
"""The attributes of a node as texts."""


def bodies_of(graph: ScopedGraph) -> list[tuple[str, Body]]:
    """The graph, whose name is "", and its functions."""
    return [("", graph.root), *graph.bodies.items()]


def write_dot(graph: ScopedGraph) -> Iterator[str]:
    """A digraph with a cluster for each scope, and one for each function."""
    yield 'digraph {\n  compound=true; node [shape=box, fontname="sans-serif"];\n'
    for number, (name, body) in enumerate(bodies_of(graph)):
        if name:
            yield f"  subgraph cluster_{number} {{ label={quoted(f'function {name}')};\n"
        yield from dot_scopes(body.tree, f"{number}_")
        yield from dot_edges(body.tree, f"{number}_")
        if name:
            yield "  }\n"
    yield "}\n"


def dot_scopes(tree: ScopeTree, prefix: str) -> Iterator[str]:
    """The nodes of a tree, in the clusters of their scopes."""
    pending: list[int | None] = [0]  # None closes a cluster
    checks = itertools.cycle(range(NODES_PER_CHECK))
    while pending:
        if next(checks) == 0:
            cancellation.check()
        item = pending.pop()
        if item is None:
            yield "  }\n"
        elif item >= tree.scopes:
            node = item - tree.scopes
            calls = "".join(f"\n{call.function}()" for call in tree.graph.calls.get(node, ()))
            text = f"{tree.labels[item]}\n{tree.graph.op(node)}{calls}"
            yield f"  n{prefix}{node} [label={quoted(text)}];\n"
        else:
            if item:
                yield f"  subgraph cluster_{prefix}{item} {{ label={quoted(tree.labels[item])};\n"
                pending.append(None)
            pending += reversed(tree.children_of(item).tolist())


def dot_edges(tree: ScopeTree, prefix: str) -> Iterator[str]:
    """The edges of a tree, each with what flows along it."""
    edges = tree.graph.edges
    columns = (edges.source, edges.source_slot, edges.target, edges.control)
    for at, (source, slot, target, control) in enumerate(zip(*(each.tolist() for each in columns), strict=True)):
        if at % NODES_PER_CHECK == 0:
            cancellation.check()
        types = tree.graph.output_types(source)
        label = str(types[slot]) if 0 <= slot < len(types) else ""
        style = " [style=dashed]" if control else f" [label={quoted(label)}]" if label else ""
        yield f"  n{prefix}{source} -> n{prefix}{target}{style};\n"


def quoted(text: str) -> str:
    """A string of DOT. Its line breaks are those of the text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{UNPRINTABLE.sub("?", escaped)}"'


def write_model_explorer(graph: ScopedGraph, attributes_of: AttributesOf) -> Iterator[str]:
    """A collection of the graph and its functions, which the nodes that call them have as subgraphs."""
    yield '{"label": "lightboard", "graphs": ['
    for at, (name, body) in enumerate(bodies_of(graph)):
        yield f'{", " if at else ""}{{"id": {json.dumps(name or "main")}, "nodes": ['
        edges = edges_by_node(body.tree)
        for node in range(len(body.tree.graph)):
            if node % NODES_PER_CHECK == 0:
                cancellation.check()
            yield f"{',' if node else ''}\n{json.dumps(explorer_node(body, node, edges[node], attributes_of))}"
        yield "]}"
    yield "]}\n"


def edges_by_node(tree: ScopeTree) -> list[list[int]]:
    """The edges that enter each node."""
    edges: list[list[int]] = [[] for _ in range(len(tree.graph))]
    for edge, target in enumerate(tree.graph.edges.target.tolist()):
        edges[target].append(edge)
    return edges


def explorer_node(body: Body, node: int, edges: Sequence[int], attributes_of: AttributesOf) -> dict[str, Any]:
    """A GraphNode, which `edges` enter. Its id is its path, and its label the operation."""
    tree, graph = body.tree, body.tree.graph
    item = tree.item(node)
    outputs = [
        {"id": str(slot), "attrs": [{"key": "tensor_shape", "value": type_text(types)}]}
        for slot, types in enumerate(graph.output_types(node))
    ]
    place = Place(body, item, "")
    found: dict[str, Any] = {
        "id": tree.path(item),
        "label": graph.op(node),
        "namespace": tree.path(int(tree.parents[item])),
        "incomingEdges": [explorer_edge(tree, edge) for edge in edges],
        "attrs": [{"key": key, "value": value} for key, value in attributes_of(place)],
        "outputsMetadata": outputs,
    }
    if calls := graph.calls.get(node):
        found["subgraphIds"] = [call.function for call in calls]
    return found


def explorer_edge(tree: ScopeTree, edge: int) -> dict[str, str]:
    """An IncomingEdge."""
    edges = tree.graph.edges
    control = bool(edges.control[edge])
    return {
        "sourceNodeId": tree.path(tree.item(int(edges.source[edge]))),
        "sourceNodeOutputId": CONTROL if control else str(edges.source_slot[edge]),
        "targetNodeInputId": CONTROL if control else str(edges.target_slot[edge]),
    }


def type_text(types: TensorType) -> str:
    """A type as `model_explorer.type_of` reads it, such as "float32[1,224,?]"."""
    if types.shape is None:
        return types.dtype
    return f"{types.dtype}[{','.join('?' if size < 0 else str(size) for size in types.shape)}]"
