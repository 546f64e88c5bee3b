"""Totals of graphs: parameters, bytes and operations by scope, and what is said of those that are not known."""

import json
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from lightboard.graphs.graph import GraphBuilder, TensorType
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.graph_file import read_graph_file
from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.totals_table import TotalsRow, totals_table
from support.graph_defs import dense_layer, function_def, graph_def, node_def, shapes_attribute, type_attribute
from support.onnx_models import GRAPH_FILES

INPUT = node_def("x", "Placeholder", (), shapes_attribute((4, 8)) + type_attribute("dtype"))
NAMES = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
ALL = 10**6


def rows_of(graph: ScopedGraph, limit: int = ALL) -> list[TotalsRow]:
    """The rows of a graph."""
    return totals_table(graph, limit).rows


def file_rows(name: str) -> list[TotalsRow]:
    """The rows of a file of tests/data/graphs."""
    data = (GRAPH_FILES / name).read_bytes()
    return rows_of(ScopedGraph(read_graph_file(name, lambda offset, length: data[offset : offset + length], len(data))))


def keras_rows(*layers: dict[str, Any]) -> list[TotalsRow]:
    """The rows of a sequential model named "m", without those of the root and the model."""
    model = {"class_name": "Sequential", "config": {"name": "m", "layers": list(layers)}}
    return rows_of(ScopedGraph(read_keras_model(json.dumps(model).encode())))[2:]


def two_layers() -> ScopedGraph:
    """One dense layer after another, the first in a scope of its own."""
    layers = [*dense_layer("a/dense", "x"), *dense_layer("b", "a/dense/Relu")]
    return ScopedGraph(read_graph_def(graph_def(INPUT, *layers)))


def layer(kind: str, shape: list[int | None] | None, **config: Any) -> dict[str, Any]:
    """A layer in the JSON of a model."""
    build = {} if shape is None else {"build_config": {"input_shape": shape}}
    return {"class_name": kind, "config": {"name": kind.lower(), "dtype": "float32", **config}, **build}


def test_scopes_sum_up_what_is_in_them() -> None:
    graph = two_layers()

    assert [tuple(row) for row in rows_of(graph)] == [
        ("", 0, "scope", "", 7, 128, None, 512, 1024, None, None, ()),
        ("a", 1, "scope", "", 3, 64, None, 256, 512, None, None, ()),
        ("a/dense", 2, "scope", "", 3, 64, None, 256, 512, None, None, ()),
        ("a/dense/kernel", 3, "variable", "VariableV2", 1, 64, None, 256, 0, None, None, ()),
        ("a/dense/MatMul", 3, "op", "MatMul", 1, 0, None, 0, 512, None, None, ()),
        ("b", 1, "scope", "", 3, 64, None, 256, 512, None, None, ()),
        ("b/kernel", 2, "variable", "VariableV2", 1, 64, None, 256, 0, None, None, ()),
        ("b/MatMul", 2, "op", "MatMul", 1, 0, None, 0, 512, None, None, ()),
    ]


def test_what_is_not_known_is_none_and_makes_sums_partial() -> None:
    unsized = node_def("a/other", "VarHandleOp")
    graph = ScopedGraph(read_graph_def(graph_def(INPUT, *dense_layer("a/dense", "x"), unsized)))
    rows = {row.path: row for row in rows_of(graph)}

    assert (rows["a"].parameters, rows["a"].bytes, rows["a"].partial) == (64, 256, ("parameters", "bytes"))
    assert (rows["a/dense"].parameters, rows["a/dense"].partial) == (64, ())
    assert (rows["a/other"].parameters, rows["a/other"].bytes, rows["a/other"].partial) == (None, None, ())


def test_a_graph_of_which_nothing_is_known_has_no_zeros() -> None:
    (root,) = rows_of(ScopedGraph(read_graph_def(graph_def(node_def("x", "Relu")))))

    assert tuple(root) == ("", 0, "scope", "", 1, None, None, None, None, None, None, ())


def test_more_rows_than_the_limit_are_the_outermost() -> None:
    graph = two_layers()
    table = totals_table(graph, 4)

    assert (table.total, [row.path for row in table.rows]) == (8, ["", "a", "a/dense", "b"])


def test_a_call_has_the_operations_of_its_function() -> None:
    square = shapes_attribute((8, 8)) + type_attribute("T")
    product = node_def("product", "MatMul", ("k:output:0", "k:output:0"), square)
    called = function_def("f", {"a": 1}, [node_def("k", "Const", (), square), product], {"y": "product:product:0"})
    graph = ScopedGraph(read_graph_def(graph_def(node_def("call", "f", ("x",)), INPUT, functions=[called])))

    assert [(row.path, row.flops) for row in rows_of(graph)] == [("", 1024), ("call", 1024)]


@pytest.mark.parametrize(
    ("name", "parameters", "stored"),
    [
        ("frozen.pb", 2 * 4 * 4, 128),
        ("graph.pbtxt", 2 * 4 * 4, 128),
        ("saved_model.pb", 4 * 2, 32),
        ("torch_traced.onnx", 10 * 8 + 3 * (8 * 8 + 8) + 2 * 8 + (8 * 4 + 4), 1392),
        ("torch_exported.onnx", 10 * 8 + 3 * (8 * 8 + 8) + 2 * 8 + (8 * 4 + 4), 1392),
        ("torch_scripted.onnx", 4 * 4 + 4, 80),
        ("onnx_functions.onnx", 2 * 3 + 1000 * 1000, 2 * 6 + 4 * 1000 * 1000),
    ],
)
def test_the_parameters_of_real_files_are_those_of_their_models(name: str, parameters: int, stored: int) -> None:
    """Exporters of torch write equal weights once: the three norms of the encoder, which was not trained, share."""
    root = file_rows(name)[0]

    assert (root.parameters, root.bytes) == (parameters, stored)


def test_products_of_a_real_file() -> None:
    """Ten tokens through three linear layers of 8 by 8, and a head of 8 by 4."""
    assert file_rows("torch_exported.onnx")[0].flops == 10 * (3 * 2 * 8 * 8 + 2 * 8 * 4)


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        (layer("Dense", [None, 4], units=3, trainable=True), (15, 15, 60, 24)),
        (layer("Dense", [None, 7, 4], units=3, trainable=False), (15, 0, 60, 168)),
        (layer("Dense", [None, 4], units=3), (15, None, 60, 24)),
        (layer("Dense", [None, 4], units=3, trainable=True, dtype="mixed_bfloat16"), (15, 15, 60, 24)),
        (layer("Dense", [None, 4], units=3, trainable=True, dtype="float16"), (15, 15, 30, 24)),
        (layer("BatchNormalization", [None, 4], trainable=True), (16, 8, 64, 0)),
        (layer("Dropout", [None, 4], trainable=True), (0, 0, 0, 0)),
        (layer("Mine", [None, 4], trainable=True), (None, None, None, None)),
    ],
)
def test_layers_of_keras(described: dict[str, Any], expected: tuple[int | None, ...]) -> None:
    """Beside one that makes all columns known."""
    beside = layer("Dense", [None, 2], units=2, trainable=True) | {"name": "beside"}
    beside["config"]["name"] = "beside"
    row = keras_rows(beside, described)[1]

    assert (row.parameters, row.trainable, row.bytes, row.flops) == expected


NODES = st.tuples(NAMES, st.sampled_from(["VarHandleOp", "Relu"]), st.integers(-1, 50))


@given(st.lists(NODES, min_size=1, max_size=25))
def test_the_row_of_a_scope_is_the_sum_of_its_nodes(nodes: list[tuple[str, str, int]]) -> None:
    builder = GraphBuilder()
    for name, op, size in nodes:
        size = size if op == "VarHandleOp" else -1
        builder.add(name, op, outputs=(TensorType("float32", (size,)),), parameters=size)
    graph = ScopedGraph(builder.finish())
    sizes, ops, tree = graph.graph.parameters, graph.graph.op_ids, graph.root.tree
    variables = np.array([graph.graph.ops[at] == "VarHandleOp" for at in ops])
    any_known = bool((sizes >= 0).any())

    for row in rows_of(graph):
        place = graph.find(row.path)
        inside = tree.nodes[tree.low[place.item] : tree.high[place.item]]
        known, total = sizes[inside] >= 0, int(np.maximum(sizes[inside], 0).sum())
        lacks = bool((variables[inside] & ~known).any())
        assert row.parameters == (total if any_known and (total or not lacks) else None)
        assert ("parameters" in row.partial) == (any_known and lacks and total > 0)
