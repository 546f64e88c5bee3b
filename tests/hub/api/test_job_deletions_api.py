"""What a job needs is deleted while it waits or runs."""

import pytest

from support.hub_client import HubClient

JOBS = "/api/v1/jobs"


def dataset(hub: HubClient) -> str:
    """The id of a dataset of `vision`."""
    (hub.logs / "mnist").mkdir()
    body = {"kind": "path", "uri": str(hub.logs / "mnist"), "name": "mnist", "project": "vision"}
    return str(hub.request("POST", "/api/v1/datasets", "editor", body).json()["id"])


def create(hub: HubClient) -> str:
    """The id of a job that reads the dataset, and waits for a slot."""
    body = {"command": ["python", "train.py"], "project": "vision", "inputs": {"train": "dataset:mnist"}}
    return str(hub.request("POST", JOBS, "editor", body).json()["id"])


def told(hub: HubClient, id: str) -> tuple[str, str, str]:
    """Status, reason and message of a job."""
    job = hub.request("GET", f"{JOBS}/{id}", "editor").json()
    return job["status"], job["reason"], job["message"]


def test_a_dataset_deleted_before_a_job_starts_fails_the_job(hub: HubClient) -> None:
    """With a message that names the input."""
    data, job = dataset(hub), create(hub)
    assert hub.request("DELETE", f"/api/v1/datasets/{data}", "editor").status_code in (200, 204)
    hub.reconcile()
    status, _, message = told(hub, job)

    assert (status, message.partition(":")[0]) == ("Failed", "the input train")


def test_a_dataset_deleted_while_a_job_runs_does_not_end_it(hub: HubClient) -> None:
    """It has been mounted."""
    data, job = dataset(hub), create(hub)
    hub.reconcile()
    hub.request("DELETE", f"/api/v1/datasets/{data}", "editor")
    hub.reconcile()

    assert told(hub, job)[0] == "Running"


@pytest.mark.parametrize("runs", [False, True], ids=["waits", "runs"])
def test_a_project_is_not_deleted_while_a_job_of_it_may_run(hub: HubClient, runs: bool) -> None:
    """It says what is in the way, and the job goes on."""
    dataset(hub)
    job = create(hub)
    if runs:
        hub.reconcile()
    answer = hub.request("DELETE", "/api/v1/projects/vision", "owner")
    hub.reconcile()

    assert (answer.status_code, answer.json()["error"]["message"]) == (409, "jobs of the project vision wait or run: 1")
    assert told(hub, job)[0] == "Running"
