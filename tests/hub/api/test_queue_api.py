"""The queue of jobs over HTTP: its order, and what it shows to whom."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub.db import projects
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.projects import Project
from lightboard.hub.runners.base import RunnerCapabilities
from support.hub_client import HubClient
from support.personas import START_TIME, Personas

PATH = "/api/v1/queue"
WAIT = ["wait"]


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With four slots and two GPUs. The stranger has a project of its own."""
    with database.write() as session:
        projects.create(session, personas.stranger, Project(id="", name="secret"), START_TIME)
    presets = ("cpu=cpu:1,memory:64M", "gpu=cpu:1,gpu:1")
    with HubClient(database, personas, tmp_path, presets=presets, job_slots=4, job_gpus="0,3") as asked:
        yield asked


def create(hub: HubClient, name: str, owner: str = "editor", **fields: Any) -> None:
    """A job that waits until it is stopped; passes of the reconciler follow."""
    hub.now += 1.0  # so that jobs are queued in the order of their creation
    body = {"command": WAIT, "project": "secret" if owner == "stranger" else "vision", "name": name, **fields}
    assert hub.request("POST", "/api/v1/jobs", owner, body).status_code == 201
    hub.reconcile()


@pytest.fixture
def busy(hub: HubClient) -> HubClient:
    """With jobs of two accounts on all slots, and with more that wait: every second one of the stranger."""
    create(hub, "trains", replicas=2, preset="gpu")
    create(hub, "hidden", "stranger", replicas=2, preset="cpu")
    for number in (1, 2):
        create(hub, f"waits-{number}", preset="cpu")
        create(hub, f"hides-{number}", "stranger", preset="gpu")
    create(hub, "urgent", "leader", priority=9, preset="gpu")
    return hub


def queue_of(hub: HubClient, name: str, query: str = "") -> dict[str, Any]:
    """What somebody sees."""
    found: dict[str, Any] = hub.request("GET", f"{PATH}{query}", name).json()
    return found


def places(queue: dict[str, Any]) -> list[tuple[int | None, str]]:
    """The waiting jobs with their positions."""
    return [(item["position"], item["name"]) for item in queue["items"]]


def test_waiting_jobs_are_in_the_order_in_which_they_start(busy: HubClient) -> None:
    """By priority, then in turns between accounts; administrators see all."""
    assert places(queue_of(busy, "admin")) == [
        (1, "urgent"), (2, "hides-1"), (3, "hides-2"), (4, "waits-1"), (5, "waits-2"),
    ]  # fmt: skip


def test_jobs_of_other_projects_are_only_counted(busy: HubClient) -> None:
    """Others of the project have names; of the rest, there are sums."""
    queue = queue_of(busy, "editor")
    shares = [(each["account_name"], each["own"], each["running"], each["waiting"]) for each in queue["shares"]]

    assert (places(queue), queue["total"], queue["waiting"]) == ([(1, "urgent"), (4, "waits-1"), (5, "waits-2")], 3, 5)
    assert shares == [("editor", True, 1, 2), ("leader", False, 0, 1), ("", False, 1, 2)]
    assert not {"hid", "secret", "stranger"} & set(busy.request("GET", PATH, "editor").text.replace('"', " ").split())


def test_what_jobs_share_and_use(busy: HubClient) -> None:
    """Of the whole hub, and of each account."""
    queue = queue_of(busy, "viewer")
    capacity = queue["capacity"]

    assert capacity.pop("memory_bytes") == busy.hub.jobs.capacity.memory_bytes
    assert capacity == {
        "slots": 4, "gpu_ids": [0, 3], "used_slots": 4, "used_memory_bytes": 128 << 20, "used_gpu_ids": [0, 3],
    }  # fmt: skip
    assert [(each["slots"], each["memory_bytes"], each["gpus"], each["share"]) for each in queue["shares"]] == [
        (2, 0, 2, 1.0), (0, 0, 0, 0.0), (2, 128 << 20, 0, 0.5),
    ]  # fmt: skip


def test_what_jobs_are_capable_of(busy: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """And why not of more: pages tell it before somebody tries."""
    able = RunnerCapabilities(
        place="a cluster", isolation_problem="it has none", commands=False, commands_problem="no way to it"
    )
    monkeypatch.setattr(busy.runner, "capabilities", lambda: able)

    assert queue_of(busy, "viewer")["capabilities"] == {
        "place": "a cluster", "isolation": "none", "isolation_problem": "it has none", "limits": "watching",
        "commands": False, "commands_problem": "no way to it", "servers": True, "servers_problem": "",
        "volumes": True, "volumes_problem": "",
    }  # fmt: skip


def test_a_waiting_job_says_what_it_needs_and_waits_for(busy: HubClient) -> None:
    """And since when."""
    item = queue_of(busy, "viewer")["items"][0]

    for key in ("id", "project", "owner", "rights"):
        del item[key]
    assert item == {
        "kind": "job", "name": "urgent", "project_name": "vision", "owner_name": "leader", "position": 1, "priority": 9,
        "status": "Queued", "reason": "", "message": "waiting for 1 CPU and 1 GPU", "preset": "gpu", "replicas": 1,
        "slots": 1, "memory_bytes": 0, "gpus": 1, "queued_at": busy.now, "waits_since": busy.now,
    }  # fmt: skip


def test_a_waiting_job_says_what_one_may_do_with_it(busy: HubClient) -> None:
    """As the job itself does."""
    for name in ("viewer", "editor", "leader"):
        item = queue_of(busy, name)["items"][0]
        job = busy.request("GET", f"/api/v1/jobs/{item['id']}", name).json()
        assert (item["rights"], "jobs.prioritize" in item["rights"]) == (job["rights"], name != "viewer")


def test_a_page_of_the_queue(busy: HubClient) -> None:
    """Positions are those in the whole queue."""
    assert places(queue_of(busy, "editor", "?page=2&page_size=2")) == [(5, "waits-2")]


def test_another_priority_is_another_place(busy: HubClient) -> None:
    """For a job that waits, by whoever may stop it; the same priority again changes nothing."""
    path = "/api/v1/jobs/waits-2/priority"
    changed = [busy.request("PUT", path, "editor", {"priority": 8}).json() for _ in range(2)]

    assert places(queue_of(busy, "editor")) == [(1, "urgent"), (2, "waits-2"), (5, "waits-1")]
    assert [(job["priority"], job["version"]) for job in changed] == [(8, 2), (8, 2)]
    assert [busy.request("PUT", path, "editor", {"priority": bad}).status_code for bad in (0, 10)] == [422, 422]
    assert busy.request("PUT", path, "viewer", {"priority": 9}).status_code == 403


def test_a_deleted_job_has_no_other_priority(busy: HubClient) -> None:
    """It does not wait any more."""
    id = busy.request("GET", "/api/v1/jobs/waits-1", "editor").json()["id"]
    busy.request("DELETE", f"/api/v1/jobs/{id}", "editor")

    assert busy.request("PUT", f"/api/v1/jobs/{id}/priority", "editor", {"priority": 9}).status_code == 409


def test_paused_jobs_do_not_wait_but_count_for_their_owner(busy: HubClient) -> None:
    """As all that have not ended."""
    busy.request("PUT", "/api/v1/jobs/waits-1/pause", "editor")
    queue = queue_of(busy, "editor")

    assert places(queue) == [(1, "urgent"), (4, "waits-2")]
    assert (queue["active_jobs"], queue["max_active_jobs"]) == (3, 1_000)
