"""Puts the nodes of a graph that torch has traced where people who know the model look for them.

torch names nodes after the modules that they are traced in, with two gaps. Parameters are below containers such as
`ModuleList[layers]`, which the nodes that use them are not, since containers are never called. And all calls of a
module have one scope, so that one that is called again later leads to itself.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from lightboard import cancellation
from lightboard.graphs.graph import GET_ATTRIBUTE, Graph
from lightboard.graphs.node_def import CONSTANTS

OPERATIONS = ("aten::", "prim::")
"""How operations of torch begin."""

MAX_NODES = 200_000
"""The names of larger graphs stay as they are."""

MAX_LEVELS = 64
"""Levels of modules of which calls are told apart."""

MAX_STEPS = 5_000_000
"""Nodes that are visited to tell calls apart. Of further modules all calls stay in one scope."""


def place_modules(graph: Graph) -> None:
    """Rename nodes of torch: parameters into the module that uses them, and calls of a module into "#1", "#2" of it."""
    if len(graph) <= MAX_NODES and any(op.startswith(OPERATIONS) for op in graph.ops):
        place_parameters(graph)
        split_calls(graph)


def place_parameters(graph: Graph) -> None:
    """Name parameters "MODULE/weight" instead of "MODULE/weight/weight.203", with the module as its nodes name it."""
    reads = np.isin(graph.op_ids, [at for at, op in enumerate(graph.ops) if op == GET_ATTRIBUTE])
    edges = graph.edges
    users = defaultdict[int, list[str]](list)
    for edge in np.flatnonzero(reads[edges.source] & ~reads[edges.target]).tolist():
        users[int(edges.source[edge])].append(scope_of(graph.names[edges.target[edge]]))
    taken = set(graph.names)
    for node in np.flatnonzero(reads).tolist():
        path, _, attribute = scope_of(graph.names[node]).rpartition("/")
        module = path.rpartition("/")[2]
        scope = next((each for each in users[node] if each.rpartition("/")[2] == module), path)
        name = f"{scope}/{attribute}"
        if path and name not in taken:
            taken.add(name)
            graph.names[node] = name


def scope_of(name: str) -> str:
    """The scope of a node."""
    return name.rpartition("/")[0]


def split_calls(graph: Graph) -> None:
    """Give calls of a module scopes of their own if they depend on earlier ones by nodes outside of the module."""
    counter = CallCounter(graph)
    scopes = [name.split("/")[:-1] for name in graph.names]
    around = [0] * len(graph)  # the scope above the level, as a number
    for level in range(min(MAX_LEVELS, max(map(len, scopes), default=0))):
        cancellation.check()
        modules = defaultdict[tuple[int, str], list[int]](list)
        for node, parts in enumerate(scopes):
            if level < len(parts):
                modules[around[node], parts[level]].append(node)
        numbers = dict[tuple[int, int], int]()
        for module, nodes in enumerate(modules.values()):
            calls = counter.calls_of(nodes)
            is_split = any(calls)
            for node, call in zip(nodes, calls, strict=True):
                around[node] = numbers.setdefault((module, call), len(numbers))
                if is_split:
                    scopes[node][level] += f" #{call + 1}"
    for node, (name, parts) in enumerate(zip(graph.names, scopes, strict=True)):
        graph.names[node] = "/".join([*parts, name.rpartition("/")[2]])


class CallCounter:
    """Counts the calls of modules in a graph whose nodes are in the order in which they were traced.

    Constants, parameters and what is computed of constants alone are *fixed*: they tell no calls apart, since torch
    puts equal constants of several calls, and of several modules, into one node.
    """

    def __init__(self, graph: Graph) -> None:
        given = [op in CONSTANTS or op == GET_ATTRIBUTE for op in graph.ops]
        self._inputs: list[list[int]] = [[] for _ in range(len(graph))]
        self._users: list[list[int]] = [[] for _ in range(len(graph))]
        edges = graph.edges
        for source, target in zip(edges.source.tolist(), edges.target.tolist(), strict=True):
            if source < target:
                self._inputs[target].append(source)
                self._users[source].append(target)
        self._fixed: list[bool] = []
        for op, inputs in zip(graph.op_ids.tolist(), self._inputs, strict=True):
            self._fixed.append(given[op] or (bool(inputs) and all(self._fixed[each] for each in inputs)))
        self._ranks = np.cumsum(~np.array(self._fixed, np.bool_)).tolist()
        self._steps = 0

    def calls_of(self, nodes: Sequence[int]) -> list[int]:
        """For each of the nodes of a module, in their order, the number of the call that it is in, from 0."""
        moving = [node for node in nodes if not self._fixed[node]]
        if not moving or self._ranks[moving[-1]] - self._ranks[moving[0]] < len(moving):
            return [0] * len(nodes)  # nothing comes between them
        self._steps += moving[-1] - moving[0]
        if self._steps > MAX_STEPS:
            return [0] * len(nodes)
        calls = self._count_calls(set(moving), moving[0], moving[-1])
        for node in reversed(nodes):
            if self._fixed[node]:
                calls[node] = min((calls[user] for user in self._users[node] if user in calls), default=0)
        return [calls[node] for node in nodes]

    def _count_calls(self, module: set[int], first: int, last: int) -> dict[int, int]:
        """The calls of the nodes of a module that are not fixed: one more after each way out of it, and back."""
        calls, outside = dict[int, int](), dict[int, int]()
        for node in range(first, last + 1):
            if self._fixed[node]:
                continue
            if node in module:
                calls[node] = max((calls.get(each, outside.get(each, 0)) for each in self._inputs[node]), default=0)
            else:
                after = (calls[each] + 1 if each in calls else outside.get(each, 0) for each in self._inputs[node])
                outside[node] = max(after, default=0)
        return calls
