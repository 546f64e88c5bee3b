"""GraphDefs and SavedModels as TensorFlow writes them to files, and the text format."""

import pytest

from lightboard.errors import Unshowable
from lightboard.graphs.attributes import ShownAttribute, read_attributes
from lightboard.graphs.graph import TensorType
from lightboard.graphs.saved_model import read_tensorflow_bytes, read_tensorflow_text
from lightboard.graphs.text_format import message_text
from lightboard.graphs.text_parser import parse_message
from lightboard.testing.event_files import bytes_field, varint_field
from support.graph_boxes import boxes_of
from support.graph_defs import (
    attribute,
    dense_layer,
    function_attribute,
    function_def,
    graph_def,
    node_def,
    shape,
    type_attribute,
)
from support.onnx_models import GRAPH_FILES


def saved_model(*meta_graphs: tuple[str, bytes]) -> bytes:
    """A SavedModel with the tags of its meta graphs, separated by spaces, and their graphs."""
    data = varint_field(1, 1)
    for tags, graph in meta_graphs:
        info = b"".join(bytes_field(4, tag.encode()) for tag in tags.split())
        data += bytes_field(2, bytes_field(1, info) + bytes_field(2, graph))
    return data


def test_a_frozen_graph() -> None:
    graph = read_tensorflow_bytes((GRAPH_FILES / "frozen.pb").read_bytes())

    assert boxes_of(graph) == [
        ("x", "input"),
        ("layer_0", "scope"),
        ("layer_1", "scope"),
        ("Const", "constant"),
        ("mean", "op"),
    ]


def test_the_weights_of_a_frozen_graph_are_its_parameters() -> None:
    graph = read_tensorflow_bytes((GRAPH_FILES / "frozen.pb").read_bytes())

    found = {name: int(size) for name, size in zip(graph.names, graph.parameters, strict=True) if size >= 0}
    assert found == {"layer_0/kernel": 16, "layer_1/kernel": 16}
    assert boxes_of(graph, "layer_0") == [("kernel", "variable"), ("MatMul", "scope"), ("relu", "op")]


def test_constants_beside_variables_are_no_parameters() -> None:
    tensor = bytes_field(8, varint_field(1, 1) + bytes_field(2, shape(3)))
    constant = node_def("c", "Const", (), attribute("value", tensor) + type_attribute("dtype"))

    def parameters(*nodes: bytes) -> list[int]:
        return read_tensorflow_bytes(graph_def(*nodes)).parameters.tolist()

    assert parameters(constant) == [3]
    assert parameters(constant, node_def("v", "VarHandleOp")) == [-1, -1]


@pytest.mark.parametrize(
    ("dtype", "sizes"), [(3, (3,)), (1, ()), (1, (-1,))], ids=["integers", "a single number", "of unknown size"]
)
def test_a_constant_that_is_no_weight(dtype: int, sizes: tuple[int, ...]) -> None:
    tensor = bytes_field(8, varint_field(1, dtype) + bytes_field(2, shape(*(size % 2**64 for size in sizes))))
    graph = read_tensorflow_bytes(graph_def(node_def("c", "Const", (), attribute("value", tensor))))

    assert graph.parameters.tolist() == [-1]


def test_a_graph_in_text() -> None:
    graph = read_tensorflow_text((GRAPH_FILES / "graph.pbtxt").read_bytes())
    node = graph.names.index("layer_1/relu")

    assert boxes_of(graph)[:3] == [("x", "input"), ("layer_0", "scope"), ("layer_1", "scope")]
    assert (graph.op(node), graph.output_types(node)) == ("Relu", (TensorType("float32", (-1, 4)),))
    begin, end = graph.spans[node].tolist()
    assert read_attributes((graph.data or b"")[begin:end]) == [
        ShownAttribute("T", "float32", 2, cut=False),
        ShownAttribute("_output_shapes", "[?×4]", 21, cut=False),
    ]


def test_a_saved_model() -> None:
    graph = read_tensorflow_bytes((GRAPH_FILES / "saved_model.pb").read_bytes())

    assert graph.metadata == [
        ("TensorFlow version", "2.21.0"),
        ("Tags", "serve"),
        ("Signatures", "__saved_model_init_op, serving_default"),
    ]
    assert boxes_of(graph, "StatefulPartitionedCall/StatefulPartitionedCall/dense") == [
        ("MatMul", "scope"),
        ("Softmax", "op"),
    ]


def test_meta_graphs_are_in_scopes_that_are_named_after_their_tags() -> None:
    x = graph_def(node_def("x", "Placeholder"))
    graph = read_tensorflow_bytes(saved_model(("serve", x), ("serve gpu", x), ("serve", x)))

    assert graph.names == ["serve/x", "serve+gpu/x", "serve_2/x"]


@pytest.mark.parametrize("data", [b"", b"\x12\x00", b"plain words", bytes(100)])
def test_what_is_no_graph_is_one_sentence(data: bytes) -> None:
    with pytest.raises(Unshowable, match=r"^the file is neither a GraphDef nor a SavedModel$"):
        read_tensorflow_bytes(data)


@pytest.mark.parametrize("data", [b"", b'item { id: 1 name: "cat" }', b"{", b"# nothing\n", b"\xff"])
def test_text_that_is_no_graph_is_one_sentence(data: bytes) -> None:
    with pytest.raises(Unshowable, match=r"^the file is neither a GraphDef nor a SavedModel in text$"):
        read_tensorflow_text(data)


def test_text_that_is_cut_off_is_read_up_to_there() -> None:
    graph = read_tensorflow_text(
        b'node { name: "a" op: "A" } node { name: "b" op: "B" attr { key: "T" value { type: DT'
    )

    assert (graph.names, [graph.op(0), graph.op(1)], graph.problems) == (
        ["a", "b"],
        ["A", "B"],
        ["the text is cut off or malformed, so only a part of it is shown"],
    )


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("node: <name: 'a', op: \"A\">", 'node { name: "a" op: "A" }'),
        ('node { name: "a" "b" # comment\n op: "A" }', 'node { name: "ab" op: "A" }'),
        ('node [{ name: "a" }, { name: "b" }]', 'node { name: "a" } node { name: "b" }'),
        ('node { input: ["x", "y"] }', 'node { input: "x" input: "y" }'),
        ('node { unknown { deep { list: [1, 2] } } name: "a"; }', 'node { name: "a" }'),
        ('node { [some.extension] { x: 1 } name: "a" }', 'node { name: "a" }'),
        ("versions { producer: 0x10 }", "versions { producer: 16 }"),
        ("versions { producer: 017 min_consumer: -1 }", "versions { producer: 15 min_consumer: -1 }"),
        (r'node { name: "\303\251\x41\n" }', 'node { name: "\u00e9A\\n" }'),
    ],
)
def test_the_text_format_may_be_written_in_several_ways(text: str, same: str) -> None:
    assert parse_message(text, "GraphDef") == (parse_message(same, "GraphDef")[0], True)
    assert parse_message(same, "GraphDef")[0]


@pytest.mark.parametrize("name", ["frozen.pb", "graph.pbtxt", "by hand"])
def test_text_that_was_written_is_read_to_the_same_text(name: str) -> None:
    if name == "by hand":
        body = function_def("f", {"x": 1}, [node_def("y", "Mul", ("x", "x"))], {"z": "y:z:0"})
        call = node_def("call", "PartitionedCall", ("l/Relu",), function_attribute("f", "f"))
        data = graph_def(*dense_layer("l", "x"), call, functions=[body])
    else:
        data = (GRAPH_FILES / name).read_bytes()
        data = parse_message(data.decode(), "GraphDef")[0] if name.endswith("txt") else data
    text = "".join(message_text(data, "GraphDef"))

    again, complete = parse_message(text, "GraphDef")

    assert ("".join(message_text(again, "GraphDef")), complete) == (text, True)


def test_text_of_tensorflow_is_parsed_to_what_it_was_written_from() -> None:
    def lines(text: str) -> list[str]:
        """Its lines but for floats, which have another number of digits; attributes have another order."""
        return sorted(line for line in text.splitlines() if "float_val" not in line)

    text = (GRAPH_FILES / "graph.pbtxt").read_text()

    again = "".join(message_text(parse_message(text, "GraphDef")[0], "GraphDef"))
    assert lines(again) == lines(text)
