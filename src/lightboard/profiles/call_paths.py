"""Call trees from above and from below: the calls inside of a call, or those around it, as far as they are opened."""

import heapq
from collections.abc import Collection
from itertools import count
from typing import Literal, NamedTuple

from lightboard import cancellation
from lightboard.profiles.call_tree import ROOT, CallTree, LongestSlice, NodeKey

Direction = Literal["down", "up"]

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
    """The rows that were asked for, the longest of siblings first; `left_out` are those that were too short or many."""

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

    def rows(self, path: Path, *, depth: int, limit: int, least_ns: int) -> CallRows:
        """The nodes below this one to a depth: at most `limit`, the longest first, and none shorter than `least_ns`.

        From below it is self time that says how long they are.
        """
        start = self._calls(path)
        rows, left_out, order = list[CallRow](), 0, count()
        heap = list[tuple[int, int, int | None, Calls]]()

        def push(parent: int | None, found: list[Calls]) -> None:
            nonlocal left_out
            for each in found:
                weight = self._weight(each)
                if weight < least_ns:
                    left_out += 1
                else:
                    heapq.heappush(heap, (-weight, next(order), parent, each))

        if start is not None:
            push(None, self._inside(start))
        while heap and len(rows) < limit:
            _, _, parent, calls = heapq.heappop(heap)
            cancellation.check()
            inside = self._inside(calls)
            rows.append(self._row(parent, calls, len(inside)))
            if len(calls.path) - len(path) < depth:
                push(len(rows) - 1, inside)
        return CallRows(rows, left_out + len(heap), self.tree.total_ns[ROOT])

    def _calls(self, path: Path) -> Calls | None:
        """The node of the view with this path, None if there is none."""
        calls = Calls((), [ROOT], [ROOT])
        for key in path:
            found = [each for each in self._inside(calls, only=key) if each.path[-1] == key]
            if not found:
                return None
            calls = found[0]
        return calls

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
        column = self.tree.total_ns if self.direction == "down" else self.tree.self_ns
        return sum(column[node] for node in calls.nodes)

    def _total(self, calls: Calls) -> int:
        """The time in these calls, those in calls of the same name only once."""
        tree = self.tree
        if self.direction == "down":
            return sum(tree.total_ns[node] for node in calls.nodes)
        return sum(tree.total_ns[node] for node in outermost(tree, calls.nodes))

    def _row(self, parent: int | None, calls: Calls, children: int) -> CallRow:
        tree, key = self.tree, calls.path[-1]
        counts, selves = ([column[node] for node in calls.nodes] for column in (tree.count, tree.self_ns))
        examples = [each for each in (tree.longest[node] for node in calls.nodes) if each]
        longest = max(examples, key=lambda each: each.duration_ns, default=None)
        figures = sum(counts), self._total(calls), sum(selves), children
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
