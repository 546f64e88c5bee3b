"""Captures of profilers in time over HTTP: windows, slices, ranges, and what is found."""

from typing import Any

import numpy as np
import pytest

from lightboard.profiles.text_stream import CHUNK_BYTES
from lightboard.query import capture_progress
from support.board_client import BoardClient, board_with_files
from support.capture_board import TRACE, answer, ask, corpus_client, load
from support.profiles import slice_event, trace
from support.slow_captures import HeldBack, end_readings, long_trace


def marks_of(client: BoardClient, **query: Any) -> list[tuple[str, float, float, int]]:
    """Name, beginning, duration and count of each mark of a time line."""
    found = answer(client, "timeline", **query)
    marks = found["marks"]
    names = [found["names"][at] for at in marks["name"]]
    return list(zip(names, marks["start_us"], marks["duration_us"], marks["count"], strict=True))


@pytest.fixture(scope="module")
def corpus() -> BoardClient:
    """A board over the captures of tests/data."""
    return corpus_client()


def test_a_time_line_has_slices_of_a_pixel_and_more_as_they_are() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert marks_of(client, width=100) == [
        ("train", 0, 100, 1),
        ("matmul", 10, 30, 1),
        ("add", 50, 20, 1),
        ("matmul", 80, 10, 1),
    ]


def test_slices_narrower_than_a_pixel_are_one_mark_named_after_the_longest() -> None:
    slices = [slice_event(f"op{at}", at, 0.5 if at == 3 else 0.1) for at in range(10)]
    client = board_with_files({"a/host.trace.json": trace(*slices, slice_event("end", 99, 1))})

    assert marks_of(client, width=10) == [("op3", 0, 9.1, 10), ("end", 99, 1, 1)]


def test_no_pixel_has_more_than_two_marks_in_a_row() -> None:
    slices = [slice_event("op", at, 0.4 if at % 7 else 3) for at in range(0, 4000, 1)]
    client = board_with_files({"a/host.trace.json": trace(*slices)})

    marks = answer(client, "timeline", width=50)["marks"]
    rows: dict[tuple[int, int], int] = {}
    for depth in marks["depth"]:
        rows[depth, 0] = rows.get((depth, 0), 0) + 1
    assert max(rows.values()) <= 100
    assert sum(marks["count"]) == len(slices)


def test_a_window_has_what_overlaps_it() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert [mark[0] for mark in marks_of(client, begin_us=35, end_us=55, width=100)] == ["train", "matmul", "add"]


def test_tracks_come_in_pages_in_the_order_of_reading(corpus: BoardClient) -> None:
    whole = answer(corpus, "timeline", "torch_ranks")
    page = answer(corpus, "timeline", "torch_ranks", start=3, limit=1)

    names = [(each["host"], each["name"].split()[-1]) for each in whole["tracks"]]
    assert names == [
        *[(0, "(python)"), (0, "(pt_gloo_runloop)"), (0, "(pt_gloo_runloop)")],
        *[(1, "(python)"), (1, "(pt_gloo_runloop)"), (1, "(pt_gloo_runloop)")],
    ]
    assert (page["total"], page["tracks"]) == (6, whole["tracks"][3:4])


def test_a_capture_of_a_gpu_begins_with_its_streams(corpus: BoardClient) -> None:
    found = answer(corpus, "timeline", "torch_gpu")["tracks"]

    names = [each["name"].strip() for each in found]
    assert names == ["stream 7", "stream 13", "thread 609 (python3)", "thread 619 (python3)"]


def test_a_slice_has_its_arguments_self_time_and_neighbors_of_its_name() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert answer(client, "slice", host=0, slice=1) == {
        "host": "host",
        "rank": None,
        "process": "1",
        "track": "2",
        "track_index": 0,
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
        "comes_from": [],
        "leads_to": [],
    }
    assert answer(client, "slice", host=0, slice=0)["self_us"] == 0  # a step, which only names what runs inside of it


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


RANGE = {
    "begin_us": 20,
    "end_us": 60,
    "total": 3,
    "slices": 3,
    "self_us": 30,
    "rows": [
        {"name": "matmul", "category": "host", "count": 1, "total_us": 20, "self_us": 20, "mean_us": 20},
        {"name": "add", "category": "host", "count": 1, "total_us": 10, "self_us": 10, "mean_us": 10},
        {"name": "train", "category": "host", "count": 1, "total_us": 40, "self_us": 0, "mean_us": 40},
    ],
}


def test_a_range_has_the_times_of_slices_in_it() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    found = answer(client, "range", begin_us=20, end_us=60)
    found["rows"].sort(key=lambda row: (-row["self_us"], -row["total_us"]))
    assert found == RANGE
    assert answer(client, "range", begin_us=60, end_us=20, sort="total_us")["rows"][0]["name"] == "train"


def test_the_range_of_everything_has_the_sums_of_all_slices(corpus: BoardClient) -> None:
    found = answer(corpus, "range", "torch", begin_us=0, end_us=1e9)
    store = corpus.provider.profiles()
    (host,) = load(store, "torch").hosts

    assert found["slices"] == len(host.host.slices)
    totals = np.zeros(len(host.host.names), np.int64)
    np.add.at(totals, host.host.slices.name, host.host.slices.duration_ns)
    sums: dict[str, float] = {}
    for row in found["rows"]:
        sums[row["name"]] = sums.get(row["name"], 0) + row["total_us"]
    wanted = {name: total / 1000 for name, total in zip(host.host.names, totals.tolist(), strict=True) if name in sums}
    assert sums == pytest.approx(wanted, rel=1e-9)


def test_a_range_may_be_that_of_some_tracks(corpus: BoardClient) -> None:
    tracks = answer(corpus, "timeline", "torch_ranks")["tracks"]
    some = [track for track in tracks if track["name"].endswith("(pt_gloo_runloop)")]
    names = ",".join(f"{track['host']}:{track['track_index']}" for track in some)

    found = answer(corpus, "range", "torch_ranks", begin_us=0, end_us=1e9, tracks=names)
    assert ({row["name"] for row in found["rows"]}, found["slices"]) == (
        {"gloo:all_reduce"},
        sum(track["slices"] for track in some),
    )


def test_a_range_of_tracks_that_are_none_is_refused(corpus: BoardClient) -> None:
    assert ask(corpus, "range", "torch", begin_us=0, end_us=1, tracks="0:x").status_code == 400


def test_slices_are_found_by_words_in_the_order_of_time() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    def found(**query: Any) -> tuple[int, int, int] | None:
        each = answer(client, "find", **query)["found"]
        return each and (each["index"], each["total"], each["slice"])

    assert [
        found(search="MAT mul"),
        found(search="matmul", slice=1),
        found(search="matmul", slice=3),
        found(search="matmul", slice=1, backward=True),
        found(search="matmul", begin_us=50),
        found(search="t", slice=2, backward=True),
        found(search="nothing"),
    ] == [(0, 2, 1), (1, 2, 3), (0, 2, 1), (1, 2, 3), (1, 2, 3), (1, 3, 1), None]


def test_a_found_slice_says_where_it_is(corpus: BoardClient) -> None:
    found = answer(corpus, "find", "torch_ranks", search="all_reduce", begin_us=1500)["found"]
    line = answer(corpus, "timeline", "torch_ranks", width=16_384)
    marks = line["marks"]
    place = next(at for at, each in enumerate(marks["slice"]) if is_slice(line, at, found["host"], each, found))

    wanted = {name: marks[name][place] for name in ("depth", "start_us", "duration_us")}
    assert {name: found[name] for name in wanted} == wanted
    assert line["names"][marks["name"][place]] == found["name"]


def is_slice(line: dict[str, Any], at: int, host: int, slice_: int, found: dict[str, Any]) -> bool:
    """Whether a mark is the slice that was found."""
    track = line["tracks"][line["marks"]["track"][at]]
    return (track["host"], track["track_index"], slice_) == (host, found["track_index"], found["slice"])


def test_marks_say_how_many_of_their_slices_are_found() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert answer(client, "timeline", width=100)["marks"]["found"] == []
    assert answer(client, "timeline", width=100, search="mat")["marks"]["found"] == [0, 1, 0, 1]
    assert answer(client, "timeline", width=1, search="mat")["marks"]["found"] == [0, 2]


def test_a_slice_leads_to_those_at_the_ends_of_its_flows() -> None:
    def flow(phase: str, time: float, thread: int, number: int) -> dict[str, Any]:
        return {
            "ph": phase,
            "id": number,
            "pid": 1,
            "tid": thread,
            "ts": time,
            "cat": "ac2g",
            "name": "ac2g",
            "bp": "e",
        }

    events = [
        slice_event("step", 0, 50),
        slice_event("launch", 10, 5),
        slice_event("kernel", 30, 8, tid=7),
        slice_event("copy", 40, 8, tid=7),
        *(flow("s", 10, 2, 1), flow("f", 30, 7, 1), flow("s", 20, 2, 2), flow("f", 40, 7, 2), flow("s", 12, 2, 3)),
    ]
    client = board_with_files({"a/host.trace.json": trace(*events)})

    def links(at: int) -> tuple[list[str], list[str]]:
        found = answer(client, "slice", host=0, slice=at)
        return [each["name"] for each in found["comes_from"]], [each["name"] for each in found["leads_to"]]

    assert [links(at) for at in range(4)] == [([], ["copy"]), ([], ["kernel"]), (["launch"], []), (["step"], [])]
    assert answer(client, "slice", host=0, slice=1)["leads_to"] == [
        {
            "slice": 2,
            "name": "kernel",
            "track": "7",
            "track_index": 1,
            "depth": 0,
            "start_us": 30,
            "duration_us": 8,
        }
    ]


def test_the_backward_of_torch_comes_from_its_forward(corpus: BoardClient) -> None:
    line = answer(corpus, "timeline", "torch", width=16_384)
    at = line["marks"]["name"].index(line["names"].index("aten::addmm"))
    found = answer(corpus, "slice", "torch", host=0, slice=line["marks"]["slice"][at])

    assert [each["name"] for each in found["leads_to"]] == ["AddmmBackward0"]


POINTS = trace(
    slice_event("op", 0, 100, pid="cpu", tid=1),
    {"ph": "i", "name": "saved", "pid": "cpu", "tid": 1, "ts": 40},
    {"ph": "i", "name": "lost", "pid": "cpu", "tid": 1, "ts": 41},
    {"ph": "i", "name": "alone", "pid": "cpu", "tid": 7, "ts": 90},
    {"ph": "C", "name": "queue", "pid": "cpu", "ts": 10, "args": {"length": 3}},
    {"ph": "C", "name": "queue", "pid": "cpu", "ts": 60, "args": {"length": 5}},
)


def test_a_time_line_has_instants_and_counters() -> None:
    found = answer(board_with_files({"a/host.trace.json": POINTS}), "timeline", width=10)

    assert [(each["name"], each["slices"], each["instants"]) for each in found["tracks"]] == [("1", 1, 2), ("7", 0, 1)]
    assert [found["names"][at] for at in found["instants"].pop("name")] == ["saved", "alone"]
    assert found["instants"] == {"track": [0, 1], "time_us": [40, 90], "count": [2, 1]}
    assert found["counters"] == [
        {"host": 0, "process_index": 0, "process": "cpu", "name": "queue/length", "low": 3, "high": 5}
    ]
    assert found["samples"] == {"counter": [0, 0], "time_us": [10, 60], "low": [3, 5], "high": [3, 5], "value": [3, 5]}


def test_streams_are_by_their_numbers_before_the_process_with_steps() -> None:
    def named(pid: int, tid: int, name: str) -> dict[str, Any]:
        return {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}

    events = [
        *(named(0, tid, f"stream {tid}") for tid in (20, 7)),
        *(slice_event("kernel", 0, 5, pid=0, tid=tid) for tid in (20, 7)),
        slice_event("rest", 0, 5, pid=3, tid=1),
        slice_event("little", 0, 5, pid=9, tid=1),
        slice_event("much", 0, 50, pid=9, tid=2),
        slice_event("ProfilerStep#1", 0, 9, pid=9, tid=3),
    ]
    found = answer(board_with_files({"a/host.trace.json": trace(*events)}), "timeline")

    assert [(each["process"], each["name"]) for each in found["tracks"]] == [
        *(("0 · GPU 0", "stream 7"), ("0 · GPU 0", "stream 20")),
        *(("9", "3"), ("9", "2"), ("9", "1")),
        ("3", "1"),
    ]


def test_an_unknown_slice_is_not_found(corpus: BoardClient) -> None:
    response = ask(corpus, "slice", "torch", host=0, slice=10**6)

    assert (response.status_code, response.json()["error"]["message"]) == (404, "the capture has no such slice")


def slow_client(monkeypatch: pytest.MonkeyPatch) -> tuple[BoardClient, HeldBack]:
    """A board over a capture of which two parts are let through."""
    monkeypatch.setattr(capture_progress, "FIRST_SLICES", 1)
    client = board_with_files({"a/host.trace.json": long_trace()})
    return client, HeldBack(client.memory.storage, 2)


def test_a_partial_time_line_says_which_part_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    client, source = slow_client(monkeypatch)
    part = answer(client, "timeline", partial=True)
    source.gate.set()
    whole = answer(client, "timeline")
    end_readings()

    assert part["loaded"] == CHUNK_BYTES / len(long_trace())
    assert whole["loaded"] == 1
    assert (sum(part["marks"]["count"]), sum(whole["marks"]["count"])) == (31, 100)


@pytest.mark.parametrize("window", [{}, {"partial": True, "begin_us": 1}, {"partial": True, "end_us": 300}])
def test_windows_and_those_who_do_not_ask_for_a_part_get_all(
    monkeypatch: pytest.MonkeyPatch, window: dict[str, Any]
) -> None:
    client, source = slow_client(monkeypatch)
    answer(client, "timeline", partial=True)
    source.gate.set()
    found = answer(client, "timeline", **window)
    end_readings()

    assert found["loaded"] == 1
