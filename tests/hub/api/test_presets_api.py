"""Presets of jobs over HTTP, on a scripted runner."""

import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub.db.engine import Database
from lightboard.memory_sizes import memory_text
from support.hub_client import HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested with other jobs

PATH = "/api/v1/jobs"
PRESETS = ("cpu-small=cpu:2,memory:64M", "ecs.gn6i=cpu:1,gpu:1", "plain=cpu:1")
MACHINE: dict[str, Any] = {"job_slots": 4, "job_gpus": "0,3"}
WAIT, FAIL = ["wait"], ["fail"]


@pytest.fixture
def presets() -> tuple[str, ...]:
    """Those of the hub."""
    return PRESETS


@pytest.fixture
def hub(
    database: Database, personas: Personas, tmp_path: pathlib.Path, presets: tuple[str, ...]
) -> Iterator[HubClient]:
    """With four slots and two GPUs."""
    with HubClient(database, personas, tmp_path, presets=presets, **MACHINE) as asked:
        yield asked


def create(hub: HubClient, **fields: Any) -> Any:
    """A new job in `vision` after some passes, or the error."""
    hub.now += 1.0  # so that jobs are queued in the order of their creation
    answer = hub.request("POST", PATH, "editor", {"command": WAIT, "project": "vision", **fields})
    if answer.status_code != 201:
        return answer.json()["error"]
    hub.reconcile()
    return get(hub, answer.json()["id"])


def get(hub: HubClient, id: str, name: str = "editor") -> Any:
    """The job as somebody sees it."""
    return hub.request("GET", f"{PATH}/{id}", name).json()


GIVEN = ("preset", "cpus", "memory_bytes", "memory_limit_bytes", "gpus", "gpu_ids")


def given(job: Any) -> list[Any]:
    """What a job gets."""
    return [job[name] for name in GIVEN]


def test_a_job_has_what_its_preset_has(hub: HubClient) -> None:
    """The first preset if it names none. A limit of its own may be lower."""
    small, own, gpu = create(hub), create(hub, memory_bytes=32 << 20), create(hub, preset="ecs.gn6i", replicas=2)

    assert [given(job) for job in (small, own, gpu)] == [
        ["cpu-small", 2, None, 64 << 20, 0, []],
        ["cpu-small", 2, 32 << 20, 32 << 20, 0, []],
        ["ecs.gn6i", 1, None, None, 1, []],
    ]
    assert (gpu["status"], gpu["message"]) == ("Queued", "waiting for 2 CPUs")


def test_each_replica_has_gpus_of_its_own(hub: HubClient) -> None:
    """The next job waits for them, and says so."""
    both, next_one, plain = create(hub, preset="ecs.gn6i", replicas=2), create(hub, preset="ecs.gn6i"), create(hub)

    assert (both["status"], both["gpu_ids"]) == ("Running", [0, 3])
    assert (next_one["status"], next_one["message"]) == ("Queued", "waiting for 1 GPU")
    assert (plain["status"], plain["preset"]) == ("Queued", "cpu-small")  # one of the two processors is kept


def test_notebooks_have_presets_as_other_jobs(hub: HubClient) -> None:
    """The first one if they name none."""
    made = [
        hub.request("POST", "/api/v1/notebooks", "editor", {"project": "vision", "name": name, "preset": preset}).json()
        for name, preset in (("first", ""), ("second", "ecs.gn6i"))
    ]

    assert [given(each) for each in made] == [
        ["cpu-small", 2, None, 64 << 20, 0, []], ["ecs.gn6i", 1, None, None, 1, []],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "message", "hint"),
    [
        (
            {"preset": "large"},
            "this hub has no preset large",
            "its presets: cpu-small, ecs.gn6i, plain; "
            "an administrator can add one: lightboard hub --preset NAME=cpu:N,gpu:N",
        ),
        (
            {"memory_bytes": 65 << 20},
            "memory_bytes: 65M is more than the 64M of the preset cpu-small",
            "ask for less, or for another preset",
        ),
        (
            {"replicas": 3},
            "a job of the preset cpu-small with 3 replicas needs 6 CPUs, and this hub has 4",
            "choose a smaller preset, or fewer replicas",
        ),
        (
            {"preset": "ecs.gn6i", "replicas": 5},
            "a job of the preset ecs.gn6i with 5 replicas needs 5 CPUs and 5 GPUs, and this hub has 4 and 2",
            "choose a smaller preset, or fewer replicas",
        ),
    ],
)
def test_what_no_job_can_have_is_refused(hub: HubClient, fields: dict[str, Any], message: str, hint: str) -> None:
    """At once, with what there is."""
    error = create(hub, **fields)

    assert (error["code"], error["message"], error["hint"]) == ("invalid", message, hint)


@pytest.mark.parametrize("presets", [("huge=memory:1024T",)])
def test_more_memory_than_the_machine_has_is_refused(hub: HubClient) -> None:
    """With how much that is."""
    there = hub.hub.jobs.capacity.memory_bytes
    assert there is not None
    assert there <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert create(hub)["message"] == (
        f"a job of the preset huge needs 1024T of memory, and this hub has {memory_text(there)}"
    )


@pytest.mark.parametrize("presets", [()])
def test_a_hub_without_presets_has_slots(hub: HubClient) -> None:
    """One for each replica; a job that needs more than there are waits."""
    job, large = create(hub), create(hub, replicas=5, memory_bytes=1 << 50)

    assert [given(each) for each in (job, large)] == [
        ["", 1, None, None, 0, []], ["", 1, 1 << 50, 1 << 50, 0, []],
    ]  # fmt: skip
    assert (job["status"], large["message"]) == ("Running", "needs 5 slots, and this hub has 4")
    assert create(hub, preset="cpu-small")["message"] == "this hub has no preset cpu-small"


def test_a_restarted_job_has_what_its_preset_has_by_now(
    hub: HubClient, database: Database, personas: Personas, tmp_path: pathlib.Path
) -> None:
    """It is refused if that is gone. Until then it has what it had, also after another start of the hub."""
    ids = [create(hub, preset=name)["id"] for name in ("plain", "ecs.gn6i")]
    for id in ids:
        hub.request("PUT", f"{PATH}/{id}/stop", "editor")
    hub.reconcile()
    with HubClient(database, personas, tmp_path, presets=("plain=cpu:2,memory:8M",), job_slots=4) as later:
        before = given(get(later, ids[0], "leader"))
        answers = [later.request("PUT", f"{PATH}/{id}/restart", "leader") for id in ids]

    assert before == ["plain", 1, None, None, 0, []]
    assert given(answers[0].json()) == ["plain", 2, None, 8 << 20, 0, []]
    error = answers[1].json()["error"]
    assert (answers[1].status_code, error["message"]) == (409, "this hub has no preset ecs.gn6i")
    assert error["hint"].endswith("; clone the job to change its preset")


def test_programs_can_list_presets(hub: HubClient) -> None:
    """In the order of the administrator: the first is the default."""
    assert hub.request("GET", "/api/v1/presets", "viewer").json() == {
        "items": [
            {"name": "cpu-small", "cpus": 2, "memory_bytes": 64 << 20, "gpus": 0},
            {"name": "ecs.gn6i", "cpus": 1, "memory_bytes": None, "gpus": 1},
            {"name": "plain", "cpus": 1, "memory_bytes": None, "gpus": 0},
        ]
    }
