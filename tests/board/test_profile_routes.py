"""Captures of profilers over HTTP: which there are, their tables, and what is cut, replaced or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from lightboard.board.lanes import LANES, lane_of
from lightboard.cli.main import main
from lightboard.query import capture_store, profiles
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.capture_listing import CaptureListing
from support.board_client import BoardClient, board_with_files
from support.capture_board import TRACE, answer, ask, corpus_client, load
from support.profiles import PROFILES, slice_event, torch_events, trace, xplane_of

SESSION = "plugins/profile/2026_11_27_10_00_00"


def captures_of(client: BoardClient) -> list[dict[str, Any]]:
    """The list of captures, with the names of their runs."""
    names = {run["id"]: run["name"] for run in client.get("/api/v1/runs").json()["runs"]}
    captures = client.get("/api/v1/profiles").json()["captures"]
    return [{**capture, "run": names.get(capture["run"])} for capture in captures]


@pytest.fixture(scope="module")
def corpus() -> BoardClient:
    """A board over the captures of tests/data."""
    return corpus_client()


def test_a_capture_belongs_to_the_run_whose_folder_it_is_in() -> None:
    (capture,) = captures_of(board_with_files({f"a/{SESSION}/host.xplane.pb": xplane_of("jax").read_bytes()}))

    assert capture.pop("at")
    assert capture.pop("wall") > 0
    assert capture == {
        "name": "a/2026_11_27_10_00_00",
        "run": "a",
        "format": "xplane",
        "hosts": ["host"],
        "size_bytes": xplane_of("jax").stat().st_size,
    }


def test_a_capture_outside_of_runs_belongs_to_none() -> None:
    (capture,) = captures_of(board_with_files({f"b/{SESSION}/host.xplane.pb": xplane_of("jax").read_bytes()}))

    assert (capture["name"], capture["run"]) == ("b/2026_11_27_10_00_00", None)


def test_names_are_those_of_the_command_line(corpus: BoardClient, capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "ls", str(PROFILES), "--json"])

    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in captures_of(corpus)] == [each["name"] for each in listed]


def test_inferred_steps_say_so() -> None:
    calls = trace(*(slice_event("train_step", at, 2) for at in (10, 20, 30)))
    client = board_with_files({"a/node.trace.json": calls})

    assert [(step["step"], step["name"], step["inferred"]) for step in answer(client, "steps")["steps"]] == [
        *((0, "train_step", True), (1, "train_step", True))
    ]
    assert answer(client, "overview")["hosts"][0]["steps"]["inferred"]


def test_captures_are_counted_as_a_kind_of_data(corpus: BoardClient) -> None:
    assert corpus.get("/api/v1/tags").json()["plugins"]["profiles"] == 10


def test_only_programs_in_captures_are_graphs(corpus: BoardClient) -> None:
    """Not the captures themselves, although some end as model files do."""
    graphs = corpus.post("/api/v1/graphs", json={}).json()["graphs"]
    answers = json.loads((PROFILES / "programs.answers.json").read_text())
    programs = {f"{Path(path).parts[0]}/{Path(path).parts[-2]}/{name}" for path in answers for name in answers[path]}

    assert {(graph["tag"], graph["format"]) for graph in graphs} == {(tag, "hlo") for tag in programs}


def test_a_capture_that_arrives_is_listed() -> None:
    client = board_with_files({})
    before = captures_of(client)

    client.memory.storage.write("a/host.trace.json", TRACE)
    client.memory.refresh()

    assert (before, [each["name"] for each in captures_of(client)]) == ([], ["a"])


def test_a_capture_that_is_replaced_is_read_again() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})
    before = answer(client, "operators")["total"], captures_of(client)[0]["at"]

    client.memory.storage.write("a/host.trace.json", trace(slice_event("other", 0, 1)))
    client.memory.refresh()
    after = answer(client, "operators")["total"], captures_of(client)[0]["at"]

    assert (before[0], after[0], before[1] != after[1]) == (2, 1, True)


def test_the_overview_is_that_of_the_command_line(corpus: BoardClient, capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "overview", str(PROFILES), "--capture", "torch_ranks", "--json"])

    told = json.loads(capsys.readouterr().out)
    overview = answer(corpus, "overview", "torch_ranks")
    assert (overview["hosts"], overview["problems"]) == (told["hosts"], told["problems"])
    assert (overview["steps"], overview["operators"], overview["skew"]) == (6, 5, 3)
    assert (overview["devices"], overview["advice"]) == (told["devices"], told["advice"])


@pytest.mark.parametrize(("route", "rows"), [("breakdown", "rows"), ("skew", "steps")])
def test_steps_of_devices_and_ranks_are_those_of_the_command_line(
    corpus: BoardClient, capsys: pytest.CaptureFixture[str], route: str, rows: str
) -> None:
    """They come in pages."""
    main(["profile", route, str(PROFILES), "--capture", "torch_ranks", "--json"])
    told = json.loads(capsys.readouterr().out)

    assert answer(corpus, route, "torch_ranks") == {"total": len(told), rows: told}
    assert answer(corpus, route, "torch_ranks", start=1, limit=1)[rows] == told[1:2]


def test_differences_of_ranks_are_those_of_the_command_line(
    corpus: BoardClient, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["profile", "diff", str(PROFILES / "torch_ranks"), "--rank", "0,1", "--json"])
    told = json.loads(capsys.readouterr().out)
    found = answer(corpus, "diff", "torch_ranks", base="torch_ranks", rank=1, base_rank=0)

    assert found == {"total": len(told), "steps_before": 3, "steps_after": 3, "operators": told}


@pytest.mark.parametrize("sort", ["name", "category", "scope", "before_us", "after_us", "difference_us", "ratio"])
def test_differences_are_sorted_by_any_column(corpus: BoardClient, sort: str) -> None:
    """And searched. What did not run before has no ratio, and comes first."""
    rows = answer(corpus, "diff", "torch_ranks", base="torch", sort=sort, search="aten")["operators"]
    values = [float("inf") if row[sort] is None else row[sort] for row in rows]

    assert (len(rows) > 3, values) == (True, sorted(values, reverse=True))


@pytest.mark.parametrize(
    ("format_", "name"),
    [("perfetto", "torch_ranks.trace.json"), ("speedscope", "torch_ranks.speedscope.json")],
)
def test_a_capture_is_downloaded_for_another_viewer(
    corpus: BoardClient, tmp_path: Path, format_: str, name: str
) -> None:
    """The same file as that of the command line, but for the name of the capture."""
    main(["profile", "export", str(PROFILES), str(tmp_path / "a"), "--capture", "torch_ranks", "--format", format_])
    response = ask(corpus, "export", "torch_ranks", format=format_)

    assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert response.text == (tmp_path / "a").read_text()


def test_a_rank_that_is_not_there_is_an_error(corpus: BoardClient) -> None:
    response = ask(corpus, "diff", "torch_ranks", base="torch_ranks", rank=7)

    assert (response.status_code, response.json()["error"]["message"]) == (404, "no rank 7 in the capture")


def test_steps_come_in_pages(corpus: BoardClient) -> None:
    whole = answer(corpus, "steps", "torch_ranks")
    page = answer(corpus, "steps", "torch_ranks", start=2, limit=3)

    assert page == {"total": 6, "steps": whole["steps"][2:5]}


@pytest.mark.parametrize(
    ("route", "rows", "found"), [("steps", "steps", 2), ("breakdown", "rows", 2), ("skew", "steps", 1)]
)
def test_a_step_is_found_by_its_number_on_all_ranks(corpus: BoardClient, route: str, rows: str, found: int) -> None:
    whole = answer(corpus, route, "torch_ranks")[rows]

    assert answer(corpus, route, "torch_ranks", step=2) == {
        "total": found,
        rows: [row for row in whole if row["step"] == 2],
    }
    assert answer(corpus, route, "torch_ranks", step=7) == {"total": 0, rows: []}


def test_operators_are_those_of_the_command_line(corpus: BoardClient, capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "ops", str(PROFILES), "--capture", "torch", "--json"])

    told = json.loads(capsys.readouterr().out)
    assert [only(told[0], row) for row in answer(corpus, "operators", "torch")["operators"]] == told


def only(names: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """The fields of a row that have these names."""
    return {name: row[name] for name in names}


def test_operators_by_shape_are_those_of_the_command_line(
    corpus: BoardClient, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["profile", "ops", str(PROFILES), "--capture", "torch", "--by-shape", "--json"])

    told = json.loads(capsys.readouterr().out)
    found = answer(corpus, "operators", "torch", by="shape")
    assert [only(told[0], row) for row in found["operators"]] == told
    assert (found["total"], found["has_shapes"], found["advice"]) == (len(told), True, [])


def test_operators_by_shape_lead_to_their_longest_slices(corpus: BoardClient) -> None:
    """Of all slices of that name with inputs of these shapes."""
    found = answer(corpus, "operators", "torch", by="shape", search="aten::mm", sort="shapes", descending=False)

    assert [row["shapes"] for row in found["operators"]] == [
        ["float[32,8]", "float[8,16]"],
        ["float[4,8]", "float[8,32]"],
        ["float[8,4]", "float[4,32]"],
    ]
    for row in found["operators"]:
        sizes = [json.loads(shape.removeprefix("float")) for shape in row["shapes"]]
        calls = [each for each in torch_events() if each.get("args", {}).get("Input Dims") == sizes]
        longest = answer(corpus, "slice", "torch", host=0, slice=row["longest"]["slice"])
        assert (longest["name"], row["scope"]) == ("aten::mm", "")
        assert json.loads({arg["name"]: arg["value"] for arg in longest["args"]}["Input Dims"]) == sizes
        assert longest["duration_us"] == max(each["dur"] for each in calls if each["name"] == "aten::mm")


def test_operators_without_shapes_say_how_to_record_them(corpus: BoardClient) -> None:
    found = answer(corpus, "operators", "torch_ranks", by="shape")

    assert (found["has_shapes"], [(row["rule"], row["change"]) for row in found["advice"]]) == (
        False,
        [("no_shapes", "torch.profiler.profile(record_shapes=True)")],
    )


def test_profilers_that_record_no_shapes_have_no_advice(corpus: BoardClient) -> None:
    found = answer(corpus, "operators", "jax/2026_11_27_10_00_00", by="shape")

    assert (found["has_shapes"], found["advice"], found["total"] > 5) == (False, [], True)


def test_operators_by_scope_have_no_shapes(corpus: BoardClient) -> None:
    found = answer(corpus, "operators", "torch", limit=1)

    assert (found["has_shapes"], found["advice"], found["operators"][0]["shapes"]) == (None, [], None)


def test_operators_are_sorted_by_any_column(corpus: BoardClient) -> None:
    rows = answer(corpus, "operators", "torch", sort="mean_us", descending=False, limit=5000)["operators"]

    means = [row["mean_us"] for row in rows]
    assert means == sorted(means)
    assert means == pytest.approx([row["total_us"] / row["count"] for row in rows])


def test_operators_are_found_by_words_in_name_category_and_scope(corpus: BoardClient) -> None:
    found = answer(corpus, "operators", "torch", search="TRANS linear_0")

    assert [(row["name"], row["scope"]) for row in found["operators"]] == [("aten::transpose", "Sequential_0/Linear_0")]
    assert found["all_self_us"] == found["operators"][0]["self_us"]


def test_an_unknown_capture_is_not_found(corpus: BoardClient) -> None:
    response = ask(corpus, "overview", "nothing")

    assert (response.status_code, response.json()["error"]["message"]) == (404, "no capture 'nothing'")


def test_what_is_no_trace_cannot_be_shown() -> None:
    response = ask(board_with_files({"a/host.trace.json": b"hello"}), "overview")

    assert (response.status_code, response.json()["error"]["message"]) == (
        422,
        "host.trace.json: it is no trace: it has no list of events",
    )


def test_a_capture_that_is_cut_off_is_shown_with_a_problem() -> None:
    client = board_with_files({"a/host.trace.json": TRACE[:-40]})

    overview = answer(client, "overview")
    assert overview["problems"] == ["host.trace.json: the file is cut off, and is read up to there"]
    assert overview["steps"] == 1


def test_a_capture_is_read_once_for_all_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = capture_store.read_capture_files
    monkeypatch.setattr(
        capture_store,
        "read_capture_files",
        lambda capture, *others: (read.append(capture.name), original(capture, *others))[1],
    )
    client = board_with_files({"a/host.trace.json": TRACE})
    for route in ("overview", "steps", "operators", "timeline"):
        answer(client, route)

    assert read == ["a"]


def test_only_so_many_bytes_of_captures_are_kept() -> None:
    client = board_with_files({"a/host.trace.json": TRACE, "b/host.trace.json": TRACE})
    store = capture_store.CaptureStore(CaptureListing(client.memory.catalog.assets), most_bytes=1)

    first = load(store, "a")
    assert load(store, "a") is first
    load(store, "b")
    assert load(store, "a") is not first


def test_a_tree_of_calls_counts_among_the_bytes_of_captures() -> None:
    client = board_with_files({"a/host.trace.json": TRACE, "b/host.trace.json": TRACE})
    sizes = [load(capture_store.CaptureStore(CaptureListing(client.memory.catalog.assets)), "a").size_bytes] * 2
    store = capture_store.CaptureStore(CaptureListing(client.memory.catalog.assets), most_bytes=sum(sizes))

    first, second = load(store, "a"), load(store, "b")
    assert load(store, "a") is first
    for _ in first.call_tree():
        pass
    assert load(store, "b") is not second


def test_a_capture_is_opened_from_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assets = board_with_files({"a/host.trace.json": TRACE}).memory.catalog.assets
    index = CaptureIndex(str(tmp_path), min_file_bytes=0)
    read = load(capture_store.CaptureStore(CaptureListing(assets), index), "a")
    monkeypatch.delattr(profiles, "read_profile")

    found = load(capture_store.CaptureStore(CaptureListing(assets), index), "a")
    assert (found.steps, found.operators) == (read.steps, read.operators)


def test_boards_keep_captures_of_their_own(corpus: BoardClient) -> None:
    other = board_with_files({})

    assert corpus.provider.profiles() is corpus.provider.profiles()
    assert corpus.provider.profiles() is not other.provider.profiles()


def test_profiles_have_threads_of_their_own() -> None:
    lane = lane_of("/api/v1/profiles/overview")

    others = {lane_of(f"/api/v1/{path}") for path in ("runs", "images", "scalars/chart", "graphs", "export")}
    assert (lane in LANES, lane in others) == (True, False)
