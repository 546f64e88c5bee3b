"""Log folders of graphs for the browser tests: a transformer of many equal layers, and a chain of dense layers."""

import pathlib

from lightboard.testing.event_files import graph_record, version_record
from support.graph_defs import attribute, bytes_field, dense_layer, graph_def, node_def, shape, shapes_attribute
from support.graph_defs import type_attribute as typed

WIDTH = 64
WORDS = 16
CHAINS = ("amber", "brass", "coral", "denim", "ember", "flint", "grain", "hazel", "ivory", "jetty")
RUNS = ("chain", "transformer")


def models(folder: pathlib.Path) -> None:
    """A run with a transformer of six layers, and one with two dense layers."""
    transformer(folder / "transformer", 6)
    chain = [
        node_def("x", "Placeholder", (), shapes_attribute((4, 8)) + typed("dtype")),
        *dense_layer("first", "x"),
        *dense_layer("second", "first/Relu"),
    ]
    _write(folder / "chain", graph_def(*chain))


def large(folder: pathlib.Path) -> None:
    """F5: a transformer of 400 layers, 23,207 nodes."""
    transformer(folder / "large", 400)


def wide(folder: pathlib.Path) -> None:
    """A graph of many chains beside each other, whose names have no numbers by which they would be folded."""
    nodes = []
    for name in CHAINS:
        nodes += [node_def(f"{name}_input", "Placeholder", (), shapes_attribute((8, WORDS)) + typed("dtype"))]
        nodes += [_op(f"{name}_hidden", "Relu", f"{name}_input"), _op(f"{name}_loss", "Mean", f"{name}_hidden")]
    _write(folder, graph_def(*nodes))


def transformer(folder: pathlib.Path, layers: int) -> None:
    """A run with the graph of a transformer."""
    _write(folder, transformer_graph(layers))


def growing(folder: pathlib.Path) -> None:
    """A run whose graph was written at three steps: a transformer of one layer, of two, and of three."""
    _write(folder, *(transformer_graph(layers) for layers in (1, 2, 3)))


def transformer_graph(layers: int) -> bytes:
    """A graph whose `encoder` has equal layers, each with scopes for attention, a perceptron and two normalisations."""
    shapes = shapes_attribute((8, WORDS))
    nodes = [
        node_def("tokens", "Placeholder", (), shapes + typed("dtype", 3)),
        _variable("embedding/table", 1000, WIDTH),
    ]
    nodes.append(_op("embedding/lookup", "GatherV2", "embedding/table", "tokens"))
    source = "embedding/lookup"
    for number in range(layers):
        nodes += _layer(f"encoder/layer_{number}", source)
        source = f"encoder/layer_{number}/norm_2/shift"
    nodes += _dense("head/logits", source)
    nodes += [_op("loss/softmax", "Softmax", "head/logits/BiasAdd"), _op("loss/mean", "Mean", "loss/softmax")]
    return graph_def(*nodes)


def _layer(scope: str, source: str) -> list[bytes]:
    attention = f"{scope}/attention"
    nodes: list[bytes] = []
    for name in ("query", "key", "value"):
        nodes += _dense(f"{attention}/{name}", source)
    nodes += [
        _op(f"{attention}/scores/MatMul", "BatchMatMulV2", f"{attention}/query/BiasAdd", f"{attention}/key/BiasAdd"),
        _constant(f"{attention}/scores/scale"),
        _op(f"{attention}/scores/Mul", "Mul", f"{attention}/scores/MatMul", f"{attention}/scores/scale"),
        _op(f"{attention}/scores/Softmax", "Softmax", f"{attention}/scores/Mul"),
        _op(f"{attention}/context", "BatchMatMulV2", f"{attention}/scores/Softmax", f"{attention}/value/BiasAdd"),
        *_dense(f"{attention}/output", f"{attention}/context"),
        _op(f"{scope}/add", "AddV2", source, f"{attention}/output/BiasAdd"),
        *_norm(f"{scope}/norm_1", f"{scope}/add"),
        *_dense(f"{scope}/mlp/up", f"{scope}/norm_1/shift"),
        _op(f"{scope}/mlp/gelu", "Gelu", f"{scope}/mlp/up/BiasAdd"),
        *_dense(f"{scope}/mlp/down", f"{scope}/mlp/gelu"),
        _op(f"{scope}/add_1", "AddV2", f"{scope}/norm_1/shift", f"{scope}/mlp/down/BiasAdd"),
        *_norm(f"{scope}/norm_2", f"{scope}/add_1"),
    ]
    return nodes


def _dense(scope: str, source: str) -> list[bytes]:
    return [
        _variable(f"{scope}/kernel", WIDTH, WIDTH),
        _op(f"{scope}/MatMul", "MatMul", source, f"{scope}/kernel"),
        _variable(f"{scope}/bias", WIDTH),
        _op(f"{scope}/BiasAdd", "BiasAdd", f"{scope}/MatMul", f"{scope}/bias"),
    ]


def _norm(scope: str, source: str) -> list[bytes]:
    return [
        _constant(f"{scope}/axes"),
        _op(f"{scope}/mean", "Mean", source, f"{scope}/axes"),
        _op(f"{scope}/sub", "Sub", source, f"{scope}/mean"),
        _op(f"{scope}/square", "Square", f"{scope}/sub"),
        _op(f"{scope}/variance", "Mean", f"{scope}/square", f"{scope}/axes"),
        _constant(f"{scope}/epsilon"),
        _op(f"{scope}/add", "AddV2", f"{scope}/variance", f"{scope}/epsilon"),
        _op(f"{scope}/rsqrt", "Rsqrt", f"{scope}/add"),
        _op(f"{scope}/normalized", "Mul", f"{scope}/sub", f"{scope}/rsqrt"),
        _variable(f"{scope}/gamma", WIDTH),
        _op(f"{scope}/scaled", "Mul", f"{scope}/normalized", f"{scope}/gamma"),
        _variable(f"{scope}/beta", WIDTH),
        _op(f"{scope}/shift", "AddV2", f"{scope}/scaled", f"{scope}/beta"),
    ]


def _op(name: str, op: str, *inputs: str) -> bytes:
    return node_def(name, op, inputs, shapes_attribute((8, WORDS, WIDTH)) + typed("T"))


def _variable(name: str, *sizes: int) -> bytes:
    return node_def(name, "VariableV2", (), attribute("shape", bytes_field(7, shape(*sizes))) + typed("dtype"))


def _constant(name: str) -> bytes:
    return node_def(name, "Const", (), typed("dtype"))


def _write(folder: pathlib.Path, *graphs: bytes) -> None:
    """Write graphs at steps 0, 100, 200…"""
    folder.mkdir(parents=True)
    records = [graph_record(graph, step=100 * at) for at, graph in enumerate(graphs)]
    (folder / "events.out.tfevents.1750000000.host").write_bytes(version_record() + b"".join(records))
