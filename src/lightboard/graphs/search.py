"""Finds nodes and scopes of a graph by words."""

from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard import cancellation
from lightboard.graphs.scoped_graph import Place, ScopedGraph

Mask = npt.NDArray[np.bool_]

AttributeMatcher = Callable[[Place, str, str], bool]
"""Whether the node at a place has an attribute with a name and a value, both folded."""

ITEMS_PER_STEP = 250
"""Attributes of so many nodes are read between two steps."""


class Hits(NamedTuple):
    """The first hits, of `total`."""

    total: int
    places: list[Place]


def search(graph: ScopedGraph, text: str, limit: int, has_attribute: AttributeMatcher) -> Generator[None, None, Hits]:
    """Nodes and scopes that match all words: those whose own label matches first, then in the order of the graph.

    A word is looked for in paths, operations and shapes; `name=value` in attributes. Functions are searched where they
    are called first. Yields to other work meanwhile.
    """
    words = text.casefold().split()
    plain = [word for word in words if "=" not in word[1:]]
    pairs = [word.partition("=")[::2] for word in words if "=" in word[1:]]
    total, own, others = 0, list[Place](), list[Place]()
    for root in places_of_functions(graph):
        for at, (item, is_own) in enumerate(matches_in(root, plain, scopes=not pairs)):
            if at % ITEMS_PER_STEP == 0:
                cancellation.check()
                yield
            place = Place(root.body, item, root.prefix)
            if pairs and not all(has_attribute(place, *pair) for pair in pairs):
                continue
            total += 1
            if len(own if is_own else others) < limit:
                (own if is_own else others).append(place)
    return Hits(total, (own + others)[:limit])


def places_of_functions(graph: ScopedGraph) -> Iterator[Place]:
    """The root of the graph, and that of each function at one of its calls."""
    seen: set[str] = set()
    pending = [Place(graph.root, 0, "")]
    while pending:
        place = pending.pop(0)
        yield place
        for node, calls in place.tree.graph.calls.items():
            for call in calls:
                if call.function not in seen:
                    seen.add(call.function)
                    path = place.path_of_node(node)
                    prefix = path if len(calls) == 1 else f"{path}/{call.attribute}"
                    pending.append(Place(graph.bodies[call.function], 0, prefix))


def matches_in(root: Place, words: list[str], *, scopes: bool) -> Iterator[tuple[int, bool]]:
    """The items of one body that match, and whether it is by their own label."""
    tree, graph = root.tree, root.tree.graph
    prefix = root.prefix.casefold()
    words = [word for word in words if word not in prefix] or words[:0]
    names = [name.casefold() for name in graph.names]
    mask = np.ones(len(graph), np.bool_)
    for word in words:
        cancellation.check()
        in_op = np.array([word in op.casefold() for op in graph.ops], np.bool_)
        in_shape = np.array([any(word in str(each) for each in types) for types in graph.outputs], np.bool_)
        in_name = np.fromiter((word in name for name in names), np.bool_, len(names))
        mask &= in_name | (in_op[graph.op_ids] | in_shape[graph.output_ids] if len(graph) else in_name)
    found = (tree.scopes + np.flatnonzero(mask)).tolist()
    if scopes and words:
        found += [item for item in range(1, tree.scopes) if scope_matches(root, item, words)]
    for item in sorted(found, key=lambda item: (int(tree.low[item]), int(tree.depths[item]))):
        label = tree.labels[item].casefold()
        yield item, any(word in label for word in words)


def scope_matches(root: Place, item: int, words: list[str]) -> bool:
    """Whether a scope matches by its path, of which its own label has a part: otherwise an outer scope is the hit."""
    label = root.tree.labels[item].casefold()
    if not any(word in label for word in words):
        return False
    return len(words) == 1 or all(word in root.path_of(item).casefold() for word in words)
