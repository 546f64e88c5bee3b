"""Changes of jobs and notebooks as server-sent events."""

import json
from typing import Any

import pytest

from lightboard.hub.db import changes
from support.hub_client import HubClient

PATH = "/api/v1/jobs"

pytestmark = pytest.mark.databases("sqlite", "postgres")


def create(hub: HubClient, kind: str = "jobs", **fields: Any) -> str:
    """The id of a new one of the editor, which runs until it is stopped."""
    body = {"project": "vision", **fields} | ({"command": ["train"]} if kind == "jobs" else {})
    id = str(hub.request("POST", f"/api/v1/{kind}", "editor", body).json()["id"])
    hub.reconcile()
    return id


def watched(hub: HubClient, name: str, kinds: str, cursor: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """The names and data of the events that somebody gets who comes back with a cursor."""
    stream = hub.request("GET", f"/api/v1/watch?kinds={kinds}", name, headers={"Last-Event-ID": str(cursor)})
    events = [block.splitlines() for block in stream.text.split("\n\n") if "data: " in block]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for _, name, data in events]


def cursor_of(hub: HubClient) -> int:
    """Where to begin."""
    with hub.database.read() as session:
        return changes.latest(session)


def test_jobs_and_notebooks_are_watched_by_kind(hub: HubClient) -> None:
    """Each in its current state, as its own route tells it."""
    ids = {"job": create(hub), "notebook": create(hub, "notebooks", name="lab")}

    for kind, id in ids.items():
        job = hub.request("GET", f"{PATH}/{id}", "viewer").json()
        del job["transitions"], job["tensorboard"]
        assert watched(hub, "viewer", kind) == [(kind, job)]
    assert {name: data["id"] for name, data in watched(hub, "viewer", "job,notebook")} == ids


def test_jobs_of_other_projects_are_not_watched(hub: HubClient) -> None:
    """Nobody learns that there is one."""
    create(hub)

    assert {name: len(watched(hub, name, "job")) for name in ("admin", "viewer", "stranger")} == {
        "admin": 1, "viewer": 1, "stranger": 0,
    }  # fmt: skip


def test_jobs_are_watched_beside_tensorboards(hub: HubClient) -> None:
    """With one cursor: the next request has nothing new."""
    id = create(hub)
    board = hub.create_running_board()
    told = {data["id"] for _, data in watched(hub, "editor", "tensorboard,job")}

    assert (told, watched(hub, "editor", "tensorboard,job", cursor_of(hub))) == ({id, board}, [])


def test_deleted_jobs_are_reported(hub: HubClient) -> None:
    """By id."""
    id = create(hub)
    cursor = cursor_of(hub)
    hub.request("DELETE", f"{PATH}/{id}", "editor")
    hub.reconcile()

    assert watched(hub, "viewer", "job", cursor) == [("job", {"id": id, "deleted": True})]


def test_who_asks_for_no_kind_gets_tensorboards_alone(hub: HubClient) -> None:
    """As programs do that know no jobs."""
    create(hub)
    board = hub.create_running_board()
    stream = hub.request("GET", "/api/v1/watch", "editor", headers={"Last-Event-ID": "0"})

    assert [json.loads(line[6:])["id"] for line in stream.text.splitlines() if line.startswith("data: ")] == [board]


@pytest.mark.parametrize("kinds", ["dataset", "", "job,", "Job"])
def test_what_cannot_be_watched_is_refused(hub: HubClient, kinds: str) -> None:
    """With what can be."""
    refused = hub.request("GET", f"/api/v1/watch?kinds={kinds}", "editor")

    assert (refused.status_code, refused.json()["error"]["hint"]) == (
        422,
        "kinds that can be watched: tensorboard, job, notebook",
    )
