"""What each node of a graph costs: parameters, those that are trained, their bytes, and operations of one pass."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.graphs.flops import count_flops
from lightboard.graphs.graph import MAX_COST, UNKNOWN_COST, Graph, Longs
from lightboard.graphs.node_def import CAPTURES, VARIABLES
from lightboard.graphs.node_kinds import PARAMETERS

COSTS = ("parameters", "trainable", "bytes", "flops")
"""The names of costs, in the order of columns."""

ITEM_BITS = re.compile(r"(?:bfloat|float|q?u?int|complex)([0-9]{1,3})(?![0-9])")
"""Types of a known size begin like this."""


class Cost(NamedTuple):
    """One cost of each node: 0 where `unknown`."""

    values: Longs
    unknown: npt.NDArray[np.bool_]

    @property
    def total(self) -> "Total":
        """Of all nodes."""
        return Total(int(self.values.sum()), bool(self.unknown.any()))


class Total(NamedTuple):
    """A sum, of which some are unknown if it is `partial`."""

    value: int
    partial: bool


@dataclass(frozen=True)
class NodeCosts:
    """The costs of the nodes of a graph or function; None where nothing is known of any node."""

    parameters: Cost | None
    trainable: Cost | None
    bytes: Cost | None
    flops: Cost | None

    def column(self, name: str) -> Cost | None:
        """One of `COSTS`."""
        found: Cost | None = getattr(self, name)
        return found


def costs_of(graph: Graph, callees: Mapping[str, NodeCosts]) -> NodeCosts:
    """The costs of a graph, with the operations of the functions that it calls."""
    flops = graph.flops if graph.layers is None else graph.layers.flops
    flops = count_flops(graph) if flops is None else flops.copy()
    none = np.zeros(len(graph), np.bool_)
    add_calls(graph, flops, callees)
    if graph.layers is not None:
        layers = graph.layers
        return NodeCosts(*(cost(each, none) for each in (layers.parameters, layers.trainable, layers.bytes, flops)))
    variables = [at for at, op in enumerate(graph.ops) if op in VARIABLES or op in PARAMETERS]
    unsized = np.isin(graph.op_ids, variables) & (graph.parameters < 0)
    sizes = np.maximum(graph.parameters, 0)
    bits = item_bits(graph)
    sized = (graph.parameters > 0) & (bits < 0)
    stored = np.where(bits < 0, 0, (sizes * np.maximum(bits, 0) + 7) // 8)
    return NodeCosts(
        cost(sizes, unsized, (graph.parameters >= 0).any()),
        None,
        cost(stored, unsized | sized, (stored > 0).any()),
        cost(flops, none),
    )


def cost(values: Longs, unknown: npt.NDArray[np.bool_], known: bool | np.bool_ | None = None) -> Cost | None:
    """A cost whose values are -1 where unknown. None if nothing is `known`, by default if no value is positive."""
    unknown = unknown | (values < 0)
    values = np.maximum(values, 0)
    if not ((values > 0).any() if known is None else known):
        return None
    if values.sum(dtype=np.float64) > MAX_COST:
        values = np.minimum(values, MAX_COST // len(values))
    return Cost(values, unknown)


def add_calls(graph: Graph, flops: Longs, callees: Mapping[str, NodeCosts]) -> None:
    """Add the operations of functions to the nodes that call them. Of several, it is not known which run how often."""
    for node, calls in graph.calls.items():
        inner = [callees[call.function].flops for call in calls if call.function in callees]
        if not any(each is not None for each in inner):
            continue
        total = inner[0].total if len(calls) == 1 and inner[0] is not None else Total(0, True)
        flops[node] = (
            UNKNOWN_COST if total.partial or flops[node] < 0 else min(MAX_COST, int(flops[node]) + total.value)
        )


def item_bits(graph: Graph) -> Longs:
    """The bits of one element of the variable that a node is, -1 if unknown."""
    by_outputs = np.array([bits_of(outputs[0].dtype) if outputs else -1 for outputs in graph.outputs], np.int64)
    bits = by_outputs[graph.output_ids]
    captures = [at for at, op in enumerate(graph.ops) if op in CAPTURES]
    reads = [at for at, op in enumerate(graph.ops) if op == "ReadVariableOp"]
    edges = graph.edges
    captured = np.isin(graph.op_ids[edges.source], captures) & np.isin(graph.op_ids[edges.target], reads)
    bits[edges.source[captured]] = bits[edges.target[captured]]
    return bits


def bits_of(dtype: str) -> int:
    """The bits of one element of this type, -1 if unknown."""
    match = ITEM_BITS.match(dtype)
    return int(match[1]) if match else 8 if dtype == "bool" else -1
