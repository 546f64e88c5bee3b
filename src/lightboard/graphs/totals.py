"""What is summed up over the nodes of a box."""

from typing import NamedTuple

import numpy as np

from lightboard.graphs.graph import Longs
from lightboard.graphs.scope_view import MAX_NUMBER, Sums, prefix_sums
from lightboard.graphs.scoped_graph import Place

FEW_ITEMS = 8
"""Of more, the nodes of the whole tree are compared at once."""


class Totals(NamedTuple):
    """Sums over nodes; None where nothing is known. `time` is in microseconds, `memory` in bytes."""

    nodes: int
    device: str
    parameters: int | None
    memory: int | None
    time: int | None


def totals_of(place: Place, items: list[int]) -> Totals:
    """The sums over these items of the body of `place`."""
    tree, figures = place.tree, place.body.figures
    low, high = tree.low[items], tree.high[items]

    def total(sums: Longs) -> int:
        return min(MAX_NUMBER, int((sums[high] - sums[low]).sum()))

    def known(sums: Sums | None) -> int | None:
        return None if sums is None else sums.between(low, high)

    return Totals(
        total(figures.weights),
        common_device(place, items),
        known(figures.parameters),
        known(figures.memory),
        known(figures.times),
    )


def common_device(place: Place, items: list[int]) -> str:
    """The device of all nodes of these items, "" if they have several."""
    tree = place.tree
    first = int(tree.graph.device_ids[tree.nodes[tree.low[items[0]]]])
    if len(items) > FEW_ITEMS:
        same = prefix_sums((tree.graph.device_ids[tree.nodes] == first).astype(np.int64))
        low, high = tree.low[items], tree.high[items]
        return "" if np.any(same[high] - same[low] != high - low) else tree.graph.devices[first]
    for item in items:
        ids = tree.graph.device_ids[tree.nodes[tree.low[item] : tree.high[item]]]
        if np.any(ids != first):
            return ""
    return tree.graph.devices[first]
