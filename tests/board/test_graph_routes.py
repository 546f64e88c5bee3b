"""Graph routes: lists, scopes, nodes, search, errors."""

from typing import Any

import httpx
import pytest

from lightboard import cancellation
from lightboard.query.graphs import EMPTY_TRACE, export_graph, graph_steps
from lightboard.testing.event_files import STRING, graph_record, summary_metadata, tensor, tensor_record
from support.board_client import BoardClient, board_with_records
from support.graph_defs import dense_layer, graph_def, node_def, shapes_attribute, type_attribute

INPUT = node_def("x", "Placeholder", (), shapes_attribute((4, 8)) + type_attribute("dtype"))
LAYERS = graph_def(
    INPUT,
    *dense_layer("layer_0", "x"),
    *dense_layer("layer_1", "layer_0/Relu"),
    *dense_layer("layer_2", "layer_1/Relu"),
    node_def("loss", "Mean", ("layer_2/Relu", "^x"), device="/device:CPU:0"),
)


def client_of(**runs: bytes) -> BoardClient:
    """A board over runs with these records."""
    return board_with_records(runs)


def ask(client: BoardClient, route: str, **query: Any) -> httpx.Response:
    """One route below /api/v1/graphs, of the graph of run `a`."""
    return client.get(f"/api/v1/graphs/{route}", params={"run": "a", "tag": "__run_graph__", **query})


def test_graphs_are_listed_with_their_last_value() -> None:
    client = client_of(a=graph_record(graph_def(INPUT), wall_time=5.0) + graph_record(LAYERS, step=3, wall_time=7.0))

    (graph,) = client.post("/api/v1/graphs", json={}).json()["graphs"]

    key = graph.pop("at")
    assert graph == {
        "run": client.get("/api/v1/runs").json()["runs"][0]["id"],
        "tag": "__run_graph__",
        "form": "op",
        "format": "events",
        "plugin": "graphs",
        "values": 2,
        "step": 3,
        "wall": 7.0,
        "size": len(LAYERS),
        "located": True,
    }
    assert ask(client, "scope", at=key).json() == ask(client, "scope").json()


def test_values_of_one_tag_are_graphs_that_can_be_compared() -> None:
    """Also two of one step, by the keys in the list of values."""
    client = client_of(a=graph_record(graph_def(INPUT)) + graph_record(LAYERS))
    (series,) = client.post("/api/v1/values", json={"plugin": "graphs"}).json()["series"]
    first, last = series["keys"]

    diff = ask(client, "diff", at=last, base_run="a", base_tag="__run_graph__", base_at=first).json()

    assert series["steps"] == [0, 0]
    assert [(each["status"], each["path"], each["nodes"]) for each in diff["differences"]] == [
        ("added", "layer_0", 3),
        ("added", "layer_1", 3),
        ("added", "layer_2", 3),
        ("added", "loss", 1),
    ]
    assert ask(client, "diff", at=last, base_run="a", base_tag="__run_graph__").json()["differences"] == []


def test_a_scope_has_boxes_edges_and_bridges() -> None:
    scope = ask(client_of(a=graph_record(LAYERS)), "scope").json()
    digests = [box.pop("digest") for box in scope["boxes"]]

    nothing = {"op": "", "device": "", "parameters": None, "memory": None, "time": None, "nodes": 1, "members": 1}
    assert len(set(digests)) == 3
    assert scope == {
        "path": "",
        "total": 5,
        "boxes": [
            nothing | {"path": "x", "label": "x", "kind": "input", "op": "Placeholder", "opens": False},
            nothing
            | {"path": "layer_0", "label": "layer_[0–2]", "kind": "stack", "opens": True, "members": 3, "nodes": 9}
            | {"parameters": 192},
            nothing
            | {"path": "loss", "label": "loss", "kind": "op", "op": "Mean", "opens": False, "device": "/device:CPU:0"},
        ],
        "edges": [
            {"source": 0, "target": 1, "count": 1, "elements": 32, "shape": "float32 4×8", "control": False},
            {"source": 0, "target": 2, "count": 1, "elements": None, "shape": "", "control": True},
            {"source": 1, "target": 2, "count": 1, "elements": 32, "shape": "float32 4×8", "control": False},
        ],
        "bridges": [],
        "problems": [],
    }


def test_a_member_of_a_stack_opens_like_any_scope() -> None:
    scope = ask(client_of(a=graph_record(LAYERS)), "scope", path="layer_1").json()

    assert [box["path"] for box in scope["boxes"]] == ["layer_1/kernel", "layer_1/MatMul", "layer_1/Relu"]
    assert scope["bridges"] == [
        {"box": 1, "incoming": True, "count": 1, "ends": 1, "elements": 32, "shape": "float32 4×8", "control": False}
        | {"paths": ["layer_0/Relu"]},
        {"box": 2, "incoming": False, "count": 1, "ends": 1, "elements": 32, "shape": "float32 4×8", "control": False}
        | {"paths": ["layer_2/MatMul"]},
    ]


def test_a_graph_that_is_cut_off_shows_what_is_there() -> None:
    scope = ask(client_of(a=graph_record(LAYERS[:-30])), "scope").json()

    assert [box["label"] for box in scope["boxes"]] == ["x", "layer_[0–2]"]
    assert scope["problems"] == ["the graph is cut off or malformed after 10 nodes"]


def test_bytes_that_are_no_graph_are_one_sentence() -> None:
    answer = ask(client_of(a=graph_record(b"\xff\xff\xff")), "scope")

    assert (answer.status_code, answer.json()["error"]["message"]) == (422, "the value holds no graph that can be read")


@pytest.mark.parametrize("form", ["op", "profile"])
def test_e_t1_a_trace_without_a_folder_says_so(form: str) -> None:
    """What TensorFlow writes if the folder of the profile is given to `trace_export` alone."""
    trace = tensor_record("model_trace", 0, tensor(STRING, [b""]), 5.0, summary_metadata("graph_run_metadata"))
    answer = ask(client_of(a=trace), "scope", tag="model_trace", form=form)

    assert (answer.status_code, answer.json()["error"]["message"]) == (422, EMPTY_TRACE)


def test_an_unknown_path_is_not_found() -> None:
    answer = ask(client_of(a=graph_record(LAYERS)), "scope", path="layer_9/x")

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        404,
        "the graph has no node or scope 'layer_9/x'",
    )


def test_a_run_without_a_graph_is_not_found() -> None:
    answer = ask(client_of(a=graph_record(LAYERS)), "scope", form="conceptual")

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        404,
        "run 'a' has no conceptual graph '__run_graph__'",
    )


def test_members_of_a_stack_are_boxes() -> None:
    answer = ask(client_of(a=graph_record(LAYERS)), "members", path="layer_0", start=1, limit=1).json()

    assert (answer["total"], [(box["path"], box["kind"], box["nodes"]) for box in answer["members"]]) == (
        3,
        [("layer_1", "scope", 3)],
    )


def test_a_node_has_attributes_and_both_ends_of_its_edges() -> None:
    node = ask(client_of(a=graph_record(LAYERS)), "node", path="layer_1/MatMul").json()

    flow = {"shape": "float32 4×8", "elements": 32, "control": False}
    assert node == {
        "path": "layer_1/MatMul",
        "label": "MatMul",
        "kind": "op",
        "op": "MatMul",
        "device": "",
        "nodes": 1,
        "parameters": None,
        "memory": None,
        "time": None,
        "attributes": [
            {"name": "T", "value": "float32", "size": 2, "cut": False},
            {"name": "_output_shapes", "value": "[4×8]", "size": 12, "cut": False},
        ],
        "inputs": [
            {"path": "layer_0/Relu", "op": "Relu", **flow},
            {"path": "layer_1/kernel", "op": "VariableV2", "shape": "float32 8×8", "elements": 64, "control": False},
        ],
        "outputs": [{"path": "layer_1/Relu", "op": "Relu", **flow}],
        "input_count": 2,
        "output_count": 1,
        "ops": [],
        "source": "",
    }


def test_a_scope_has_the_edges_that_cross_its_border() -> None:
    node = ask(client_of(a=graph_record(LAYERS)), "node", path="layer_1").json()

    assert [end["path"] for end in node["inputs"]] == ["layer_0/Relu"]
    assert [end["path"] for end in node["outputs"]] == ["layer_2/MatMul"]
    assert (node["parameters"], node["ops"]) == (
        64,
        [{"op": "MatMul", "count": 1}, {"op": "Relu", "count": 1}, {"op": "VariableV2", "count": 1}],
    )


def test_search_finds_scopes_and_nodes_and_first_those_whose_label_matches() -> None:
    found = ask(client_of(a=graph_record(LAYERS)), "search", text="LAYER_1").json()

    assert found == {
        "total": 4,
        "hits": [
            {"path": "layer_1", "kind": "scope", "op": ""},
            {"path": "layer_1/kernel", "kind": "variable", "op": "VariableV2"},
            {"path": "layer_1/MatMul", "kind": "op", "op": "MatMul"},
            {"path": "layer_1/Relu", "kind": "op", "op": "Relu"},
        ],
    }


def test_search_finds_operations_shapes_and_attributes() -> None:
    client = client_of(a=graph_record(LAYERS))

    def paths(text: str) -> list[str]:
        return [hit["path"] for hit in ask(client, "search", text=text).json()["hits"]]

    assert paths("mean") == ["loss"]
    assert paths("placeholder 4×8") == ["x"]
    assert paths("layer_2 t=float32") == ["layer_2/MatMul", "layer_2/Relu"]


def test_the_summary_counts_everything() -> None:
    assert ask(client_of(a=graph_record(LAYERS)), "summary").json() == {
        "nodes": 11,
        "edges": 11,
        "scopes": 3,
        "depth": 1,
        "functions": 0,
        "devices": ["/device:CPU:0"],
        "ops": [
            {"op": "MatMul", "count": 3},
            {"op": "Relu", "count": 3},
            {"op": "VariableV2", "count": 3},
            {"op": "Mean", "count": 1},
            {"op": "Placeholder", "count": 1},
        ],
        "parameters": 192,
        "metadata": [],
        "problems": [],
    }


def test_totals_are_sums_by_scope() -> None:
    """The outermost rows if there are more than asked for."""
    totals = ask(client_of(a=graph_record(LAYERS)), "totals", limit=2).json()

    sums = {"nodes": 11, "parameters": 192, "trainable": None, "bytes": 768, "flops": 1536}
    known = sums | {"time": None, "memory": None, "partial": []}
    assert totals == {
        "total": 10,
        "rows": [
            {"path": "", "depth": 0, "kind": "scope", "op": ""} | known,
            {"path": "layer_0", "depth": 1, "kind": "scope", "op": ""}
            | known
            | {"nodes": 3, "parameters": 64, "bytes": 256, "flops": 512},
        ],
    }


def test_a_graph_is_compared_with_that_of_another_run() -> None:
    more = graph_def(INPUT, *dense_layer("layer_0", "x"), node_def("loss", "Sum", ("layer_0/Relu",)))
    less = graph_def(
        INPUT, *dense_layer("layer_0", "x"), node_def("loss", "Mean", ("layer_0/Relu",)), node_def("z", "NoOp")
    )
    client = client_of(a=graph_record(more), b=graph_record(less))

    assert ask(client, "diff", base_run="b", base_tag="__run_graph__", limit=1).json() == {
        "total": 2,
        "scopes": [{"path": "", "added": 0, "removed": 1, "renamed": 0, "changed": 1}],
        "differences": [
            {
                "status": "changed",
                "scope": "",
                "path": "loss",
                "base_path": "loss",
                "kind": "op",
                "op": "Sum",
                "nodes": 1,
                "changes": ["op"],
            }
        ],
    }


def test_a_base_that_does_not_exist_is_not_found() -> None:
    answer = ask(client_of(a=graph_record(LAYERS)), "diff", base_run="gone", base_tag="__run_graph__")

    assert answer.status_code == 404


def test_paths_that_a_graph_does_not_have_are_named() -> None:
    """Of nodes and scopes; the order stays."""
    client = client_of(a=graph_record(LAYERS))
    body = {"run": "a", "tag": "__run_graph__", "paths": ["loss", "gone", "layer_0", "layer_0/Relu", "layer_0/Tanh"]}

    answer = client.post("/api/v1/graphs/paths", json=body)

    assert answer.json() == {"missing": ["gone", "layer_0/Tanh"]}
    assert client.post("/api/v1/graphs/paths", json=body | {"run": "gone"}).status_code == 404


@pytest.mark.parametrize(
    ("form", "name", "media_type"),
    [
        ("dot", "a-__run_graph__.dot", "text/vnd.graphviz; charset=utf-8"),
        ("model-explorer", "a-__run_graph__.json", "application/json"),
    ],
)
def test_a_graph_is_downloaded_for_other_programs(form: str, name: str, media_type: str) -> None:
    """As the writers write it."""
    client = client_of(a=graph_record(LAYERS))

    answer = ask(client, "export", format=form)

    loaded = cancellation.finish(graph_steps(client.provider, "a", "__run_graph__", "op"))
    assert answer.text == "".join(export_graph(loaded, form))
    assert (answer.headers["content-type"], answer.headers["content-disposition"]) == (
        media_type,
        f'attachment; filename="{name}"',
    )


@pytest.mark.parametrize(("query", "status"), [({"format": "gif"}, 400), ({"format": "dot", "run": "gone"}, 404)])
def test_no_other_format_or_graph_is_downloaded(query: dict[str, str], status: int) -> None:
    assert ask(client_of(a=graph_record(LAYERS)), "export", **query).status_code == status


WIDE_NAME = "x" * 120
FAR = [node_def(f"far/{WIDE_NAME}{at}", f"Op{at % 7}") for at in range(40)]


@pytest.mark.parametrize("count", [100, 400, 3000])
def test_a_scope_takes_at_most_50_kb_and_leaves_nothing_out(count: int) -> None:
    """Also where every node has a long name and many edges."""
    inputs = [f"far/{WIDE_NAME}{at}" for at in range(40)]
    nodes = [node_def(f"s/{WIDE_NAME}{at}_{at % 7}x", f"Op{at % 5}", inputs) for at in range(count)]
    client = client_of(a=graph_record(graph_def(*FAR, *nodes)))

    answer = ask(client, "scope", path="s")
    scope = answer.json()
    shown = [box["path"] for box in scope["boxes"] if box["kind"] != "rest"]
    (rest,) = [box for box in scope["boxes"] if box["kind"] == "rest"]
    listed = ask(client, "members", path=rest["path"], limit=1000)
    later = ask(client, "members", path=rest["path"], start=1000, limit=1000)
    last = ask(client, "members", path=rest["path"], start=2000, limit=1000)

    assert len(answer.content) <= 50_000
    hidden = [each["path"] for part in (listed, later, last) for each in part.json()["members"]]
    assert sorted(shown + hidden) == sorted(f"s/{WIDE_NAME}{at}_{at % 7}x" for at in range(count))
    assert sum(bridge["count"] for bridge in scope["bridges"]) == 40 * count
