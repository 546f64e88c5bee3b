"""Programs of XLA as text and as messages: what XLA's own messages say, and texts and messages that are damaged."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.graphs.graph import Call, Graph
from lightboard.graphs.graph_file import read_graph_file, read_hlo_part
from lightboard.graphs.hlo_module import element_type
from lightboard.graphs.hlo_proto import read_hlo_proto
from lightboard.graphs.hlo_text import read_hlo_text
from lightboard.profiles.hlo import list_programs
from support.examples import examples
from support.graph_boxes import boxes_of, check_scopes
from support.onnx_models import GRAPH_FILES, edges_of
from support.profiles import PROFILES

TEXT = (GRAPH_FILES / "jax_step.hlo").read_bytes()
MESSAGE = (GRAPH_FILES / "jax_step.hlo.pb").read_bytes()
ANSWERS = json.loads((GRAPH_FILES / "jax_step.answers.json").read_text())
PROGRAMS = json.loads((PROFILES / "programs.answers.json").read_text())
OPCODES = {"Argument": "parameter", "Const": "constant"}


def read_message(data: bytes) -> Graph:
    """The graph in a message."""
    return read_hlo_proto(lambda offset, length: data[offset : offset + length], len(data))


def computation(*lines: str) -> Graph:
    """The graph of a computation of these lines."""
    return read_hlo_text("\n".join(["HloModule m", "", "ENTRY %main (x: f32[2]) -> f32[2] {", *lines, "}"]).encode())


def named(name: str) -> str:
    """A name without its scopes."""
    return name.rpartition("/")[2]


def shape_text(shape: Any) -> Any:
    """A recorded shape as ours is shown."""
    if shape and isinstance(shape[0], str):
        return f"{element_type(shape[0])} {'×'.join(map(str, shape[1:])) or 'scalar'}"
    return [shape_text(each) for each in shape]


def contents(graph: Graph) -> dict[str, Any]:
    """What XLA's messages say of a computation."""
    edges = graph.edges
    rows = list(zip(*(column.tolist() for column in (edges.source, edges.target, edges.target_slot)), strict=True))
    names = [named(name) for name in graph.names]
    return {
        "nodes": sorted(
            [
                name,
                OPCODES.get(graph.op(at), graph.op(at)),
                [str(each) for each in graph.output_types(at)],
                [call.function for call in graph.calls.get(at, ())],
            ]
            for at, name in enumerate(names)
        ),
        "edges": sorted([names[source], names[target], slot] for source, target, slot in rows if slot >= 0),
        "waits": sorted([names[source], names[target]] for source, target, slot in rows if slot < 0),
    }


def recorded(answer: dict[str, Any]) -> dict[str, Any]:
    """A recorded computation in the same form."""
    nodes = []
    for name, op, shape, calls in answer["nodes"]:
        is_tuple = not shape or isinstance(shape[0], list)
        shown = shape_text(shape)
        nodes.append([name, op, shown if is_tuple else [shown], calls])
    return {**answer, "nodes": sorted(nodes)}


@pytest.mark.parametrize("graph", [read_hlo_text(TEXT), read_message(MESSAGE)], ids=["text", "message"])
def test_nodes_edges_shapes_and_calls_are_those_of_xla(graph: Graph) -> None:
    graphs = {**graph.functions, ANSWERS["entry"]: graph}

    assert graph.problems == []
    assert {name: contents(each) for name, each in graphs.items()} == {
        name: recorded(answer) for name, answer in ANSWERS["computations"].items()
    }


@pytest.mark.parametrize("path", sorted(PROGRAMS))
def test_programs_in_captures_are_those_of_xla(path: str) -> None:
    """All of an xplane, by their names, though nothing but these is read to list them."""
    data = (PROFILES / path).read_bytes()

    def read(offset: int, length: int) -> bytes:
        return data[offset : offset + length]

    found = {}
    for span in list_programs(read, len(data)):
        graph = read_hlo_part(read, len(data), span.begin, span.end)
        graphs = {**graph.functions, PROGRAMS[path][span.name]["entry"]: graph}
        found[span.name] = {name: contents(each) for name, each in graphs.items()}
    assert found == {
        title: {name: recorded(answer) for name, answer in program["computations"].items()}
        for title, program in PROGRAMS[path].items()
    }


def test_text_and_message_tell_the_same_scopes_sources_and_costs() -> None:
    def told(graph: Graph) -> dict[str, Any]:
        graphs = {**graph.functions, "": graph}
        return {
            name: sorted(
                (path, (each.sources or {}).get(at, ""), 0 if each.flops is None else int(each.flops[at]))
                for at, path in enumerate(each.names)
            )
            for name, each in graphs.items()
        }

    assert told(read_hlo_text(TEXT)) == told(read_message(MESSAGE))


def test_named_scopes_of_jax_are_scopes() -> None:
    scopes = [label for label, kind in boxes_of(read_hlo_text(TEXT)) if kind == "scope"]

    assert "jvp(block_0)" in scopes
    assert [label for label, _ in boxes_of(read_hlo_text(TEXT), "jvp(block_0)")] == ["layer"]


def test_elements_of_tuples_are_outputs() -> None:
    graph = computation(
        "%x = f32[2]{0} parameter(0)",
        '%t = (f32[2]{0}, /*index=1*/s32[]) custom-call(%x), custom_call_target="a, b) {"',
        "ROOT %y = s32[] get-tuple-element(%t), index=1",
        "%z = f32[2]{0} copy(/*index=5*/%t), control-predecessors={%x, %y}",
    )

    assert edges_of(graph) == [
        ("t", -1, "z", 0),
        ("t", 1, "y", 0),
        ("x", -1, "z", -1),
        ("x", 0, "t", 0),
        ("y", -1, "z", -1),
    ]
    assert graph.problems == []


@pytest.mark.parametrize(
    ("line", "flops"),
    [
        ("%y = f32[2,5] dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 2 * 2 * 5 * 3),
        ("%y = f32[2,3,3,5] dot(%a, %b)", 2 * 2 * 3 * 3 * 5),
        ("%y = f32[2,5] dot(%a, %b), lhs_contracting_dims={7}", -1),
        ("%y = f32[1,4,4,5] convolution(%a, %k), window={size=3x3}, dim_labels=b01f_01io->b01f", 2 * 80 * 3 * 3 * 2),
        ("%y = f32[2,3] add(%a, %a)", 0),
    ],
)
def test_operations_of_products(line: str, flops: int) -> None:
    graph = computation(
        *("%a = f32[2,3] parameter(0)", "%b = f32[3,5] parameter(1)", "%k = f32[3,3,2,5] parameter(2)", line)
    )

    assert graph.flops is not None
    assert graph.flops.tolist() == [0, 0, 0, flops]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("f32[]", "float32 scalar"),
        ("bf16[2,<=8]{1,0:T(8,128)(2,1)S(1)}", "bfloat16 2×?"),
        ("pred[3]", "bool 3"),
        ("u8[99999999999999999999]", "uint8 ?"),
        ("f8e4m3fn[4]", "float8_e4m3fn 4"),
        ("c64[2]", "complex64 2"),
        ("token[]", "token"),
    ],
)
def test_types(written: str, shown: str) -> None:
    assert [str(each) for each in computation(f"%x = {written} parameter(0)").output_types(0)] == [shown]


def test_a_text_that_is_cut_off_says_so() -> None:
    graph = read_hlo_text(TEXT[: len(TEXT) // 2])

    assert len(graph) > 0
    assert graph.problems[-1] == "the text is cut off"


@pytest.mark.parametrize("end", range(0, len(MESSAGE), 997))
def test_a_message_cut_off_anywhere_is_a_part_of_it(end: int) -> None:
    graph = read_message(MESSAGE[:end])

    check_scopes(graph)
    assert graph.problems or end == 0 or contents(graph) == contents(read_message(MESSAGE))


def test_computations_that_call_each_other() -> None:
    lines = (
        "%a (x: f32[]) -> f32[] {\n%x = f32[] parameter(0)\n%c = f32[] call(%x), to_apply=%b\n}\n"
        "%b (x: f32[]) -> f32[] {\n%x = f32[] parameter(0)\n%c = f32[] call(%x), to_apply=%a\n}\n"
        "ENTRY %e (x: f32[]) -> f32[] {\n%x = f32[] parameter(0)\n%y = f32[] call(%x), to_apply=%a\n}\n"
    )

    check_scopes(read_hlo_text(lines.encode()))


@pytest.mark.parametrize("header", ["ENTRY %e", "%e"])
def test_nothing_calls_the_entry(header: str) -> None:
    lines = (
        "%a (x: f32[]) -> f32[] {\n%x = f32[] parameter(0)\n%c = f32[] call(%x), to_apply=%e\n}\n"
        f"{header} (x: f32[]) -> f32[] {{\n%x = f32[] parameter(0)\n%y = f32[] call(%x), to_apply=%a\n"
        "%z = f32[] call(%x), to_apply=%e\n}\n"
    )
    graph = read_hlo_text(lines.encode())

    assert {name: body.calls for name, body in graph.functions.items()} == {"a": {}}
    assert graph.calls == {1: (Call("", "a"),)}


@pytest.mark.parametrize(
    "line",
    [
        "%y = " + "(" * 50_000,
        "%y = f32[" + "9," * 40_000 + "] copy(%x)",
        "%y = f32[] copy(" + "%x," * 30_000 + ")",
        '%y = f32[] copy(%x), metadata={op_name="' + "a/" * 40_000 + '"}',
        "%y = (" + "/*index=" * 10_000 + "f32[]) copy(%x)",
        "%y = f32[] copy(" + "x" * 90_000 + "!)",
    ],
)
def test_lines_as_no_writer_makes_them(line: str) -> None:
    check_scopes(computation("%x = f32[2] parameter(0)", line))


@given(st.integers(0, 2**32), st.integers(1, 30))
@examples(60)
def test_damaged_texts_are_read_as_far_as_possible(seed: int, times: int) -> None:
    chance, data = random.Random(seed), bytearray(TEXT)
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.choice(b'{}()[]#%":=, \n@^x<>\xff')
    check_scopes(read_hlo_text(bytes(data)))


@given(st.integers(0, 2**32), st.integers(1, 30))
@examples(60)
def test_damaged_messages_are_read_as_far_as_possible(seed: int, times: int) -> None:
    chance, data = random.Random(seed), bytearray(MESSAGE)
    for _ in range(times):
        data[chance.randrange(len(data))] = chance.randrange(256)
    check_scopes(read_message(bytes(data)))


@pytest.mark.parametrize(
    "name",
    [
        *("module_0001.jit_step.before_optimizations.txt", "module_0001.jit_step.sm_9.0_gpu_after_optimizations.txt"),
        *("step.hlo", "step.hlo.txt", "module_0001.jit_step.before_optimizations.hlo.pb", "jit_step.hlo_proto.pb"),
    ],
)
def test_files_by_their_names(name: str) -> None:
    data = MESSAGE if name.endswith(".pb") else TEXT

    graph = read_graph_file(name, lambda offset, length: data[offset : offset + length], len(data))

    assert graph.metadata == [("Module", "jit_loss")]
