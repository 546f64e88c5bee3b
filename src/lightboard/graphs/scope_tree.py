"""The scopes of a graph: which node is where, and in which order, so that any scope is answered from sorted columns.

Names are split at "/". An *item* is a scope or a node; scopes come first, and 0 is the root. Nodes have *positions* in
the order of a walk through the tree, so that the nodes of a scope are a range, and its edges ranges of sorted edges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lightboard import cancellation
from lightboard.graphs.graph import Graph, Hashes, Ints, Longs

MAX_DEPTH = 2000
"""Levels of scopes. What is deeper keeps the rest of its name."""

MAX_SCOPES = 1_000_000
"""Scopes of one graph. Nodes of further ones keep the rest of their names."""

ROUNDS = 2
"""How far the position of a child between its siblings counts for the digest of its scope."""

MAX_WEIGHT = 2**40
"""The largest number of nodes of one call that is counted."""


@dataclass
class ScopeTree:
    """The scopes of `graph`. Item `i` has item `i` of the columns that are not about positions or edges.

    `labels` are the last parts of the paths. `children` are sorted by parent, in the order of the file, and those of
    item `i` are children[first[i] : first[i + 1]]. `low` and `high` are the range of positions of the nodes of an item,
    and `nodes` are the nodes by position. `weights` counts nodes, with the bodies of functions that they call.
    `sources` and `targets` are the positions of the ends of edges; `outgoing` and `incoming` are edges sorted by these.
    """

    graph: Graph
    scopes: int
    labels: list[str]
    parents: Ints
    depths: Ints
    children: Ints
    first: Ints
    low: Ints
    high: Ints
    nodes: Ints
    sources: Ints
    targets: Ints
    outgoing: Ints
    incoming: Ints
    weights: Longs
    digests: Hashes

    def item(self, node: int) -> int:
        """The item of a node."""
        return self.scopes + node

    def children_of(self, item: int) -> Ints:
        """The children of a scope, in the order of the file."""
        return self.children[self.first[item] : self.first[item + 1]]

    def path(self, item: int) -> str:
        """The path of an item, "" for the root."""
        parts = []
        while item:
            parts.append(self.labels[item])
            item = int(self.parents[item])
        return "/".join(reversed(parts))

    def find(self, scope: int, label: str) -> int | None:
        """The child of a scope with a label."""
        return next((int(child) for child in self.children_of(scope) if self.labels[child] == label), None)

    @property
    def size_bytes(self) -> int:
        """An estimate of its memory, with that of its graph."""
        return self.graph.size_bytes + 130 * len(self.labels) + 16 * len(self.sources)


def build_tree(graph: Graph, totals: Mapping[str, int], function_digests: Mapping[str, int]) -> ScopeTree:
    """The tree of a graph. `totals` and `function_digests` are nodes and digests of the functions that it calls."""
    labels, parents, depths, created = place_nodes(graph.names)
    scopes = len(created)
    items = len(labels)
    cancellation.check()
    appeared = np.concatenate([created, np.arange(items - scopes, dtype=np.int32)])
    order = np.lexsort((appeared, parents))
    children = order[1:].astype(np.int32) if items else np.zeros(0, np.int32)  # the root is its own parent, and first
    first = np.searchsorted(parents[children], np.arange(items + 1)).astype(np.int32)
    levels = levels_of(depths)
    low, high = ranges_of(parents, children, first, scopes, levels)
    nodes = np.empty(items - scopes, np.int32)
    nodes[low[scopes:]] = np.arange(items - scopes, dtype=np.int32)
    cancellation.check()
    position = low[scopes:]
    sources, targets = position[graph.edges.source], position[graph.edges.target]
    weights, labelled = weights_of(graph, totals), labels_of(graph, function_digests)
    tree = ScopeTree(
        graph=graph,
        scopes=scopes,
        labels=labels,
        parents=parents,
        depths=depths,
        children=children,
        first=first,
        low=low,
        high=high,
        nodes=nodes,
        sources=sources,
        targets=targets,
        outgoing=np.argsort(sources, kind="stable").astype(np.int32),
        incoming=np.argsort(targets, kind="stable").astype(np.int32),
        weights=weights,
        digests=np.zeros(items, np.uint64),
    )
    tree.digests = digest_items(tree, labelled, levels)
    return tree


def place_nodes(names: list[str]) -> tuple[list[str], Ints, Ints, Ints]:
    """Labels, parents and depths of all items, and for each scope the first node in it.

    Nodes of a name that another node or a scope has get a name of their own.
    """
    child_scopes: dict[tuple[int, str], int] = {}
    known = {"": 0}
    labels, parents, depths, created = [""], [0], [0], [0]
    scope_of_node: list[int] = []
    tails: list[str] = []
    for node, name in enumerate(names):
        head, _, tail = name.rpartition("/")
        scope = known.get(head)
        if scope is None:
            scope, rest = 0, ""
            parts = [part for part in head.split("/", MAX_DEPTH + 1) if part]
            for at, part in enumerate(parts):
                below = child_scopes.get((scope, part))
                if below is None:
                    if at >= MAX_DEPTH or len(labels) >= MAX_SCOPES:
                        rest = "/".join(parts[at:]) + "/"
                        break
                    below = child_scopes[scope, part] = len(labels)
                    labels.append(part)
                    parents.append(scope)
                    depths.append(depths[scope] + 1)
                    created.append(node)
                scope = below
            if rest:
                tail = rest + tail
            else:
                known[head] = scope
        scope_of_node.append(scope)
        tails.append(tail)
    add_nodes(labels, parents, depths, child_scopes, scope_of_node, tails)
    return labels, np.array(parents, np.int32), np.array(depths, np.int32), np.array(created, np.int32)


def add_nodes(
    labels: list[str],
    parents: list[int],
    depths: list[int],
    child_scopes: dict[tuple[int, str], int],
    scope_of_node: list[int],
    tails: list[str],
) -> None:
    """Add the nodes to the items, each with a label that no sibling has."""
    taken: dict[tuple[int, str], int] = dict.fromkeys(child_scopes, 1)
    interned: dict[str, str] = {}
    for scope, tail in zip(scope_of_node, tails, strict=True):
        inside = child_scopes.get((scope, tail))
        if inside is not None:
            scope, tail = inside, f"({tail})"
        label = tail = tail or "(no name)"
        while (scope, label) in taken:
            taken[scope, tail] += 1
            label = f"{tail} ({taken[scope, tail]})"
        taken[scope, label] = 1
        labels.append(interned.setdefault(label, label))
        parents.append(scope)
        depths.append(depths[scope] + 1)


def levels_of(depths: Ints) -> list[Ints]:
    """The items of each depth."""
    order = np.argsort(depths, kind="stable").astype(np.int32)
    bounds = np.searchsorted(depths[order], np.arange(int(depths.max()) + 2))
    return [order[bounds[depth] : bounds[depth + 1]] for depth in range(len(bounds) - 1)]


def ranges_of(parents: Ints, children: Ints, first: Ints, scopes: int, levels: list[Ints]) -> tuple[Ints, Ints]:
    """The range of positions of each item."""
    sizes = np.ones(len(parents), np.int64)
    sizes[:scopes] = 0
    for level in reversed(levels[1:]):
        np.add.at(sizes, parents[level], sizes[level])
    before = np.zeros(len(children) + 1, np.int64)
    np.cumsum(sizes[children], out=before[1:])
    offsets = np.zeros(len(parents), np.int64)
    offsets[children] = before[:-1] - before[first[parents[children]]]
    low = np.zeros(len(parents), np.int64)
    for level in levels[1:]:
        low[level] = low[parents[level]] + offsets[level]
    return low.astype(np.int32), (low + sizes).astype(np.int32)


def weights_of(graph: Graph, totals: Mapping[str, int]) -> Longs:
    """For each node, how many nodes it stands for."""
    weights = np.ones(len(graph), np.int64)
    for node, calls in graph.calls.items():
        weights[node] += min(MAX_WEIGHT, sum(totals.get(call.function, 0) for call in calls))
    return weights


def labels_of(graph: Graph, function_digests: Mapping[str, int]) -> Hashes:
    """The hashes of the nodes, with those of the functions that they call."""
    labels = mix(graph.labels)
    for node, calls in graph.calls.items():
        for at, call in enumerate(calls):
            digest = function_digests.get(call.function, 1)
            labels[node] = mix(labels[node : node + 1] + np.uint64((digest * (2 * at + 3)) & (2**64 - 1)))[0]
    return labels


def mix(values: npt.NDArray[Any]) -> Hashes:
    """A hash of each value of 64 bits (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)), np.uint64)


def digest_items(tree: ScopeTree, node_labels: Hashes, levels: list[Ints]) -> Hashes:
    """The digest of each item: equal for scopes of equal structure, whatever names and order their nodes have.

    It sums over the children, each with its digest and those of the siblings that its edges lead to. Edges
    that leave a scope do not count.
    """
    digests = np.zeros(len(tree.labels), np.uint64)
    digests[tree.scopes :] = node_labels
    edges = tree.graph.edges
    left, right, parent = sibling_ends(tree)
    ports = mix(
        node_labels[edges.source] * np.uint64(3)
        + node_labels[edges.target] * np.uint64(5)
        + (edges.source_slot.astype(np.int64) + 2).astype(np.uint64) * np.uint64(7919)
        + (edges.target_slot.astype(np.int64) + 2).astype(np.uint64) * np.uint64(104729)
        + edges.control.astype(np.uint64)
    )
    edge_depths = tree.depths[parent]
    order = np.argsort(edge_depths, kind="stable")
    bounds = np.searchsorted(edge_depths[order], np.arange(len(levels) + 1))
    around, placed = np.zeros(len(tree.labels), np.uint64), np.zeros(len(tree.labels), np.uint64)
    for depth in range(len(levels) - 2, -1, -1):
        cancellation.check()
        members = levels[depth + 1]
        inside = order[bounds[depth] : bounds[depth + 1]]
        sources, targets, port = left[inside], right[inside], ports[inside]
        placed[members] = digests[members]
        for _ in range(ROUNDS):
            around[members] = 0
            np.add.at(around, targets, mix(placed[sources] + port))
            np.add.at(around, sources, mix(placed[targets] * np.uint64(9) + port + np.uint64(1)))
            placed[members] = mix(digests[members] + around[members])
        np.add.at(digests, tree.parents[members], placed[members])
        scopes = levels[depth][levels[depth] < tree.scopes]
        digests[scopes] = mix(digests[scopes] + np.uint64(0x9E3779B97F4A7C15))
    return digests


def sibling_ends(tree: ScopeTree) -> tuple[Ints, Ints, Ints]:
    """For each edge the two siblings that it connects, and their parent: the innermost scope that holds both ends."""
    edges = tree.graph.edges
    left = (edges.source + tree.scopes).astype(np.int32)
    right = (edges.target + tree.scopes).astype(np.int32)
    active = np.arange(len(left))
    while len(active):
        cancellation.check()
        one, other = left[active], right[active]
        deeper, shallower = tree.depths[one] > tree.depths[other], tree.depths[one] < tree.depths[other]
        apart = tree.parents[one] != tree.parents[other]
        both = ~deeper & ~shallower & apart
        left[active] = np.where(deeper | both, tree.parents[one], one)
        right[active] = np.where(shallower | both, tree.parents[other], other)
        active = active[deeper | shallower | both]
    return left, right, tree.parents[left]
