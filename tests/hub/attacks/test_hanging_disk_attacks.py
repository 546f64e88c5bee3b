"""A hanging disk below a root blocks only a few threads, however many requests name it."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.base import Probe
from lightboard.hub.real_paths import EACH_DISK, RealPaths
from support.hanging_disks import HangingDisks
from support.hub_client import HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # disks hang, not databases

DEAD = "/logs/dead"
ASKED = {
    "probe": ("POST", "/api/v1/tensorboards/probe", {"sources": [{"uri": DEAD}]}),
    "create": ("POST", "/api/v1/tensorboards", {"sources": [{"uri": DEAD}]}),
    "dataset": ("POST", "/api/v1/datasets", {"name": "data", "kind": "path", "uri": DEAD}),
    "bind": ("POST", "/api/v1/projects/vision/bindings", {"kind": "root", "value": DEAD}),
}


@pytest.fixture
def disks() -> Iterator[HangingDisks]:
    """One that is dead, until the end."""
    made = HangingDisks(DEAD)
    yield made
    made.back.set()


@pytest.fixture
def real_paths(disks: HangingDisks) -> RealPaths:
    """Over the disks; who finds no room is refused soon."""
    return RealPaths(timeout_secs=60.0, queue_secs=0.01, follow=disks.resolve, mounts=lambda: ["/", DEAD])


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path, real_paths: RealPaths) -> Iterator[HubClient]:
    """With the dead disk below one of its roots."""
    with HubClient(database, personas, tmp_path, real_paths=real_paths) as asked:
        yield asked


@pytest.fixture
def hanging(disks: HangingDisks, real_paths: RealPaths) -> None:
    """As many have asked for it as may."""
    disks.block_threads(real_paths, DEAD)


def told(hub: HubClient, what: str) -> tuple[int, Any]:
    """Status of an answer, and why it is a refusal."""
    method, path, body = ASKED[what]
    answer = hub.request(method, path, "admin" if what == "bind" else "editor", {**body})
    said = answer.json()
    if what == "probe":
        return answer.status_code, said["sources"][0]["reason"]
    return answer.status_code, said.get("error", {}).get("code")


@pytest.mark.usefixtures("hanging")
@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("probe", (200, "Unreachable")),
        ("create", (201, None)),
        ("dataset", (503, "not_ready")),
        ("bind", (503, "not_ready")),
    ],
)
def test_requests_naming_a_hanging_disk_get_an_error(
    hub: HubClient, disks: HangingDisks, what: str, expected: tuple[int, Any]
) -> None:
    """No more threads hang each time; a board reports why it does not start."""
    answers = {told(hub, what) for _ in range(3)}

    assert answers == {expected}
    assert disks.asked.count(DEAD) == EACH_DISK


@pytest.mark.usefixtures("hanging")
def test_boards_on_other_disks_start(hub: HubClient) -> None:
    """However many boards fail because of the hanging disk."""
    (hub.logs / "run").mkdir()
    over = [
        hub.request(*ASKED["create"][:2], "editor", {"sources": [{"uri": DEAD}], "name": f"dead-{n}"})
        for n in range(12)
    ]
    good = hub.request("POST", "/api/v1/tensorboards", "editor", {"sources": [{"uri": str(hub.logs)}], "name": "good"})
    hub.reconcile()
    hub.reconcile()
    boards = {item["name"]: item for item in hub.request("GET", "/api/v1/tensorboards", "editor").json()["items"]}

    assert {answer.status_code for answer in [*over, good]} == {201}
    assert {boards[f"dead-{n}"]["reason"] for n in range(12)} == {"Unreachable"}
    assert boards["good"]["status"] == "Running"


@pytest.mark.usefixtures("hanging")
def test_other_disks_can_be_browsed(hub: HubClient) -> None:
    """While requests for the hanging disk are pending."""
    hub.launcher.probes[str(hub.logs)] = Probe(runs=3)
    answer = hub.request("POST", "/api/v1/tensorboards/probe", "editor", {"sources": [{"uri": str(hub.logs)}]})

    assert answer.json()["sources"][0]["runs"] == 3


def test_a_board_on_a_hanging_disk_stops_when_a_root_is_removed(
    hub: HubClient, disks: HangingDisks, real_paths: RealPaths
) -> None:
    """The hub cannot tell whether it may still be shown."""
    disks.dead = ("/nothing",)
    hub.request(*ASKED["create"][:2], "editor", {**ASKED["create"][2], "name": "on-it"})
    hub.reconcile()
    disks.dead = (DEAD,)
    disks.block_threads(real_paths, DEAD)
    bound = hub.request("GET", "/api/v1/projects/vision/bindings", "admin").json()["items"]
    given = next(item for item in bound if item["value"] == str(hub.logs))
    removed = hub.request("DELETE", f"/api/v1/projects/vision/bindings/{given['id']}", "admin")
    hub.reconcile()
    board = hub.request("GET", "/api/v1/tensorboards/on-it?project=vision", "editor").json()

    assert removed.status_code == 204
    assert (board["status"], board["reason"]) == ("Stopped", "Unreachable")
