"""The same graph in each format: nodes by their paths, and the paths of their inputs."""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from lightboard.testing.event_files import (
    STRING,
    bytes_field,
    graph_record,
    summary_metadata,
    tensor,
    tensor_record,
    varint_field,
    version_record,
)
from support.graph_defs import graph_def, node_def
from support.onnx_models import graph_proto, model_proto, node_proto

Nodes = Sequence[tuple[str, Sequence[str]]]

EVENTS = "a/events.out.tfevents.1"


def split(path: str) -> tuple[str, str]:
    """The scope and the own name of a path."""
    scope, _, name = path.rpartition("/")
    return scope, name


def ids_of(nodes: Nodes) -> dict[str, str]:
    """A short name for each path, for formats whose names have no scopes."""
    return {path: f"v{at}" for at, (path, _) in enumerate(nodes)}


def event_graph(nodes: Nodes) -> bytes:
    """A GraphDef."""
    return graph_def(*(node_def(path, "Op", inputs) for path, inputs in nodes))


def text_graph(nodes: Nodes) -> bytes:
    """A GraphDef as text."""
    lines = []
    for path, inputs in nodes:
        fields = "".join(f' input: "{each}"' for each in inputs)
        lines.append(f'node {{ name: "{path}" op: "Op"{fields} }}')
    return "\n".join(lines).encode()


def onnx(nodes: Nodes) -> bytes:
    """A ModelProto."""
    ids = ids_of(nodes)
    return model_proto(
        graph_proto(
            *(node_proto("Op", [ids[each] for each in inputs], [ids[path]], name=f"/{path}") for path, inputs in nodes)
        )
    )


def explorer(nodes: Nodes) -> bytes:
    """JSON of Model Explorer."""
    rows = [
        {
            "id": path,
            "label": split(path)[1],
            "namespace": split(path)[0],
            "incomingEdges": [{"sourceNodeId": each} for each in inputs],
        }
        for path, inputs in nodes
    ]
    return json.dumps({"graphs": [{"id": "g", "nodes": rows}]}).encode()


def hlo(nodes: Nodes) -> bytes:
    """A module of XLA as text."""
    ids = ids_of(nodes)
    lines = []
    for path, inputs in nodes:
        operands = ", ".join(f"%{ids[each]}" for each in inputs)
        lines.append(f'%{ids[path]} = f32[2]{{0}} add({operands}), metadata={{op_name="jit(f)/{path}"}}')
    return "\n".join(["HloModule m", "", "ENTRY %main () -> f32[2] {", *lines, "}", ""]).encode()


def hlo_proto(nodes: Nodes) -> bytes:
    """A module of XLA as a message."""
    numbers = {path: at + 1 for at, (path, _) in enumerate(nodes)}
    found = bytes_field(1, b"main") + varint_field(5, 1)
    for path, inputs in nodes:
        instruction = bytes_field(1, f"v{numbers[path]}".encode()) + bytes_field(2, b"add")
        instruction += bytes_field(7, bytes_field(2, f"jit(f)/{path}".encode())) + varint_field(35, numbers[path])
        found += bytes_field(2, instruction + b"".join(varint_field(36, numbers[each]) for each in inputs))
    return bytes_field(1, b"m") + bytes_field(2, b"main") + bytes_field(3, found)


def stablehlo(nodes: Nodes) -> bytes:
    """StableHLO as text."""
    ids = ids_of(nodes)
    lines = [
        f'%{ids[path]} = stablehlo.add {", ".join(f"%{ids[each]}" for each in inputs)} : tensor<2xf32> loc("{path}")'
        for path, inputs in nodes
    ]
    return "\n".join(["func.func public @main() {", *lines, "return", "}", ""]).encode()


def torch_export(nodes: Nodes) -> bytes:
    """An exported program of PyTorch."""
    ids = ids_of(nodes)
    rows = []
    for path, inputs in nodes:
        parts = split(path)[0].split("/") if "/" in path else []
        stack = ";".join(f"L__self__{at},{'.'.join(parts[: at + 1])},T" for at in range(len(parts)))
        args = [{"name": "self", "arg": {"as_tensor": {"name": ids[each]}}} for each in inputs]
        rows.append(
            {
                "name": ids[path],
                "target": "torch.ops.aten.relu.default",
                "inputs": args,
                "outputs": [{"as_tensor": {"name": ids[path]}}],
                "metadata": {"nn_module_stack": stack},
            }
        )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("m/models/model.json", json.dumps({"graph_module": {"graph": {"nodes": rows}}}))
    return made.getvalue()


def keras(nodes: Nodes) -> bytes:
    """A functional model, with a model for each scope."""
    root = model("m")
    models = {"": root}
    for path, inputs in nodes:
        scope, name = split(path)
        config: dict[str, object] = {"name": name, "units": 2}
        inbound = [[[split(each)[1], 0, 0, {}] for each in inputs]] if inputs else []
        parent, parts = "", scope.split("/") if scope else []
        for at in range(len(parts)):
            own = "/".join(parts[: at + 1])
            if own not in models:
                models[own] = model(parts[at])
                add_layer(models[parent], models[own])
            parent = own
        add_layer(models[scope], {"class_name": "Dense", "name": name, "config": config, "inbound_nodes": inbound})
    return dumps(root)


def model(name: str) -> dict[str, Any]:
    """A model without layers."""
    return {"class_name": "Functional", "name": name, "config": {"name": name, "layers": [], "input_layers": []}}


def add_layer(owner: dict[str, Any], layer: dict[str, Any]) -> None:
    """Add a layer, of which the first is what the model begins with."""
    owner["config"]["input_layers"] = owner["config"]["input_layers"] or [[layer["name"], 0, 0]]
    owner["config"]["layers"].append(layer)


def dumps(layer: dict[str, Any]) -> bytes:
    """JSON of models that are nested deeper than `json` writes."""
    pieces: list[bytes] = []
    pending: list[dict[str, Any] | bytes] = [layer]
    while pending:
        each = pending.pop()
        if isinstance(each, bytes) or "layers" not in each["config"]:
            pieces.append(each if isinstance(each, bytes) else json.dumps(each).encode())
            continue
        inner, config = each["config"]["layers"], each["config"] | {"layers": ["?"]}
        before, _, after = json.dumps(each | {"config": config}).encode().partition(b'"?"')
        commas = [part for at, child in enumerate(inner) for part in ((b",", child) if at else (child,))]
        pending += [after, *reversed(commas), before]
    return b"".join(pieces)


def in_events(data: bytes) -> dict[str, bytes]:
    """The graph of a run."""
    return {EVENTS: version_record() + graph_record(data)}


def in_value(data: bytes) -> dict[str, bytes]:
    """A Keras model of a run."""
    metadata = summary_metadata("graph_keras_model", content=b"1")
    return {EVENTS: version_record() + tensor_record("keras", 0, tensor(STRING, [data]), 5.0, metadata)}


FORMATS: dict[str, Callable[[Nodes], bytes]] = {
    "__run_graph__": event_graph,
    "m.pb": event_graph,
    "graph.pbtxt": text_graph,
    "m.onnx": onnx,
    "m.graph.json": explorer,
    "m.hlo": hlo,
    "m.hlo.pb": hlo_proto,
    "m.mlir": stablehlo,
    "m.pt2": torch_export,
    "keras": keras,
}
"""What writes a graph, by its tag."""


def files_of(tag: str, data: bytes) -> dict[str, bytes]:
    """The files of a logdir with this graph."""
    if tag == "__run_graph__":
        return in_events(data)
    return in_value(data) if tag == "keras" else {EVENTS: version_record(), f"a/{tag}": data}
