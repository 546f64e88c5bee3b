"""Jobs and notebooks at DCE's routes, in its format, on a scripted runner."""

from typing import Any

import pytest

from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")
WORKSPACE = "/apis/baize.io/v1alpha1/workspaces/vision"
NAMESPACE = f"{WORKSPACE}/clusters/one/namespaces/two"
COMMAND = ["python", "train.py"]
JOB = {
    "name": "fit",
    "type": "PYTORCH",
    "trainingMode": "SINGLE",
    "baseConfig": {"command": COMMAND[:1], "args": COMMAND[1:]},
    "trainingConfig": {"maxRetries": 0, "restartPolicy": "RESTART_POLICY_NEVER"},
    "analysis": {
        "enabled": True,
        "type": "TENSORBOARD",
        "kubeVolumes": [{"type": "DATASET", "name": "mnist", "mountPath": "/mnist"}],
        "logPath": "/mnist/logs",
    },
}


def ask(hub: HubClient, method: str, path: str, body: Any = None, who: str = "editor") -> Any:
    """The body of an answer."""
    return hub.request(method, f"{NAMESPACE}/{path}", who, body).json()


def add_dataset(hub: HubClient) -> None:
    """The dataset `mnist`, in the storage of the project."""
    dataset = {"name": "mnist", "kind": "storage", "uri": "storage:mnist", "project": "vision"}
    assert hub.request("POST", "/api/v1/datasets", "editor", dataset).status_code == 201


def phases(hub: HubClient, path: str) -> list[tuple[str, str]]:
    """Name and status of what a list has."""
    return [(item["name"], item["status"]["phase"]) for item in ask(hub, "GET", path)["items"]]


def test_a_job_is_created_with_its_analysis(hub: HubClient) -> None:
    """All of it as DCE tells it; the TensorBoard is in the list of Job Analysis."""
    add_dataset(hub)
    hub.runner.programs[tuple(COMMAND)] = Program(exit_code=0, lines=())
    made = ask(hub, "POST", "jobs", JOB)
    hub.reconcile()

    told = ask(hub, "GET", "jobs/fit")
    (analysis,) = ask(hub, "GET", "analysis")["items"]

    assert (made["phase"], told["phase"]) == ("CREATED", "SUCCEEDED")
    assert told == {
        **JOB,
        "cluster": "one",
        "namespace": "two",
        "creationTimestamp": "1970-01-01T00:33:20Z",
        "description": "fit",
        "phase": "SUCCEEDED",
        "baseConfig": {
            "command": COMMAND,
            "args": [],
            "image": "",
            "imageConfig": {"input": {"name": ""}},
            "labels": {},
            "podConfig": {
                "kubeEnvs": [],
                "kubeVolumes": [],
                "priorityClass": "baize-medium-priority",
                "queue": "",
                "resources": {"limits": {"cpu": "1"}, "requests": {}},
            },
        },
        "roleConfig": {"worker": {"replicas": 1}},
        "trainingConfig": {
            "maxRetries": 0, "maxTrainingDuration": "0", "restartPolicy": "RESTART_POLICY_NEVER",
        },
        "analysis": {
            "enabled": True,
            "type": "TENSORBOARD",
            "kubeVolumes": [
                {
                    "type": "DATASET", "name": "mnist", "mountPath": "", "readOnly": False,
                    "dataDirection": "DATA_DIRECTION_UNSPECIFIED",
                }
            ],
            "logPath": "logs",
        },
        "runningDuration": 0,
    }  # fmt: skip
    assert (analysis["logPath"], analysis["kubeVolumes"]) == ("logs", told["analysis"]["kubeVolumes"])


def test_jobs_are_listed_in_a_workspace_and_in_a_namespace(hub: HubClient) -> None:
    """The same ones: a hub has no clusters."""
    for name in ("first", "second"):
        ask(hub, "POST", "jobs", {"name": name, "baseConfig": {"command": ["train"]}})

    query = "?page.page=1&page.pageSize=1&page.sort=-name&cluster=one"
    wide, narrow = (hub.request("GET", f"{base}/jobs{query}", "editor").json() for base in (WORKSPACE, NAMESPACE))

    told = [([item["name"] for item in page["items"]], page["page"]) for page in (wide, narrow)]
    assert told == [(["second"], {"page": 1, "pageSize": 1, "total": 2})] * 2
    assert [page["items"][0]["cluster"] for page in (wide, narrow)] == ["", "one"]


def test_an_ended_job_is_run_again(hub: HubClient) -> None:
    """By the action of DCE."""
    hub.runner.programs[("train",)] = Program(exit_code=1, lines=())
    ask(hub, "POST", "jobs", {"name": "fit", "baseConfig": {"command": ["train"]}})
    hub.reconcile()

    assert ask(hub, "GET", "jobs/fit")["phase"] == "FAILED"
    assert ask(hub, "POST", "jobs/fit/actions", {"action": "RESTART"})["phase"] == "CREATED"


def test_the_priority_of_a_job_is_changed(hub: HubClient) -> None:
    """By the class, as when it is created."""
    add_dataset(hub)
    ask(hub, "POST", "jobs", JOB)

    changed = ask(
        hub, "POST", "jobs/fit/actions", {"action": "CHANGE_PRIORITY", "priorityClass": "baize-high-priority"}
    )

    assert changed["baseConfig"]["podConfig"]["priorityClass"] == "baize-high-priority"
    assert hub.request("GET", "/api/v1/jobs/fit", "editor").json()["priority"] == 7


def test_events_are_the_history_of_a_job(hub: HubClient) -> None:
    """Newest first, in pages, and searched."""
    add_dataset(hub)
    ask(hub, "POST", "jobs", JOB)
    hub.reconcile()
    everything = ask(hub, "GET", "jobs/fit/events")
    first = ask(hub, "GET", "jobs/fit/events?page.sort=creationTimestamp&page.pageSize=1")
    none = ask(hub, "GET", "jobs/fit/events?page.search=nosuch")

    assert first["items"] == everything["items"][-1:]
    assert first["page"] == {"page": 1, "pageSize": 1, "total": len(everything["items"])}
    assert {**first["items"][0], "firstTimestamp": "", "lastTimestamp": ""} == {
        "type": "NORMAL", "reason": "Queued", "message": "the job is Queued", "count": 1, "firstTimestamp": "",
        "lastTimestamp": "", "objKind": "PYTORCH_JOB", "objName": "fit", "objNamespace": "two",
    }  # fmt: skip
    assert (none["items"], none["page"]["total"]) == ([], 0)


def test_a_notebook_is_created_stopped_and_started(hub: HubClient) -> None:
    """With its TensorBoard, of its own folder."""
    made = ask(hub, "POST", "notebooks", {"name": "lab", "analysis": {"enabled": True}})
    hub.reconcile()
    running = phases(hub, "notebooks")
    ask(hub, "POST", "notebooks/lab/actions", {"action": "STOP"})
    hub.reconcile()
    stopped = phases(hub, "notebooks")
    started = ask(hub, "POST", "notebooks/lab/actions", {"action": "START"})

    assert "/notebooks/job-" in made["status"]["accessUrl"]
    assert made["analysis"]["logPath"] == "storage:notebooks/lab/logs"
    assert (running, stopped) == ([("lab", "RUNNING")], [("lab", "STOPPED")])
    assert started["status"]["phase"] == "PENDING"


def stopped_notebook(hub: HubClient, **fields: Any) -> dict[str, Any]:
    """The notebook `lab` in DCE's format, once it has been started and stopped."""
    ask(hub, "POST", "notebooks", {"name": "lab", **fields})
    hub.reconcile()
    ask(hub, "POST", "notebooks/lab/actions", {"action": "STOP"})
    hub.reconcile()
    found: dict[str, Any] = ask(hub, "GET", "notebooks/lab")
    return found


def writable(notebook: dict[str, Any]) -> dict[str, Any]:
    """What of a notebook can be sent back."""
    return {name: notebook[name] for name in ("name", "description", "type", "priorityClass", "config", "analysis")}


def test_a_stopped_notebook_is_changed(hub: HubClient) -> None:
    """It has what is asked for at its next start."""
    dataset = {"name": "mnist", "kind": "path", "uri": str(hub.logs), "project": "vision"}
    assert hub.request("POST", "/api/v1/datasets", "editor", dataset).status_code == 201
    before = stopped_notebook(hub)
    volume = {
        "type": "DATASET", "name": "mnist", "mountPath": "/data", "readOnly": True, "dataDirection": "INPUT",
    }  # fmt: skip
    config = {
        **before["config"],
        "kubeEnvs": [{"name": "SEED", "value": "7"}],
        "kubeVolumes": [volume],
        "kubeMetadata": {"labels": {"team": "vision"}},
    }
    changes = {"description": "Vision", "priorityClass": "baize-high-priority", "config": config}
    changed = ask(hub, "PUT", "notebooks/lab", {**writable(before), **changes})
    ask(hub, "POST", "notebooks/lab/actions", {"action": "START"})
    hub.reconcile()

    assert changed == {**before, **changes}
    assert phases(hub, "notebooks") == [("lab", "RUNNING")]
    assert hub.runner.spec(hub.runner.submitted[-1]).environment["SEED"] == "7"


def test_a_notebook_that_is_sent_back_stays_as_it_was(hub: HubClient) -> None:
    """Also what DCE's format cannot tell: secrets, inputs that are no datasets, the number of a priority."""
    hub.request("PUT", "/api/v1/projects/vision/secrets/token", "owner", {"value": "s3cret"})
    body = {
        "project": "vision", "name": "lab", "environment": {"SEED": "1", "TOKEN": {"secret": "token"}},
        "inputs": {"train": "storage:train"}, "volumes": [{"source": "storage:notes", "target": "/notes"}],
        "priority": 6, "idle_secs": 60, "tags": ["a"], "tensorboard": True,
    }  # fmt: skip
    made = hub.request("POST", "/api/v1/notebooks", "editor", body).json()
    hub.request("PUT", f"/api/v1/jobs/{made['id']}/stop", "editor")
    before = hub.request("GET", f"/api/v1/jobs/{made['id']}", "editor").json()
    answer = hub.request("PUT", f"{NAMESPACE}/notebooks/lab", "editor", writable(ask(hub, "GET", "notebooks/lab")))

    assert answer.status_code == 200, answer.text
    assert hub.request("GET", f"/api/v1/jobs/{made['id']}", "editor").json() == before


def test_the_analysis_of_a_stopped_notebook_is_changed_and_deleted(hub: HubClient) -> None:
    """Without it in the request, it stays."""
    add_dataset(hub)
    stopped_notebook(hub)
    told = []
    for change in ({"analysis": JOB["analysis"]}, {}, {"analysis": {"enabled": False}}):
        analysis = ask(hub, "PUT", "notebooks/lab", {"name": "lab", **change})["analysis"]
        told.append((analysis["enabled"], [each["name"] for each in analysis["kubeVolumes"]], analysis["logPath"]))
        hub.reconcile()

    assert told == [(True, ["mnist"], "logs"), (True, ["mnist"], "logs"), (False, [], "")]


def test_only_its_owner_changes_a_notebook_and_only_while_it_rests(hub: HubClient) -> None:
    """It runs with the rights of its owner, whoever administers the hub; it keeps its name."""
    stopped_notebook(hub)

    assert ask(hub, "PUT", "notebooks/lab", {"name": "lab"}, "owner") == {
        "id": "permission_denied",
        "message": "only its owner changes a notebook (it runs with the rights of its owner)",
    }
    assert ask(hub, "PUT", "notebooks/lab", {"name": "other"})["message"] == (
        "name: the notebook lab keeps its name (create another one)"
    )
    ask(hub, "POST", "notebooks/lab/actions", {"action": "START"})
    hub.reconcile()
    assert ask(hub, "PUT", "notebooks/lab", {"name": "lab"}) == {
        "id": "conflict", "message": "the notebook lab is Running (stop it, and wait for its end)",
    }  # fmt: skip


def test_the_analysis_is_deleted_with_its_job_if_asked_for(hub: HubClient) -> None:
    """Otherwise it stays in the list, until it is deleted there."""
    for name, flag in (("kept", False), ("gone", True)):
        ask(hub, "POST", "jobs", {"name": name, "baseConfig": {"command": ["train"]}, "analysis": {"enabled": True}})
        ask(hub, "DELETE", f"jobs/{name}", {"deleteAnalysis": flag})
    hub.reconcile()
    left = [item["name"] for item in ask(hub, "GET", "analysis")["items"]]
    ask(hub, "DELETE", "analysis/kept")
    hub.reconcile()

    assert (left, ask(hub, "GET", "analysis")["items"], ask(hub, "GET", "jobs")["items"]) == (["kept"], [], [])


def test_errors_have_dces_format(hub: HubClient) -> None:
    """With the hint in the message. Fields that the hub has not are errors."""
    job = {"name": "fit", "baseConfig": {"command": ["train"], "shmSize": 64}}

    assert ask(hub, "GET", "jobs/none") == {"id": "not_found", "message": "there is no job none"}
    assert ask(hub, "POST", "jobs", job) == {
        "id": "invalid",
        "message": "baseConfig.shmSize: Extra inputs are not permitted (see /api/v1/openapi.json)",
    }
    assert ask(hub, "GET", "jobs", who="")["id"] == "unauthenticated"


def test_jobs_and_notebooks_have_routes_of_their_own(hub: HubClient) -> None:
    """A job is no notebook."""
    ask(hub, "POST", "jobs", {"name": "fit", "baseConfig": {"command": ["train"]}})

    assert ask(hub, "GET", "notebooks/fit") == {"id": "not_found", "message": "there is no notebook fit (it is a job)"}
