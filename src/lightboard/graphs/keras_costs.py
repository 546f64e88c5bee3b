"""What the layers of a Keras model cost, computed from their configurations."""

import math
from typing import Any, NamedTuple

from lightboard.graphs.graph import MAX_COST, UNKNOWN_COST
from lightboard.graphs.keras_parameters import Shape, count_parameters, feature_count, kernel_elements, whole
from lightboard.graphs.node_costs import bits_of

NO_WEIGHTS = frozenset(
    {
        *("InputLayer", "Activation", "ReLU", "LeakyReLU", "ELU", "Softmax", "Dropout", "SpatialDropout1D"),
        *("SpatialDropout2D", "SpatialDropout3D", "AlphaDropout", "GaussianDropout", "GaussianNoise"),
        *("Flatten", "Reshape", "Permute", "RepeatVector", "Masking", "Add", "Subtract", "Multiply", "Average"),
        *("Maximum", "Minimum", "Concatenate", "MaxPooling1D", "MaxPooling2D", "MaxPooling3D"),
        *("AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "GlobalMaxPooling1D"),
        *("GlobalMaxPooling2D", "GlobalMaxPooling3D", "GlobalAveragePooling1D", "GlobalAveragePooling2D"),
        *("GlobalAveragePooling3D", "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D", "Cropping1D"),
        *("Cropping2D", "Cropping3D", "UpSampling1D", "UpSampling2D", "UpSampling3D", "Rescaling", "Resizing"),
        *("CenterCrop", "ActivityRegularization"),
    }
)
"""Layers without weights, and without products of matrices."""

NO_PRODUCTS = NO_WEIGHTS | {"Embedding", "BatchNormalization", "LayerNormalization", "GroupNormalization"}
"""Layers without products of matrices."""


class LayerCosts(NamedTuple):
    """The costs of a layer, -1 where unknown."""

    parameters: int
    trainable: int
    bytes: int
    flops: int


def layer_costs(kind: str, config: dict[str, Any], shape: Shape | None, output: Shape | None, dtype: str) -> LayerCosts:
    """The costs of a layer of a class with an input and an output of these shapes. `dtype` is a type or a policy."""
    parameters = 0 if kind in NO_WEIGHTS else count_parameters(kind, config, shape)
    bits = bits_of(variable_dtype(dtype))
    products = count_products(kind, config, shape, output)
    return LayerCosts(
        parameters,
        count_trainable(kind, config, shape, parameters),
        0 if parameters == 0 else UNKNOWN_COST if parameters < 0 or bits < 0 else (parameters * bits + 7) // 8,
        min(MAX_COST, products),
    )


def variable_dtype(dtype: str) -> str:
    """The type of the variables of a policy: mixed ones compute in another."""
    return "float32" if dtype.startswith("mixed_") else dtype


def count_trainable(kind: str, config: dict[str, Any], shape: Shape | None, parameters: int) -> int:
    """How many parameters of a layer are trained. The statistics of batch normalization are not."""
    trainable = config.get("trainable")
    if parameters <= 0 or trainable is False:
        return min(parameters, 0)
    if trainable is not True:
        return UNKNOWN_COST
    return parameters - 2 * feature_count(config, shape) if kind == "BatchNormalization" else parameters


def count_products(kind: str, config: dict[str, Any], shape: Shape | None, output: Shape | None) -> int:
    """The operations of the products of a layer for one example. Other open sizes count as one."""
    if kind in NO_PRODUCTS:
        return 0
    features = feature_count(config, shape)
    if features < 0 or shape is None:
        return UNKNOWN_COST
    if kind == "Dense" and whole(config, "units"):
        return 2 * features * whole(config, "units") * math.prod(size for size in shape[1:-1] if size >= 0)
    window = kernel_elements(config)
    if output is None or window < 0:
        return UNKNOWN_COST
    results = math.prod(size for size in output if size >= 0)
    if kind in ("Conv1D", "Conv2D", "Conv3D"):
        return 2 * results * (window * features // (whole(config, "groups") or 1))
    return 2 * results * window if kind in ("DepthwiseConv1D", "DepthwiseConv2D") else UNKNOWN_COST
