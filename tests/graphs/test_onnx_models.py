"""ONNX models, by torch's exporters, by the onnx package and by hand."""

import pytest

from lightboard.graphs.attributes import ShownAttribute
from lightboard.graphs.graph import Call, Graph, TensorType
from lightboard.graphs.node_kinds import kind_of
from lightboard.graphs.onnx_attributes import read_onnx_attributes
from lightboard.graphs.onnx_model import read_onnx_model
from lightboard.testing.event_files import varint
from support.graph_boxes import boxes_of
from support.onnx_models import (
    GRAPH_FILES,
    body_attribute,
    edges_of,
    graph_proto,
    initializer,
    model_proto,
    node_proto,
    read_model,
    value_info,
)


def model_of(name: str) -> Graph:
    """The graph in a file of tests/data/graphs."""
    return read_model((GRAPH_FILES / f"{name}.onnx").read_bytes())


@pytest.mark.parametrize(("name", "first"), [("torch_traced", "tokens"), ("torch_exported", "tokens")])
def test_the_blocks_of_a_model_are_a_stack_whichever_exporter_of_torch_wrote_it(name: str, first: str) -> None:
    graph = model_of(name)

    boxes = boxes_of(graph)

    assert (boxes[0], ("layers.[0–2]", "stack") in boxes, ("head", "scope") in boxes) == ((first, "input"), True, True)
    assert (int(graph.parameters[graph.parameters >= 0].sum()), graph.problems) == (348, [])


def test_initializers_are_in_the_scope_of_what_uses_them() -> None:
    assert boxes_of(model_of("torch_traced"), "layers.1/attention") == [
        ("MatMul", "op"),
        ("Add", "op"),
        ("layers.1.attention.bias", "variable"),
        ("onnx::MatMul_39", "variable"),
    ]


def test_a_loop_opens_to_its_body_and_its_condition_to_both_branches() -> None:
    graph = model_of("torch_scripted")

    assert [call for calls in graph.calls.values() for call in calls] == [Call("body", "Loop/body")]
    assert [call for calls in graph.functions["Loop/body"].calls.values() for call in calls] == [
        Call("then_branch", "Loop/body/If/then_branch"),
        Call("else_branch", "Loop/body/If/else_branch"),
    ]
    assert boxes_of(graph, "Loop/If/then_branch/w") == [
        ("Gemm", "op"),
        ("Gemm_output_0", "op"),
    ]


def test_what_a_body_takes_from_outside_flows_into_its_node() -> None:
    graph = model_of("torch_scripted")

    branch = graph.functions["Loop/body/If/then_branch"]
    assert edges_of(branch)[2:] == [("w.weight", 0, "/w/Gemm", 1), ("x.29", 0, "/w/Gemm", 0)]
    assert branch.output_types(branch.names.index("w.weight")) == (TensorType("float32", (4, 4)),)
    assert ("w.weight", 0, "/If", -1) in edges_of(graph.functions["Loop/body"])
    assert ("w.weight", 0, "/Loop", -1) in edges_of(graph)


def test_functions_unnamed_nodes_and_left_out_inputs() -> None:
    graph = model_of("onnx_functions")

    assert list(zip(graph.names, map(graph.op, range(len(graph))), strict=True)) == [
        ("a", "Input"),
        ("scaled", "example::Scale"),
        ("after/Reshape", "Reshape"),
        ("pair", "SequenceConstruct"),
        ("clipped", "Clip"),
        ("weight", "Initializer"),
        ("large", "Initializer"),
        ("after/shape", "Initializer"),
        ("pair (output)", "Output"),
    ]
    assert graph.calls == {1: (Call("", "example::Scale"),)}
    assert edges_of(graph.functions["example::Scale"]) == [
        ("by", 0, "y", 1),
        ("x", 0, "y", 0),
        ("y", 0, "y (output)", 0),
    ]
    assert ("large", 0, "clipped", 2) in edges_of(graph)


def test_types_of_values() -> None:
    graph = model_of("onnx_functions")

    assert {name: graph.output_types(at) for at, name in enumerate(graph.names)} == {
        "a": (TensorType("float16", (-1, 3)),),
        "scaled": (TensorType("float16", (-1, 3)),),
        "after/Reshape": (),
        "pair": (TensorType("sequence(float16 3×2)", None),),
        "clipped": (),
        "pair (output)": (),
        "weight": (TensorType("float16", (2, 3)),),
        "large": (TensorType("float32", (1000, 1000)),),
        "after/shape": (TensorType("int64", (2,)),),
    }


def test_weights_are_variables_and_shapes_are_constants() -> None:
    graph = model_of("onnx_functions")
    initializers = [at for at in range(len(graph)) if graph.op(at) == "Initializer"]

    assert [(graph.names[at], kind_of(graph, at), int(graph.parameters[at])) for at in initializers] == [
        ("weight", "variable", 6),
        ("large", "variable", 1_000_000),
        ("after/shape", "constant", -1),
    ]


def test_metadata_of_a_model() -> None:
    assert model_of("onnx_functions").metadata == [
        ("IR version", "14"),
        ("Producer", "example"),
        ("license", "none"),
        ("Operator sets", "ai.onnx 20, example 1"),
    ]


@pytest.mark.parametrize(
    ("file", "node", "attributes"),
    [
        ("onnx_functions", "weight", [ShownAttribute("value", "float16 2×3: 0, 1, 2, 3, 4, 5", 28, cut=False)]),
        (
            *("onnx_functions", "large"),
            [
                ShownAttribute("value", "float32 1000×1000", 40, cut=False),
                ShownAttribute("external location", "large.bin", 9, cut=False),
            ],
        ),
        ("onnx_functions", "clipped", [ShownAttribute("doc_string", "no lower end", 12, cut=False)]),
        (
            *("torch_traced", "/layers.0/norm/LayerNormalization"),
            [ShownAttribute("axis", "-1", 20, cut=False), ShownAttribute("epsilon", "1e-05", 17, cut=False)],
        ),
        ("torch_scripted", "/Constant", [ShownAttribute("value", "bool scalar: true", 17, cut=False)]),
        ("torch_scripted", "/Loop", [ShownAttribute("body", "(graph)", 1076, cut=False)]),
    ],
)
def test_attributes_are_decoded_from_the_bytes_of_a_node(
    file: str, node: str, attributes: list[ShownAttribute]
) -> None:
    data, graph = (GRAPH_FILES / f"{file}.onnx").read_bytes(), model_of(file)
    at = graph.names.index(node)
    begin, end = graph.spans[at].tolist()

    found = read_onnx_attributes(lambda offset, length: data[offset : offset + length], begin, end, graph.op(at))

    assert found == attributes


def test_a_model_of_gigabytes_is_read_without_its_weights() -> None:
    weights, asked = 4 << 30, list[int]()
    tensor = initializer("w", 1 << 15, 1 << 15) + b"\x4a" + varint(weights)
    after = graph_proto(node_proto("Identity", ["w"], ["y"]), outputs=[value_info("y", 1)])
    inner = b"\x2a" + varint(len(tensor) + weights) + tensor
    before = b"\x3a" + varint(len(inner) + weights + len(after)) + inner
    size = len(before) + weights + len(after)

    def read(offset: int, length: int) -> bytes:
        """Bytes of a file whose weights are zeros."""
        asked.append(length)
        padded = before + bytes(length) if offset < len(before) else bytes(max(0, size - len(after) - offset)) + after
        start = offset if offset < len(before) else max(0, offset - (size - len(after)))
        return padded[start : start + length]

    graph = read_onnx_model(read, size)

    assert (edges_of(graph), graph.parameters.max(), graph.problems) == (
        [("w", 0, "y", 0), ("y", 0, "y (output)", 0)],
        1 << 30,
        [],
    )
    assert sum(asked) < 100_000


def test_a_name_that_nothing_makes_is_a_problem() -> None:
    assert read_model(model_proto(graph_proto(node_proto("Add", ["a", "b"], ["c"])))).problems == [
        "2 inputs name nodes that are not in the graph"
    ]


def test_equal_bodies_of_different_nodes_are_apart() -> None:
    body = graph_proto(node_proto("Relu", ["x"], ["r"]), outputs=[value_info("r", 1)])
    twice = [node_proto("If", ["c"], [name], name="if", attributes=body_attribute("then", body)) for name in "yz"]
    graph = read_model(model_proto(graph_proto(*twice, inputs=[value_info("x", 1), value_info("c")])))

    assert list(graph.functions) == ["if/then", "if/then (2)"]
