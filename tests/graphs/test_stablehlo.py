"""StableHLO as text: scopes by locations, regions, calls, types; and texts that are damaged."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.graphs.graph import Graph
from lightboard.graphs.stablehlo_text import read_stablehlo
from support.examples import examples
from support.graph_boxes import boxes_of, check_scopes
from support.onnx_models import GRAPH_FILES, edges_of

STEP = (GRAPH_FILES / "jax_step.mlir").read_bytes()


def function(*lines: str, arguments: str = "%arg0: tensor<2xf32>") -> Graph:
    """The graph of a function of these lines."""
    return read_stablehlo("\n".join([f"func.func public @main({arguments}) -> tensor<2xf32> {{", *lines, "}"]).encode())


def test_named_scopes_of_jax_are_scopes() -> None:
    graph = read_stablehlo(STEP)

    assert graph.problems == []
    assert [label for label, kind in boxes_of(graph) if kind == "scope"] == [
        "jvp(block_0)",
        "jvp(block_1)",
        "transpose(jvp())",
        "while_15",
        "transpose(jvp(block_1))",
        "transpose(jvp(block_0))",
    ]
    assert boxes_of(graph, "jvp(block_0)/layer")[:2] == [("dot_general_0", "op"), ("broadcast_in_dim_1", "op")]


def test_loops_are_scopes_and_functions_open_where_they_are_called() -> None:
    graph = read_stablehlo(STEP)

    assert boxes_of(graph, "while_15/cond") == [("constant_c_7", "op"), ("compare_33", "op"), ("return_27", "op")]
    assert ("call_35", "call") in boxes_of(graph, "while_15/do")
    assert [label for label, _ in boxes_of(graph, "while_15/do/call_35")][-1].startswith("return_")


def test_values_are_those_of_the_region_that_they_are_in() -> None:
    graph = function(
        "%0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg0) : tensor<2xf32>, tensor<2xf32>",
        "cond {",
        "%c = stablehlo.negate %iterArg : tensor<2xf32>",
        "} do {",
        "%c = stablehlo.abs %iterArg_1 : tensor<2xf32>",
        "stablehlo.return %c, %iterArg : tensor<2xf32>, tensor<2xf32>",
        "}",
        "return %0#1 : tensor<2xf32>",
    )

    assert edges_of(graph) == [
        ("arg0", 0, "while_0", 0),
        ("arg0", 0, "while_0", 1),
        ("arg0", 0, "while_0/cond/negate_c", 0),
        ("arg0", 0, "while_0/do/abs_c", 0),
        ("arg0", 0, "while_0/do/return_4", 1),
        ("while_0", 1, "return_5", 0),
        ("while_0/do/abs_c", 0, "while_0/do/return_4", 0),
    ]


def test_operations_with_a_region_in_parentheses() -> None:
    graph = function(
        '%0 = "stablehlo.reduce_window"(%arg0, %arg0) <{window = 2}> ({',
        "^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):",
        "%1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>",
        "stablehlo.return %1 : tensor<f32>",
        "}) : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>",
        "return %0 : tensor<1xf32>",
    )

    window = graph.names.index("reduce_window_0")
    assert [str(each) for each in graph.output_types(window)] == ["float32 1"]
    assert graph.names == [
        "arg0",
        "reduce_window_0",
        *("reduce_window_0/arg1", "reduce_window_0/arg2", "reduce_window_0/maximum_1", "reduce_window_0/return_5"),
        "return_6",
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("tensor<f32>", "float32 scalar"),
        ("tensor<2x?xbf16>", "bfloat16 2×?"),
        ("tensor<3xi1>", "bool 3"),
        ("tensor<3xui8>", "uint8 3"),
        ("tensor<4xf8E4M3FN>", "float8_e4m3fn 4"),
        ("tensor<2xcomplex<f32>>", "complex64 2"),
        ("tensor<2x3xf32, #sparse>", "float32 2×3"),
    ],
)
def test_types(written: str, shown: str) -> None:
    graph = function(f"%0 = stablehlo.abs %arg0 : {written}")

    assert [str(each) for each in graph.output_types(1)] == [shown]


def test_a_text_that_is_cut_off_says_so() -> None:
    graph = read_stablehlo(STEP[: len(STEP) // 3])

    assert (graph.names[0], graph.problems[-1]) == ("arg0", "the text is cut off")


def test_regions_without_end() -> None:
    graph = function(*["%0 = stablehlo.case(%arg0) {"] * 5000)

    check_scopes(graph)
    assert graph.problems[-1] == "the text is cut off"


def test_a_function_that_is_there_twice_has_the_operations_of_both() -> None:
    text = "func.func public @main(%arg0: tensor<f32>) {\n%0 = stablehlo.abs %arg0 : tensor<f32>\n}\n"

    assert read_stablehlo(2 * text.encode()).names == ["arg0", "abs_0", "arg0", "abs_0"]


@given(st.integers(0, 2**32), st.integers(1, 30))
@examples(60)
def test_damaged_texts_are_read_as_far_as_possible(seed: int, times: int) -> None:
    chance, data = random.Random(seed), bytearray(STEP)
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.choice(b'{}()#%":=, \n@^x<>\xff')
    check_scopes(read_stablehlo(bytes(data)))
