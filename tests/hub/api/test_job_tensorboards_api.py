"""The TensorBoard of a job or notebook over HTTP: with it, later and never (A6, A7, A8, B15), on a scripted runner."""

from typing import Any

import pytest

from lightboard.hub.runners.memory import Program
from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")
JOBS, NOTEBOOKS, BOARDS = "/api/v1/jobs", "/api/v1/notebooks", "/api/v1/tensorboards"


def create(hub: HubClient, path: str = JOBS, **fields: Any) -> dict[str, Any]:
    """The response to a request of the editor for a job that ends at once, or a notebook."""
    command = {"command": ["print"]} if path == JOBS else {}
    hub.runner.programs[("print",)] = Program(exit_code=0, lines=())
    answer: dict[str, Any] = hub.request("POST", path, "editor", {"project": "vision", **command, **fields}).json()
    hub.reconcile()
    return answer


def change(hub: HubClient, id: str, who: str = "editor", **fields: Any) -> dict[str, Any]:
    """The response to a change."""
    answer: dict[str, Any] = hub.request("PATCH", f"{JOBS}/{id}", who, fields).json()
    return answer


def shown(job: dict[str, Any]) -> tuple[str, str, str]:
    """What the TensorBoard of a job belongs to and shows."""
    board = job["tensorboard"]
    return board["origin"], board["origin_id"], board["sources"][0]["text"]


@pytest.mark.parametrize(("path", "origin"), [(JOBS, "job"), (NOTEBOOKS, "notebook")])
def test_a6_a7_a_tensorboard_is_created_with_a_job_or_notebook(hub: HubClient, path: str, origin: str) -> None:
    """Of the folder where it logs, in one request."""
    made = create(hub, path, log_dir="storage:runs/fit", tensorboard=True)

    assert shown(made) == (origin, made["id"], "storage:runs/fit")
    assert hub.request("GET", BOARDS, "editor").json()["total"] == 1


def test_nothing_is_created_without_its_tensorboard(hub: HubClient) -> None:
    """If the account has as many as it may."""
    account = hub.principal("editor").account
    assert hub.request("PATCH", f"/api/v1/accounts/{account}", "admin", {"own_limit": 1}).status_code == 200
    first = create(hub, tensorboard=True)

    refused = create(hub, tensorboard=True)

    assert refused["error"]["code"] == "TensorboardLimitExceeded"
    assert [job["id"] for job in hub.request("GET", JOBS, "editor").json()["items"]] == [first["id"]]


@pytest.mark.databases("sqlite", "postgres")
def test_b15_a_finished_job_gets_a_tensorboard(hub: HubClient) -> None:
    """Of its own logs, once; of another folder, if one is named later."""
    dataset = {"name": "mnist", "kind": "storage", "uri": "storage:mnist", "project": "vision"}
    assert hub.request("POST", "/api/v1/datasets", "editor", dataset).status_code == 201
    job = create(hub)
    before = hub.request("GET", f"{JOBS}/{job['id']}", "editor").json()

    first = change(hub, job["id"], tensorboard=True)
    again = change(hub, job["id"], tensorboard=True)
    moved = change(hub, job["id"], tensorboard=True, log_dir="dataset:mnist/logs")

    assert (before["status"], before["tensorboard"]) == ("Succeeded", None)
    assert shown(first) == ("job", job["id"], job["tensorboard_uri"])
    assert shown(moved) == ("job", job["id"], "dataset:mnist/logs")
    assert {each["tensorboard"]["id"] for each in (first, again, moved)} == {first["tensorboard"]["id"]}


def test_a8_the_link_of_a_finished_job_stays(hub: HubClient) -> None:
    """While the TensorBoard is stopped as well; enabling it again starts it."""
    job = create(hub, tensorboard=True)
    board = job["tensorboard"]
    hub.request("PUT", f"{BOARDS}/{board['id']}/stop", "editor")
    hub.reconcile()
    stopped = hub.request("GET", f"{JOBS}/{job['id']}", "editor").json()["tensorboard"]

    started = change(hub, job["id"], tensorboard=True)["tensorboard"]

    links = {each["app_uri"] for each in (board, stopped, started)}
    assert (stopped["status"], started["status"], len(links)) == ("Stopped", "Pending", 1)


def test_turning_it_off_deletes_the_tensorboard_and_no_logs(hub: HubClient) -> None:
    """Doing so twice changes nothing."""
    job = create(hub, log_dir="storage:runs/fit", tensorboard=True)
    logs = hub.logs.parent / "hub" / "storage" / "vision" / "runs" / "fit"

    told = [change(hub, job["id"], tensorboard=False)["tensorboard"] for _ in range(2)]
    hub.reconcile()

    assert (told, hub.request("GET", BOARDS, "editor").json()["items"]) == ([None, None], [])
    assert logs.is_dir()


def test_only_who_may_delete_the_tensorboard_turns_it_off(hub: HubClient) -> None:
    """Editors delete their own ones; viewers change nothing."""
    id = create(hub)["id"]
    board = change(hub, id, "owner", tensorboard=True)["tensorboard"]
    hub.request("PATCH", f"{BOARDS}/{board['id']}", "owner", {"access": "project"})

    refused = [change(hub, id, who, tensorboard=False)["error"]["code"] for who in ("editor", "viewer")]

    assert refused == ["permission_denied"] * 2
    assert change(hub, id, "owner", tensorboard=False)["tensorboard"] is None


def test_a_deleted_job_gets_no_tensorboard(hub: HubClient) -> None:
    """Its logs can be shown by their folder."""
    id = create(hub)["id"]
    hub.request("DELETE", f"{JOBS}/{id}", "editor")

    assert change(hub, id, tensorboard=True)["error"]["message"].endswith(" is deleted")


def test_a_folder_that_the_project_may_not_show_is_refused(hub: HubClient) -> None:
    """Before anything changes."""
    id = create(hub)["id"]

    assert change(hub, id, tensorboard=True, log_dir="/etc")["error"]["code"] == "permission_denied"
    assert hub.request("GET", BOARDS, "editor").json()["items"] == []


@pytest.mark.parametrize(("query", "left"), [("", 1), ("?delete_tensorboard=true", 0)])
def test_a_job_is_deleted_with_its_tensorboard_if_asked_for(hub: HubClient, query: str, left: int) -> None:
    """Otherwise the TensorBoard stays."""
    id = create(hub, tensorboard=True)["id"]

    assert hub.request("DELETE", f"{JOBS}/{id}{query}", "editor").status_code == 200
    hub.reconcile()

    assert hub.request("GET", BOARDS, "editor").json()["total"] == left
