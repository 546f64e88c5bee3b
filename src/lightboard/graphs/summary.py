"""A graph as a whole."""

from collections import Counter
from typing import NamedTuple

from lightboard.graphs.neighbors import op_counts
from lightboard.graphs.scoped_graph import ScopedGraph

MAX_DEVICES = 200
"""Devices that are listed."""

MAX_PROBLEMS = 20
"""Functions whose problems are listed."""


class Summary(NamedTuple):
    """See `schema.graphs.SummaryResponse`."""

    nodes: int
    edges: int
    scopes: int
    depth: int
    functions: int
    devices: list[str]
    ops: list[tuple[str, int]]
    parameters: int | None
    problems: list[str]


def summarize(graph: ScopedGraph) -> Summary:
    """The figures of a graph, with its functions."""
    trees = [body.tree for body in (graph.root, *graph.bodies.values())]
    ops: Counter[str] = Counter()
    devices: set[str] = set()
    for tree in trees:
        ops.update(dict(op_counts(tree, 0, len(tree.graph))))
        devices.update(tree.graph.devices)
    known = graph.graph.parameters[graph.graph.parameters >= 0]
    return Summary(
        nodes=sum(len(tree.graph) for tree in trees),
        edges=sum(len(tree.graph.edges) for tree in trees),
        scopes=sum(tree.scopes - 1 for tree in trees),
        depth=max(0, int(graph.root.tree.depths.max()) - 1),
        functions=len(graph.bodies),
        devices=sorted(devices - {""})[:MAX_DEVICES],
        ops=sorted(ops.items(), key=lambda each: (-each[1], each[0])),
        parameters=int(known.sum()) if len(known) else None,
        problems=graph.graph.problems + function_problems(graph)[:MAX_PROBLEMS],
    )


def function_problems(graph: ScopedGraph) -> list[str]:
    """The problems of functions, with their names."""
    return [f"{name[:100]}: {problem}" for name, body in graph.bodies.items() for problem in body.tree.graph.problems]
