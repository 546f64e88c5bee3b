"""Operators by the shapes of their inputs."""

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.cancellation import finish
from lightboard.profiles import input_shapes, shape_operators, text_stream
from lightboard.profiles.call_tree import LongestSlice
from lightboard.profiles.input_shapes import ShapeReader, input_text, shapes_of
from lightboard.profiles.operators import operators_of
from lightboard.profiles.shape_operators import ShapeOperator, shapes_text
from support.examples import examples
from support.profiles import PROFILES, TORCH, read_path, read_trace, slice_event, trace

TORCH_GPU = next((PROFILES / "torch_gpu").glob("*.pt.trace.json.gz"))

FLOATS = {"Input Dims": [[2, 3], [3, 4], []], "Input type": ["float", "c10::Half", "Scalar"]}


def by_shape(*files: bytes, base_name: str = "a.trace.json") -> list[ShapeOperator]:
    """The table of some files, one for each host."""
    hosts = [(read_trace(data), reader_of(data, base_name)) for data in files]
    return finish(shape_operators.shape_operators(hosts))


def reader_of(data: bytes, base_name: str = "a.trace.json") -> ShapeReader:
    """A reader of a file in memory."""
    return ShapeReader(base_name, lambda offset, length: data[offset : offset + length], len(data))


@pytest.mark.parametrize("path", [TORCH, TORCH_GPU], ids=["cpu", "gpu"])
def test_counts_and_times_are_those_of_the_events(path: Path) -> None:
    """The whole table, by a loop over the file. Marks of steps are no operators, nor is what repeats them on a GPU."""
    events = json.loads(gzip.decompress(path.read_bytes()), strict=False)["traceEvents"]
    theirs: dict[tuple[str, str | None], list[float]] = defaultdict(lambda: [0, 0.0])
    for event in events:
        if event["ph"] != "X" or event.get("cat") in ("Trace", "python_function", "gpu_user_annotation"):
            continue
        if not event["name"].startswith("ProfilerStep#"):
            dims = event.get("args", {}).get("Input Dims")
            theirs[event["name"], None if dims is None else json.dumps(dims)][0] += 1
            theirs[event["name"], None if dims is None else json.dumps(dims)][1] += event["dur"]
    ours: dict[tuple[str, str | None], list[float]] = defaultdict(lambda: [0, 0.0])
    data, capture = path.read_bytes(), read_path(path)
    for row in finish(shape_operators.shape_operators([(capture, reader_of(data, path.name))])):
        ours[row.name, sizes_of(row)][0] += row.count
        ours[row.name, sizes_of(row)][1] += row.total_ns / 1000

    assert len(theirs) > 100
    assert ours == {key: [count, pytest.approx(total, abs=0.001 * count)] for key, (count, total) in theirs.items()}


def sizes_of(row: ShapeOperator) -> str | None:
    """The dimensions of inputs as PyTorch writes them."""
    if row.shapes is None:
        return None
    return json.dumps([json.loads(shape[shape.index("[") :]) if "[" in shape else [] for shape in row.shapes])


def test_sums_over_shapes_are_those_without() -> None:
    """Counts, total and self times by name."""
    data, capture = TORCH.read_bytes(), read_path(TORCH)
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    whole: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    rows = finish(shape_operators.shape_operators([(capture, reader_of(data, TORCH.name))]))
    for into, table in ((sums, rows), (whole, operators_of([capture]))):
        for row in table:
            for at, figure in enumerate((row.count, row.total_ns, row.self_ns)):
                into[row.name][at] += figure

    assert sums == whole


@pytest.mark.parametrize(
    ("dimensions", "type_", "text"),
    [
        ([8, 16], "float", "float[8,16]"),
        ([], "float", "float[]"),
        ([], "Scalar", "Scalar"),
        ([], "", ""),
        ([8, 16], None, "[8,16]"),
        ([], None, ""),
        ([3], "c10::BFloat16", "BFloat16[3]"),
        ([[2, 3], [2, 3]], "TensorList", "TensorList[[2,3],[2,3]]"),
        ("Ã¼", 7, '"ü"'),
    ],
)
def test_an_input_has_its_type_and_its_dimensions(dimensions: Any, type_: Any, text: str) -> None:
    """A tensor without any dimensions is a number, what is no tensor is nothing but its type."""
    assert input_text(dimensions, type_) == text


def test_rows_of_hosts_are_added_up_and_lead_to_the_longest_slice() -> None:
    first = trace(slice_event("aten::mm", 0, 4, args=FLOATS), slice_event("aten::mm", 10, 2, args={"Input Dims": []}))
    second = trace(slice_event("aten::mm", 0, 3, args=FLOATS), slice_event("aten::mm", 5, 6, args=FLOATS))

    assert by_shape(first, second) == [
        ShapeOperator(
            *("aten::mm", "host", ("float[2,3]", "Half[3,4]", "Scalar")),
            *(3, 13_000, 13_000, 6000, LongestSlice(1, 1, 6000)),
        ),
        ShapeOperator("aten::mm", "host", (), 1, 2000, 2000, 2000, LongestSlice(0, 1, 2000)),
    ]


def test_events_without_shapes_are_a_row_of_their_own() -> None:
    """Those without arguments too."""
    events = [slice_event("aten::mm", 0, 4, args={"a": 1}), slice_event("aten::mm", 5, 1)]

    longest = LongestSlice(0, 0, 4000)
    assert by_shape(trace(*events)) == [ShapeOperator("aten::mm", "host", None, 2, 5000, 5000, 4000, longest)]


@pytest.mark.parametrize("args", [{"Input Dims": 7}, {"Input Dims": None}, {"Input type": ["float"]}, ["Input Dims"]])
def test_arguments_that_are_no_shapes_are_none(args: Any) -> None:
    assert [row.shapes for row in by_shape(trace(slice_event("aten::mm", 0, 4, args=args)))] == [None]


def test_shapes_are_read_wherever_the_file_is_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    data, capture = TORCH.read_bytes(), read_path(TORCH)
    whole = reader_of(data, TORCH.name)
    expected = [whole.known[at] for at in whole.read(capture.slices.args)]
    monkeypatch.setattr(text_stream, "CHUNK_BYTES", 97)
    pieces = reader_of(data, TORCH.name)

    assert [pieces.known[at] for at in pieces.read(capture.slices.args)] == expected
    assert len(set(expected)) > 30


WORDS = st.sampled_from(["Input Dims", "Input type", "args", '"Input Dims": [[1]]', "a{b", "}", "[", "", "ü"])
VALUES = st.recursive(
    WORDS | st.integers(-5, 5), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2)
)
TYPES = st.lists(st.sampled_from(["float", "", "Scalar", "c10::Half", "a]b", 'c"d']), max_size=3)
SIZES = st.lists(st.lists(st.integers(0, 9), max_size=2), max_size=3)
NESTED = st.fixed_dictionaries({"Input Dims": SIZES, "Input type": TYPES})
ARGS = st.fixed_dictionaries(
    {},
    optional={
        "first": NESTED | VALUES,
        "Input type": TYPES | VALUES,
        "between": NESTED | VALUES,
        "Input Dims": SIZES | VALUES,
        "last": NESTED | VALUES,
    },
)


@given(st.lists(st.tuples(WORDS, ARGS, st.none() | NESTED), min_size=1, max_size=4), st.sampled_from([None, 1]))
@examples(150)
def test_shapes_that_are_told_quickly_are_those_of_a_decoder(
    events: list[tuple[str, dict[str, Any], dict[str, Any] | None]], indent: int | None
) -> None:
    """Whatever is around them in the arguments, and whichever members of an event are before."""
    slices = [
        ({} if other is None else {"other": other}) | slice_event(word, 2 * at, 1, args=args)
        for at, (word, args, other) in enumerate(events)
    ]
    last = slice_event("last", 10, 1, args={"a": 1})
    data = json.dumps({"traceEvents": [*slices, last]}, indent=indent, ensure_ascii=False).encode()
    reader = reader_of(data)
    found = reader.read(read_trace(data).slices.args)

    assert [reader.known[at] for at in found] == [shapes_of(latin(args)) for _, args, _ in events] + [None]


def latin(value: Any) -> Any:
    """What a decoder of the file makes of it: a character for each byte."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode().decode("latin-1"))


def test_what_was_cut_off_since_has_no_shapes() -> None:
    data = trace(*(slice_event("aten::mm", at, 1, args=FLOATS) for at in (0, 2, 4)))
    capture = read_trace(data)
    cut = reader_of(data[: int(capture.slices.args[1]) + 20])

    assert cut.read(capture.slices.args).tolist() == [1, 0, 0]


def test_files_of_other_formats_have_no_shapes() -> None:
    data = trace(slice_event("aten::mm", 0, 1, args=FLOATS))

    assert [row.shapes for row in by_shape(data, base_name="a.xplane.pb")] == [None]


def test_shapes_beyond_the_limit_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_shapes, "MAX_SHAPES", 2)
    events = [slice_event("aten::mm", 10 * size, 1, args={"Input Dims": [[size]]}) for size in (1, 2, 3, 4)]

    assert sorted((row.shapes or (), row.count) for row in by_shape(trace(*events))) == [
        *((("(other)",), 2), (("[1]",), 1), (("[2]",), 1))
    ]


def test_people_read_a_dash_for_an_input_without_type() -> None:
    assert shapes_text(("float[8,16]", "", "Scalar")) == "float[8,16], -, Scalar"
    assert (shapes_text(None), shapes_text(())) == ("", "")
