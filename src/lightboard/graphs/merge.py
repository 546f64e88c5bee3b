"""Merges graphs, each in a scope of its own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lightboard.graphs.graph import Call, Edges, Graph, GraphBuilder, Interned


def merge_graphs(graphs: Sequence[tuple[str, Graph]]) -> Graph:
    """One graph with the nodes of several, in scopes of these names. Their functions get these names as a prefix."""
    merged = GraphBuilder().finish()
    if not graphs:
        return merged
    bodies = [graph for _, graph in graphs]
    starts = np.cumsum([0, *map(len, bodies)]).tolist()
    merged.names = [f"{prefix}/{name}" for prefix, graph in graphs for name in graph.names]
    merged.ops, merged.op_ids = renumber([(graph.ops, graph.op_ids) for graph in bodies])
    merged.devices, merged.device_ids = renumber([(graph.devices, graph.device_ids) for graph in bodies])
    merged.outputs, merged.output_ids = renumber([(graph.outputs, graph.output_ids) for graph in bodies])
    merged.labels = np.concatenate([graph.labels for graph in bodies])
    merged.parameters = np.concatenate([graph.parameters for graph in bodies])
    merged.spans = np.concatenate([graph.spans for graph in bodies])
    merged.edges = Edges(
        np.concatenate([graph.edges.source + at for graph, at in zip(bodies, starts[:-1], strict=True)]).astype(
            np.int32
        ),
        np.concatenate([graph.edges.source_slot for graph in bodies]),
        np.concatenate([graph.edges.target + at for graph, at in zip(bodies, starts[:-1], strict=True)]).astype(
            np.int32
        ),
        np.concatenate([graph.edges.target_slot for graph in bodies]),
        np.concatenate([graph.edges.control for graph in bodies]),
    )
    attributes, sources = dict[int, list[tuple[str, str]]](), dict[int, str]()
    for (prefix, graph), start in zip(graphs, starts[:-1], strict=True):
        merged.calls.update({start + node: prefixed(prefix, calls) for node, calls in graph.calls.items()})
        for name, body in graph.functions.items():
            calls = {node: prefixed(prefix, each) for node, each in body.calls.items()}
            merged.functions[f"{prefix}_{name}"] = replace(body, calls=calls)
        merged.problems += graph.problems
        for node, texts in (graph.attributes or {}).items():
            attributes[start + node] = texts
        for node, line in (graph.sources or {}).items():
            sources[start + node] = line
    merged.attributes = attributes if any(graph.attributes is not None for graph in bodies) else None
    merged.sources = sources or None
    return merged


def prefixed(prefix: str, calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Calls of functions that have got a prefix."""
    return tuple(Call(call.attribute, f"{prefix}_{call.function}") for call in calls)


def renumber(tables: list[tuple[list[Any], npt.NDArray[np.int32]]]) -> tuple[list[Any], npt.NDArray[np.int32]]:
    """One table of the values of several, and the indices of all nodes in it."""
    merged = Interned()
    columns = [np.array([merged.add(value) for value in values], np.int32)[ids] for values, ids in tables]
    return merged.values, np.concatenate(columns)
