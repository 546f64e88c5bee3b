"""Programs of XLA in captures, over the graph routes: which are listed, of which run, and what they hold."""

from typing import Any

from support.board_client import BoardClient, board_with_files
from support.profiles import SESSION, x_space, xplane_of

EVENTS = "events.out.tfevents.1"
JAX = xplane_of("jax").read_bytes()
STEP = f"{SESSION.name}/jit_step(8)"


def graphs_of(client: BoardClient) -> list[tuple[Any, str]]:
    """The names of the runs, None for the logdir, and the tags of all graphs."""
    names = {run["id"]: run["name"] for run in client.get("/api/v1/runs").json()["runs"]}
    graphs = client.post("/api/v1/graphs", json={}).json()["graphs"]
    return [(names.get(graph["run"]), graph["tag"]) for graph in graphs]


def summary(client: BoardClient, tag: str, run: str = "a", **query: Any) -> Any:
    """The response to a request for one graph."""
    return client.get("/api/v1/graphs/summary", params={"run": run, "tag": tag, **query})


def test_each_program_of_a_capture_is_a_graph_of_its_run() -> None:
    client = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX})

    assert graphs_of(client) == [
        ("a", f"{SESSION.name}/jit_broadcast_in_dim(2)"),
        ("a", f"{SESSION.name}/jit_broadcast_in_dim(4)"),
        ("a", f"{SESSION.name}/jit_broadcast_in_dim(6)"),
        ("a", f"{SESSION.name}/jit_convert_element_type(0)"),
        ("a", STEP),
    ]
    found = summary(client, STEP).json()
    assert (found["metadata"], found["problems"]) == ([{"name": "Module", "value": "jit_step"}], [])


def test_a_program_is_listed_with_its_own_size() -> None:
    graphs = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX}).post("/api/v1/graphs", json={}).json()["graphs"]

    step = next(graph for graph in graphs if graph["tag"] == STEP)
    assert (step["format"], step["form"], step["size"], step["values"]) == ("hlo", "op", 7105, 1)


def test_programs_of_several_hosts_are_called_after_them() -> None:
    client = board_with_files({f"a/{SESSION}/{host}.xplane.pb": JAX for host in ("one", "two")})

    steps = [tag for _, tag in graphs_of(client) if "jit_step" in tag]
    assert steps == [f"{SESSION.name}/one/jit_step(8)", f"{SESSION.name}/two/jit_step(8)"]
    assert summary(client, steps[1]).status_code == 200


def test_a_capture_outside_of_runs_is_of_the_logdir() -> None:
    client = board_with_files({f"b/{SESSION}/host.xplane.pb": JAX})

    assert (None, f"b/{STEP}") in graphs_of(client)
    assert summary(client, f"b/{STEP}", run=".").status_code == 200


def test_captures_without_programs_and_damaged_ones_have_no_graphs() -> None:
    files = {"tensorflow": xplane_of("tensorflow").read_bytes(), "empty": b"", "cut": JAX[:60], "none": x_space()}
    client = board_with_files({f"a/plugins/profile/{name}/host.xplane.pb": data for name, data in files.items()})

    assert graphs_of(client) == []


def test_a_capture_that_is_cut_off_has_the_programs_before() -> None:
    whole = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX})
    begin = JAX.index(b"jit_step")
    client = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX[: begin + 3000]})

    assert {tag for _, tag in graphs_of(client)} < {tag for _, tag in graphs_of(whole)}


def test_a_program_that_is_gone_is_not_found() -> None:
    client = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX})

    answer = summary(client, f"{SESSION.name}/jit_step(9)")
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        404,
        f"run 'a' has no op graph '{SESSION.name}/jit_step(9)'",
    )


def test_a_capture_that_is_replaced_has_other_graphs() -> None:
    client = board_with_files({f"a/{SESSION}/host.xplane.pb": JAX})
    (before,) = [each for each in client.post("/api/v1/graphs", json={}).json()["graphs"] if each["tag"] == STEP]
    client.memory.storage.write(f"a/{SESSION}/host.xplane.pb", JAX + b"\x0a\x00")
    client.memory.refresh()

    assert summary(client, STEP, at=before["at"]).status_code == 404
    assert summary(client, STEP).status_code == 200
