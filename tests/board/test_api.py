"""/api/v1: the response of each endpoint."""

import json

import pytest

from lightboard import __version__
from lightboard.board.api import ENDPOINTS
from lightboard.board.endpoint import Endpoint
from lightboard.events.decode import NATIVE
from lightboard.testing.event_files import (
    hparams_end_record,
    hparams_start_record,
    scalar_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
)
from support.board_client import BoardClient


def test_status_response() -> None:
    """Whole, except the time of the last scan."""
    body = BoardClient(window_title="My runs", reload_secs=7.0).get("/api/v1/status").json()

    assert body.pop("last_scan") > 0
    assert body == {
        "version": __version__,
        "title": "My runs",
        "console": "",
        "page": "",
        "logdir": "somewhere",
        "native": NATIVE,
        "generation": body["generation"],
        "loading": False,
        "bytes_total": body["bytes_read"],
        "bytes_read": body["bytes_read"],
        "files": 2,
        "runs": 2,
        "series": 3,
        "points": 6,
        "damaged_files": 0,
        "scanned_files": 2,
        "last_event_wall_time": 103.0,
        "reload_secs": 7.0,
        "live": body["live"],
        "live_reason": body["live_reason"],
        "nearest": [],
        "unreadable": [],
        "skipped_links": 0,
    }


def test_runs_are_ordered_by_slot() -> None:
    """Whole rows, odd names as they are."""
    body = BoardClient().get("/api/v1/runs").json()

    assert [(run["name"], run["slot"], run["points"]) for run in body["runs"]] == [("eval/каша", 0, 2), ("train", 1, 4)]
    assert body["runs"][1] == {
        "id": 1,
        "name": "train",
        "slot": 1,
        "start_wall_time": 100.0,
        "last_wall_time": 103.0,
        "duration_secs": 3.0,
        "last_step": 2,
        "files": 1,
        "tags": 2,
        "points": 4,
        "damage_bytes": 0,
        "damage_regions": 0,
        "restarts": 0,
        "status": "idle",
        "config": {},
        "group_name": "",
        "outcome": "unknown",
        "folded_into": None,
        "nonfinite_end": {"tag": "loss", "step": 2, "value": "NaN", "tags": 1},
    }


def test_hyperparameters_keep_their_types() -> None:
    """Non-finite numbers as strings."""
    client = BoardClient({})
    config = {"lr": 3e-4, "layers": 32.0, "optimizer": "adam", "amp": True, "clip": float("inf")}
    records = version_record() + hparams_start_record(config, "seeds") + hparams_end_record(2)
    client.memory.storage.write("a/events.tfevents.0", records)
    client.memory.refresh()

    (run,) = client.get("/api/v1/runs").json()["runs"]

    assert (run["config"], run["group_name"], run["outcome"]) == (config | {"clip": "Infinity"}, "seeds", "failure")
    assert type(run["config"]["amp"]) is bool


def test_restarts_are_listed() -> None:
    """And counted in the list of runs."""
    client = BoardClient({"a": {"loss": [(0, 1.0, 2.0), (9, 2.0, 2.0), (5, 3.0, 2.0)]}})

    assert client.get("/api/v1/runs/restarts?run=a").json() == {
        "run": "a",
        "restarts": [{"step": 5, "wall_time": 3.0, "reason": "regression"}],
    }
    assert client.get("/api/v1/runs").json()["runs"][0]["restarts"] == 1
    assert client.get("/api/v1/runs/restarts?run=b").json()["error"]["hint"] == "/api/v1/runs lists them"


def test_the_files_of_a_run_are_listed() -> None:
    """By full path, with their size and the time of their last event."""
    client = BoardClient({"a": {"loss": [(0, 1.0, 2.0), (9, 2.0, 2.0)]}})
    client.memory.storage.write("a/events.tfevents.9", version_record())
    client.memory.refresh()
    body = client.get("/api/v1/runs/files?run=a").json()

    assert [(file["last_wall_time"], file["points"]) for file in body["files"]] == [(2.0, 2), (0.0, 0)]
    assert body["files"][1]["size"] == len(version_record())
    assert body["files"][1]["file"].endswith("a/events.tfevents.9")
    assert client.get("/api/v1/runs/files?run=b").json()["error"]["hint"] == "/api/v1/runs lists them"


def test_tags_of_a_kind_list_their_runs() -> None:
    """In natural order."""
    body = BoardClient().get("/api/v1/tags?plugin=scalars").json()

    assert [(tag["tag"], tag["runs"]) for tag in body["tags"]] == [("loss", [0, 1]), ("lr", [1])]


def test_tags_are_counted_by_kind() -> None:
    """The page shows these tabs."""
    assert BoardClient().get("/api/v1/tags").json()["plugins"] == {"scalars": 2}


def test_descriptions_are_sanitized() -> None:
    """Markdown to safe HTML; differing ones are both shown."""
    client = BoardClient({})
    for run, text in (("a", "*low*<script>x</script>"), ("b", "high")):
        metadata = summary_metadata("scalars", display_name="Loss", description=text, data_class=1)
        record = tensor_record("loss", 0, tensor(1, [1.0]), 1.0, metadata)
        client.memory.storage.write(f"{run}/events.tfevents.0", version_record() + record)
    client.memory.refresh()

    (tag,) = client.get("/api/v1/tags?plugin=scalars").json()["tags"]

    assert (tag["display_name"], tag["tag"]) == ("Loss", "loss")
    assert tag["description"].split("\n") == [
        "<h1>Multiple descriptions</h1>",
        "<h2>For run: a</h2>",
        "<p><em>low</em>&lt;script&gt;x&lt;/script&gt;</p>",
        "<h2>For run: b</h2>",
        "<p>high</p>",
    ]


def test_statistics_encode_nonfinite_numbers_as_strings() -> None:
    """As TensorBoard does."""
    body = BoardClient().post("/api/v1/scalars/stats", json={"tags": ["loss", "nothing"]}).json()

    assert [(one["run"], one["held"], one["last_value"], one["nonfinite"]) for one in body["stats"]] == [
        (0, 2, "Infinity", 1),
        (1, 3, "NaN", 1),
    ]


def test_statistics_of_some_runs_only() -> None:
    """By id."""
    body = BoardClient().post("/api/v1/scalars/stats", json={"tags": ["loss"], "runs": [1]}).json()

    assert [one["run"] for one in body["stats"]] == [1]


def test_a_series_is_exact_as_json() -> None:
    """[wall time, step, value], doubles to the last bit."""
    answer = BoardClient().get("/api/v1/scalars/series", params={"run": "train", "tag": "loss"})

    assert answer.json() == {
        "run": "train",
        "tag": "loss",
        "points": [[100.0, 0, 2.0], [101.5, 1, 0.10000000149011612], [103.0, 2, "NaN"]],
    }


def test_a_series_is_exact_as_csv() -> None:
    """Numbers as Python writes them; reads back to the last bit."""
    answer = BoardClient().get("/api/v1/scalars/series", params={"run": "eval/каша", "tag": "loss", "format": "csv"})

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text == "Wall time,Step,Value\r\n90.0,0,3.0\r\n95.0,1,inf\r\n"


def test_a_series_with_superseded_points_marks_them() -> None:
    """A fourth column."""
    client = BoardClient()
    json_rows = client.get("/api/v1/scalars/series?run=train&tag=lr&orphans=1").json()["points"]
    csv_text = client.get("/api/v1/scalars/series?run=train&tag=lr&orphans=1&format=csv").text

    assert (json_rows, csv_text) == ([[100.0, 0, 0.5, 0]], "Wall time,Step,Value,Superseded\r\n100.0,0,0.5,0\r\n")


def test_an_unknown_run_gets_a_hint() -> None:
    """The error of docs/http.md, word for word."""
    assert BoardClient().get("/api/v1/scalars/series?run=x&tag=loss").json() == {
        "error": {"code": "run_not_found", "message": "no run 'x'", "hint": "/api/v1/runs lists them"}
    }


def test_charts_answer_in_binary() -> None:
    """As many charts as asked; an unknown tag has no blocks."""
    answer = BoardClient().post(
        "/api/v1/scalars/chart",
        json={
            "px": 300,
            "axis": "wall",
            "smoothing": 0.6,
            "aux": True,
            "charts": [{"tag": "loss"}, {"tag": "nothing"}],
        },
    )

    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.content[:8] == b"LBC1\x02\0\0\0"
    assert answer.content[-16:] == b"\1\0\0\0" + bytes(12)


def test_problems_name_file_and_byte() -> None:
    """Damage is skipped, counted and told."""
    client = BoardClient({})
    good = version_record()
    client.memory.storage.write(
        "r/events.tfevents.0", good + b"garbage that is no record at all" + scalar_record("a", 0, 1.0)
    )
    client.memory.refresh()

    (problem,) = client.get("/api/v1/problems").json()["problems"]

    assert (problem["run"], problem["offset"], problem["length"], problem["kind"]) == ("r", len(good), 32, "damage")
    assert problem["file"].endswith("r/events.tfevents.0")


def test_reload_sees_what_is_new() -> None:
    """The answer comes after the scan."""
    client = BoardClient()
    client.memory.storage.write("new/events.tfevents.0", version_record() + scalar_record("a", 0, 1.0))

    assert client.post("/api/v1/reload").json()["runs"] == 3


def test_asking_for_the_head_of_the_stream_ends() -> None:
    """HEAD has no body, not even an endless one."""
    answer = BoardClient().request("HEAD", "/api/v1/events")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")


def test_everything_works_below_a_prefix() -> None:
    """And nothing beside it."""
    client = BoardClient(path_prefix="/lb")

    assert [client.get(url).status_code for url in ("/lb/api/v1/status", "/api/v1/status")] == [200, 404]


TYPED = [one for one in ENDPOINTS if not isinstance(one.response, str) and "preview" not in one.path]
QUERIES = {
    "/api/v1/tags": "?plugin=scalars",
    "/api/v1/scalars/series": "?run=train&tag=loss",
    "/api/v1/runs/restarts": "?run=train",
    "/api/v1/runs/files": "?run=train",
}
BODIES = {
    "/api/v1/values/steps": {"plugin": "images"},
    "/api/v1/scalars/range": {"tags": ["loss", "lr"], "last": 1},
    "/api/v1/values": {"plugin": "images"},
    "/api/v1/runs/columns": {"columns": [{"tag": "loss", "stat": "min"}, {"tag": "lr", "stat": "last_step"}]},
    "/api/v1/scalars/stats": {"tags": ["loss", "lr"]},
    "/api/v1/overlay": {"runs": {"train": {"note": "n"}}, "views": {"v": {"address": "x"}}},
}


@pytest.mark.parametrize("endpoint", TYPED, ids=lambda endpoint: endpoint.path)
def test_answers_have_the_shape_that_is_documented(endpoint: Endpoint) -> None:
    """No field more, none less."""
    assert not isinstance(endpoint.response, str)
    body = BoardClient().request(
        endpoint.method, endpoint.path + QUERIES.get(endpoint.path, ""), json=BODIES.get(endpoint.path)
    )

    assert json.loads(endpoint.response.model_validate(body.json()).model_dump_json()) == body.json()


def bare(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


@pytest.mark.parametrize("url", ["/api/v1/scalars/series", "/data/plugin/scalars/scalars"])
def test_json_is_strict(url: str) -> None:
    """No bare NaN or Infinity anywhere, so that every reader can read it."""
    assert json.loads(BoardClient().get(f"{url}?run=train&tag=loss").text, parse_constant=bare)
