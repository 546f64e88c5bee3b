"""A disk that hangs below a root keeps few threads of the hub, whatever is asked about it and however often."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from cast import Cast
from dead_disks import Disks
from hub_harness import HubHarness

from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.base import Probe
from lightboard.hub.real_paths import EACH_DISK, RealPaths

DEAD = "/logs/dead"
ASKED = {
    "probe": ("POST", "/api/v1/tensorboards/probe", {"sources": [{"uri": DEAD}]}),
    "create": ("POST", "/api/v1/tensorboards", {"sources": [{"uri": DEAD}]}),
    "dataset": ("POST", "/api/v1/datasets", {"name": "data", "kind": "path", "uri": DEAD}),
    "bind": ("POST", "/api/v1/projects/vision/bindings", {"kind": "root", "value": DEAD}),
}


@pytest.fixture
def disks() -> Iterator[Disks]:
    """One that is dead, until the end."""
    made = Disks(DEAD)
    yield made
    made.back.set()


@pytest.fixture
def real_paths(disks: Disks) -> RealPaths:
    """Over the disks; who finds no room is refused soon."""
    return RealPaths(patience_secs=60.0, queue_secs=0.01, follow=disks.follow, mounts=lambda: ["/", DEAD])


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path, real_paths: RealPaths) -> Iterator[HubHarness]:
    """With the dead disk below one of its roots."""
    with HubHarness(database, cast, tmp_path, real_paths=real_paths) as asked:
        yield asked


@pytest.fixture
def hanging(disks: Disks, real_paths: RealPaths) -> None:
    """As many have asked for it as may."""
    disks.hang(real_paths, DEAD)


def told(hub: HubHarness, what: str) -> tuple[int, Any]:
    """Status of an answer, and why it is a refusal."""
    method, path, body = ASKED[what]
    answer = hub.ask(method, path, "admin" if what == "bind" else "editor", {**body})
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
def test_what_names_a_dead_disk_is_answered(
    hub: HubHarness, disks: Disks, what: str, expected: tuple[int, Any]
) -> None:
    """Each time, and no more threads hang there; a board says itself why it does not start."""
    answers = {told(hub, what) for _ in range(3)}

    assert answers == {expected}
    assert disks.asked.count(DEAD) == EACH_DISK


@pytest.mark.usefixtures("hanging")
def test_boards_on_other_disks_are_made_and_start(hub: HubHarness) -> None:
    """However many are over the dead one; these fail, and say why."""
    (hub.logs / "run").mkdir()
    over = [
        hub.ask(*ASKED["create"][:2], "editor", {"sources": [{"uri": DEAD}], "name": f"dead-{n}"}) for n in range(12)
    ]
    good = hub.ask("POST", "/api/v1/tensorboards", "editor", {"sources": [{"uri": str(hub.logs)}], "name": "good"})
    hub.reconcile()
    hub.reconcile()
    boards = {item["name"]: item for item in hub.ask("GET", "/api/v1/tensorboards", "editor").json()["items"]}

    assert {answer.status_code for answer in [*over, good]} == {201}
    assert {boards[f"dead-{n}"]["reason"] for n in range(12)} == {"Unreachable"}
    assert boards["good"]["status"] == "Running"


@pytest.mark.usefixtures("hanging")
def test_a_look_at_another_disk_is_answered(hub: HubHarness) -> None:
    """While the dead one is asked for."""
    hub.launcher.probes[str(hub.logs)] = Probe(runs=3)
    answer = hub.ask("POST", "/api/v1/tensorboards/probe", "editor", {"sources": [{"uri": str(hub.logs)}]})

    assert answer.json()["sources"][0]["runs"] == 3


def test_a_board_whose_disk_does_not_answer_stops_when_a_root_is_taken_away(
    hub: HubHarness, disks: Disks, real_paths: RealPaths
) -> None:
    """Nobody can say then whether it may still be shown."""
    disks.dead = ("/nothing",)
    hub.ask(*ASKED["create"][:2], "editor", {**ASKED["create"][2], "name": "on-it"})
    hub.reconcile()
    disks.dead = (DEAD,)
    disks.hang(real_paths, DEAD)
    bound = hub.ask("GET", "/api/v1/projects/vision/bindings", "admin").json()["items"]
    given = next(item for item in bound if item["value"] == str(hub.logs))
    removed = hub.ask("DELETE", f"/api/v1/projects/vision/bindings/{given['id']}", "admin")
    hub.reconcile()
    board = hub.ask("GET", "/api/v1/tensorboards/on-it?project=vision", "editor").json()

    assert removed.status_code == 204
    assert (board["status"], board["reason"]) == ("Stopped", "Unreachable")
