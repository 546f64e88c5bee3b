"""Call trees from above and from below: the calls inside of a call, or those around it, as far as they are opened."""

import heapq
from collections.abc import Callable, Collection
from functools import cached_property
from itertools import count
from typing import Literal, NamedTuple

from lightboard import cancellation
from lightboard.profiles.call_tree import ROOT, CallTree, LongestSlice, NodeKey

Direction = Literal["down", "up"]

CallColumn = Literal["name", "count", "total_us", "self_us", "mean_us"]
"""What the nodes with the same one around them are sorted by."""

Path = tuple[int, ...]
"""A node by the indexes of `CallTree.keys` from the outermost one down, or from the innermost one up."""


class CallRow(NamedTuple):
    """A node that is shown. `parent` is the index of another row, None for those that were asked for.

    `children` is how many nodes are inside of it, or around it.
    """

    parent: int | None
    path: Path
    key: NodeKey
    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    total_ns: int
    self_ns: int
    children: int
    longest: LongestSlice | None
    is_found: bool


class CallRows(NamedTuple):
    """The rows that were asked for, and those `around` them, from the outermost, which is the first key of the path.

    `left_out` are those that were too short or many.
    """

    around: list[CallRow]
    rows: list[CallRow]
    left_out: int
    whole_ns: int


class Calls(NamedTuple):
    """Nodes of a tree that are one node of a view: where calls are, and which of the calls around them is meant."""

    path: Path
    nodes: list[int]
    at: list[int]


class CallView:
    """A tree from above or from below, with the nodes that lead to any whose name has all words of `search`."""

    def __init__(self, tree: CallTree, direction: Direction, search: str = "") -> None:
        self.tree, self.direction = tree, direction
        words = search.casefold().split()
        self._is_found = [bool(words) and all(word in key.name.casefold() for word in words) for key in tree.keys]
        self._leads = leading(tree, self._is_found) if words else None

    def rows(
        self,
        path: Path,
        *,
        depth: int,
        limit: int,
        least_share: float,
        sort: CallColumn | None = None,
        descending: bool = True,
    ) -> CallRows:
        """The nodes below this one to a depth: at most `limit`, the first ones in an order.

        None is shorter than `least_share` of it. From above it is total time that says how long they are, from below
        self time; without `sort` the longest are the first ones.
        """
        around = self._around(path)
        whole_ns = self._weight(around[-1]) if path and around else self.tree.total_ns[ROOT]
        least_ns = round(least_share * whole_ns)
        value = self._values(sort)
        rows, left_out, order = list[CallRow](), 0, count()
        heap = list[tuple[float, int, int | None, Calls]]()

        def push(parent: int | None, found: list[Calls]) -> None:
            nonlocal left_out
            for each in found:
                weight = self._weight(each)
                if weight < least_ns:
                    left_out += 1
                else:
                    first = -value(each) if descending else value(each)
                    heapq.heappush(heap, (first, next(order), parent, each))

        if around:
            push(None, self._inside(around[-1]))
        while heap and len(rows) < limit:
            _, _, parent, calls = heapq.heappop(heap)
            cancellation.check()
            inside = self._inside(calls)
            rows.append(self._row(parent, calls, len(inside)))
            if len(calls.path) - len(path) < depth:
                push(len(rows) - 1, inside)
        outer = [self._row(None, calls, len(self._inside(calls))) for calls in around[1:]]
        return CallRows(outer, rows, left_out + len(heap), self.tree.total_ns[ROOT])

    def _around(self, path: Path) -> list[Calls]:
        """The nodes of the view from the root to the one with this path, none if that is not there."""
        result = [Calls((), [ROOT], [ROOT])]
        for key in path:
            found = self._inside(result[-1], only=key)
            if not found:
                return []
            result.append(found[0])
        return result

    def _values(self, sort: CallColumn | None) -> Callable[[Calls], float]:
        """What nodes are sorted by."""
        if sort is None:
            return self._weight
        return {
            "name": lambda calls: self._name_places[calls.path[-1]],
            "count": self._count,
            "total_us": self._total,
            "self_us": self._self,
            "mean_us": lambda calls: self._total(calls) / max(self._count(calls), 1),
        }[sort]

    @cached_property
    def _name_places(self) -> list[int]:
        """Of each key, its place in the order of names."""
        names = [(key.name.casefold(), key.name) for key in self.tree.keys]
        places = {name: place for place, name in enumerate(sorted(set(names)))}
        return [places[name] for name in names]

    def _inside(self, calls: Calls, only: int | None = None) -> list[Calls]:
        """The nodes of the view one step further, or the one of a key."""
        tree, groups = self.tree, dict[int, Calls]()
        pairs = self._down(calls) if self.direction == "down" else self._up(calls)
        for node, at in pairs:
            key = tree.key[at]
            if (only is not None and key != only) or not self._is_wanted(node, at):
                continue
            group = groups.get(key)
            if group is None:
                group = groups[key] = Calls((*calls.path, key), [], [])
            group.nodes.append(node)
            group.at.append(at)
        return list(groups.values())

    def _down(self, calls: Calls) -> list[tuple[int, int]]:
        return [(child, child) for node in calls.nodes for child in self.tree.children[node]]

    def _up(self, calls: Calls) -> list[tuple[int, int]]:
        tree = self.tree
        if not calls.path:
            return [(node, node) for node in range(1, len(tree.key)) if tree.keys[tree.key[node]].type == "slice"]
        pairs = ((node, tree.parent[at]) for node, at in zip(calls.nodes, calls.at, strict=True))
        return [(node, at) for node, at in pairs if at != ROOT]

    def _is_wanted(self, node: int, at: int) -> bool:
        if self._leads is None:
            return True
        return self._leads[at] if self.direction == "down" else self._is_found[self.tree.key[node]]

    def _weight(self, calls: Calls) -> int:
        """How much time these calls count for: from above all of it, from below that of the calls themselves."""
        if self.direction == "up":
            return self._self(calls)
        return sum(self.tree.total_ns[node] for node in calls.nodes)

    def _self(self, calls: Calls) -> int:
        """The time of these calls themselves."""
        return sum(self.tree.self_ns[node] for node in calls.nodes)

    def _count(self, calls: Calls) -> int:
        """How many they are."""
        return sum(self.tree.count[node] for node in calls.nodes)

    def _total(self, calls: Calls) -> int:
        """The time in these calls, those in calls of the same name only once."""
        tree = self.tree
        if self.direction == "down":
            return sum(tree.total_ns[node] for node in calls.nodes)
        return sum(tree.total_ns[node] for node in outermost(tree, calls.nodes))

    def _row(self, parent: int | None, calls: Calls, children: int) -> CallRow:
        tree, key = self.tree, calls.path[-1]
        examples = [each for each in (tree.longest[node] for node in calls.nodes) if each]
        longest = max(examples, key=lambda each: each.duration_ns, default=None)
        figures = self._count(calls), self._total(calls), self._self(calls), children
        return CallRow(parent, calls.path, tree.keys[key], *figures, longest, self._is_found[key])


def depth_first(rows: list[CallRow]) -> list[tuple[int, CallRow]]:
    """The rows as a tree is printed, each with its depth."""
    inside = dict[int | None, list[int]]()
    for at, row in enumerate(rows):
        inside.setdefault(row.parent, []).append(at)
    result, open_ = list[tuple[int, CallRow]](), [(0, at) for at in reversed(inside.get(None, []))]
    while open_:
        depth, at = open_.pop()
        result.append((depth, rows[at]))
        open_ += [(depth + 1, child) for child in reversed(inside.get(at, []))]
    return result


def outermost(tree: CallTree, nodes: Collection[int]) -> list[int]:
    """Those of the nodes that are in no other one of them."""
    chosen, result = set(nodes), list[int]()
    for node in nodes:
        at = tree.parent[node]
        while at > ROOT and at not in chosen:
            at = tree.parent[at]
        if at <= ROOT:
            result.append(node)
    return result


def leading(tree: CallTree, is_found: list[bool]) -> list[bool]:
    """For each node, whether it is found, is inside of one that is found, or has one inside."""
    result = [node != ROOT and is_found[tree.key[node]] for node in range(len(tree.key))]
    inside = result.copy()
    for node in range(1, len(result)):
        inside[node] = inside[node] or inside[tree.parent[node]]
    for node in range(len(result) - 1, ROOT, -1):
        result[tree.parent[node]] = result[tree.parent[node]] or result[node]
    return [one or other for one, other in zip(result, inside, strict=True)]
