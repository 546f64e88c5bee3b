"""TensorBoard's scalar addresses over a small board; the corpus compares them with recorded answers."""

import json

from asking import Asker

from lightboard.testing.event_files import (
    histogram_value,
    image_value,
    scalar_record,
    summary_record,
    version_record,
)

SCALARS = "/data/plugin/scalars"
SERIES = "/data/plugin/timeseries"
MANY = {"long": {"loss": [(step, float(step), float(step % 97)) for step in range(5000)]}}


def test_tags_are_listed_by_run() -> None:
    """Simple values are called by their tag."""
    named = {"displayName": "loss", "description": ""}

    assert Asker().get(f"{SCALARS}/tags").json() == {
        "eval/каша": {"loss": named},
        "train": {"loss": named, "lr": {"displayName": "lr", "description": ""}},
    }


def test_one_series() -> None:
    """Rows of wall time, step and value."""
    answer = Asker().get(f"{SCALARS}/scalars", params={"run": "eval/каша", "tag": "loss"})

    assert answer.json() == [[90.0, 0, 3.0], [95.0, 1, "Infinity"]]


def test_several_runs_of_one_tag() -> None:
    """Runs that lack it are left out; form fields or multipart."""
    fields = {"tag": "loss", "runs": ["train", "nobody", "eval/каша"]}
    asker = Asker()
    as_form = asker.post(f"{SCALARS}/scalars_multirun", data=fields).json()
    as_parts = asker.post(
        f"{SCALARS}/scalars_multirun", files=[("tag", (None, "loss")), ("runs", (None, "train"))]
    ).json()

    assert sorted(as_form) == ["eval/каша", "train"]
    assert as_parts == {"train": as_form["train"]}


def test_long_series_are_sampled_as_hinted() -> None:
    """1,000 points by default, as many as --samples_per_plugin says, all for 0; never over the limit."""
    url = f"{SCALARS}/scalars?run=long&tag=loss"
    lengths = [
        len(Asker(MANY, **settings).get(url).json())
        for settings in ({}, {"samples": {"scalars": 10}}, {"samples": {"scalars": 0}})
    ]

    assert lengths == [1000, 10, 5000]


def test_our_own_api_never_samples() -> None:
    """Whatever the flag says."""
    asker = Asker(MANY, samples={"scalars": 10})

    assert len(asker.get("/api/v1/scalars/series?run=long&tag=loss").json()["points"]) == 5000


def test_time_series_answers_each_request_in_its_place() -> None:
    """Errors stand among answers."""
    asked = [{"plugin": "scalars", "tag": "lr"}, {"plugin": "scalars"}, {"plugin": "other", "tag": "lr"}]
    expected = [
        {"plugin": "scalars", "tag": "lr", "runToSeries": {"train": [{"wallTime": 100.0, "step": 0, "value": 0.5}]}},
        {"plugin": "scalars", "tag": None, "error": "Missing tag"},
        {"plugin": "other", "tag": "lr", "error": "Invalid plugin"},
    ]
    asker, form = Asker(), {"requests": json.dumps(asked)}

    assert asker.post(f"{SERIES}/timeSeries", data=form).json() == expected
    assert asker.get(f"{SERIES}/timeSeries", params=form).json() == expected


def test_endless_brackets_are_no_json() -> None:
    """A body made to exhaust the reader gets the words of any other that is none."""
    answer = Asker().post("/data/plugin/timeseries/timeSeries", data={"requests": "[" * 50_000})

    assert (answer.status_code, answer.text) == (400, "Invalid argument: Unable to parse 'requests' as JSON")


def test_kinds_present_wake_their_tabs() -> None:
    """Scalars, images and histograms here; histograms also fill distributions."""
    asker = Asker({})
    values = [image_value("picture", b"png"), histogram_value("weights", [0.0, 1.0], [1.0, 2.0])]
    records = version_record() + summary_record(values, wall_time=1.0) + scalar_record("loss", 0, 1.0, 1.0)
    asker.memory.storage.write("r/events.tfevents.0", records)
    asker.memory.look()

    listing = asker.get("/data/plugins_listing").json()
    tags = asker.get(f"{SERIES}/tags").json()

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
    """As TensorBoard does."""
    assert Asker().get("/data/runs").json() == ["eval/каша", "train"]


def test_flags_stay_private() -> None:
    """TensorBoard tells every flag to whoever asks."""
    body = Asker(window_title="T").get("/data/environment").json()

    assert (body["window_title"], body["data_location"], body["debug"]["flags"]) == ("T", "somewhere", {})


def test_old_addresses_lead_to_their_tabs() -> None:
    """From any depth, below a prefix too."""
    asker = Asker(path_prefix="/p")

    assert [asker.get(url).headers["location"] for url in ("/p/events", "/p/graphs/")] == ["./#scalars", "../#graphs"]
