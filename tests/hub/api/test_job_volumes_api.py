"""Volumes of jobs over HTTP, on a scripted runner."""

from typing import Any

import pytest

from lightboard.hub.runners.base import RunnerCapabilities
from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

PATH = "/api/v1/jobs"
HINT = "put the data there, and restart the job"


def create(hub: HubClient, *volumes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A job in `vision` with volumes, after some passes."""
    body = {"command": ["train"], "project": "vision", "volumes": volumes, **fields}
    answer = hub.request("POST", PATH, "editor", body)
    assert answer.status_code == 201, answer.text
    hub.reconcile()
    found: dict[str, Any] = hub.request("GET", f"{PATH}/{answer.json()['id']}", "viewer").json()
    return found


def volume(source: str, target: str, **fields: Any) -> dict[str, Any]:
    """A volume in a request."""
    return {"source": source, "target": target, **fields}


def told(source: str, target: str, *, read_only: bool) -> dict[str, Any]:
    """A volume in a response. The fake runner does not tell how strong it is."""
    return {"source": source, "target": target, "read_only": read_only, "enforcement": None}


def storage_file(hub: HubClient, path: str) -> Any:
    """A path in the storage of the project."""
    return hub.logs.parent / "hub" / "storage" / "vision" / path


def test_volumes_are_told_with_their_modes(hub: HubClient) -> None:
    """Only a folder in the storage can be written to if nobody says so."""
    dataset = {"name": "mnist", "kind": "path", "uri": str(hub.logs), "project": "vision"}
    assert hub.request("POST", "/api/v1/datasets", "editor", dataset).status_code == 201
    (hub.logs / "train").mkdir()
    job = create(
        hub,
        volume("storage:out//new/", "//project/results"),
        volume("dataset:mnist/train", "/train"),
        volume(str(hub.logs), "/data/logs"),
        volume("storage:", "/all", read_only=True),
    )

    assert (job["status"], job["message"]) == ("Running", "")
    assert job["volumes"] == [
        told("storage:out/new", "/project/results", read_only=False),
        told("dataset:mnist/train", "/train", read_only=True),
        told(str(hub.logs), "/data/logs", read_only=True),
        told("storage:", "/all", read_only=True),
    ]
    assert storage_file(hub, "out/new").is_dir()


@pytest.mark.parametrize(
    ("volumes", "status", "message"),
    [
        ([volume("storage:a", "/usr/a")], 422, "a volume at /usr/a would hide what programs need"),
        ([volume("storage:a", "data")], 422, "the volume 'data' is not at an absolute path"),
        ([volume("storage:a", "/x"), volume("storage:b", "//x")], 422, "two volumes are at /x"),
        ([volume("storage:../other", "/x")], 422, "the volume /x: '../other' leads out of its folder"),
        ([volume("/etc", "/x")], 422, "the volume /x: /etc is not below a folder that this project may show"),
        ([volume("s3://bucket/x", "/x")], 422, "the volume /x: this project has no credential for s3://bucket/x"),
        ([volume("dataset:nosuch", "/x")], 404, "the volume /x: there is no dataset nosuch in this project"),
        ([volume("storage:", "/x")], 422, "the volume /x: jobs cannot write there, only read it"),
        ([volume("storage:jobs/other", "/x")], 422, "the volume /x: jobs cannot write there, only read it"),
        ([volume("storage:notebooks", "/x", read_only=False)], 422,
         "the volume /x: jobs cannot write there, only read it"),
        ([volume("/logs", "/x", read_only=False)], 422, "the volume /x: jobs cannot write there, only read it"),
        ([volume("storage:a", "/logs/x")], 422, "the volume /logs/x: jobs of this project see /logs already"),
    ],
)  # fmt: skip
def test_volumes_that_a_job_may_not_have_are_refused(
    hub: HubClient, volumes: list[dict[str, Any]], status: int, message: str
) -> None:
    """Before anything is stored."""
    answer = hub.request("POST", PATH, "editor", {"command": ["train"], "project": "vision", "volumes": volumes})

    assert (answer.status_code, answer.json()["error"]["message"]) == (status, message)
    assert hub.request("GET", PATH, "editor").json()["total"] == 0


def test_a_link_in_the_storage_leads_a_volume_nowhere_else(hub: HubClient) -> None:
    """Not out of the storage, and not to the outputs of other jobs; also if it is only read."""
    create(hub, volume("storage:own", "/own"))
    storage_file(hub, "own/out").symlink_to(hub.logs.parent / "hub")
    storage_file(hub, "own/jobs").symlink_to(storage_file(hub, "jobs"))
    answers = [
        hub.request(
            "POST", PATH, "editor",
            {"command": ["train"], "project": "vision", "volumes": [volume(source, "/x", read_only=read_only)]},
        ).json()["error"]["message"]
        for source, read_only in (("storage:own/out", True), ("storage:own/out", False), ("storage:own/jobs", False))
    ]  # fmt: skip

    assert answers == [
        "the volume /x: storage:own/out leads out of the project's storage",
        "the volume /x: storage:own/out leads out of the project's storage",
        "the volume /x: jobs cannot write there, only read it",
    ]


def test_a_job_whose_data_is_missing_fails(hub: HubClient) -> None:
    """A file is no folder."""
    storage_file(hub, "").mkdir(parents=True)
    storage_file(hub, "file").touch()
    jobs = [create(hub, volume(f"storage:{name}", "/x", read_only=True)) for name in ("nosuch", "file")]

    assert [(job["status"], job["reason"], job["message"]) for job in jobs] == [
        ("Failed", "SourceNotFound", f"the volume /x: there is no folder storage:{name}; {HINT}")
        for name in ("nosuch", "file")
    ]


def test_a_runner_without_volumes_says_why(hub: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job without volumes can run there."""
    able = RunnerCapabilities(volumes=False, volumes_problem="nothing is mounted here")
    monkeypatch.setattr(hub.runner, "capabilities", lambda: able)
    body = {"command": ["train"], "project": "vision", "volumes": [volume("storage:a", "/a")]}
    answer = hub.request("POST", PATH, "editor", body)

    assert (answer.status_code, answer.json()["error"]["message"]) == (422, "nothing is mounted here")
    assert create(hub)["status"] == "Running"


def test_the_record_of_an_attempt_has_its_volumes(hub: HubClient) -> None:
    """By path, with what their datasets were."""
    dataset = {"name": "mnist", "kind": "path", "uri": str(hub.logs), "project": "vision"}
    hub.request("POST", "/api/v1/datasets", "editor", dataset)
    hub.runner.programs[("train",)] = Program(exit_code=0)
    job = create(hub, volume("dataset:mnist", "/data"), volume("storage:out", "/out"), inputs={"a": "storage:"})
    (attempt,) = hub.request("GET", f"{PATH}/{job['id']}/lineage", "viewer").json()["attempts"]
    found = {
        each["name"]: (each["source"], each["dataset"] and (each["dataset"]["version"], each["dataset"]["uri"]))
        for each in attempt["inputs"]
    }

    assert found == {
        "a": ("storage:", None), "/data": ("dataset:mnist", (1, str(hub.logs))), "/out": ("storage:out", None),
    }  # fmt: skip


def test_a_job_that_is_run_again_has_the_same_volumes(hub: HubClient) -> None:
    """With their modes."""
    job = create(hub, volume("storage:a", "/a", read_only=True), volume("storage:b", "/b"))
    again = hub.request("POST", f"{PATH}/{job['id']}/run-again", "editor", {}).json()

    assert again["volumes"] == job["volumes"]
