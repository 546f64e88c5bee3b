"""A graph with the scopes of it and of its functions: finds paths, also through calls of functions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lightboard.errors import NotFound
from lightboard.graphs.graph import Call, Graph
from lightboard.graphs.node_costs import NodeCosts, costs_of
from lightboard.graphs.scope_tree import MAX_DEPTH, MAX_WEIGHT, ScopeTree, build_tree
from lightboard.graphs.scope_view import Box, Children, Figures, ScopeView, figures_of, view_scope

MAX_CALL_DEPTH = 200
"""Calls on one path, since functions may call themselves."""

WIDE = 10_000
"""Children of a scope whose stacks are kept, since it takes long to find them."""


@dataclass
class Body:
    """The nodes of a graph or function in their scopes. `_wide` has the last wide scope that was shown."""

    tree: ScopeTree
    _wide: tuple[int, Children] | None = None

    @cached_property
    def figures(self) -> Figures:
        """What is summed up over scopes."""
        return figures_of(self.tree)

    def children_of(self, scope: int) -> Children:
        """The children of a scope, with those that are repeated."""
        known = self._wide
        if known is not None and known[0] == scope:
            return known[1]
        children = Children(self.tree, self.tree.children_of(scope))
        if len(children.items) >= WIDE:
            self._wide = scope, children
        return children

    @property
    def size_bytes(self) -> int:
        """An estimate of its memory."""
        return self.tree.size_bytes + 68 * len(self.tree.graph) + 8 * len(self.tree.graph.edges)


@dataclass(frozen=True)
class Place:
    """An item of the graph or of a function that is called at the path `prefix`; "" is the graph itself."""

    body: Body
    item: int
    prefix: str

    @property
    def tree(self) -> ScopeTree:
        """The tree of the item."""
        return self.body.tree

    @property
    def node(self) -> int:
        """The node, -1 for a scope."""
        return max(-1, self.item - self.tree.scopes)

    @property
    def path(self) -> str:
        """The path of the item."""
        return self.path_of(self.item)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The functions that the node calls."""
        return self.tree.graph.calls.get(self.node, ())

    def path_of(self, item: int) -> str:
        """The path of another item of the same body."""
        inner = self.tree.path(item)
        return f"{self.prefix}/{inner}" if self.prefix and inner else self.prefix or inner

    def path_of_node(self, node: int) -> str:
        """The path of a node of the same body."""
        return self.path_of(self.tree.item(node))


class ScopedGraph:
    """The scopes of `graph` and of its functions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.bodies: dict[str, Body] = {}
        self._totals: dict[str, int] = {}
        self._digests: dict[str, int] = {}
        for name in callees_first(graph):
            body = self._build(graph.functions[name])
            self.bodies[name] = body
            self._totals[name] = min(MAX_WEIGHT, int(body.tree.weights.sum()))
            self._digests[name] = int(body.tree.digests[0])
        self.root = self._build(graph)

    def _build(self, graph: Graph) -> Body:
        return Body(build_tree(graph, self._totals, self._digests))

    @property
    def size_bytes(self) -> int:
        """An estimate of its memory."""
        return sum(body.size_bytes for body in (self.root, *self.bodies.values()))

    @cached_property
    def costs(self) -> NodeCosts:
        """What the nodes cost, with the operations of the functions that they call."""
        callees: dict[str, NodeCosts] = {}
        for name, body in self.bodies.items():  # those that are called come first
            callees[name] = costs_of(body.tree.graph, callees)
        return costs_of(self.graph, callees)

    def find(self, path: str) -> Place:
        """The item at a path. Raises NotFound."""
        place, calls = Place(self.root, 0, ""), 0
        parts = path.split("/") if path else []
        at = 0
        while at < len(parts):
            part = parts[at]
            if place.calls:
                calls += 1
                call = next((call for call in place.calls if call.attribute == part), None)
                if len(place.calls) == 1:
                    call = place.calls[0]
                else:
                    at += 1
                if call is None or calls > MAX_CALL_DEPTH:
                    raise unknown(path)
                place = Place(self.bodies[call.function], 0, "/".join(parts[:at]))
                continue
            if place.tree.depths[place.item] >= MAX_DEPTH:
                part, at = "/".join(parts[at:]), len(parts)
            child = place.tree.find(place.item, part) if place.node < 0 else None
            if child is None:
                raise unknown(path)
            place = Place(place.body, child, place.prefix)
            at += 1
        return place

    def has(self, path: str) -> bool:
        """Whether there is an item at a path."""
        try:
            self.find(path)
        except NotFound:
            return False
        return True

    def inside(self, place: Place) -> Place:
        """The scope that opens at `place`: itself, or the body of the one function that it calls. Raises NotFound."""
        if place.node < 0:
            return place
        if len(place.calls) != 1:
            raise NotFound(f"{place.path!r} is a node without a scope")
        return Place(self.bodies[place.calls[0].function], 0, place.path)

    def branches(self, place: Place) -> list[tuple[str, Place]]:
        """The functions of a node that calls several, such as the condition and the body of a loop, by label."""
        if len(place.calls) < 2:
            return []
        return [
            (call.attribute, Place(self.bodies[call.function], 0, f"{place.path}/{call.attribute}"))
            for call in place.calls
        ]

    def view(self, place: Place) -> ScopeView:
        """What a scope shows."""
        children = place.body.children_of(place.item)
        return view_scope(children, place.item, place.body.figures, len(place.prefix.encode("utf-8", "replace")))

    def members(self, place: Place) -> Box:
        """The stack, or the rest, whose first item is at `place`. Raises NotFound."""
        if place.item:
            parent = Place(place.body, int(place.tree.parents[place.item]), place.prefix)
            for box in self.view(parent).boxes:
                if box.kind in ("stack", "rest") and box.items[0] == place.item:
                    return box
        raise NotFound(f"no stack begins at {place.path!r}")


def unknown(path: str) -> NotFound:
    """The error for a path that does not exist."""
    return NotFound(f"the graph has no node or scope {path[:200]!r}")


def callees_first(graph: Graph) -> Iterator[str]:
    """The functions, those that are called before those that call them, except for recursive calls."""
    done: set[str] = set()
    for start in graph.functions:
        pending = [start]
        entered: set[str] = set()
        while pending:
            name = pending[-1]
            if name in done or name in entered:
                pending.pop()
                if name not in done:
                    done.add(name)
                    yield name
                continue
            entered.add(name)
            calls = graph.functions[name].calls.values()
            wanted = dict.fromkeys(call.function for each in calls for call in each)
            pending += [each for each in wanted if each not in done and each not in entered]
