"""One scope for display: its boxes, the edges between them, and those that leave it."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.graphs.graph import Graph, Ints, Longs
from lightboard.graphs.node_kinds import kind_of
from lightboard.graphs.scope_tree import ScopeTree
from lightboard.graphs.stacks import find_stacks

MAX_BOXES = 300
"""Boxes of one scope. Further children are one box, the rest."""

MAX_VIEW_BYTES = 48_000
"""A scope with more in JSON has fewer boxes, but not fewer than `LEAST_BOXES`."""

LEAST_BOXES = 10

BOX_BYTES, EDGE_BYTES, BRIDGE_BYTES = 215, 105, 120
"""What a box, an edge and a bridge take in JSON, beside their texts."""

MAX_NUMBER = 2**53
"""Larger numbers are not exact in JSON."""

PATHS_PER_BRIDGE, PATHS_PER_SCOPE, MAX_PATH_CHARS = 8, 256, 10_000
"""How many of the nodes at the other ends of bridges are named, and how many characters that may take."""


class Box(NamedTuple):
    """See `schema.graphs.GraphBox`. `items` are the children that it stands for."""

    items: list[int]
    label: str
    kind: str


@dataclass(frozen=True)
class EdgeGroup:
    """Edges with the same ends, see `schema.graphs.GraphEdge`. `largest` is the edge with the largest tensor."""

    source: int
    target: int
    count: int
    elements: int
    largest: int
    control: bool


@dataclass(frozen=True)
class Bridge:
    """Edges between a box and what is outside, see `schema.graphs.GraphBridge`. `nodes` are some nodes at the ends."""

    box: int
    incoming: bool
    count: int
    ends: int
    elements: int
    largest: int
    control: bool
    nodes: list[int]


@dataclass
class ScopeView:
    """What one scope shows."""

    total: int
    boxes: list[Box]
    edges: list[EdgeGroup] = field(default_factory=list)
    bridges: list[Bridge] = field(default_factory=list)


@dataclass
class Figures:
    """What is summed up over the nodes of a box, by position: prefix sums, and elements of the tensor of each edge."""

    weights: Longs
    parameters: "Sums"
    times: "Sums | None"
    memory: "Sums | None"
    elements: Longs


class Sums(NamedTuple):
    """Prefix sums of values of which some are unknown, and of how many are known."""

    values: Longs
    known: Longs

    def between(self, low: Ints | int, high: Ints | int) -> int | None:
        """The sum over these ranges of positions, None if nothing in them is known."""
        known = np.sum(self.known[high] - self.known[low])
        return min(MAX_NUMBER, int(np.sum(self.values[high] - self.values[low]))) if known else None


def figures_of(tree: ScopeTree) -> Figures:
    """The figures of a tree."""
    graph, nodes = tree.graph, tree.nodes
    return Figures(
        prefix_sums(tree.weights[nodes]),
        known_sums(graph.parameters[nodes]),
        None if graph.times is None else known_sums(graph.times[nodes]),
        None if graph.memory is None else known_sums(graph.memory[nodes]),
        edge_elements(graph),
    )


def known_sums(values: Longs) -> Sums:
    """The sums of values that are -1 where unknown."""
    return Sums(prefix_sums(np.maximum(values, 0)), prefix_sums((values >= 0).astype(np.int64)))


def prefix_sums(values: npt.NDArray[np.int64]) -> Longs:
    """Sums of the first n values."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def edge_elements(graph: Graph) -> Longs:
    """The number of elements that flow along each edge, -1 if unknown."""
    flat: list[int] = [-1]
    starts, counts = [], []
    for outputs in graph.outputs:
        starts.append(len(flat))
        counts.append(len(outputs))
        flat += [types.elements for types in outputs]
    edges = graph.edges
    output = graph.output_ids[edges.source]
    slot = edges.source_slot
    known = (slot >= 0) & (slot < np.array(counts, np.int64)[output]) if len(edges) else np.zeros(0, np.bool_)
    index = np.where(known, np.array(starts, np.int64)[output] + slot, 0) if len(edges) else np.zeros(0, np.int64)
    return np.array(flat, np.int64)[index]


class Children:
    """The children of a scope, of which some are stacks. Boxes are made when it is known how many are shown."""

    def __init__(self, tree: ScopeTree, items: Ints) -> None:
        self.tree, self.items = tree, items
        self._order = np.argsort(items)
        self._stacks = find_stacks(tree, items)
        self._stack_of = np.full(len(items), -1, np.int64)
        firsts = []
        for at, stack in enumerate(self._stacks):
            places = self.places(stack.members)
            self._stack_of[places] = at
            firsts.append(int(places.min()))
        alone = np.flatnonzero(self._stack_of < 0)
        self._firsts = np.sort(np.concatenate([alone, np.array(firsts, np.int64)]))

    def places(self, items: list[int]) -> npt.NDArray[np.int64]:
        """Where these children are among all."""
        return self._order[np.searchsorted(self.items, items, sorter=self._order)]

    def boxes(self, limit: int) -> list[Box]:
        """At most so many boxes in the order of the file, of which the last one stands for the rest.

        What opens is shown before what does not.
        """
        if len(self._firsts) <= limit:
            return [self._box(place) for place in self._firsts.tolist()]
        first = self.items[self._firsts]
        calls = np.isin(first - self.tree.scopes, list(self.tree.graph.calls))
        opens = (first < self.tree.scopes) | calls | (self._stack_of[self._firsts] >= 0)
        chosen = np.sort(np.concatenate([self._firsts[opens], self._firsts[~opens]])[: limit - 1])
        shown = np.zeros(len(self.items), np.bool_)
        shown[chosen] = True
        stacks = self._stack_of[chosen]
        shown |= np.isin(self._stack_of, stacks[stacks >= 0])
        return [*(self._box(place) for place in chosen.tolist()), Box(self.items[~shown].tolist(), "", "rest")]

    def _box(self, place: int) -> Box:
        """The box that begins with a child."""
        if (at := int(self._stack_of[place])) >= 0:
            return Box(self._stacks[at].members, self._stacks[at].label, "stack")
        item = int(self.items[place])
        kind = "scope" if item < self.tree.scopes else kind_of(self.tree.graph, item - self.tree.scopes)
        return Box([item], self.tree.labels[item], kind)


def view_scope(children: Children, scope: int, figures: Figures, prefix_chars: int = 0) -> ScopeView:
    """What a scope with these children shows, in paths that begin with so many characters more."""
    tree, limit = children.tree, MAX_BOXES
    path_chars = prefix_chars + len(tree.path(scope).encode("utf-8", "replace"))
    while True:
        view = view_of(tree, scope, figures, children, children.boxes(limit))
        size = estimated_bytes(view, tree, path_chars, prefix_chars)
        if size <= MAX_VIEW_BYTES or len(view.boxes) <= LEAST_BOXES:
            return view
        limit = max(LEAST_BOXES, min(len(view.boxes) - 1, int(0.95 * len(view.boxes) * MAX_VIEW_BYTES / size)))


def estimated_bytes(view: ScopeView, tree: ScopeTree, path_chars: int, prefix_chars: int) -> int:
    """About how many bytes of JSON a view takes. Shapes are taken for short."""
    names = tree.graph.names
    labels = sum(len(tree.labels[box.items[0]].encode("utf-8", "replace")) + len(box.label) for box in view.boxes)
    paths = sum(len(names[node]) + prefix_chars + 5 for bridge in view.bridges for node in bridge.nodes)
    boxes = (BOX_BYTES + path_chars) * len(view.boxes) + labels
    return boxes + EDGE_BYTES * len(view.edges) + BRIDGE_BYTES * len(view.bridges) + paths


def view_of(tree: ScopeTree, scope: int, figures: Figures, children: Children, boxes: list[Box]) -> ScopeView:
    """These boxes of a scope, with edges and bridges."""
    box_of_child = np.full(len(children.items), -1, np.int64)
    for at, box in enumerate(boxes):
        box_of_child[children.places(box.items)] = at
    view = ScopeView(len(children.items), boxes)
    if len(children.items):
        connect(view, tree, scope, figures, children.items, box_of_child)
    return view


def connect(
    view: ScopeView, tree: ScopeTree, scope: int, figures: Figures, children: Ints, box_of_child: npt.NDArray[np.int64]
) -> None:
    """Add edges and bridges. Edges inside of a box, also between members of one stack, are left out.

    Edges of a node to itself are kept where the node is a box, or a member of a stack.
    """
    low, high = int(tree.low[scope]), int(tree.high[scope])
    starts = tree.low[children]
    by_source, by_target = tree.sources[tree.outgoing], tree.targets[tree.incoming]
    out = tree.outgoing[np.searchsorted(by_source, low) : np.searchsorted(by_source, high)]
    into = tree.incoming[np.searchsorted(by_target, low) : np.searchsorted(by_target, high)]

    def box_at(positions: Ints) -> npt.NDArray[np.int64]:
        return box_of_child[np.searchsorted(starts, positions, side="right") - 1]

    ends_inside = (tree.targets[out] >= low) & (tree.targets[out] < high)
    inner, leaving = out[ends_inside], out[~ends_inside]
    begins_inside = (tree.sources[into] >= low) & (tree.sources[into] < high)
    entering = into[~begins_inside]
    source, target = box_at(tree.sources[inner]), box_at(tree.targets[inner])
    named = np.array([box.kind != "rest" for box in view.boxes])
    kept = (source != target) | (loops_of(tree, children, inner) & named[source])
    inner, source, target = inner[kept], source[kept], target[kept]
    count = len(view.boxes)
    for key, edges, largest in groups(source * count + target, inner, figures.elements):
        elements, control = int(figures.elements[largest]), bool(tree.graph.edges.control[edges].all())
        view.edges.append(EdgeGroup(key // count, key % count, len(edges), elements, largest, control))
    for incoming, crossing in ((True, entering), (False, leaving)):
        near, far = (tree.targets, tree.sources) if incoming else (tree.sources, tree.targets)
        for box, edges, largest in groups(box_at(near[crossing]), crossing, figures.elements):
            ends = np.unique(far[edges])
            elements, control = int(figures.elements[largest]), bool(tree.graph.edges.control[edges].all())
            nodes = [int(tree.nodes[end]) for end in ends[:PATHS_PER_BRIDGE]]
            view.bridges.append(Bridge(box, incoming, len(edges), len(ends), elements, largest, control, nodes))
    shorten_paths(view, tree.graph.names)


def loops_of(tree: ScopeTree, children: Ints, edges: Ints) -> npt.NDArray[np.bool_]:
    """Which of these edges lead from a child that is a node to itself."""
    sources = tree.sources[edges]
    child = children[np.searchsorted(tree.low[children], sources, side="right") - 1]
    loops: npt.NDArray[np.bool_] = (sources == tree.targets[edges]) & (child >= tree.scopes)
    return loops


def groups(keys: npt.NDArray[np.int64], edges: Ints, elements: Longs) -> list[tuple[int, Ints, int]]:
    """The edges of each key, and the one with the most elements."""
    if not len(edges):
        return []
    order = np.lexsort((-elements[edges], keys))
    keys, edges = keys[order], edges[order]
    bounds = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1], [True]]))
    return [
        (int(keys[start]), edges[start:stop], int(edges[start]))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]


def shorten_paths(view: ScopeView, names: list[str]) -> None:
    """Name fewer nodes of each bridge if there are many bridges, or long names."""
    most = min(PATHS_PER_BRIDGE, max(1, PATHS_PER_SCOPE // max(1, len(view.bridges))))
    while most > 1 and sum(len(names[node]) for each in view.bridges for node in each.nodes[:most]) > MAX_PATH_CHARS:
        most -= 1
    view.bridges = [replace(bridge, nodes=bridge.nodes[:most]) for bridge in view.bridges]
