"""Programs of `torch.export.save`: modules as scopes, parameters, branches, lines of code; and what is no program."""

import io
import json
import random
import zipfile
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Unshowable
from lightboard.graphs.graph import Graph
from lightboard.graphs.torch_archive import MAX_DIRECTORY_BYTES, read_programs
from lightboard.graphs.torch_export import read_program, read_torch_export
from support.examples import examples
from support.graph_boxes import boxes_of, check_scopes
from support.onnx_models import GRAPH_FILES, edges_of

EXPORT = GRAPH_FILES / "torch_export.pt2"


def read(data: bytes) -> Graph:
    """The graph in an archive."""
    return read_torch_export(lambda offset, length: data[offset : offset + length], len(data))


def archive(entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """An archive with these entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as target:
        for name, data in entries.items():
            target.writestr(name, data)
    return buffer.getvalue()


def program(*nodes: Any, **graph: Any) -> bytes:
    """A program of these nodes."""
    return json.dumps({"graph_module": {"graph": {"nodes": nodes, **graph}}}).encode()


def node(name: str, *inputs: str, target: str = "torch.ops.aten.relu.default") -> dict[str, Any]:
    """A node that takes these values."""
    args = [{"name": "self", "arg": {"as_tensor": {"name": each}}} for each in inputs]
    return {"name": name, "target": target, "inputs": args, "outputs": [{"as_tensor": {"name": name}}], "metadata": {}}


def test_modules_are_scopes() -> None:
    graph = read(EXPORT.read_bytes())

    assert boxes_of(graph) == [
        ("blocks.0", "scope"),
        ("blocks.1", "scope"),
        ("x", "input"),
        ("split_with_sizes", "op"),
        ("sum_1", "op"),
        ("gt", "op"),
        ("cond", "call"),
        ("output_0", "op"),
        ("output_1", "op"),
    ]
    assert boxes_of(graph, "blocks.0/norm") == [
        ("weight", "variable"),
        ("bias", "variable"),
        ("running_mean", "constant"),
        ("running_var", "constant"),
        ("num_batches_tracked", "constant"),
        ("batch_norm", "op"),
    ]


def test_nodes_have_operations_types_and_lines_of_code() -> None:
    graph = read(EXPORT.read_bytes())
    linear, split = (graph.names.index(name) for name in ("blocks.0/linear/linear", "split_with_sizes"))

    assert (graph.op(linear), str(graph.output_types(linear)[0])) == ("aten::linear", "float32 ?×4")
    assert [str(each) for each in graph.output_types(split)] == ["float32 ?×1", "float32 ?×3"]
    assert graph.attributes is not None
    assert graph.attributes[split][:2] == [("split_sizes", "[1, 3]"), ("dim", "1")]
    assert graph.sources is not None
    assert graph.sources[linear] == (
        "/src/write_graph_files.py:81, forward: return x + torch.relu(self.linear(self.norm(x)))"
    )


def test_values_flow_from_the_output_that_makes_them() -> None:
    graph = read(EXPORT.read_bytes())
    found = edges_of(graph)

    assert [edge for edge in found if "split_with_sizes" in edge[0]] == [
        ("split_with_sizes", 0, "output_1", 0),
        ("split_with_sizes", 0, "sum_1", 0),
        ("split_with_sizes", 1, "cond", 1),
    ]


def test_parameters_are_counted_and_buffers_are_not() -> None:
    graph = read(EXPORT.read_bytes())

    assert int(graph.parameters[graph.parameters >= 0].sum()) == 2 * (4 + 4 + 16 + 4)


def test_the_branches_of_a_condition_are_functions() -> None:
    graph = read(EXPORT.read_bytes())

    assert boxes_of(graph, "cond/false_graph_0") == [("getitem_1", "input"), ("cos", "op"), ("output", "op")]
    assert graph.metadata == [("torch_version", "2.13.0+cpu"), ("schema_version", "8.20")]


def test_several_programs_are_in_scopes_of_their_own() -> None:
    graph = read(archive({"m/models/encode.json": program(node("a")), "m/models/decode.json": program(node("b", "b"))}))

    assert (graph.names, edges_of(graph)) == (["encode/a", "decode/b"], [("decode/b", 0, "decode/b", 0)])
    assert graph.attributes == {0: [], 1: []}


def test_an_archive_of_an_older_torch() -> None:
    assert read(archive({"serialized_exported_program.json": program(node("a"))})).names == ["a"]


def test_inputs_of_lists_and_of_none() -> None:
    args = [
        {"name": "tensors", "arg": {"as_tensors": [{"name": "a"}, {"name": "b"}]}},
        {"name": "some", "arg": {"as_optional_tensors": [{"as_none": True}, {"as_tensor": {"name": "a"}}]}},
        {"name": "size", "arg": {"as_sym_int": {"as_name": "b"}}},
        {"name": "dim", "arg": {"as_int": 0}},
        {"name": "none", "arg": {"as_none": True}},
    ]
    graph = read_program(program(node("a"), node("b"), {**node("cat"), "inputs": args}))

    assert edges_of(graph) == [("a", 0, "cat", 0), ("a", 0, "cat", 2), ("b", 0, "cat", 1), ("b", 0, "cat", 3)]
    assert graph.attributes is not None
    assert graph.attributes[2] == [("dim", "0"), ("none", "None")]


def refused(data: bytes) -> str:
    """Why an archive is no graph."""
    with pytest.raises(Unshowable) as caught:
        read(data)
    return caught.value.message


UNREADABLE = "the file is no archive that can be read"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", UNREADABLE),
        (b"PK\x05\x06", UNREADABLE),
        (EXPORT.read_bytes()[:-1], UNREADABLE),
        (archive({"model/data/weights/weight_0": b"1"}), "the archive has no exported program"),
        (archive({"m/models/model.json": b"{"}), "the program in the archive is no JSON that can be read"),
        (archive({"m/models/model.json": b"[" * 100_000}), "the program in the archive is no JSON that can be read"),
        (
            archive({"m/models/model.json": b"{}"}, zipfile.ZIP_LZMA),
            "the program in the archive is compressed in a way that is not read",
        ),
    ],
)
def test_what_is_no_program_is_one_sentence(data: bytes, message: str) -> None:
    assert refused(data) == message


def test_a_program_that_is_small_only_while_it_is_compressed() -> None:
    bomb = archive({"m/models/model.json": b" " * (130 << 20)}, zipfile.ZIP_DEFLATED)

    assert refused(bomb) == "the program has more than 128 MB"


def test_a_list_of_entries_that_says_to_be_large() -> None:
    """It is refused before it is read into memory."""
    size, end = MAX_DIRECTORY_BYTES + 1, bytearray(archive({"a": b""})[-22:])
    end[12:20] = size.to_bytes(4, "little") + bytes(4)
    wanted = []

    def read_range(offset: int, length: int) -> bytes:
        wanted.append(length)
        return (bytes(size - offset) + end)[:length] if offset < size else bytes(end)[offset - size :][:length]

    with pytest.raises(Unshowable):
        read_torch_export(read_range, size + len(end))
    assert max(wanted) < MAX_DIRECTORY_BYTES


def test_programs_of_an_archive_have_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of twenty may not take what one may."""
    monkeypatch.setattr("lightboard.graphs.torch_archive.MAX_JSON_BYTES", 1 << 20)
    program = b" " * (600 << 10)
    many = archive({f"m/models/{at}.json": program for at in range(2)}, zipfile.ZIP_DEFLATED)

    with pytest.raises(Unshowable, match="the program has more than 1 MB"):
        read_programs(lambda offset, length: many[offset : offset + length], len(many))


@given(st.integers(0, 2**32), st.integers(1, 8))
@examples(60)
def test_damaged_archives_are_a_graph_or_a_sentence(seed: int, times: int) -> None:
    chance, data = random.Random(seed), bytearray(EXPORT.read_bytes())
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with suppress(Unshowable):
        check_scopes(read(bytes(data)))


JSON = st.recursive(
    st.sampled_from([None, True, 0, -1, 2**70, 1.5, "", "a", "x/y", "L__self__,a.b,T;,c,"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "arg", "as_tensor", "as_tensors", "as_graph", "graph", "nodes", "sizes", "as_int"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)
KEYS = {"inputs": JSON, "outputs": JSON, "metadata": JSON, "name": JSON, "target": JSON}


@given(st.lists(st.fixed_dictionaries({}, optional=KEYS), max_size=4), JSON, JSON, JSON)
@examples(150)
def test_any_json_makes_a_graph(nodes: list[Any], inputs: Any, outputs: Any, types: Any) -> None:
    graph = read_program(program(*nodes, inputs=inputs, outputs=outputs, tensor_values=types))

    check_scopes(graph)
