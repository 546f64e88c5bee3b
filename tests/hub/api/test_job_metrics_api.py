"""The metrics of jobs over HTTP: in lists and of one job."""

import math
from typing import Any

import pytest

from lightboard.hub.db import job_scalars
from lightboard.hub.resources.job_scalars import Reading, ScalarSeries
from support.hub_client import HubClient

RUN = "attempt-1/rank-0"


def add_job(hub: HubClient, *scalars: tuple[str, str, list[float]], limited: bool = False) -> str:
    """The id of a job with these scalars: run, tag and values at the steps 0, 1, 2, ..."""
    job = hub.personas.create_job()
    found = []
    for position, (run, tag, values) in enumerate(scalars):
        series = ScalarSeries(run, tag, position)
        series.extend(range(len(values)), [100.0 + step for step in range(len(values))], values)
        found.append(series)
    reading = Reading(changed=found, removed=(), files={}, total=0, more=False, limited=limited)
    with hub.database.write() as session:
        job_scalars.store(session, job.id, reading, 2_000.0)
    return job.id


def get(hub: HubClient, path: str, name: str = "viewer") -> Any:
    """The body of a response."""
    answer = hub.request("GET", f"/api/v1/jobs{path}", name)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_job_has_the_last_values_with_some_points(hub: HubClient) -> None:
    """Numbers that are not finite are text, as everywhere."""
    id = add_job(hub, (f"{RUN}/val", "loss", [2.0, math.inf, math.nan]), limited=True)

    assert get(hub, f"/{id}/metrics") == {
        "items": [
            {
                "name": "val/loss", "run": f"{RUN}/val", "tag": "loss", "attempt": 1, "rank": 0,
                "step": 2, "wall_time": 102.0, "value": "NaN",
                "steps": [0, 1, 2], "values": [2.0, "Infinity", "NaN"], "wall_times": [100.0, 101.0, 102.0],
            }
        ],
        "read_at": 2_000.0, "behind": False, "limited": True, "message": "",
    }  # fmt: skip


def test_a_job_without_logs_has_no_metrics(hub: HubClient) -> None:
    """And they were never read."""
    id = hub.personas.create_job().id

    assert get(hub, f"/{id}/metrics") == {
        "items": [], "read_at": None, "behind": False, "limited": False, "message": "",
    }  # fmt: skip


def test_those_who_do_not_see_a_job_do_not_see_its_metrics(hub: HubClient) -> None:
    """It does not exist for them."""
    id = add_job(hub, (RUN, "loss", [1.0]))

    assert hub.request("GET", f"/api/v1/jobs/{id}/metrics", "stranger").status_code == 404


def test_a_list_has_the_metrics_that_were_asked_for(hub: HubClient) -> None:
    """In that order, of the jobs that have them; the points are few and short."""
    values = [step / 3 for step in range(1_000)]
    first = add_job(hub, (RUN, "loss", values), ("attempt-2/rank-0", "loss", [0.1]), (RUN, "accuracy", values))
    add_job(hub)
    page = get(hub, "?metrics=accuracy,loss,none")
    one, other = sorted(page["items"], key=lambda item: item["id"] != first)

    assert [(each["name"], each["run"], each["step"], each["value"]) for each in one["metrics"]] == [
        ("accuracy", RUN, 999, 333.0), ("loss", "attempt-2/rank-0", 0, 0.1),
    ]  # fmt: skip
    assert (one["id"], other["metrics"]) == (first, [])
    assert 16 <= len(one["metrics"][0]["values"]) <= 32
    assert max(len(str(value)) for value in one["metrics"][0]["values"]) <= 7
    assert (page["metrics"], page["offered_metrics"]) == (
        ["accuracy", "loss", "none"], [{"name": "accuracy", "jobs": 1}, {"name": "loss", "jobs": 1}],
    )  # fmt: skip


def test_a_list_chooses_common_metrics(hub: HubClient) -> None:
    """Those that most of its jobs have."""
    add_job(hub, (RUN, "loss", [1.0]), (RUN, "rare", [1.0]))
    add_job(hub, (RUN, "loss", [1.0]), (RUN, "epoch", [1.0]))
    add_job(hub, (RUN, "loss", [1.0]), (RUN, "epoch", [1.0]))

    assert get(hub, "?metrics=*")["metrics"] == ["loss", "epoch"]


def test_a_list_has_no_metrics_unless_asked(hub: HubClient) -> None:
    """Which costs nothing."""
    add_job(hub, (RUN, "loss", [1.0]))
    page = get(hub, "")

    assert (page["items"][0]["metrics"], page["metrics"], page["offered_metrics"]) == ([], [], [])


@pytest.mark.databases("sqlite")
def test_too_many_metrics_are_refused(hub: HubClient) -> None:
    """With the limit."""
    answer = hub.request("GET", "/api/v1/jobs?metrics=a,b,c,d,e,f,g,h,i", "viewer")

    assert (answer.status_code, answer.json()["error"]["hint"]) == (422, "ask for up to 8")
