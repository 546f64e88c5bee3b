"""Graphs of every reader, and what is left of them after damage: bytes and values changed, repeated, lost, cut off."""

import io
import json
import pathlib
import random
import zipfile
from collections.abc import Callable
from typing import Any, NamedTuple

from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.graphs import last_content, list_graphs, read_content
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from lightboard.testing.event_files import (
    STRING,
    graph_record,
    summary_metadata,
    tagged_run_metadata_record,
    tensor,
    tensor_record,
    version_record,
)
from support.graph_defs import dense_layer, function_attribute, function_def, graph_def, node_def
from support.onnx_models import GRAPH_FILES

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
EVENTS = "a/events.out.tfevents.1"

EXPLORER = {
    "graphs": [
        {
            "id": "main",
            "nodes": [
                {"id": "x", "label": "Input", "namespace": "", "outputsMetadata": [{"id": "0", "attrs": []}]},
                {
                    "id": "y",
                    "label": "Dense",
                    "namespace": "encoder/layer_0",
                    "subgraphIds": ["body"],
                    "attrs": [{"key": "units", "value": "8"}],
                    "incomingEdges": [{"sourceNodeId": "x", "sourceNodeOutputId": "0", "targetNodeInputId": "0"}],
                    "outputsMetadata": [
                        {"id": "0", "attrs": [{"key": "__tensor_tag", "value": "y"}, {"key": "shape", "value": "2x3"}]}
                    ],
                },
            ],
        },
        {"id": "body", "nodes": [{"id": "z", "label": "MatMul", "namespace": "a/b"}]},
    ]
}

PROTO_TOKENS = [
    *(b"\x00", b"\x0a\x00", b"\x0a\xff\xff\xff\xff\x0f", b"\x08" + b"\xff" * 9 + b"\x01", b"\x12\x80\x80\x80\x80\x10"),
    *(b"\x0b", b"\x0c", b"\xff" * 12, b"/" * 300, b"\x0a\x05a/b/c", b"\xed\xa0\x80", b"\x0a\x01/", b":0", b"^"),
]
TEXT_TOKENS = [
    *b"{ } ( ) [ ] < > : = , -> # % @ // /* */ ^bb0 }) -1 1e999 nan 99999999999999999999999 ENTRY ROOT while".split(),
    *b"to_apply=% calls=% tensor< ?x func.func loc( f32[ tuple( get-tuple-element( index=-1 node{ attr{ op:".split(),
    *(b"\n", b'"', b"\\", b"\x00", b"\xff", b"\xed\xa0\x80", b"/" * 300),
]
HOSTILE_VALUES: list[Any] = [
    *(None, True, 0, -1, 2**70, -(2**70), 1.5, float("inf"), float("nan"), "", "x", "/", "a//b", "\ud800", "9" * 5000),
    *([], {}, [[]], [None], {"": None}, [1, [2, [3]]], "L__self__,a.b,T;,c,", "x:0", "^x", -(2**63), 2**64),
]


class Reader(NamedTuple):
    """A reader of graphs. `files` are those of a logdir in which its graph is `data`; `damage` makes another `data`."""

    tag: str
    form: str
    seeds: list[bytes]
    files: Callable[[bytes], dict[str, bytes]]
    damage: Callable[[bytes, random.Random], bytes]


def damage_bytes(tokens: list[bytes]) -> Callable[[bytes, random.Random], bytes]:
    """Changes bytes and ranges of bytes, and puts in what means something in the format."""

    def damage(data: bytes, chance: random.Random) -> bytes:
        for _ in range(chance.choice((1, 2, 5, 20))):
            begin = chance.randrange(len(data) + 1)
            end = min(len(data), begin + chance.choice((1, 2, 8, 100, 2000)))
            other = chance.randrange(len(data) + 1)
            replacement = chance.choice(
                [b"", chance.choice(tokens), chance.randbytes(3), data[begin:end] * 2, data[other : other + 50]]
            )
            data = data[:begin] + replacement + data[end if chance.random() < 0.7 else begin :]
        return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.2 else data

    return damage


def damage_value(value: Any, chance: random.Random) -> Any:
    """A value of JSON with one of its parts replaced, removed or repeated."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.1:
        return chance.choice(HOSTILE_VALUES)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key, made = chance.choice(keys), value.copy()
    if chance.random() < 0.15:
        del made[key]
    elif chance.random() < 0.1 and isinstance(made, list):
        made.append(made[key])
    else:
        made[key] = damage_value(made[key], chance)
    return made


def damage_json(data: bytes, chance: random.Random) -> bytes:
    """JSON with other values; now and then, no JSON any more."""
    if chance.random() < 0.1:
        return damage_bytes(TEXT_TOKENS)(data, chance)
    value = json.loads(data)
    for _ in range(chance.choice((1, 3, 10))):
        value = damage_value(value, chance)
    return json.dumps(value).encode("utf-8", "surrogatepass")


def damage_archive(data: bytes, chance: random.Random) -> bytes:
    """An archive whose program has other values; now and then, a damaged archive."""
    if chance.random() < 0.2:
        return damage_bytes(PROTO_TOKENS)(data, chance)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(made, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            after.writestr(name, damage_json(content, chance) if name.endswith(".json") else content)
    return made.getvalue()


def with_run(files: dict[str, bytes]) -> dict[str, bytes]:
    """Files beside an event file."""
    return {EVENTS: version_record(), **files}


def file_reader(name: str, seeds: list[bytes], damage: Callable[[bytes, random.Random], bytes]) -> Reader:
    """The reader of files that are called so."""
    return Reader(name, "op", seeds, lambda data: with_run({f"a/{name}": data}), damage)


def value_reader(kind: str, form: str, seeds: list[bytes], damage: Callable[[bytes, random.Random], bytes]) -> Reader:
    """The reader of tensors of a plugin of TensorBoard."""

    def files(data: bytes) -> dict[str, bytes]:
        metadata = summary_metadata(kind, content=b"1")
        return {EVENTS: version_record() + tensor_record("t", 0, tensor(STRING, [data]), 5.0, metadata)}

    return Reader("t", form, seeds, files, damage)


def step_files(data: bytes) -> dict[str, bytes]:
    """What a step took, beside the graph of its run."""
    step = tagged_run_metadata_record("t", data, step=1)
    return {EVENTS: version_record() + graph_record(small_graph()) + step}


def small_graph() -> bytes:
    """A GraphDef with a function."""
    body = function_def("f", {"x": 1}, [node_def("y", "Mul", ("x", "x"))], {"z": "y:z:0"})
    call = node_def("call", "PartitionedCall", ("l/Relu",), function_attribute("f", "f"))
    return graph_def(*dense_layer("l", "x"), call, functions=[body])


def logged(folder: str, form: str) -> list[bytes]:
    """The graphs of a form that a folder of the corpus has, the small ones."""
    catalog = Catalog()
    Loader(catalog, sources(str(LOGS / folder)), LoaderOptions(threads=0)).load()
    provider = CatalogProvider(catalog, BoardSettings(logdir=str(LOGS / folder)))
    names = {row.id: row.name for row in provider.runs()}
    found = [
        read_content(provider, last_content(provider, names[graph.run], graph.tag, form))
        for graph in list_graphs(provider)
        if graph.form == form and graph.format == "events"
    ]
    return sorted({each for each in found if 0 < len(each) < 300_000}, key=len)


def graph_files(*names: str) -> list[bytes]:
    """Files of tests/data/graphs."""
    return [(GRAPH_FILES / name).read_bytes() for name in names]


def readers() -> dict[str, Reader]:
    """All readers, by the format or by the kind of values that each reads."""
    binary, text = damage_bytes(PROTO_TOKENS), damage_bytes(TEXT_TOKENS)
    traces = logged("tf215-trace-seed004", "op")
    onnx = graph_files("torch_traced.onnx", "torch_scripted.onnx", "torch_exported.onnx", "onnx_functions.onnx")
    return {
        "graphs": Reader(
            "__run_graph__",
            "op",
            [small_graph(), *logged("torch", "op")],
            lambda data: {EVENTS: version_record() + graph_record(data)},
            binary,
        ),
        "graph_run_metadata": value_reader("graph_run_metadata", "profile", traces, binary),
        "graph_run_metadata_graph": value_reader("graph_run_metadata_graph", "op", traces, binary),
        "graph_keras_model": value_reader(
            "graph_keras_model",
            "conceptual",
            logged("keras", "conceptual") + logged("tf215-keras-full", "conceptual"),
            damage_json,
        ),
        "graph_tagged_run_metadata": Reader("t", "profile", logged("tf-v1-all", "profile"), step_files, binary),
        "onnx": file_reader("m.onnx", onnx, binary),
        "torch_export": file_reader("m.pt2", graph_files("torch_export.pt2"), damage_archive),
        "stablehlo": file_reader("m.mlir", graph_files("jax_step.mlir"), text),
        "hlo": file_reader("m.hlo", graph_files("jax_step.hlo"), text),
        "hlo (message)": file_reader("m.hlo.pb", graph_files("jax_step.hlo.pb"), binary),
        "graph_def": file_reader("m.pb", graph_files("frozen.pb"), binary),
        "graph_def (text)": file_reader("graph.pbtxt", graph_files("graph.pbtxt"), text),
        "saved_model": file_reader("saved_model.pb", graph_files("saved_model.pb"), binary),
        "model_explorer": file_reader("m.graph.json", [json.dumps(EXPLORER).encode()], damage_json),
    }
