"""Model files beside event files, over the graph routes: which are found, of which run, replaced, refused."""

import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from lightboard.testing.event_files import (
    STRING,
    scalar_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
    write_events,
)
from support.board_client import BoardClient, board_with_files
from support.graph_defs import graph_def, node_def
from support.onnx_models import GRAPH_FILES, graph_proto, model_proto, node_proto, value_info

EVENTS = "events.out.tfevents.1"
SMALL = graph_def(node_def("x", "Placeholder"), node_def("y", "Relu", ["x"]))


def model_file(name: str) -> bytes:
    """A file of tests/data/graphs."""
    return (GRAPH_FILES / name).read_bytes()


def graphs_of(client: BoardClient) -> list[dict[str, Any]]:
    """The list of graphs, with the names of their runs."""
    names = {run["id"]: run["name"] for run in client.get("/api/v1/runs").json()["runs"]}
    graphs = client.post("/api/v1/graphs", json={}).json()["graphs"]
    return [{**graph, "run": names.get(graph["run"])} for graph in graphs]


def ask(client: BoardClient, route: str, tag: str, run: str = "a", **query: Any) -> httpx.Response:
    """One route below /api/v1/graphs, of a model file."""
    return client.get(f"/api/v1/graphs/{route}", params={"run": run, "tag": tag, **query})


def message(answer: httpx.Response) -> tuple[int, str]:
    """Status and message of an error."""
    return answer.status_code, answer.json()["error"]["message"]


def test_a_model_file_is_a_graph_of_the_run_whose_folder_it_is_in() -> None:
    (graph,) = graphs_of(board_with_files({"a/model.onnx": model_file("torch_traced.onnx")}))

    assert graph.pop("at")
    assert graph.pop("wall") > 0
    assert graph == {
        "run": "a",
        "tag": "model.onnx",
        "form": "op",
        "format": "onnx",
        "plugin": "",
        "values": 1,
        "step": 0,
        "size": len(model_file("torch_traced.onnx")),
        "located": True,
    }


def test_stablehlo_without_locations_is_told_apart() -> None:
    """As JAX prints it by default."""
    located = model_file("jax_step.mlir")
    flat = re.sub(rb"(?m)^#loc.*\n| loc\([^()]*\)", b"", located)
    graphs = graphs_of(board_with_files({"a/flat.mlir": flat, "a/located.mlir": located, "a/step.hlo": b"HloModule x"}))

    assert {graph["tag"]: graph["located"] for graph in graphs} == {
        "flat.mlir": False,
        "located.mlir": True,
        "step.hlo": True,
    }


def test_files_in_folders_below_are_of_the_nearest_run_above() -> None:
    client = board_with_files(
        {
            "a/export/1/saved_model.pb": model_file("saved_model.pb"),
            "a/graph.pbtxt": model_file("graph.pbtxt"),
            "a/eval/frozen.pb": SMALL,
            f"a/eval/{EVENTS}": version_record() + scalar_record("loss", 0, 1.0),
        }
    )

    assert [(graph["run"], graph["tag"], graph["format"]) for graph in graphs_of(client)] == [
        ("a", "export/1/saved_model.pb", "saved_model"),
        ("a", "graph.pbtxt", "graph_def"),
        ("a/eval", "frozen.pb", "graph_def"),
    ]
    assert client.get("/api/v1/tags").json()["plugins"] == {"graph_files": 3, "scalars": 1}


def test_files_outside_of_runs_are_of_the_logdir() -> None:
    files = {"model.onnx": model_file("torch_traced.onnx"), "b/frozen.pb": SMALL, "a/m.pb": SMALL}
    client = board_with_files(files)

    assert [(graph["run"], graph["tag"]) for graph in graphs_of(client)] == [
        (None, "b/frozen.pb"),
        (None, "model.onnx"),
        ("a", "m.pb"),
    ]
    assert ask(client, "summary", "b/frozen.pb", run=".").json()["nodes"] == 2
    assert message(ask(client, "summary", "gone.pb", run=".")) == (404, "no run '.'")


def test_files_outside_of_runs_of_a_named_logdir(tmp_path: Path) -> None:
    """`--logdir_spec` puts the name before their paths."""
    write_events(tmp_path / "train" / EVENTS, [scalar_record("loss", 0, 1.0)])
    (tmp_path / "top.pb").write_bytes(SMALL)
    catalog, spec = Catalog(), f"one:{tmp_path}"
    Loader(catalog, sources("", spec), LoaderOptions(threads=0)).load()
    client = BoardClient({}, provider=CatalogProvider(catalog, BoardSettings(logdir_spec=spec)))

    assert [(graph["run"], graph["tag"]) for graph in graphs_of(client)] == [(None, "one/top.pb")]
    assert ask(client, "summary", "one/top.pb", run=".").json()["nodes"] == 2


def test_files_below_a_logdir_that_is_a_run_itself() -> None:
    client = board_with_files({EVENTS: version_record() + scalar_record("loss", 0, 1.0), "b/c/model.onnx": b""})

    assert [(graph["run"], graph["tag"]) for graph in graphs_of(client)] == [(".", "b/c/model.onnx")]


def test_a_list_of_runs_leaves_out_the_files_of_others() -> None:
    client = board_with_files({"a/model.onnx": b"", f"b/{EVENTS}": version_record(), "b/model.onnx": b""})
    ids = {run["name"]: run["id"] for run in client.get("/api/v1/runs").json()["runs"]}

    graphs = client.post("/api/v1/graphs", json={"runs": [ids["b"]]}).json()["graphs"]

    assert [graph["run"] for graph in graphs] == [ids["b"]]


@pytest.mark.parametrize(
    "path",
    [
        "a/plugins/profile/1/host.xplane.pb",
        "a/plugins/other/model.pb",
        "a/host.xplane.pb",
        "a/fingerprint.pb",
        "a/keras_metadata.pb",
        "a/label_map.pbtxt",
        "a/pipeline.pbtxt",
        "a/config.json",
        "a/model.onnx.data",
    ],
)
def test_files_that_are_something_else_are_not_listed(path: str) -> None:
    client = board_with_files({path: SMALL})

    counts = client.get("/api/v1/tags").json()["plugins"]
    assert (graphs_of(client), counts.get("graph_files")) == ([], None)


def test_tensorboard_is_not_told_of_graphs_that_it_would_not_find() -> None:
    client = board_with_files({"a/model.onnx": model_file("torch_traced.onnx")})

    assert client.get("/data/plugins_listing").json()["graphs"]["enabled"] is False
    assert client.get("/data/plugin/graphs/info").json() == {}


@pytest.mark.parametrize(
    ("name", "boxes"),
    [
        ("torch_traced.onnx", ["tokens", "Identity_[0–3]", "embedding"]),
        ("frozen.pb", ["x", "layer_0", "layer_1"]),
        ("graph.pbtxt", ["x", "layer_0", "layer_1"]),
        ("saved_model.pb", ["kernel", "serving_default_x", "StatefulPartitionedCall"]),
    ],
)
def test_the_scopes_of_a_file(name: str, boxes: list[str]) -> None:
    scope = ask(board_with_files({f"a/{name}": model_file(name)}), "scope", name).json()

    assert ([box["label"] for box in scope["boxes"]][:3], scope["problems"]) == (boxes, [])


@pytest.mark.parametrize(
    ("name", "node", "attribute"),
    [
        ("torch_traced.onnx", "head/head.bias", ("value", "float32 4: 0.1651144, -0.1719965, -0.2929856, -0.304028")),
        ("frozen.pb", "mean", ("T", "float32")),
        ("graph.pbtxt", "layer_0/relu", ("T", "float32")),
        ("saved_model.pb", "serving_default_x", ("_output_shapes", "[?×4]")),
    ],
)
def test_the_attributes_of_a_node_of_a_file(name: str, node: str, attribute: tuple[str, str]) -> None:
    details = ask(board_with_files({f"a/{name}": model_file(name)}), "node", name, path=node).json()

    assert attribute in [(each["name"], each["value"]) for each in details["attributes"]]


def test_the_summary_says_what_the_file_says_about_the_model() -> None:
    summary = ask(board_with_files({"a/m.onnx": model_file("onnx_functions.onnx")}), "summary", "m.onnx").json()

    assert (summary["nodes"], summary["parameters"], summary["metadata"]) == (
        13,
        1_000_006,
        [
            {"name": "IR version", "value": "14"},
            {"name": "Producer", "value": "example"},
            {"name": "license", "value": "none"},
            {"name": "Operator sets", "value": "ai.onnx 20, example 1"},
        ],
    )


def test_nodes_are_found_by_attributes_of_the_file() -> None:
    client = board_with_files({"a/m.onnx": model_file("torch_traced.onnx")})

    found = ask(client, "search", "m.onnx", text="layers.1 epsilon=1e-05").json()

    assert [hit["path"] for hit in found["hits"]] == ["layers.1/norm/LayerNormalization"]


def test_a_file_that_is_replaced_is_another_graph() -> None:
    client = board_with_files({"a/m.pb": SMALL})
    (before,) = graphs_of(client)
    assert ask(client, "summary", "m.pb", at=before["at"]).json()["nodes"] == 2

    client.memory.storage.replace("a/m.pb", graph_def(node_def("z", "Placeholder")))
    client.memory.refresh()

    (after,) = graphs_of(client)
    assert after["at"] != before["at"]
    assert ask(client, "summary", "m.pb", at=after["at"]).json()["nodes"] == 1
    assert message(ask(client, "summary", "m.pb", at=before["at"])) == (404, "m.pb was replaced")


def test_a_file_that_is_removed_is_listed_no_more() -> None:
    client = board_with_files({"a/m.pb": SMALL})
    client.memory.storage.remove("a/m.pb")

    assert message(ask(client, "scope", "m.pb"))[0] == 404
    client.memory.refresh()
    assert (graphs_of(client), message(ask(client, "scope", "m.pb"))) == ([], (404, "run 'a' has no op graph 'm.pb'"))


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("m.onnx", b"", "the file holds no graph that can be read: the file has no graph"),
        (
            "m.onnx",
            b"PK\3\4" + bytes(99),
            "the file holds no graph that can be read: the model is cut off or malformed,",
        ),
        ("m.pb", b"\x93NUMPY", "the file is neither a GraphDef nor a SavedModel"),
        ("m.pb", b"\x08\x01", "the file has no meta graph that can be read"),
        ("graph.pbtxt", b"hello: 1", "the file is neither a GraphDef nor a SavedModel in text"),
    ],
)
def test_a_file_that_is_no_graph_is_one_sentence(name: str, data: bytes, sentence: str) -> None:
    status, text = message(ask(board_with_files({f"a/{name}": data}), "scope", name))

    assert (status, text[: len(sentence)]) == (422, sentence)


def test_a_damaged_file_shows_what_is_there() -> None:
    data = model_file("torch_traced.onnx")
    scope = ask(board_with_files({"a/m.onnx": data[: len(data) // 3]}), "scope", "m.onnx").json()

    assert [box["label"] for box in scope["boxes"]][:2] == ["Identity_[0–3]", "embedding"]
    assert scope["problems"][-1] == "the model is cut off or malformed, so only a part of it is shown"


def test_a_name_that_is_also_a_tag_gets_a_dot() -> None:
    trace = tensor_record("m.pb", 0, tensor(STRING, [graph_def()]), metadata=summary_metadata("graph_run_metadata"))
    client = board_with_files({"a/m.pb": SMALL, f"a/{EVENTS}.2": version_record() + trace})

    assert [(graph["tag"], graph["form"]) for graph in graphs_of(client)] == [
        ("./m.pb", "op"),
        ("m.pb", "op"),
        ("m.pb", "profile"),
    ]
    assert ask(client, "summary", "./m.pb").json()["nodes"] == 2


def local_board(logdir: Path) -> BoardClient:
    """A board over a folder on disk, read once."""
    catalog = Catalog()
    Loader(catalog, sources(str(logdir)), LoaderOptions(threads=0)).load()
    return BoardClient(provider=CatalogProvider(catalog, BoardSettings(logdir=str(logdir))))


def run_folder(folder: Path) -> Path:
    """A folder with an event file."""
    folder.mkdir(parents=True)
    write_events(folder / EVENTS, [scalar_record("loss", 0, 1.0)])
    return folder


def test_links_out_of_the_logdir_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.pb").write_bytes(SMALL)
    run = run_folder(tmp_path / "logs" / "a")
    (run / "link.pb").symlink_to(tmp_path / "secret.pb")
    client = local_board(tmp_path / "logs")

    assert message(ask(client, "scope", "link.pb")) == (422, "link.pb is a link out of the folder of the run")


def test_links_inside_of_the_logdir_are_followed(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "logs" / "a")
    (tmp_path / "logs" / "best.pb").write_bytes(SMALL)
    (run / "latest.pb").symlink_to(Path("..") / "best.pb")
    client = local_board(tmp_path / "logs")

    assert ask(client, "summary", "latest.pb").json()["nodes"] == 2


def test_the_files_of_a_run_that_is_a_link_are_read(tmp_path: Path) -> None:
    elsewhere = run_folder(tmp_path / "elsewhere" / "a")
    (elsewhere / "m.pb").write_bytes(SMALL)
    (elsewhere / "out.pb").symlink_to(tmp_path / "secret.pb")
    (tmp_path / "secret.pb").write_bytes(SMALL)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a").symlink_to(elsewhere)
    client = local_board(tmp_path / "logs")

    assert ask(client, "summary", "m.pb").json()["nodes"] == 2
    assert message(ask(client, "summary", "out.pb")) == (422, "out.pb is a link out of the folder of the run")


def test_a_large_onnx_file_is_read_without_its_weights(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a")
    data = model_proto(graph_proto(node_proto("Relu", ["x"], ["y"]), inputs=[value_info("x", 4)]))
    (run / "m.onnx").write_bytes(data)
    os.truncate(run / "m.onnx", len(data) + (2 << 30))  # zeros, which are malformed
    client = local_board(tmp_path)

    assert ask(client, "summary", "m.onnx", run="a").json()["nodes"] == 2


def test_a_graph_def_that_is_too_large_is_one_sentence(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a")
    (run / "m.pb").touch()
    os.truncate(run / "m.pb", 3 << 30)
    client = local_board(tmp_path)

    assert message(ask(client, "scope", "m.pb")) == (422, "the file has 3,072 MB; at most 512 MB are read")
