"""How many floating-point operations a node is, by its operation and the shapes around it.

Only matrix products and convolutions count, as two operations for each product that is added up: they are nearly all
of the work of a model. Sizes that the graph does not state count as one, so that a model with an open batch size
counts one example.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from lightboard.graphs.graph import MAX_COST, UNKNOWN_COST, Graph, Longs, TensorType

Shape = tuple[int, ...]
Inputs = Mapping[int, TensorType]
"""What a node takes, by slot."""

Rule = Callable[[Inputs, TensorType], int]


def count_flops(graph: Graph) -> Longs:
    """The operations of each node: 0 for those that do not count, -1 if it cannot be told."""
    found = np.zeros(len(graph), np.int64)
    rules = [RULES.get(op) for op in graph.ops]
    counted = np.isin(graph.op_ids, [at for at, rule in enumerate(rules) if rule is not None])
    inputs = inputs_of(graph, counted)
    for node in np.flatnonzero(counted).tolist():
        rule, outputs = rules[graph.op_ids[node]], graph.output_types(node)
        output = outputs[0] if outputs else TensorType("", None)
        count = UNKNOWN_COST if rule is None else rule(inputs.get(node, {}), output)
        found[node] = min(count, MAX_COST)
    return found


def inputs_of(
    graph: Graph, wanted: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]"
) -> dict[int, dict[int, TensorType]]:
    """What the wanted nodes take, by slot, as far as it is known."""
    edges = graph.edges
    found: dict[int, dict[int, TensorType]] = {}
    for edge in np.flatnonzero(wanted[edges.target] & ~edges.control).tolist():
        types, slot = graph.output_types(int(edges.source[edge])), int(edges.source_slot[edge])
        if 0 <= slot < len(types):
            found.setdefault(int(edges.target[edge]), {})[int(edges.target_slot[edge])] = types[slot]
    return found


def elements(sizes: Shape) -> int:
    """The product of sizes, with those that are open as one."""
    return math.prod(size for size in sizes if size >= 0)


def shape_at(inputs: Inputs, slot: int) -> Shape | None:
    """The shape of an input, None if unknown."""
    return inputs[slot].shape if slot in inputs else None


def product(first: int) -> Rule:
    """The rule of matrix products of the inputs `first` and `first` + 1."""

    def count(inputs: Inputs, output: TensorType) -> int:
        left, right, out = shape_at(inputs, first), shape_at(inputs, first + 1), output.shape
        if out is None and left and right and len(right) == 2 and right[0] == left[-1] >= 0:
            out = (*left[:-1], right[1])
        if out is None:
            return UNKNOWN_COST
        summed = summed_size(right, out[-1:]) if right is not None else UNKNOWN_COST
        if summed < 0 and left is not None:
            summed = summed_size(left, out[-2:-1])
        return 2 * elements(out) * summed if summed >= 0 else UNKNOWN_COST

    return count


def summed_size(factor: Shape, kept: Shape) -> int:
    """The size that a product sums over: what a matrix has beside the size that is also in the result."""
    if len(factor) == 1:
        return factor[0]
    sizes, other = factor[-2:], elements(kept)
    if any(size < 0 for size in sizes) and not (kept and kept[0] < 0 and sum(size < 0 for size in sizes) == 1):
        return UNKNOWN_COST
    total = elements(sizes)
    return total // other if other > 0 and total % other == 0 else UNKNOWN_COST


def linear(inputs: Inputs, output: TensorType) -> int:
    """torch's `linear`: a product with a matrix whose shape it does not write."""
    left = shape_at(inputs, 0)
    if not left or left[-1] < 0 or output.shape is None:
        return UNKNOWN_COST
    return 2 * elements(output.shape) * left[-1]


def convolution(outputs: slice) -> Rule:
    """The rule of convolutions. `outputs` are the axes of the kernel that are also in the result, or none."""

    def count(inputs: Inputs, output: TensorType) -> int:
        kernel = shape_at(inputs, 1)
        if not kernel or output.shape is None or any(size < 0 for size in kernel):
            return UNKNOWN_COST
        kept = elements(kernel[outputs])
        return 2 * elements(output.shape) * (elements(kernel) // kept) if kept else 0

    return count


def unknown(_inputs: Inputs, _output: TensorType) -> int:
    """The rule of operations whose count depends on more than shapes."""
    return UNKNOWN_COST


RULES: dict[str, Rule] = {
    **dict.fromkeys(("MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3", "Gemm"), product(0)),
    **dict.fromkeys(("aten::matmul", "aten::mm", "aten::bmm"), product(0)),
    **dict.fromkeys(("aten::addmm", "aten::baddbmm"), product(1)),
    "aten::linear": linear,
    **dict.fromkeys(("Conv2D", "Conv3D"), convolution(slice(-1, None))),
    "DepthwiseConv2dNative": convolution(slice(2, None)),
    "Conv": convolution(slice(0, 1)),
    **dict.fromkeys(
        (
            *("Conv2DBackpropInput", "Conv2DBackpropFilter", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"),
            *("DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter", "ConvTranspose"),
            *("Einsum", "aten::einsum", "aten::_convolution", "aten::conv2d", "aten::convolution"),
            *("aten::scaled_dot_product_attention", "aten::lstm", "aten::gru", "Attention", "MultiHeadAttention"),
            *("LSTM", "GRU", "RNN", "CudnnRNN", "CudnnRNNV3", "FusedMatMul", "MatMulInteger", "QLinearMatMul"),
            *("QLinearConv", "ConvInteger", "_FusedMatMul", "_FusedConv2D", "SparseMatMul", "XlaDotV2"),
        ),
        unknown,
    ),
}
"""The rules of operations that count."""
