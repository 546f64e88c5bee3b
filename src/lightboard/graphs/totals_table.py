"""The costs of a graph by scope, as the `summary()` of a framework lists those of a model."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard import cancellation
from lightboard.graphs.graph import Longs
from lightboard.graphs.node_costs import COSTS, Cost
from lightboard.graphs.node_kinds import kind_of
from lightboard.graphs.scope_tree import ScopeTree
from lightboard.graphs.scope_view import Figures, prefix_sums
from lightboard.graphs.scoped_graph import ScopedGraph


class TotalsRow(NamedTuple):
    """The sums over a scope, or the costs of a node; None where nothing is known. `partial` names incomplete sums.

    `time` (microseconds) and `memory` (bytes) are those of the nodes that ran.
    """

    path: str
    depth: int
    kind: str
    op: str
    nodes: int
    parameters: int | None
    trainable: int | None
    bytes: int | None
    flops: int | None
    time: int | None
    memory: int | None
    partial: tuple[str, ...]


@dataclass(frozen=True)
class TotalsTable:
    """The rows from the root down, each before those in it. `total` is the number of rows without a limit."""

    total: int
    rows: list[TotalsRow]


class Prefixes(NamedTuple):
    """Prefix sums of a cost by position, and of how many are unknown."""

    values: Longs
    unknown: Longs


ROWS_PER_STEP = 250
"""Rows that are made between two steps."""


def totals_table(graph: ScopedGraph, limit: int) -> TotalsTable:
    """All scopes, and the nodes that cost something, in the order of the file; above the limit, the outermost."""
    return cancellation.finish(totals_steps(graph, limit))


def totals_steps(graph: ScopedGraph, limit: int) -> Generator[None, None, TotalsTable]:
    """The same. Yields to other work meanwhile."""
    tree = graph.root.tree
    costs = {name: graph.costs.column(name) for name in COSTS}
    listed = np.zeros(len(tree.graph), np.bool_)
    for cost in costs.values():
        if cost is not None:
            listed |= (cost.values > 0) | cost.unknown
    for measured in (tree.graph.times, tree.graph.memory):
        if measured is not None:
            listed |= measured > 0
    if tree.graph.layers is not None:
        listed[:] = True
    items = items_in_order(tree, listed, limit)
    sums = {name: prefixes_of(cost, tree) for name, cost in costs.items()}
    figures = graph.root.figures
    rows = []
    for at, item in enumerate(items):
        if at % ROWS_PER_STEP == 0:
            cancellation.check()
            yield
        rows.append(row_of(tree, item, sums, figures))
    return TotalsTable(tree.scopes + int(listed.sum()), rows)


def items_in_order(tree: ScopeTree, listed: npt.NDArray[np.bool_], limit: int) -> list[int]:
    """The scopes and listed nodes, each after the scope that it is in; the outermost of them if there are too many."""
    inside: dict[int, list[int]] = {}
    level, count = [0], 1
    while level and count < limit:
        cancellation.check()
        deeper: list[int] = []
        for scope in level:
            children = tree.children_of(scope)
            shown = children[(children < tree.scopes) | listed[np.maximum(children - tree.scopes, 0)]]
            inside[scope] = shown[: limit - count].tolist()
            count += len(inside[scope])
            deeper += [item for item in inside[scope] if item < tree.scopes]
        level = deeper
    ordered, pending = list[int](), [0]
    while pending:
        item = pending.pop()
        ordered.append(item)
        pending += reversed(inside.get(item, ()))
    return ordered


def prefixes_of(cost: Cost | None, tree: ScopeTree) -> Prefixes | None:
    """The sums of a cost, for any range of positions."""
    if cost is None:
        return None
    return Prefixes(prefix_sums(cost.values[tree.nodes]), prefix_sums(cost.unknown[tree.nodes].astype(np.int64)))


def row_of(tree: ScopeTree, item: int, sums: dict[str, Prefixes | None], figures: Figures) -> TotalsRow:
    """The row of a scope or node."""
    low, high = int(tree.low[item]), int(tree.high[item])
    found: dict[str, int | None] = {}
    partial = []
    for name, sum_ in sums.items():
        value = int(sum_.values[high] - sum_.values[low]) if sum_ is not None else None
        if sum_ is not None and sum_.unknown[high] > sum_.unknown[low]:
            if value:
                partial.append(name)
            else:
                value = None
        found[name] = value
    node = item - tree.scopes
    kind, op = ("scope", "") if node < 0 else (kind_of(tree.graph, node), tree.graph.op(node))
    nodes = int(figures.weights[high] - figures.weights[low])
    for name, measured in (("time", figures.times), ("memory", figures.memory)):
        found[name] = None if measured is None else measured.between(low, high)
    return TotalsRow(tree.path(item), int(tree.depths[item]), kind, op, nodes, **found, partial=tuple(partial))
