"""Model files as no writer makes them: cut off, damaged, nested without end, or no models at all."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.graphs.onnx_attributes import read_onnx_attributes
from lightboard.graphs.saved_model import read_tensorflow_bytes, read_tensorflow_text
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.text_parser import parse_message
from lightboard.testing.event_files import bytes_field
from support.examples import examples
from support.graph_boxes import check_scopes
from support.onnx_models import (
    GRAPH_FILES,
    body_attribute,
    edges_of,
    function_proto,
    graph_proto,
    initializer,
    model_proto,
    node_proto,
    read_model,
    value_info,
)

CUT = "the model is cut off or malformed, so only a part of it is shown"

NAMES = st.sampled_from(["", "a", "b", "c", "s/a", "s/b", "s", "/s/t/"])
NODES = st.lists(
    st.tuples(
        *(NAMES, st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=2)),
        st.sampled_from(["Add", "F", "Constant", ""]),
        st.booleans(),
    ),
    max_size=12,
)


def onnx_models() -> list[bytes]:
    """The ONNX models in tests/data/graphs, the small ones."""
    return [path.read_bytes() for path in sorted(GRAPH_FILES.glob("*.onnx")) if path.stat().st_size < 10_000]


@given(NODES, st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=3))
@examples(60)
def test_any_names_make_a_graph(
    nodes: list[tuple[str, list[str], list[str], str, bool]], inputs: list[str], initializers: list[str]
) -> None:
    body = graph_proto(node_proto("Relu", ["a"], ["r"]), outputs=[value_info("r"), value_info("b")])
    encoded = [
        node_proto(op, each_in, each_out, name=name, domain="d", attributes=body_attribute("then", body) * has_body)
        for name, each_in, each_out, op, has_body in nodes
    ]
    infos, tensors = [value_info(name) for name in inputs], [initializer(name, 2) for name in initializers]
    function = function_proto("F", ["x"], ["a"], node_proto("F", ["x"], ["a"], domain="d"))
    graph = read_model(model_proto(graph_proto(*encoded, inputs=infos, initializers=tensors), function))

    check_scopes(graph)
    assert [graph.op(at) for at in range(len(graph)) if graph.spans[at, 1] and graph.op(at) != "Initializer"] == [
        f"d::{op}" for _, _, _, op, _ in nodes
    ]
    assert len(graph.functions) == 1 + sum(has_body for *_, has_body in nodes)


@pytest.mark.parametrize("end", range(0, len(onnx_models()[1]), 11))
def test_a_model_cut_off_anywhere_is_a_part_of_it(end: int) -> None:
    whole = onnx_models()[1]
    graph, part = read_model(whole), read_model(whole[:end])

    known = {(name, graph.op(at)) for at, name in enumerate(graph.names)}
    assert {(name, part.op(at)) for at, name in enumerate(part.names) if part.op(at) not in ("", "Captured")} <= known
    assert part.problems
    check_scopes(part)


def test_a_model_that_is_cut_off_says_so() -> None:
    whole = (GRAPH_FILES / "torch_traced.onnx").read_bytes()
    part = read_model(whole[: len(whole) // 5])

    assert (part.names[:2], part.problems) == (
        ["Identity_0", "Identity_1"],
        ["9 inputs name nodes that are not in the graph", "1 nodes could not be read completely", CUT],
    )


@given(st.integers(0, 2**32), st.integers(1, 20))
@examples(60)
def test_damaged_models_are_read_as_far_as_possible(seed: int, times: int) -> None:
    chance = random.Random(seed)
    data = bytearray(chance.choice(onnx_models()))
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.randrange(256)
    graph = read_model(bytes(data))
    check_scopes(graph)
    for at in range(len(graph)):
        begin, end = graph.spans[at].tolist()
        shown = read_onnx_attributes(lambda offset, size: bytes(data[offset : offset + size]), begin, end, graph.op(at))
        assert all(len(each.value) <= 4000 for each in shown)


@given(st.binary(max_size=300))
@examples(60)
def test_any_bytes_are_a_graph_or_a_problem(data: bytes) -> None:
    graph = read_model(data)

    assert len(graph) or graph.problems
    check_scopes(graph)


def test_five_hundred_bodies_inside_of_each_other() -> None:
    graph = graph_proto(node_proto("Relu", ["x"], ["y"]), outputs=[value_info("y")])
    for _ in range(500):
        node = node_proto("If", [], ["y"], attributes=body_attribute("then", graph))
        graph = graph_proto(node, outputs=[value_info("y")])
    found = read_model(model_proto(graph_proto(node_proto("If", [], ["y"], attributes=body_attribute("then", graph)))))

    assert (len(found.functions), found.problems) == (501, ["1 inputs name nodes that are not in the graph"])
    check_scopes(found)


def test_a_function_that_calls_itself_opens_level_by_level() -> None:
    function = function_proto("F", ["x"], ["y"], node_proto("F", ["x"], ["y"], name="again", domain="d"))
    graph = read_model(model_proto(graph_proto(node_proto("F", ["x"], ["y"], name="f", domain="d")), function))
    scopes = ScopedGraph(graph)

    assert [box.label for box in scopes.view(scopes.inside(scopes.find("f/again/again"))).boxes][1] == "again"


def test_a_cycle_is_two_edges() -> None:
    graph = read_model(model_proto(graph_proto(node_proto("A", ["y"], ["x"]), node_proto("B", ["x"], ["y"]))))

    assert edges_of(graph) == [("x", 0, "y", 0), ("y", 0, "x", 0)]


def test_a_type_inside_of_itself_ends() -> None:
    inner = b""
    for _ in range(5000):
        inner = bytes_field(4, bytes_field(1, inner))
    value = bytes_field(1, b"x") + bytes_field(2, inner)

    graph = read_model(model_proto(graph_proto(inputs=[value])))

    assert str(graph.output_types(0)[0]) == "sequence(" * 20 + "?" + ")" * 20


def test_a_shape_of_huge_sizes_has_a_count_that_fits() -> None:
    graph = read_model(model_proto(graph_proto(initializers=[initializer("w", *[2**62] * 900)])))

    assert graph.parameters.tolist() == [2**53]


@given(st.sampled_from(["frozen.pb", "saved_model.pb", "graph.pbtxt"]), st.integers(0, 2**32), st.integers(1, 20))
@examples(40)
def test_damaged_files_of_tensorflow_are_read_as_far_as_possible(name: str, seed: int, times: int) -> None:
    chance = random.Random(seed)
    data = bytearray((GRAPH_FILES / name).read_bytes())
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.randrange(256)
    read = read_tensorflow_text if name.endswith("txt") else read_tensorflow_bytes
    with suppress(Unshowable):
        check_scopes(read(bytes(data)))


@pytest.mark.parametrize("share", range(1, 10))
def test_a_saved_model_cut_off_anywhere_is_a_part_of_it(share: int) -> None:
    whole = (GRAPH_FILES / "saved_model.pb").read_bytes()
    graph, part = read_tensorflow_bytes(whole), read_tensorflow_bytes(whole[: len(whole) * share // 10])

    assert (part.names == graph.names[: len(part.names)], bool(part.problems)) == (True, True)
    check_scopes(part)


WORDS = st.lists(
    st.sampled_from(
        [*'{}<>[]:;,"#', "node", "name", "op", "attr", "list", "'a'", '"b"', "-1", "1e9", "inf", "DT_INT32"]
    ),
    max_size=40,
)


@given(WORDS)
@examples(100)
def test_any_words_are_a_message(words: list[str]) -> None:
    data, complete = parse_message(" ".join(words), "GraphDef")

    assert parse_message("", "GraphDef") == (b"", True)
    assert isinstance(complete, bool)
    with suppress(Unshowable):
        check_scopes(read_tensorflow_bytes(data))


@pytest.mark.parametrize("opening", ["node {", "unknown <", "node { attr { value { list {", "x: ["])
def test_text_of_nothing_but_openings_ends(opening: str) -> None:
    assert parse_message(opening * 200_000, "GraphDef")[1] is False


def test_a_text_that_is_not_closed_is_read_once() -> None:
    assert parse_message('node { name: "' + "a\\" * 3_000_000, "GraphDef") == (b"\n\x00", False)
