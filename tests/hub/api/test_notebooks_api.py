"""Notebooks over HTTP, on a scripted runner."""

import os
from dataclasses import replace
from typing import Any

import pytest

from lightboard.hub.db import jobs as job_rows
from lightboard.hub.db import projects
from lightboard.hub.notebook_server import CONFIGURATION, NAMES
from lightboard.hub.runners.base import RunnerCapabilities
from support.hub_client import HubClient

NOTEBOOKS, JOBS = "/api/v1/notebooks", "/api/v1/jobs"


def create(hub: HubClient, who: str = "editor", path: str = NOTEBOOKS, **fields: Any) -> dict[str, Any]:
    """The response to a request for a notebook or job in `vision`."""
    answer: dict[str, Any] = hub.request("POST", path, who, {"project": "vision", **fields}).json()
    return answer


def test_a_notebook_is_a_job_with_an_address(hub: HubClient) -> None:
    """Its files are in the storage of the project, by its name."""
    made = create(hub, display_name="First steps")
    told = {key: made[key] for key in ("kind", "name", "display_name", "command", "output_uri", "tensorboard_uri")}

    assert told == {
        "kind": "notebook",
        "name": "first-steps",
        "display_name": "First steps",
        "command": ["jupyter-lab"],
        "output_uri": "storage:notebooks/first-steps",
        "tensorboard_uri": "storage:notebooks/first-steps/logs",
    }
    assert made["url"].endswith(f"/notebooks/{made['id']}/")


def test_a_notebook_has_volumes_as_jobs_have_them(hub: HubClient) -> None:
    """With the same modes and errors."""
    made = create(hub, volumes=[{"source": "storage:mnist", "target": "//data"}])
    refused = create(hub, volumes=[{"source": "storage:mnist", "target": "/usr/data"}])

    assert made["volumes"] == [{"source": "storage:mnist", "target": "/data", "read_only": False, "enforcement": None}]
    assert refused["error"]["message"] == "a volume at /usr/data would hide what programs need"


def test_notebooks_and_jobs_have_lists_of_their_own(hub: HubClient) -> None:
    """A page of the console for each."""
    notebook = create(hub)
    job = create(hub, path=JOBS, command=["train"])

    lists = [hub.request("GET", f"{JOBS}{query}", "editor").json()["items"] for query in ("", "?kind=notebook")]
    assert [[item["id"] for item in items] for items in lists] == [[job["id"]], [notebook["id"]]]


def test_a_stopped_notebook_keeps_its_name(hub: HubClient) -> None:
    """And its files, until it is deleted."""
    first = create(hub, name="mine")
    hub.request("PUT", f"{JOBS}/{first['id']}/stop", "editor")
    refused = create(hub, name="mine")
    derived = create(hub, display_name="mine")
    hub.request("DELETE", f"{JOBS}/{first['id']}", "editor")
    hub.reconcile()
    again = create(hub, name="mine")

    assert refused["error"]["message"] == "there is a notebook mine in this project, or a job mine that has not ended"
    assert (derived["name"], again["output_uri"]) == ("mine-2", "storage:notebooks/mine")


def test_only_its_owner_has_the_right_to_open_it(hub: HubClient) -> None:
    """So pages show nobody else the button."""
    id = create(hub)["id"]
    rights = {
        who: hub.request("GET", f"{JOBS}/{id}", who).json()["rights"] for who in ("editor", "owner", "viewer", "admin")
    }

    assert {who: "notebooks.open" in held for who, held in rights.items()} == {
        "editor": True, "owner": False, "viewer": False, "admin": False,
    }  # fmt: skip


def test_none_is_created_or_started_where_no_server_can_be_reached(
    hub: HubClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same error for each, with the way out; it is not the advice to clone what cannot be cloned either."""
    path = f"{JOBS}/{create(hub)['id']}"
    hub.request("PUT", f"{path}/stop", "editor")
    monkeypatch.setattr(hub.runner, "name", "elsewhere")
    able = RunnerCapabilities(servers=False, servers_problem="the hub reaches no server there")
    monkeypatch.setattr(hub.runner, "capabilities", lambda: able)

    answers = [
        hub.request("POST", NOTEBOOKS, "editor", {"project": "vision"}),
        hub.request("PUT", f"{path}/restart", "editor"),
    ]

    told = [
        (answer.status_code, answer.json()["error"]["message"], answer.json()["error"]["hint"]) for answer in answers
    ]
    assert told == 2 * [
        (422, "the hub reaches no server there", "use a hub whose jobs run on its own machine"),
    ]  # fmt: skip


# The folder of TensorBoard logs


@pytest.mark.parametrize(("path", "fields"), [(NOTEBOOKS, {}), (JOBS, {"command": ["train"]})])
def test_logs_go_to_a_dataset_and_a_path(hub: HubClient, path: str, fields: dict[str, Any]) -> None:
    """DCE's form asks for these two."""
    storage = hub.logs.parent / "hub" / "storage" / "vision"
    dataset = {"name": "mnist", "kind": "storage", "uri": "storage:mnist", "project": "vision"}
    assert hub.request("POST", "/api/v1/datasets", "editor", dataset).status_code == 201
    made = create(hub, path=path, log_dir="dataset:mnist/logs/fit", **fields)

    assert (made["log_dir"], made["tensorboard_uri"]) == ("dataset:mnist/logs/fit", "dataset:mnist/logs/fit")
    assert (storage / "mnist" / "logs" / "fit").is_dir()


def test_the_command_may_write_to_its_log_folder(hub: HubClient) -> None:
    """The variables point there; what others have put there is not made its own."""
    id = create(hub, log_dir="storage:shared/logs")["id"]
    with hub.database.read() as session:
        job = replace(job_rows.get(session, id), attempt=1)
    spec = hub.hub.jobs.workloads.complete(job)
    folder = os.path.realpath(hub.logs.parent / "hub" / "storage" / "vision" / "shared" / "logs")

    assert spec.appendable == (folder,)
    assert spec.environment_of(0)["PAI_OUTPUT_TENSORBOARD"] == folder


def test_variables_that_a_notebook_sets_itself_win(hub: HubClient) -> None:
    """Its own modules come first; packages that are installed in it are still found, where it wants them."""
    own = {"PYTHONPATH": "/mine:/ours", "PIP_TARGET": "/data/packages", "JUPYTER_CONFIG_PATH": "/settings"}
    ids = [create(hub, environment=environment)["id"] for environment in (own, {})]
    with hub.database.read() as session:
        specs = [hub.hub.jobs.workloads.complete(replace(job_rows.get(session, id), attempt=1)) for id in ids]

    assert [{name: spec.environment_of(0)[name] for name in own} for spec in specs] == [
        {
            "PYTHONPATH": f"/mine:/ours:/data/packages:{NAMES}",
            "PIP_TARGET": "/data/packages",
            "JUPYTER_CONFIG_PATH": f"/settings:{CONFIGURATION}",
        },
        {
            "PYTHONPATH": f"{specs[1].home}/packages:{NAMES}",
            "PIP_TARGET": f"{specs[1].home}/packages",
            "JUPYTER_CONFIG_PATH": CONFIGURATION,
        },
    ]


@pytest.mark.parametrize(
    ("log_dir", "status", "message"),
    [
        ("storage:", 422, "the log path: logs cannot be written there"),
        ("storage:jobs/other_abc123/tensorboard", 422, "the log path: logs cannot be written there"),
        ("storage:notebooks/other", 422, "the log path: logs cannot be written there"),
        ("storage:../other", 422, "the log path: '../other' leads out of its folder"),
        ("dataset:nosuch/logs", 404, "the log path: there is no dataset nosuch in this project"),
    ],
)
def test_a_log_folder_is_below_the_storage_and_not_of_another_job(
    hub: HubClient, log_dir: str, status: int, message: str
) -> None:
    """Before anything is stored."""
    answer = hub.request("POST", NOTEBOOKS, "editor", {"project": "vision", "log_dir": log_dir})

    assert (answer.status_code, answer.json()["error"]["message"]) == (status, message)


def test_a_folder_that_the_project_only_shows_is_no_place_for_logs(hub: HubClient) -> None:
    """Jobs can read it."""
    refused = create(hub, log_dir=str(hub.logs))

    assert refused["error"]["message"] == "the log path: logs cannot be written there"


def test_the_project_of_a_log_folder_that_is_a_link_is_checked_again_at_the_start(hub: HubClient) -> None:
    """It may have been replaced while the job waited."""
    id = create(hub, log_dir="storage:shared/logs")["id"]
    storage = hub.logs.parent / "hub" / "storage" / "vision"
    (storage / "shared" / "logs").rmdir()
    (storage / "shared" / "logs").symlink_to(storage / "jobs")
    hub.reconcile()

    with hub.database.read() as session:
        assert projects.get_unchecked(session, job_rows.get(session, id).project)
    job = hub.request("GET", f"{JOBS}/{id}", "editor").json()
    assert (job["status"], job["message"].partition(";")[0]) == ("Failed", "the log path: logs cannot be written there")
