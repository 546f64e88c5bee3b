"""TensorBoard's scalar routes over a small board; the corpus compares recorded responses."""

import json

from lightboard.testing.event_files import (
    histogram_value,
    image_value,
    scalar_record,
    summary_record,
    version_record,
)
from support.board_client import BoardClient

SCALARS = "/data/plugin/scalars"
SERIES = "/data/plugin/timeseries"
MANY = {"long": {"loss": [(step, float(step), float(step % 97)) for step in range(5000)]}}


def test_tags_are_listed_by_run() -> None:
    """Simple values are called by their tag."""
    named = {"displayName": "loss", "description": ""}

    assert BoardClient().get(f"{SCALARS}/tags").json() == {
        "eval/каша": {"loss": named},
        "train": {"loss": named, "lr": {"displayName": "lr", "description": ""}},
    }


def test_one_series() -> None:
    """Rows of wall time, step and value."""
    answer = BoardClient().get(f"{SCALARS}/scalars", params={"run": "eval/каша", "tag": "loss"})

    assert answer.json() == [[90.0, 0, 3.0], [95.0, 1, "Infinity"]]


def test_several_runs_of_one_tag() -> None:
    """Runs without it are omitted; urlencoded or multipart."""
    fields = {"tag": "loss", "runs": ["train", "nobody", "eval/каша"]}
    client = BoardClient()
    as_form = client.post(f"{SCALARS}/scalars_multirun", data=fields).json()
    as_parts = client.post(
        f"{SCALARS}/scalars_multirun", files=[("tag", (None, "loss")), ("runs", (None, "train"))]
    ).json()

    assert sorted(as_form) == ["eval/каша", "train"]
    assert as_parts == {"train": as_form["train"]}


def test_samples_per_plugin_limits_scalars() -> None:
    """1,000 by default, 0 means all, with an upper limit."""
    url = f"{SCALARS}/scalars?run=long&tag=loss"
    lengths = [
        len(BoardClient(MANY, **settings).get(url).json())
        for settings in ({}, {"samples": {"scalars": 10}}, {"samples": {"scalars": 0}})
    ]

    assert lengths == [1000, 10, 5000]


def test_the_api_never_samples() -> None:
    """Whatever the flag says."""
    client = BoardClient(MANY, samples={"scalars": 10})

    assert len(client.get("/api/v1/scalars/series?run=long&tag=loss").json()["points"]) == 5000


def test_time_series_keeps_request_order() -> None:
    """Errors included."""
    asked = [{"plugin": "scalars", "tag": "lr"}, {"plugin": "scalars"}, {"plugin": "other", "tag": "lr"}]
    expected = [
        {"plugin": "scalars", "tag": "lr", "runToSeries": {"train": [{"wallTime": 100.0, "step": 0, "value": 0.5}]}},
        {"plugin": "scalars", "tag": None, "error": "Missing tag"},
        {"plugin": "other", "tag": "lr", "error": "Invalid plugin"},
    ]
    client, form = BoardClient(), {"requests": json.dumps(asked)}

    assert client.post(f"{SERIES}/timeSeries", data=form).json() == expected
    assert client.get(f"{SERIES}/timeSeries", params=form).json() == expected


def test_deeply_nested_json_is_invalid() -> None:
    """With the usual error."""
    answer = BoardClient().post("/data/plugin/timeseries/timeSeries", data={"requests": "[" * 50_000})

    assert (answer.status_code, answer.text) == (400, "Invalid argument: Unable to parse 'requests' as JSON")


def test_active_plugins() -> None:
    """Histograms activate distributions too."""
    client = BoardClient({})
    values = [image_value("picture", b"png"), histogram_value("weights", [0.0, 1.0], [1.0, 2.0])]
    records = version_record() + summary_record(values, wall_time=1.0) + scalar_record("loss", 0, 1.0, 1.0)
    client.memory.storage.write("r/events.tfevents.0", records)
    client.memory.refresh()

    listing = client.get("/data/plugins_listing").json()
    tags = client.get(f"{SERIES}/tags").json()

    assert [name for name, tab in listing.items() if tab["enabled"]] == [
        "timeseries",
        "scalars",
        "images",
        "distributions",
        "histograms",
    ]
    assert tags == {
        "scalars": {"runTagInfo": {"r": ["loss"]}, "tagDescriptions": {}},
        "histograms": {"runTagInfo": {"r": ["weights"]}, "tagDescriptions": {}},
        "images": {"tagDescriptions": {}, "tagRunSampledInfo": {"picture": {"r": {"maxSamplesPerStep": 1}}}},
    }


def test_runs_are_listed_by_first_event() -> None:
    """Like TensorBoard."""
    assert BoardClient().get("/data/runs").json() == ["eval/каша", "train"]


def test_flags_are_not_exposed() -> None:
    """TensorBoard exposes all."""
    body = BoardClient(window_title="T").get("/data/environment").json()

    assert (body["window_title"], body["data_location"], body["debug"]["flags"]) == ("T", "somewhere", {})


def test_old_urls_redirect_to_tabs() -> None:
    """From any depth, also below a prefix."""
    client = BoardClient(path_prefix="/p")

    assert [client.get(url).headers["location"] for url in ("/p/events", "/p/graphs/")] == ["./#scalars", "../#graphs"]
