"""PR curve routes, of the API and of TensorBoard."""

import pathlib
from typing import Any

import numpy as np
import pytest

from lightboard.testing.event_files import (
    FLOAT,
    start_record,
    summary_metadata,
    tensor,
    tensor_record,
    varint_field,
)
from support.board_client import BoardClient, board_with_records

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
ROUTE = "/data/plugin/pr_curves"
METADATA = summary_metadata("pr_curves", varint_field(2, 3), display_name="PR", description="*why*")
COUNTS = ((4.0, 3.0, 0.0), (4.0, 1.0, 0.0), (0.0, 3.0, 4.0), (0.0, 1.0, 4.0))


def curve(step: int, precision: float, *, tag: str = "pr", metadata: bytes = METADATA) -> bytes:
    """A record with a curve of three thresholds."""
    numbers = [n for row in COUNTS for n in row] + [0.5, precision, 0.0] + [1.0, 0.75, 0.0]
    return tensor_record(tag, step, tensor(FLOAT, numbers, shape=(6, 3), content=True), 100.0 + step, metadata)


def two_runs(**settings: Any) -> BoardClient:
    return board_with_records({"a": curve(0, 0.25) + curve(10, 0.75), "b": curve(4, 0.5)}, **settings)


def test_the_curve_nearest_to_the_step() -> None:
    """The last by default; of two equally near, the later."""
    client = two_runs()
    found = []
    for step in (None, 0, 5, 10):
        curves = client.post("/api/v1/pr_curves", json={"tag": "pr", "step": step}).json()["curves"]
        found.append([(one["step"], one["precision"][1]) for one in curves])

    assert found == [[(10, 0.75), (4, 0.5)], [(0, 0.25), (4, 0.5)], [(10, 0.75), (4, 0.5)], [(10, 0.75), (4, 0.5)]]


def test_curves_are_complete_with_derived_values() -> None:
    """`shown` says from where on nothing is called positive."""
    (one,) = two_runs().post("/api/v1/pr_curves", json={"tag": "pr", "runs": [1]}).json()["curves"]
    assert len(one.pop("key")) > 8

    assert one == {
        "run": 1,
        "step": 4,
        "wall": 104.0,
        "error": "",
        "shown": 2,
        "average_precision": 0.75 * 0.5 + 0.25 * 0.5,
        "best_f1": 2 / 3,
        "best_threshold": 0.0,
        "thresholds": [0.0, 0.5, 1.0],
        "true_positives": [4.0, 3.0, 0.0],
        "false_positives": [4.0, 1.0, 0.0],
        "true_negatives": [0.0, 3.0, 4.0],
        "false_negatives": [0.0, 1.0, 4.0],
        "precision": [0.5, 0.5, 0.0],
        "recall": [1.0, 0.75, 0.0],
    }


def test_average_precision_over_the_steps() -> None:
    """One item per step."""
    series = two_runs().post("/api/v1/pr_curves/progress", json={"tag": "pr"}).json()["series"]

    assert [(one["run"], one["held"], one["steps"], one["average_precision"]) for one in series] == [
        (0, 2, [0, 10], [0.25 * 0.5 + 0.75 * 0.25, 0.25 * 0.5 + 0.75 * 0.75]),
        (1, 1, [4], [0.5]),
    ]


def test_many_steps_are_sampled_evenly() -> None:
    """With first, last and the total."""
    client = board_with_records({"long": b"".join(curve(step, 0.5) for step in range(101))})
    (one,) = client.post("/api/v1/pr_curves/progress", json={"tag": "pr", "most": 5}).json()["series"]

    assert (one["held"], one["steps"]) == (101, [0, 25, 50, 75, 100])


def test_invalid_curves_are_reported() -> None:
    """The others are shown."""
    broken = tensor_record("pr", 1, tensor(FLOAT, [1.0]), 1.0, METADATA)
    curves = (
        board_with_records({"a": broken, "b": curve(4, 0.5)})
        .post("/api/v1/pr_curves", json={"tag": "pr"})
        .json()["curves"]
    )

    assert [(one["run"], bool(one["error"]), one["recall"]) for one in curves] == [
        (0, True, []),
        (1, False, [1.0, 0.75, 0.0]),
    ]


def test_newer_versions_are_skipped() -> None:
    """Nobody knows what its rows mean."""
    later = summary_metadata("pr_curves", varint_field(1, 9))
    client = board_with_records({"a": curve(0, 0.5, metadata=later)})

    assert client.post("/api/v1/pr_curves", json={"tag": "pr"}).json()["curves"] == []
    assert client.get(f"{ROUTE}/tags").json() == {"a": {}}


def test_superseded_curves() -> None:
    """Hidden by default."""
    client = board_with_records({"a": curve(0, 0.5) + curve(8, 0.5) + start_record(step=4) + curve(5, 0.5)})
    steps = [
        client.post("/api/v1/pr_curves/progress", json={"tag": "pr", "orphans": orphans}).json()["series"][0]["steps"]
        for orphans in (False, True)
    ]

    assert steps == [[0, 5], [0, 8, 5]]


def test_pr_curve_tags_as_in_tensorboard() -> None:
    """Names and descriptions by run."""
    words = {"displayName": "PR", "description": "<p><em>why</em></p>"}

    assert two_runs().get(f"{ROUTE}/tags").json() == {"a": {"pr": words}, "b": {"pr": words}}


def test_curves_as_in_tensorboard() -> None:
    """Integer counts, without the empty end."""
    answer = two_runs().get(f"{ROUTE}/pr_curves?tag=pr&run=b").json()

    assert answer == {
        "b": [
            {
                "wall_time": 104.0,
                "step": 4,
                "precision": [0.5, 0.5],
                "recall": [1.0, 0.75],
                "true_positives": [4, 3],
                "false_positives": [4, 1],
                "true_negatives": [0, 3],
                "false_negatives": [0, 1],
                "thresholds": [0.0, 0.5],
            }
        ]
    }


def test_samples_per_plugin_limits_curves() -> None:
    """100 by default."""
    files = {"long": b"".join(curve(step, 0.5) for step in range(150))}
    lengths = [
        len(board_with_records(files, **settings).get(f"{ROUTE}/pr_curves?tag=pr&run=long").json()["long"])
        for settings in ({}, {"samples": {"pr_curves": 7}}, {"samples": {"pr_curves": 0}})
    ]

    assert lengths == [100, 7, 150]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("tag=pr", "No runs provided when fetching PR curve data"),
        ("run=a", "No tag provided when fetching PR curve data"),
        ("run=a&run=x&tag=pr", "No PR curves could be found for run 'x' and tag 'pr'"),
    ],
)
def test_invalid_curve_requests_get_tensorboards_errors(query: str, words: str) -> None:
    """400 as text."""
    answer = two_runs().get(f"{ROUTE}/pr_curves?{query}")

    assert (answer.status_code, answer.text) == (400, words)


def test_average_precision_of_real_writers() -> None:
    """It equals NumPy's sum over the rows of torch and tensorboardX."""
    client = BoardClient({})
    for writer in ("torch", "tensorboardx"):
        (file,) = (LOGS / writer / "everything").glob("*tfevents*")
        client.memory.storage.write(f"{writer}/events.out.tfevents.1", file.read_bytes())
    client.memory.refresh()
    curves = client.post("/api/v1/pr_curves", json={"tag": "pr"}).json()["curves"]
    sums = [-np.diff(np.append(one["recall"], 0.0)) @ np.array(one["precision"]) for one in curves]

    assert len(curves) == 2
    assert [one["average_precision"] for one in curves] == pytest.approx(sums, abs=1e-6)
