"""What differs between two graphs: nodes and scopes that were added, removed, renamed or changed.

Children of two scopes are matched by their names; of those that are left, equal structures are matched as renamed. A
node is changed if it is another operation, has other types or attributes, or other inputs.
"""

from collections import Counter, defaultdict
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from lightboard import cancellation
from lightboard.graphs.graph import Edges, Ints, Longs
from lightboard.graphs.node_kinds import kind_of
from lightboard.graphs.scope_tree import ScopeTree
from lightboard.graphs.scoped_graph import ScopedGraph

Status = Literal["added", "removed", "renamed", "changed"]

Change = Literal["op", "types", "attributes", "inputs"]
"""What is different about a node."""

PAIRS_PER_STEP = 1000
"""Items that are compared between two steps."""

MOST_SCOPES = 5000
"""Scopes whose differences are counted for display."""


class Difference(NamedTuple):
    """A node or scope that differs, with its path in the graph, None if it was removed, and in the base.

    `scope` is the path in the graph of the scope that it is in, or would be. A scope that was added, removed or renamed
    is one difference, with its number of `nodes`.
    """

    status: Status
    scope: str
    path: str | None
    base_path: str | None
    kind: str
    op: str
    nodes: int
    changes: tuple[Change, ...] = ()


class ScopeCounts(NamedTuple):
    """How many nodes inside of a scope differ. The path is that in the graph, of a removed scope that in the base."""

    path: str
    added: int
    removed: int
    renamed: int
    changed: int


@dataclass
class GraphDiff:
    """The differences from the root down, and their counts for each scope that has some, the outermost first."""

    differences: list[Difference] = field(default_factory=list)
    scopes: list[ScopeCounts] = field(default_factory=list)

    @property
    def counts(self) -> ScopeCounts:
        """Of the whole graph."""
        return self.scopes[0] if self.scopes else ScopeCounts("", 0, 0, 0, 0)


def compare_graphs(base: ScopedGraph, graph: ScopedGraph) -> GraphDiff:
    """What is different in `graph`, compared with `base`. Bodies of functions are parts of the nodes that call them."""
    return cancellation.finish(diff_steps(base, graph))


def diff_steps(base: ScopedGraph, graph: ScopedGraph) -> Generator[None, None, GraphDiff]:
    """The same. Yields to other work meanwhile."""
    return Comparison(base.root.tree, graph.root.tree).compare()


class Pair(NamedTuple):
    """An item of the base and one of the graph that stand for each other; None if there is none."""

    base: int | None
    item: int | None


class Comparison:
    """Two trees, and which items of them stand for each other."""

    def __init__(self, base: ScopeTree, tree: ScopeTree) -> None:
        self.base, self.tree = base, tree
        self.pairs: list[tuple[int, Pair]] = []
        """With the place of the pair of their scopes, which comes before."""
        self.renamed: set[int] = set()
        """Places of pairs whose names differ."""

    def compare(self) -> Generator[None, None, GraphDiff]:
        """All differences. Yields to other work meanwhile."""
        yield from self.match()
        rewired = self.rewired_nodes()
        diff = GraphDiff()
        counts: dict[int, Counter[Status]] = defaultdict(Counter)
        for at, (scope, pair) in enumerate(self.pairs):
            if at % PAIRS_PER_STEP == 0:
                cancellation.check()
                yield
            found = self.difference(at, pair, rewired)
            if found is None:
                continue
            diff.differences.append(found)
            while True:
                counts[scope][found.status] += found.nodes
                if scope == 0:
                    break
                scope = self.pairs[scope][0]
        for at in sorted(counts)[:MOST_SCOPES]:
            count = counts[at]
            path = self.path_of(self.pairs[at][1])
            diff.scopes.append(ScopeCounts(path, count["added"], count["removed"], count["renamed"], count["changed"]))
        return diff

    def match(self) -> Generator[None]:
        """Pair all items, from the roots down, level by level. Yields to other work meanwhile."""
        self.pairs = [(0, Pair(0, 0))]
        at = 0
        while at < len(self.pairs):
            base, item = self.pairs[at][1]
            if base is not None and item is not None and base < self.base.scopes and item < self.tree.scopes:
                cancellation.check()
                yield
                self.match_children(at, self.base.children_of(base), self.tree.children_of(item))
            at += 1

    def match_children(self, scope: int, base: Ints, items: Ints) -> None:
        """Pair the children of two scopes: those of the same name, then those of the same structure."""
        by_name = {(self.base.labels[each], each < self.base.scopes): each for each in base.tolist()}
        names = [(self.tree.labels[item], item < self.tree.scopes) for item in items.tolist()]
        found = [(item, by_name.pop(name, None)) for item, name in zip(items.tolist(), names, strict=True)]
        left: dict[tuple[int, bool], list[int]] = defaultdict(list)
        for each in by_name.values():
            left[int(self.base.digests[each]), each < self.base.scopes].append(each)
        for candidates in left.values():
            candidates.reverse()
        taken = set()
        for item, same in found:
            other = same
            alike = left.get((int(self.tree.digests[item]), item < self.tree.scopes))
            if same is None and alike:
                other = alike.pop()
                self.renamed.add(len(self.pairs))
                taken.add(other)
            self.pairs.append((scope, Pair(other, item)))
        self.pairs += [(scope, Pair(each, None)) for each in by_name.values() if each not in taken]

    def rewired_nodes(self) -> set[int]:
        """Nodes of the graph whose inputs differ from those of the nodes that they are paired with."""
        counterpart = np.full(len(self.tree.graph), -1, np.int64)
        back = np.full(len(self.base.graph), -1, np.int64)
        for _, (base, item) in self.pairs:
            if base is not None and item is not None and base >= self.base.scopes:
                counterpart[item - self.tree.scopes] = base - self.base.scopes
                back[base - self.base.scopes] = item - self.tree.scopes
        here, there = self.tree.graph.edges, self.base.graph.edges
        # Both by nodes of the base: an edge from or to what has no counterpart is in none of it.
        news = columns(here, counterpart[here.source], counterpart[here.target])
        olds = columns(there, there.source, there.target)
        rows, inverse = np.unique(np.concatenate([olds, news]), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        times = np.bincount(inverse[len(olds) :], minlength=len(rows)) - np.bincount(
            inverse[: len(olds)], minlength=len(rows)
        )
        targets = np.unique(rows[times != 0, TARGET]) if len(rows) else np.zeros(0, np.int64)
        targets = targets[targets >= 0]
        return set(back[targets][back[targets] >= 0].tolist())

    def difference(self, at: int, pair: Pair, rewired: set[int]) -> Difference | None:
        """What differs about a pair, None if nothing does."""
        base, item = pair
        if base is None or item is None:
            return self.one_sided(self.scope_of(at), pair)
        node = item - self.tree.scopes
        changes = () if node < 0 else self.changes_of(base, item, is_rewired=node in rewired)
        if not changes and at not in self.renamed:
            return None
        kind, op = kind_and_op(self.tree, item)
        nodes = int(self.tree.high[item] - self.tree.low[item])
        status: Status = "renamed" if at in self.renamed else "changed"
        return Difference(
            status, self.scope_of(at), self.tree.path(item), self.base.path(base), kind, op, nodes, changes
        )

    def one_sided(self, scope: str, pair: Pair) -> Difference:
        """The difference of what only one of the graphs has."""
        tree, item = (self.base, pair.base) if pair.item is None else (self.tree, pair.item)
        item = item or 0
        path, nodes = tree.path(item), int(tree.high[item] - tree.low[item])
        kind, op = kind_and_op(tree, item)
        if pair.item is None:
            return Difference("removed", scope, None, path, kind, op, nodes)
        return Difference("added", scope, path, None, kind, op, nodes)

    def changes_of(self, base: int, item: int, *, is_rewired: bool) -> tuple[Change, ...]:
        """What differs about two nodes."""
        one, other = base - self.base.scopes, item - self.tree.scopes
        old, new = self.base.graph, self.tree.graph
        changes: list[Change] = []
        if old.op(one) != new.op(other):
            changes.append("op")
        if old.output_types(one) != new.output_types(other):
            changes.append("types")
        if not changes and self.base.digests[base] != self.tree.digests[item]:
            changes.append("attributes")
        if is_rewired:
            changes.append("inputs")
        return tuple(changes)

    def scope_of(self, at: int) -> str:
        """The path in the graph of the scope of a pair."""
        return self.path_of(self.pairs[self.pairs[at][0]][1])

    def path_of(self, pair: Pair) -> str:
        """The path of a pair in the graph, or in the base if it was removed."""
        return self.base.path(pair.base or 0) if pair.item is None else self.tree.path(pair.item)


TARGET = 2
"""The column of the target in `columns`."""


def columns(edges: Edges, source: Longs | Ints, target: Longs | Ints) -> Longs:
    """Edges as rows, between these nodes."""
    parts = (source, edges.source_slot, target, edges.target_slot, edges.control)
    return np.stack([np.asarray(part, np.int64) for part in parts], 1)


def kind_and_op(tree: ScopeTree, item: int) -> tuple[str, str]:
    """The kind and the operation of an item."""
    node = item - tree.scopes
    return ("scope", "") if node < 0 else (kind_of(tree.graph, node), tree.graph.op(node))
