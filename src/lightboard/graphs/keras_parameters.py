"""How many parameters a Keras layer has, computed from its configuration."""

import math
from typing import Any

Shape = tuple[int, ...]

MAX_COUNT = 2**53
"""Larger numbers are not exact in JSON."""


def count_parameters(kind: str, config: dict[str, Any], shape: Shape | None) -> int:
    """The number of weights of a layer of a class with an input of this shape, -1 if it cannot be told."""
    count = _count(kind, config, shape)
    return count if 0 <= count <= MAX_COUNT else -1


def _count(kind: str, config: dict[str, Any], shape: Shape | None) -> int:
    if kind == "Embedding":
        return whole(config, "input_dim") * whole(config, "output_dim") or -1
    features = feature_count(config, shape)
    if features < 0:
        return -1
    bias = 1 if config.get("use_bias", True) else 0
    match kind:
        case "Dense":
            return whole(config, "units") * (features + bias) if whole(config, "units") else -1
        case "Conv1D" | "Conv2D" | "Conv3D" | "Conv1DTranspose" | "Conv2DTranspose" | "Conv3DTranspose":
            window, filters = kernel_elements(config), whole(config, "filters")
            groups = whole(config, "groups") or 1
            return filters * (window * features // groups + bias) if window > 0 and filters else -1
        case "DepthwiseConv1D" | "DepthwiseConv2D":
            window, depth = kernel_elements(config), whole(config, "depth_multiplier")
            return features * depth * (window + bias) if window > 0 and depth else -1
        case "BatchNormalization":
            return features * (2 + bool(config.get("center", True)) + bool(config.get("scale", True)))
        case "LayerNormalization" | "GroupNormalization":
            return features * (bool(config.get("center", True)) + bool(config.get("scale", True)))
        case "LSTM" | "SimpleRNN":
            units, gates = whole(config, "units"), 4 if kind == "LSTM" else 1
            return gates * units * (features + units + bias) if units else -1
        case "GRU":
            units, biases = whole(config, "units"), bias * (2 if config.get("reset_after", True) else 1)
            return 3 * units * (features + units + biases) if units else -1
    return -1


def whole(config: dict[str, Any], key: str) -> int:
    """A positive number of a configuration, 0 if it has none."""
    value = config.get(key)
    return value if isinstance(value, int) and 0 < value <= MAX_COUNT else 0


def feature_count(config: dict[str, Any], shape: Shape | None) -> int:
    """The size of the axis of features of the input, -1 if unknown."""
    if not shape or len(shape) < 2:
        return -1
    if config.get("data_format") == "channels_first":
        return shape[1]
    axis = config.get("axis", -1)
    axis = axis[0] if isinstance(axis, list) and len(axis) == 1 else axis
    return shape[axis] if isinstance(axis, int) and -len(shape) <= axis < len(shape) else -1


def kernel_elements(config: dict[str, Any]) -> int:
    """The number of elements of a window, -1 if unknown."""
    size = config.get("kernel_size")
    sizes = size if isinstance(size, list) else [size]
    if not sizes or not all(isinstance(each, int) and 0 < each < 2**16 for each in sizes):
        return -1
    return math.prod(sizes)
