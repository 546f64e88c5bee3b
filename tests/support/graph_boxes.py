"""The boxes of graphs, as tests compare them."""

from lightboard.graphs.graph import Graph
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.totals_table import totals_table


def boxes_of(graph: Graph, path: str = "") -> list[tuple[str, str]]:
    """Labels and kinds of the boxes of a scope."""
    scopes = ScopedGraph(graph)
    return [(box.label, box.kind) for box in scopes.view(scopes.inside(scopes.find(path))).boxes]


def check_scopes(graph: Graph) -> None:
    """Every node is in one scope, and every scope can be shown and summed up."""
    scopes = ScopedGraph(graph)
    for body in (scopes.root, *scopes.bodies.values()):
        assert body.tree.high[0] == len(body.tree.graph)
    table = totals_table(scopes, len(graph) + scopes.root.tree.scopes)
    assert (table.rows[0].path, len(table.rows)) == ("", table.total)
    assert scopes.view(scopes.find("")).total <= len(graph) + scopes.root.tree.scopes
