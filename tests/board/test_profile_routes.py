"""Captures of profilers over HTTP: which there are, what they say, and what is cut, replaced or refused."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from lightboard.board.lanes import LANES, lane_of
from lightboard.cli.main import main
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query import capture_store, profiles
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.capture_listing import CaptureListing
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from lightboard.testing.event_files import scalar_record, version_record
from support.board_client import BoardClient, start_threads
from support.profiles import PROFILES, slice_event, trace, xplane_of

EVENTS = "events.out.tfevents.1"
SESSION = "plugins/profile/2026_11_27_10_00_00"
TRACE = trace(
    slice_event("train", 0, 100, args={"step_num": 7}),
    slice_event("matmul", 10, 30, args={"M": 4, "text": "ü"}),
    slice_event("add", 50, 20),
    slice_event("matmul", 80, 10),
)
"""One step, and in it three slices."""


def client_of(files: dict[str, bytes]) -> BoardClient:
    """A board over these files, and a run `a`."""
    client = BoardClient({})
    client.memory.storage.write(f"a/{EVENTS}", version_record() + scalar_record("loss", 0, 1.0))
    for path, data in files.items():
        client.memory.storage.write(path, data)
    client.memory.refresh()
    return client


def captures_of(client: BoardClient) -> list[dict[str, Any]]:
    """The list of captures, with the names of their runs."""
    names = {run["id"]: run["name"] for run in client.get("/api/v1/runs").json()["runs"]}
    captures = client.get("/api/v1/profiles").json()["captures"]
    return [{**capture, "run": names.get(capture["run"])} for capture in captures]


def ask(client: BoardClient, route: str, capture: str = "a", **query: Any) -> httpx.Response:
    """One route below /api/v1/profiles."""
    return client.get(f"/api/v1/profiles/{route}", params={"capture": capture, **query})


def answer(client: BoardClient, route: str, capture: str = "a", **query: Any) -> dict[str, Any]:
    """What it says."""
    response = ask(client, route, capture, **query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def marks_of(client: BoardClient, **query: Any) -> list[tuple[str, float, float, int]]:
    """Name, beginning, duration and count of each mark of a time line."""
    found = answer(client, "timeline", **query)
    marks = found["marks"]
    names = [found["names"][at] for at in marks["name"]]
    return list(zip(names, marks["start_us"], marks["duration_us"], marks["count"], strict=True))


@pytest.fixture(scope="module")
def corpus() -> BoardClient:
    """A board over the captures of tests/data."""
    catalog = Catalog()
    Loader(catalog, sources(str(PROFILES)), LoaderOptions(threads=0)).load()
    client = BoardClient(provider=CatalogProvider(catalog, BoardSettings(logdir=str(PROFILES))))
    start_threads(client.shared.pool)
    return client


def test_a_capture_belongs_to_the_run_whose_folder_it_is_in() -> None:
    (capture,) = captures_of(client_of({f"a/{SESSION}/host.xplane.pb": xplane_of("jax").read_bytes()}))

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
    (capture,) = captures_of(client_of({f"b/{SESSION}/host.xplane.pb": xplane_of("jax").read_bytes()}))

    assert (capture["name"], capture["run"]) == ("b/2026_11_27_10_00_00", None)


def test_names_are_those_of_the_command_line(corpus: BoardClient, capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "ls", str(PROFILES), "--json"])

    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in captures_of(corpus)] == [each["name"] for each in listed]


def test_inferred_steps_say_so() -> None:
    calls = trace(*(slice_event("train_step", at, 2) for at in (10, 20, 30)))
    client = client_of({"a/node.trace.json": calls})

    assert [(step["step"], step["name"], step["inferred"]) for step in answer(client, "steps")["steps"]] == [
        *((0, "train_step", True), (1, "train_step", True))
    ]
    assert answer(client, "overview")["hosts"][0]["steps"]["inferred"]


def test_captures_are_counted_as_a_kind_of_data(corpus: BoardClient) -> None:
    assert corpus.get("/api/v1/tags").json()["plugins"]["profiles"] == 8


def test_captures_are_no_graphs(corpus: BoardClient) -> None:
    assert corpus.post("/api/v1/graphs", json={}).json()["graphs"] == []


def test_a_capture_that_arrives_is_listed() -> None:
    client = client_of({})
    before = captures_of(client)

    client.memory.storage.write("a/host.trace.json", TRACE)
    client.memory.refresh()

    assert (before, [each["name"] for each in captures_of(client)]) == ([], ["a"])


def test_a_capture_that_is_replaced_is_read_again() -> None:
    client = client_of({"a/host.trace.json": TRACE})
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


def test_operators_are_those_of_the_command_line(corpus: BoardClient, capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "ops", str(PROFILES), "--capture", "torch", "--json"])

    told = json.loads(capsys.readouterr().out)
    rows = answer(corpus, "operators", "torch")["operators"]
    assert [{name: row[name] for name in row if name != "mean_us"} for row in rows] == told


def test_operators_are_sorted_by_any_column(corpus: BoardClient) -> None:
    rows = answer(corpus, "operators", "torch", sort="mean_us", descending=False, limit=5000)["operators"]

    means = [row["mean_us"] for row in rows]
    assert means == sorted(means)
    assert means == pytest.approx([row["total_us"] / row["count"] for row in rows])


def test_operators_are_found_by_words_in_name_category_and_scope(corpus: BoardClient) -> None:
    found = answer(corpus, "operators", "torch", search="TRANS linear_0")

    assert [(row["name"], row["scope"]) for row in found["operators"]] == [("aten::transpose", "Sequential_0/Linear_0")]
    assert found["all_self_us"] == found["operators"][0]["self_us"]


def test_a_time_line_has_slices_of_a_pixel_and_more_as_they_are() -> None:
    client = client_of({"a/host.trace.json": TRACE})

    assert marks_of(client, width=100) == [
        ("train", 0, 100, 1),
        ("matmul", 10, 30, 1),
        ("add", 50, 20, 1),
        ("matmul", 80, 10, 1),
    ]


def test_slices_narrower_than_a_pixel_are_one_mark_named_after_the_longest() -> None:
    slices = [slice_event(f"op{at}", at, 0.5 if at == 3 else 0.1) for at in range(10)]
    client = client_of({"a/host.trace.json": trace(*slices, slice_event("end", 99, 1))})

    assert marks_of(client, width=10) == [("op3", 0, 9.1, 10), ("end", 99, 1, 1)]


def test_no_pixel_has_more_than_two_marks_in_a_row() -> None:
    slices = [slice_event("op", at, 0.4 if at % 7 else 3) for at in range(0, 4000, 1)]
    client = client_of({"a/host.trace.json": trace(*slices)})

    marks = answer(client, "timeline", width=50)["marks"]
    rows: dict[tuple[int, int], int] = {}
    for depth in marks["depth"]:
        rows[depth, 0] = rows.get((depth, 0), 0) + 1
    assert max(rows.values()) <= 100
    assert sum(marks["count"]) == len(slices)


def test_a_window_has_what_overlaps_it() -> None:
    client = client_of({"a/host.trace.json": TRACE})

    assert [mark[0] for mark in marks_of(client, begin_us=35, end_us=55, width=100)] == ["train", "matmul", "add"]


def test_tracks_come_in_pages_with_those_of_steps_first(corpus: BoardClient) -> None:
    whole = answer(corpus, "timeline", "torch_ranks")
    page = answer(corpus, "timeline", "torch_ranks", start=3, limit=1)

    names = [(each["host"], each["name"].split()[-1]) for each in whole["tracks"]]
    assert names == [
        *[(0, "(python)"), (0, "(pt_gloo_runloop)"), (0, "(pt_gloo_runloop)")],
        *[(1, "(python)"), (1, "(pt_gloo_runloop)"), (1, "(pt_gloo_runloop)")],
    ]
    assert (page["total"], page["tracks"]) == (6, whole["tracks"][3:4])


def test_a_slice_has_its_arguments_self_time_and_neighbors_of_its_name() -> None:
    client = client_of({"a/host.trace.json": TRACE})

    assert answer(client, "slice", host=0, slice=1) == {
        "host": "host",
        "rank": None,
        "process": "1",
        "track": "2",
        "depth": 1,
        "name": "matmul",
        "category": "host",
        "start_us": 10,
        "duration_us": 30,
        "self_us": 30,
        "args": [{"name": "M", "value": "4", "cut": False}, {"name": "text", "value": "ü", "cut": False}],
        "index": 0,
        "total": 2,
        "previous": None,
        "next": {"slice": 3, "start_us": 80, "duration_us": 10},
    }
    assert answer(client, "slice", host=0, slice=0)["self_us"] == 40


@pytest.mark.parametrize(
    ("capture", "name", "wanted"),
    [
        ("torch", "aten::linear", "Input Dims"),
        ("jax/2026_11_27_10_00_00", "dot.1", "hlo_op"),
        ("keras/train/2026_11_27_10_00_00", "Profiled batch", "step_num"),
        ("tensorflow/2026_11_27_10_00_00", "train", "step_num"),
    ],
)
def test_arguments_of_real_captures(corpus: BoardClient, capture: str, name: str, wanted: str) -> None:
    line = answer(corpus, "timeline", capture, width=16_384)
    at = line["marks"]["name"].index(line["names"].index(name))
    found = answer(corpus, "slice", capture, host=0, slice=line["marks"]["slice"][at])

    assert found["name"] == name
    assert {arg["name"]: arg["value"] for arg in found["args"]}[wanted]


def test_an_unknown_capture_is_not_found(corpus: BoardClient) -> None:
    response = ask(corpus, "overview", "nothing")

    assert (response.status_code, response.json()["error"]["message"]) == (404, "no capture 'nothing'")


def test_an_unknown_slice_is_not_found(corpus: BoardClient) -> None:
    response = ask(corpus, "slice", "torch", host=0, slice=10**6)

    assert (response.status_code, response.json()["error"]["message"]) == (404, "the capture has no such slice")


def test_what_is_no_trace_cannot_be_shown() -> None:
    response = ask(client_of({"a/host.trace.json": b"hello"}), "overview")

    assert (response.status_code, response.json()["error"]["message"]) == (
        422,
        "host.trace.json: it is no trace: it has no list of events",
    )


def test_a_capture_that_is_cut_off_is_shown_with_a_problem() -> None:
    client = client_of({"a/host.trace.json": TRACE[:-40]})

    overview = answer(client, "overview")
    assert overview["problems"] == ["host.trace.json: the file is cut off, and is read up to there"]
    assert overview["steps"] == 1


def test_a_capture_is_read_once_for_all_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = capture_store.read_capture_files
    monkeypatch.setattr(
        capture_store,
        "read_capture_files",
        lambda capture, index: (read.append(capture.name), original(capture, index))[1],
    )
    client = client_of({"a/host.trace.json": TRACE})
    for route in ("overview", "steps", "operators", "timeline"):
        answer(client, route)

    assert read == ["a"]


def load(store: capture_store.CaptureStore, name: str) -> capture_store.LoadedCapture:
    """A capture of a store, without a scheduler."""
    steps = store.load(store.find(name))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            loaded: capture_store.LoadedCapture = end.value
            return loaded


def test_only_so_many_bytes_of_captures_are_kept() -> None:
    client = client_of({"a/host.trace.json": TRACE, "b/host.trace.json": TRACE})
    store = capture_store.CaptureStore(CaptureListing(client.memory.catalog.assets), most_bytes=1)

    first = load(store, "a")
    assert load(store, "a") is first
    load(store, "b")
    assert load(store, "a") is not first


def test_a_capture_is_opened_from_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assets = client_of({"a/host.trace.json": TRACE}).memory.catalog.assets
    index = CaptureIndex(str(tmp_path), min_file_bytes=0)
    read = load(capture_store.CaptureStore(CaptureListing(assets), index), "a")
    monkeypatch.delattr(profiles, "read_profile")

    found = load(capture_store.CaptureStore(CaptureListing(assets), index), "a")
    assert (found.steps, found.operators) == (read.steps, read.operators)


def test_boards_keep_captures_of_their_own(corpus: BoardClient) -> None:
    other = client_of({})

    assert corpus.provider.profiles() is corpus.provider.profiles()
    assert corpus.provider.profiles() is not other.provider.profiles()


def test_profiles_have_threads_of_their_own() -> None:
    lane = lane_of("/api/v1/profiles/overview")

    others = {lane_of(f"/api/v1/{path}") for path in ("runs", "images", "scalars/chart", "graphs", "export")}
    assert (lane in LANES, lane in others) == (True, False)
