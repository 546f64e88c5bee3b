"""What jobs use of the machine: now, and over time."""

from dataclasses import replace
from typing import Any

from lightboard.hub.resources.replicas import GpuUsage, ResourceUsage
from lightboard.hub.resources.usage_history import UsageSample
from support.hub_client import HubClient

PATH = "/api/v1/jobs"
GPU = GpuUsage(id=3, utilization=0.5, memory_bytes=10, total_memory_bytes=80)
SAMPLE = UsageSample(at=101.0, secs=1.0, cpus=2.0, memory_bytes=100, processes=1)


def running_job(hub: HubClient, **fields: Any) -> str:
    """The id of a job of two replicas."""
    body = {"command": ["train"], "project": "vision", "replicas": 2, **fields}
    id: str = hub.request("POST", PATH, "editor", body).json()["id"]
    hub.reconcile()
    return id


def get(hub: HubClient, path: str) -> Any:
    """The response of a route of jobs."""
    return hub.request("GET", f"{PATH}/{path}", "editor").json()


def test_replicas_that_run_and_were_measured_use_something(hub: HubClient) -> None:
    id = running_job(hub)
    second = hub.runner.replicas[hub.runner.submitted[-1]][1]
    second.state = replace(second.state, usage=ResourceUsage(cpu_secs=1.5, memory_bytes=100, processes=2, gpus=(GPU,)))

    assert get(hub, f"{id}/top")["replicas"] == [
        {
            "rank": 1,
            "cpu_secs": 1.5,
            "memory_bytes": 100,
            "processes": 2,
            "gpus": [{"id": 3, "utilization": 0.5, "memory_bytes": 10, "total_memory_bytes": 80}],
        }
    ]


def test_usage_over_time_is_that_of_each_replica_that_was_measured(hub: HubClient) -> None:
    id = running_job(hub)
    second = hub.runner.replicas[hub.runner.submitted[-1]][1]
    second.samples += [SAMPLE, replace(SAMPLE, at=102.0, cpus=1.0, gpus=(GPU,))]

    assert get(hub, f"{id}/usage") == {
        "attempt": 1,
        "replicas": [
            {
                "rank": 1,
                "at": [101.0, 102.0],
                "secs": [1.0, 1.0],
                "cpus": [2.0, 1.0],
                "memory_bytes": [100, 100],
                "processes": [1, 1],
                "gpus": [
                    {"id": 3, "total_memory_bytes": 80, "utilization": [0.0, 0.5], "memory_bytes": [0, 10]},
                ],
            }
        ],
    }


def test_usage_stays_after_the_end_and_is_that_of_an_attempt(hub: HubClient) -> None:
    id = running_job(hub, replicas=1)
    first = hub.runner.submitted[-1]
    hub.runner.replicas[first][0].samples.append(SAMPLE)
    hub.runner.end(first)
    hub.reconcile()
    ended = get(hub, f"{id}/usage")
    hub.request("PUT", f"{PATH}/{id}/restart", "editor")
    hub.reconcile()

    assert [len(ended["replicas"]), len(get(hub, f"{id}/usage?attempt=1")["replicas"])] == [1, 1]
    assert get(hub, f"{id}/usage") == {"attempt": 2, "replicas": []}


def test_a_job_that_waits_has_used_nothing(hub: HubClient) -> None:
    id = hub.request("POST", PATH, "editor", {"command": ["train"], "project": "vision"}).json()["id"]

    assert get(hub, f"{id}/usage") == {"attempt": 0, "replicas": []}


def test_an_attempt_that_there_was_not_is_told(hub: HubClient) -> None:
    id = running_job(hub)

    answer = hub.request("GET", f"{PATH}/{id}/usage?attempt=2", "editor")

    assert (answer.status_code, answer.json()["error"]["hint"]) == (404, "attempts so far: 1")


def test_samples_are_merged_for_a_response_of_bounded_size(hub: HubClient) -> None:
    id = running_job(hub)
    for replica in hub.runner.replicas[hub.runner.submitted[-1]]:
        replica.samples += [replace(SAMPLE, at=float(second)) for second in range(4_000)]

    replicas = get(hub, f"{id}/usage")["replicas"]

    assert [(len(each["at"]), sum(each["secs"]), each["at"][-1]) for each in replicas] == [
        (2_000, 4_000.0, 3_999.0)
    ] * 2
