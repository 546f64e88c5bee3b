"""`lightboard graph FILE`."""

import json
import shutil
from pathlib import Path

import httpx
import pytest

from lightboard.cli.main import main
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import graph_source
from lightboard.series.catalog import Catalog
from lightboard.testing.event_files import scalar_record, write_events
from support.board_process import LightboardProcess
from support.graph_defs import dense_layer, graph_def, node_def
from support.onnx_models import GRAPH_FILES
from support.profiles import xplane_of

NAMES = "known are .onnx, .pt2, .mlir, .hlo, .pb, .pbtxt and .json"
HINT = (
    "lightboard graph FILE, with an ONNX model, a program of torch.export, a GraphDef or SavedModel of TensorFlow, "
    "a program of XLA, a capture of JAX, or a graph of Model Explorer"
)
PROGRAMS = (
    "choose one by --program: jit_broadcast_in_dim(2), jit_broadcast_in_dim(4), jit_broadcast_in_dim(6), "
    "jit_convert_element_type(0), jit_step(8)"
)


@pytest.mark.parametrize(
    ("name", "data", "message", "hint"),
    [
        ("notes.txt", b"hello", "notes.txt cannot be shown as a graph: its name is not that of a graph", NAMES),
        (
            *("m.onnx", b"hello"),
            "m.onnx cannot be shown as a graph: the file holds no graph that can be read: the model is cut off or "
            "malformed, so only a part of it is shown",
            HINT,
        ),
        (
            *("label_map.pbtxt", b"item { id: 1 }"),
            "label_map.pbtxt cannot be shown as a graph: the file is neither a GraphDef nor a SavedModel in text",
            HINT,
        ),
        ("a.json", b"{}", "a.json cannot be shown as a graph: the file is no graph of Model Explorer", HINT),
    ],
)
def test_what_is_no_graph_is_one_error(
    name: str,
    data: bytes,
    message: str,
    hint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(data)

    assert (main(["graph", name]), capsys.readouterr().err) == (2, f"lightboard: {message}\nhint: {hint}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "graph takes one file"),
        (["a.onnx", "b.onnx"], "graph takes one file"),
        (["a.onnx", "--logdir", "x"], "graph takes one file"),
        (["missing.onnx"], "missing.onnx cannot be read: No such file or directory"),
        (["."], ". is not a file"),
        (["a.onnx", "--json"], "--output and --json are for graph with --summary"),
        (["a.onnx", "--summary", "--export", "dot"], "graph prints a summary or an export"),
        (["missing.onnx", "--export", "dot"], "missing.onnx cannot be read: No such file or directory"),
        (["a.onnx", "--program", "x"], "--program is for graph with --summary or --export"),
        (["missing.onnx", "--summary"], "missing.onnx cannot be read: No such file or directory"),
    ],
)
def test_a_command_line_that_names_no_file(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    assert (main(["graph", *words]), capsys.readouterr().err.splitlines()[0]) == (2, f"lightboard: {message}")


@pytest.mark.parametrize(
    ("path", "words", "message", "hint"),
    [
        (xplane_of("jax"), (), "the capture has 5 programs", PROGRAMS),
        (xplane_of("jax"), ("--program", "jit_step"), "the capture has no program 'jit_step'", PROGRAMS),
        (xplane_of("tensorflow"), (), "the capture has no programs of XLA", "captures of JAX have them"),
        (GRAPH_FILES / "frozen.pb", ("--program", "x"), "only captures have programs", "leave out --program"),
    ],
)
def test_programs_that_are_not_in_a_file(
    path: Path, words: tuple[str, ...], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["graph", str(path), "--summary", *words])

    error = f"lightboard: {path} cannot be shown as a graph: {message}\nhint: {hint}\n"
    assert (code, capsys.readouterr().err) == (2, error)


def test_totals_of_a_program_in_a_capture(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["graph", str(xplane_of("jax")), "--program", "jit_step(8)", "--summary", "--json"])

    rows = json.loads(capsys.readouterr().out)
    assert (code, rows[0]["path"], rows[0]["flops"] > 0) == (0, "", True)


def test_the_board_of_a_capture_has_its_programs() -> None:
    with LightboardProcess("graph", str(xplane_of("jax")), "--port", "0") as board:
        graphs = httpx.post(f"{board.url}/api/v1/graphs", json={}).json()["graphs"]

    assert [graph["tag"] for graph in graphs][-1] == "trainer/jit_step(8)"


@pytest.mark.parametrize(("form", "start"), [("dot", "digraph {\n"), ("model-explorer", '{"label": "lightboard", ')])
def test_an_export(form: str, start: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["graph", str(GRAPH_FILES / "torch_export.pt2"), "--export", form])

    out = capsys.readouterr().out
    assert (code, out[: len(start)], out.count("aten::linear")) == (0, start, 2)


def test_nothing_else_of_the_folder_is_seen(tmp_path: Path) -> None:
    write_events(tmp_path / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    write_events(tmp_path / "run" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    shutil.copy(GRAPH_FILES / "frozen.pb", tmp_path / "other.pb")
    shutil.copy(GRAPH_FILES / "graph.pbtxt", tmp_path / "train.pbtxt")
    catalog = Catalog()
    Loader(catalog, [graph_source(str(tmp_path / "train.pbtxt"))], LoaderOptions(threads=0)).load()

    assert [(run.name, len(run.files)) for run in catalog.runs()] == [(".", 0)]
    assert [asset.info.path for asset in catalog.assets()] == ["train.pbtxt"]


def test_the_board_of_a_file(tmp_path: Path) -> None:
    shutil.copy(GRAPH_FILES / "torch_exported.onnx", tmp_path / "model.onnx")
    with LightboardProcess("graph", str(tmp_path / "model.onnx"), "--port", "0", "--reload_task", "blocking") as board:
        graphs = httpx.post(f"{board.url}/api/v1/graphs", json={}).json()["graphs"]
        query = {"run": ".", "tag": "model.onnx", "at": graphs[0]["at"]}
        scope = httpx.get(f"{board.url}/api/v1/graphs/scope", params=query).json()

    assert [(graph["tag"], graph["format"]) for graph in graphs] == [("model.onnx", "onnx")]
    assert [box["label"] for box in scope["boxes"]][:2] == ["tokens", "embedding"]


def test_a_summary_is_a_table_by_scope(capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of a board."""
    assert main(["graph", str(GRAPH_FILES / "saved_model.pb"), "--summary"]) == 0

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["SCOPE", "OP", "PARAMETERS", "TRAINABLE", "BYTES", "FLOPS"],
        ["(graph)", "8", "-", "32", "16"],
        ["kernel", "8", "-", "32", "0"],
        ["(kernel)", "VarHandleOp", "8", "-", "32", "0"],
        ["Read", "0", "-", "0", "0"],
        ["StatefulPartitionedCall", "StatefulPartitionedCall", "0", "-", "0", "16"],
    ]


def test_a_sum_that_lacks_something_is_a_lower_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsized = node_def("layer_0/other", "VarHandleOp")
    (tmp_path / "m.pb").write_bytes(graph_def(*dense_layer("layer_0", "x", size=64), unsized))
    assert main(["graph", str(tmp_path / "m.pb"), "--summary"]) == 0
    text = capsys.readouterr()

    assert "≥ 4,096" in text.out
    assert text.err == "note: 1 inputs name nodes that are not in the graph\n"


def test_a_summary_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(GRAPH_FILES / "frozen.pb"), "--summary", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)

    assert rows[1] == {
        "path": "layer_0",
        "depth": 1,
        "kind": "scope",
        "op": "",
        "nodes": 4,
        "parameters": 16,
        "trainable": None,
        "bytes": 64,
        "flops": None,
        "time": None,
        "memory": None,
        "partial": [],
    }
