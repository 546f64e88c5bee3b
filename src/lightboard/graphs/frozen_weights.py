"""Counts the parameters of frozen graphs, whose variables are constants."""

import numpy as np

from lightboard.graphs.graph import Graph, TensorType
from lightboard.graphs.node_def import VARIABLES

WEIGHTS = frozenset({"Const", "HostConst"})
"""Operations that weights are frozen to."""

FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
"""Types of weights. Constants of other types are shapes, axes and indices."""


def count_frozen_weights(graph: Graph) -> None:
    """Count constants as parameters if the graph has no variables: tensors of floats, but not single numbers."""
    bodies = (graph, *graph.functions.values())
    if any(VARIABLES.intersection(body.ops) or (body.parameters >= 0).any() for body in bodies):
        return
    for body in bodies:
        sizes = np.array([weight_size(outputs[0]) if outputs else -1 for outputs in body.outputs], np.int64)
        weights = np.isin(body.op_ids, [at for at, op in enumerate(body.ops) if op in WEIGHTS])
        body.parameters = np.where(weights, sizes[body.output_ids], body.parameters)


def weight_size(tensor: TensorType) -> int:
    """The number of parameters in a constant of this type, -1 if it is no weight."""
    if tensor.dtype not in FLOATS or not tensor.shape or any(size < 0 for size in tensor.shape):
        return -1
    return tensor.elements
