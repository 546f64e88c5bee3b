"""Reads the JSON of a Keras model as a graph of its layers: functional or sequential, nested, with shared layers.

Keras 2 and 3 describe inputs differently. The JSON may have been written by anyone: what has another form is left out.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.payloads import too_large_message
from lightboard.graphs.graph import Graph, GraphBuilder, LayerColumns, TensorType, hash_of
from lightboard.graphs.keras_costs import layer_costs
from lightboard.graphs.keras_parameters import Shape, count_parameters

MAX_BYTES = 32 << 20
"""Larger models are not read."""

MAX_ENDS = 1_000_000
"""Inputs of all layers that are read."""


@dataclass
class Layer:
    """A layer or a model in the model `parent`. `node` is its node, -1 for a model."""

    name: str
    path: str
    kind: str
    config: dict[str, Any]
    raw: dict[str, Any]
    parent: "Layer | None" = None
    node: int = -1
    children: "dict[str, Layer]" = field(default_factory=dict)

    @property
    def is_model(self) -> bool:
        """Whether it has layers."""
        return bool(self.children)


@dataclass(frozen=True)
class Source:
    """An output of a layer by the name that it has in its model, and its shape if that is stated."""

    layer: str
    slot: int
    shape: Shape | None = None
    dtype: str = ""


def read_keras_model(data: bytes) -> Graph:
    """The graph of the layers in the JSON of a model. Raises Unshowable."""
    if len(data) > MAX_BYTES:
        raise Unshowable(too_large_message(len(data)))
    try:
        model = json.loads(data)
    except RecursionError:
        raise Unshowable("the model is nested too deeply to be read") from None
    except ValueError:
        raise Unshowable("the model is no JSON that can be read", hint="its writer may have been interrupted") from None
    layers = list(walk(model))
    if not layers:
        raise Unshowable("the value holds no Keras model")
    shapes = stated_shapes(layers)
    builder = GraphBuilder()
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
            columns[:, layer.node] = layer_costs(layer.kind, layer.config, input_shape(layer), output, dtype_of(layer))
    return LayerColumns(*columns)


def walk(model: Any) -> Iterator[Layer]:
    """The model and all layers in it, each model before its layers."""
    pending: list[tuple[Any, Layer | None]] = [(model, None)]
    while pending:
        raw, parent = pending.pop()
        config = raw.get("config") if isinstance(raw, dict) else None
        if not isinstance(config, dict):
            continue
        kind = str(raw.get("class_name") or "")
        name = text_or(config.get("name"), text_or(raw.get("name"), kind or "layer"))
        layer = Layer(name, f"{parent.path}/{name}" if parent else name, kind, config, raw, parent)
        if parent is not None:
            parent.children[name] = layer
        yield layer
        inner = config.get("layers")
        if isinstance(inner, list):
            pending += [(each, layer) for each in reversed(inner)]


def text_or(value: Any, default: str) -> str:
    """A value that is a text and not empty, or the default."""
    return value if isinstance(value, str) and value else default


def stated_shapes(layers: list[Layer]) -> dict[tuple[str, int], TensorType]:
    """The types of outputs by path and slot, as their consumers state them."""
    found: dict[tuple[str, int], TensorType] = {}
    for layer in layers:
        for source in sources_of(layer):
            if source.shape is not None and layer.parent is not None:
                found[f"{layer.parent.path}/{source.layer}", source.slot] = TensorType(source.dtype, source.shape)
        if layer.is_model and not layer.config.get("input_layers"):
            chain = list(layer.children.values())
            for before, after in pairwise(chain):
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
        parameters=count_parameters(layer.kind, layer.config, input_shape(layer)),
    )


def input_shape(layer: Layer) -> Shape | None:
    """The shape of the input of a layer, as far as it is stated."""
    build = layer.raw.get("build_config")
    stated = shape_of(build.get("input_shape")) if isinstance(build, dict) else None
    return stated or next((source.shape for source in sources_of(layer)), None)


def shape_of(value: Any) -> Shape | None:
    """A shape in JSON, with null for unknown sizes."""
    if not isinstance(value, list) or not value or len(value) > 64:
        return None
    if not all(size is None or (isinstance(size, int) and 0 <= size < 2**53) for size in value):
        return None
    return tuple(-1 if size is None else int(size) for size in value)


def dtype_of(layer: Layer) -> str:
    """The type of a layer: a name, or a policy that has a name."""
    dtype = layer.config.get("dtype")
    if isinstance(dtype, dict):
        dtype = (dtype.get("config") or {}).get("name") if isinstance(dtype.get("config"), dict) else None
    return dtype if isinstance(dtype, str) else ""


def attribute_texts(layer: Layer) -> list[tuple[str, str]]:
    """The configuration of a layer."""
    return [(key, value_text(value)) for key, value in layer.config.items() if key not in ("name", "layers")]


def value_text(value: Any) -> str:
    """A value of a configuration for display. Objects are shown by their class, and what differs from its defaults."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("class_name"), str):
        inner = value.get("config")
        set_ = {key: each for key, each in inner.items() if each is not None} if isinstance(inner, dict) else {}
        return f"{value['class_name']}({', '.join(f'{key}={json.dumps(each)}' for key, each in set_.items())})"
    return json.dumps(value, ensure_ascii=False)


def sources_of(layer: Layer) -> list[Source]:
    """The inputs of a layer at all its calls."""
    return [source for call in calls_of(layer) for source in call]


def calls_of(layer: Layer) -> list[list[Source]]:
    """The inputs of a layer at each of its calls."""
    calls = layer.raw.get("inbound_nodes")
    if not isinstance(calls, list):
        return []
    return [[*sources_in(call)] for call in calls]


def sources_in(call: Any) -> Iterator[Source]:
    """The tensors in the arguments of a call.

    Keras 3 writes {"args": ..., "kwargs": ...} with tensors anywhere inside, Keras 2 [[name, call, slot, kwargs], ...].
    """
    pending = [[call["args"], call.get("kwargs")] if isinstance(call, dict) and "args" in call else call]
    count = 0
    while pending and count < MAX_ENDS:
        value = pending.pop()
        count += 1
        if isinstance(value, dict):
            config = value.get("config")
            config = config if isinstance(config, dict) else {}
            history: Any = config.get("keras_history")
            if is_reference(history):
                dtype = config.get("dtype")
                yield Source(
                    history[0], history[2], shape_of(config.get("shape")), dtype if isinstance(dtype, str) else ""
                )
            else:
                pending += reversed(list(value.values()))
        elif is_reference(value):
            yield Source(value[0], value[2])
            pending += value[3:4]
        elif isinstance(value, list):
            pending += reversed(value)


def is_reference(value: Any) -> bool:
    """Whether it is [layer, call, slot, ...]."""
    return (
        isinstance(value, list)
        and len(value) >= 3
        and isinstance(value[0], str)
        and isinstance(value[1], int)
        and isinstance(value[2], int)
        and 0 <= value[2] < 1000
    )


def references(value: Any) -> list[tuple[str, int]]:
    """The layers and slots of a list of inputs or outputs of a model; Keras leaves out the list if it has one item."""
    items = [value] if is_reference(value) else value
    return [(item[0], item[2]) for item in items if is_reference(item)] if isinstance(items, list) else []


class Connections:
    """Adds the edges between layers. Edges of models lead to their input layers, and from their output layers."""

    def __init__(self, builder: GraphBuilder) -> None:
        self.builder = builder
        self.lost = 0
        self.slots: dict[int, int] = {}

    def connect(self, layers: list[Layer]) -> None:
        """Add all edges."""
        for layer in layers:
            for call in calls_of(layer):
                for at, source in enumerate(call):
                    found = layer.parent.children.get(source.layer) if layer.parent else None
                    self.add(found, source.slot, layer, at)
            if layer.is_model and not layer.config.get("input_layers"):
                chain = list(layer.children.values())
                for before, after in pairwise(chain):
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
            name, inner = outputs[min(slot, len(outputs) - 1)]
            layer, slot = layer.children.get(name), inner
        else:
            layer, slot = list(layer.children.values())[-1], 0
    return None if layer is None or layer.node < 0 else (layer, slot)


def input_of(layer: Layer | None, at: int) -> Layer | None:
    """The layer that receives an input of a layer or model."""
    while layer is not None and layer.is_model:
        inputs = references(layer.config.get("input_layers"))
        if inputs:
            layer, at = layer.children.get(inputs[min(at, len(inputs) - 1)][0]), 0
        else:
            layer, at = next(iter(layer.children.values())), 0
    return None if layer is None or layer.node < 0 else layer
