"""What a node is for, by its operation, as pages draw it."""

from typing import Literal

from lightboard.graphs.graph import GET_ATTRIBUTE, Graph
from lightboard.graphs.node_def import CONSTANTS, VARIABLES

NodeKind = Literal["op", "constant", "variable", "input", "call"]

INPUTS = frozenset(
    {
        *("Placeholder", "PlaceholderWithDefault", "PlaceholderV2", "_Arg", "Argument", "IO Node", "InputLayer"),
        *("Input", "Captured"),
    }
)
PARAMETERS = frozenset({"Parameter", GET_ATTRIBUTE})
"""Operations of torch that give the parameters of a module."""


def kind_of(graph: Graph, node: int) -> NodeKind:
    """The kind of a node."""
    op = graph.op(node)
    if node in graph.calls:
        return "call"
    if graph.parameters[node] >= 0:  # also the constants of frozen graphs
        return "variable"
    if op in CONSTANTS or op in ("Initializer", "Buffer"):
        return "constant"
    if op in VARIABLES or op == GET_ATTRIBUTE or (op in PARAMETERS and graph.output_types(node)):
        return "variable"
    return "input" if op in INPUTS else "op"
