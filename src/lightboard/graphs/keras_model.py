"""Reads the JSON of a Keras model as a graph of its layers: functional or sequential, nested, with shared layers.

Keras 2 and 3 describe inputs differently. The JSON may have been written by anyone: what has another form is left out.
"""

import json
from itertools import pairwise
from typing import Any

import numpy as np

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.payloads import too_large_message
from lightboard.graphs.graph import Graph, GraphBuilder, LayerColumns, TensorType, hash_of
from lightboard.graphs.json_document import load_json
from lightboard.graphs.keras_costs import layer_costs
from lightboard.graphs.keras_layers import Layer, layers_of, references, shape_of
from lightboard.graphs.keras_parameters import Shape, count_parameters

MAX_BYTES = 32 << 20
"""Larger models are not read."""


def read_keras_model(data: bytes, *, by_call: bool = True) -> Graph:
    """The graph of the layers in the JSON of a model. Raises Unshowable.

    A layer that is called several times is a node for each call, "dense #1" and "dense #2", of which the first has the
    parameters; without `by_call`, it is one node with the inputs of all calls, as TensorBoard has it.
    """
    if len(data) > MAX_BYTES:
        raise Unshowable(too_large_message(len(data)))
    try:
        model = load_json(data)
    except RecursionError:
        raise Unshowable("the model is nested too deeply to be read") from None
    except ValueError:
        raise Unshowable("the model is no JSON that can be read", hint="its writer may have been interrupted") from None
    builder = GraphBuilder()
    layers = layers_of(model, by_call=by_call)
    if layers is None:
        builder.problems.append("layers are called too often for a box for each call, so each layer is one box")
        layers = layers_of(model, by_call=False)
    if not layers:
        raise Unshowable("the value holds no Keras model")
    shapes = stated_shapes(layers)
    attributes: dict[int, list[tuple[str, str]]] = {}
    for layer in layers:
        cancellation.check()
        if not layer.is_model and not builder.full:
            layer.node = add_layer(builder, layer, shapes)
            attributes[layer.node] = attribute_texts(layer)
    Connections(builder).connect(layers)
    graph = builder.finish()
    graph.attributes = attributes
    graph.layers = columns_of(layers, graph)
    return graph


def columns_of(layers: list[Layer], graph: Graph) -> LayerColumns:
    """What the configurations of layers say."""
    columns = np.full((len(LayerColumns._fields), len(graph)), -1, np.int64)
    for layer in layers:
        if layer.node >= 0:
            outputs = graph.output_types(layer.node)
            output = outputs[0].shape if outputs else None
            costs = layer_costs(layer.kind, layer.config, input_shape(layer), output, dtype_of(layer))
            columns[:, layer.node] = costs if not layer.first else costs._replace(parameters=0, trainable=0, bytes=0)
    return LayerColumns(*columns)


def stated_shapes(layers: list[Layer]) -> dict[tuple[str, int], TensorType]:
    """The types of outputs by path and slot, as their consumers state them."""
    found: dict[tuple[str, int], TensorType] = {}
    for layer in layers:
        for source in layer.sources:
            maker = layer.parent.find(source.layer, source.call) if layer.parent else None
            if source.shape is not None and maker is not None:
                found[maker.path, source.slot] = TensorType(source.dtype, source.shape)
        if layer.is_model and not layer.config.get("input_layers"):
            for before, after in pairwise(layer.chain):
                shape = shape_of((after.raw.get("build_config") or {}).get("input_shape"))
                if shape is not None:
                    found.setdefault((before.path, 0), TensorType(dtype_of(before), shape))
    return found


def add_layer(builder: GraphBuilder, layer: Layer, shapes: dict[tuple[str, int], TensorType]) -> int:
    """Add the node of a layer."""
    shape = next(
        (shape for key in ("batch_shape", "batch_input_shape") if (shape := shape_of(layer.config.get(key)))), None
    )
    if layer.kind == "InputLayer" and shape is not None:
        types: tuple[TensorType, ...] = (TensorType(dtype_of(layer), shape),)
    else:
        slots = [slot for slot in range(16) if (layer.path, slot) in shapes]
        types = tuple(
            shapes.get((layer.path, slot), TensorType("", None)) for slot in range(max(slots, default=-1) + 1)
        )
    config = {key: value for key, value in layer.config.items() if key != "name"}
    return builder.add(
        layer.path,
        layer.kind,
        outputs=types,
        label=hash_of(layer.kind, types, json.dumps(config, sort_keys=True)),
        parameters=0 if layer.first else count_parameters(layer.kind, layer.config, input_shape(layer)),
    )


def input_shape(layer: Layer) -> Shape | None:
    """The shape of the input of a layer, as far as it is stated. That of later calls may be another one."""
    build = layer.raw.get("build_config")
    stated = shape_of(build.get("input_shape")) if isinstance(build, dict) else None
    own = next((source.shape for source in layer.sources), None)
    return (own or stated) if layer.first else (stated or own)


def dtype_of(layer: Layer) -> str:
    """The type of a layer: a name, or a policy that has a name."""
    dtype = layer.config.get("dtype")
    if isinstance(dtype, dict):
        dtype = (dtype.get("config") or {}).get("name") if isinstance(dtype.get("config"), dict) else None
    return dtype if isinstance(dtype, str) else ""


def attribute_texts(layer: Layer) -> list[tuple[str, str]]:
    """The configuration of a layer."""
    shared = [("shares_weights_with", layer.first)] if layer.first else []
    return shared + [(key, value_text(value)) for key, value in layer.config.items() if key not in ("name", "layers")]


def value_text(value: Any) -> str:
    """A value of a configuration for display. Objects are shown by their class, and what differs from its defaults."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("class_name"), str):
        inner = value.get("config")
        set_ = {key: each for key, each in inner.items() if each is not None} if isinstance(inner, dict) else {}
        return f"{value['class_name']}({', '.join(f'{key}={json.dumps(each)}' for key, each in set_.items())})"
    return json.dumps(value, ensure_ascii=False)


class Connections:
    """Adds the edges between layers. Edges of models lead to their input layers, and from their output layers."""

    def __init__(self, builder: GraphBuilder) -> None:
        self.builder = builder
        self.lost = 0
        self.slots: dict[int, int] = {}

    def connect(self, layers: list[Layer]) -> None:
        """Add all edges."""
        for layer in layers:
            for call in layer.calls:
                for at, source in enumerate(call):
                    found = layer.parent.find(source.layer, source.call) if layer.parent else None
                    self.add(found, source.slot, layer, at)
            if layer.is_model and not layer.config.get("input_layers"):
                for before, after in pairwise(layer.chain):
                    self.add(before, 0, after, 0)
        if self.lost:
            self.builder.problems.append(f"{self.lost:,} inputs name layers that are not in the model")

    def add(self, source: Layer | None, slot: int, target: Layer, at: int) -> None:
        """Add an edge from an output of a layer to the input with index `at` of another."""
        begin = output_of(source, slot)
        end = input_of(target, at)
        if begin is None or end is None:
            self.lost += 1
            return
        port = self.slots.get(end.node, 0)
        self.slots[end.node] = port + 1
        self.builder.add_edge(begin[0].node, begin[1], end.node, port)


def output_of(layer: Layer | None, slot: int) -> tuple[Layer, int] | None:
    """The layer, and its slot, that an output of a layer or model is."""
    while layer is not None and layer.is_model:
        outputs = references(layer.config.get("output_layers"))
        if outputs:
            output = outputs[min(slot, len(outputs) - 1)]
            layer, slot = layer.find(output.layer, output.call), output.slot
        else:
            layer, slot = layer.end, 0
    return None if layer is None or layer.node < 0 else (layer, slot)


def input_of(layer: Layer | None, at: int) -> Layer | None:
    """The layer that receives an input of a layer or model."""
    while layer is not None and layer.is_model:
        inputs = references(layer.config.get("input_layers"))
        if inputs:
            named = inputs[min(at, len(inputs) - 1)]
            layer, at = layer.find(named.layer, named.call), 0
        else:
            layer, at = layer.begin, 0
    return None if layer is None or layer.node < 0 else layer
