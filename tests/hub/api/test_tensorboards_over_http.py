"""TensorBoards as programs ask for them: versions, limits, words of other platforms, the stream of changes."""

import asyncio
import json
from typing import Any

import pytest
from hub_harness import HubHarness
from starlette.types import Message

from lightboard.hub.db import settings
from lightboard.hub.launchers.base import Probe
from lightboard.hub.resources.tensorboards import Access

PATH = "/api/v1/tensorboards"
PATIENCE_SECS = 20
WANTED = {"sources": [{"uri": "/logs/runs"}], "project": "vision"}


def create(hub: HubHarness, **more: Any) -> dict[str, Any]:
    """A new one."""
    answer = hub.ask("POST", PATH, "editor", {**WANTED, **more})
    assert answer.status_code in (200, 201), answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_new_one_says_where_it_is_and_comes_up(hub: HubHarness) -> None:
    """201 with Location and version; then Running, with its history."""
    answer = hub.ask("POST", PATH, "editor", WANTED)
    made = answer.json()
    hub.reconcile()

    told = hub.ask("GET", f"{PATH}/{made['id']}", "editor").json()

    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == f"http://127.0.0.1:8080{PATH}/{made['id']}"
    assert (made["status"], told["status"], told["app_uri"]) == ("Pending", "Running", made["app_uri"])
    assert [step["status"] for step in told["transitions"]] == ["Pending", "Creating", "Running"]


def test_it_is_found_by_its_name_too(hub: HubHarness) -> None:
    """Within the asker's projects."""
    made = create(hub, name="curves")

    assert hub.ask("GET", f"{PATH}/curves", "editor").json()["id"] == made["id"]


def test_who_looked_at_another_version_changes_nothing(hub: HubHarness) -> None:
    """409, and the board is as it was."""
    id = create(hub)["id"]
    path, body = f"{PATH}/{id}", {"display_name": "Another"}

    late = hub.ask("PATCH", path, "editor", body, headers={"If-Match": '"7"'})
    right = hub.ask("PATCH", path, "editor", body, headers={"If-Match": '"1"'})

    assert (late.status_code, right.status_code, right.headers["etag"]) == (409, 200, '"2"')


def test_get_or_create_gives_the_same_one(hub: HubHarness) -> None:
    """200 for the one there is, started if it rests."""
    first = create(hub)
    hub.ask("PUT", f"{PATH}/{first['id']}/stop", "editor")
    hub.reconcile()

    again = hub.ask("POST", PATH, "editor", {**WANTED, "reuse": True})

    assert (again.status_code, again.json()["id"], again.json()["status"]) == (200, first["id"], "Pending")


def test_the_limit_says_what_to_do(hub: HubHarness) -> None:
    """409 by PAI's name, with those in use and the remedies; lists say what is left."""
    with hub.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "2")
    ids = [create(hub)["id"] for _ in range(2)]

    refused = hub.ask("POST", PATH, "editor", WANTED)

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (409, "TensorboardLimitExceeded")
    assert (error["details"]["limit"], error["details"]["remedies"]) == (2, ["stop", "delete"])
    assert sorted(each["id"] for each in error["details"]["active"]) == sorted(ids)
    assert [hub.ask("GET", PATH, "editor").json()[name] for name in ("limit", "remaining")] == [2, 0]


def test_sources_change_one_at_a_time(hub: HubHarness) -> None:
    """The last one stays."""
    id = create(hub)["id"]
    more = hub.ask("POST", f"{PATH}/{id}/sources", "editor", {"uri": "/logs/more", "alias": "more"}).json()["sources"]
    left = [hub.ask("DELETE", f"{PATH}/{id}/sources/{each['id']}", "editor") for each in more]

    assert [each["text"] for each in more] == ["/logs/runs", "/logs/more"]
    assert [answer.status_code for answer in left] == [200, 422]
    assert [each["text"] for each in left[0].json()["sources"]] == ["/logs/more"]


@pytest.mark.parametrize(
    ("uri", "reason"),
    [("/logs/runs", ""), ("/etc", "AccessDenied"), ("s3://bucket/x", "AccessDenied"), ("relative", "Invalid")],
)
def test_a_place_is_looked_at_before(hub: HubHarness, uri: str, reason: str) -> None:
    """With what is there, or the reason why not."""
    hub.launcher.probes["/logs/runs"] = Probe(runs=12, files=14, size_bytes=20)

    told = hub.ask("POST", f"{PATH}/probe", "editor", {"sources": [{"uri": uri}], "project": "vision"}).json()

    assert [(each["reason"], each["runs"]) for each in told["sources"]] == [(reason, 0 if reason else 12)]


@pytest.mark.parametrize("prefix", ["/api/v1", "/apis/baize.io/v1alpha1"])
def test_dce_finds_its_own_shape(hub: HubHarness, prefix: str) -> None:
    """Phase, address and time under its names; delete by name."""
    made = create(hub, name="curves")
    hub.reconcile()
    path = f"{prefix}/workspaces/vision/analysis"

    told = hub.ask("GET", f"{path}?page.page=1&page.pageSize=-1&page.sort=name&page.search=curv", "editor").json()
    gone = hub.ask("DELETE", f"{path}/curves", "editor")
    hub.reconcile()

    assert told == {
        "items": [
            {
                "name": "curves",
                "type": "TENSORBOARD",
                "creationTimestamp": "1970-01-01T00:33:20Z",
                "status": {"phase": "RUNNING", "accessUrl": made["app_uri"], "message": "Ready"},
                "owner": "editor",
            }
        ],
        "page": {"page": 1, "pageSize": -1, "total": 1},
    }
    assert (gone.status_code, hub.ask("GET", path, "editor").json()["items"]) == (200, [])


def watched(hub: HubHarness, name: str, cursor: int) -> list[dict[str, Any]]:
    """What somebody is told who comes back with a cursor."""
    stream = hub.ask("GET", "/api/v1/watch", name, headers={"Last-Event-ID": str(cursor)})
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    return [json.loads(line[6:]) for line in stream.text.splitlines() if line.startswith("data: ")]


def test_who_comes_back_has_missed_nothing(hub: HubHarness) -> None:
    """Boards as they are now; others' private ones are never told of."""
    hub.cast.board(access=Access.PROJECT, display_name="shared")
    hub.cast.board(access=Access.PRIVATE, display_name="private")

    told = {name: [each["display_name"] for each in watched(hub, name, 0)] for name in ("editor", "viewer", "stranger")}

    assert told == {"editor": ["shared", "private"], "viewer": ["shared"], "stranger": []}


def test_what_is_gone_is_told_as_gone(hub: HubHarness) -> None:
    """By its id alone."""
    id = hub.running()
    hub.ask("DELETE", f"{PATH}/{id}", "editor")
    hub.reconcile()

    assert watched(hub, "editor", 0) == [{"id": id, "deleted": True}]


@pytest.mark.parametrize("turns", range(8))
def test_who_leaves_as_news_come_is_let_go(hub: HubHarness, turns: int) -> None:
    """However many turns of the loop lie between the two: nobody goes on speaking to somebody who has gone."""
    hub.token("editor")

    async def story() -> bool:
        heard, left = asyncio.Event(), asyncio.Event()

        async def receive() -> Message:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.body":
                heard.set()

        stream = asyncio.create_task(hub.app(hub.scope("/api/v1/watch", "editor"), receive, send))
        await heard.wait()
        await turn(10)  # it waits for news
        hub.cast.board()
        await turn(turns)
        left.set()
        await asyncio.wait({stream}, timeout=PATIENCE_SECS)
        return stream.done()

    assert hub.play(story())


async def turn(times: int) -> None:
    """So many turns of the loop."""
    for _ in range(times):
        await asyncio.sleep(0)


def test_figures_are_for_administrators(hub: HubHarness) -> None:
    """In Prometheus' form, boards by status, refusals, logins."""
    hub.running()

    told = hub.ask("GET", "/metrics", "admin").text

    assert 'lightboard_hub_tensorboards{status="Running"} 1.0' in told.splitlines()
    assert 'lightboard_hub_tensorboards{status="Stopped"} 0.0' in told.splitlines()


@pytest.mark.parametrize("uri", ["/etc", "s3://nobodys/logs", "/logs/../etc"])
@pytest.mark.parametrize("reuse", [False, True])
def test_a_refused_create_makes_nothing(hub: HubHarness, uri: str, reuse: bool) -> None:
    """A place that the project may not show is told at once: no row that fails, none that counts."""
    sources = [*WANTED["sources"], {"uri": uri}]  # type: ignore[misc]
    refused = hub.ask("POST", PATH, "editor", {**WANTED, "sources": sources, "reuse": reuse})
    hub.reconcile()

    assert refused.status_code in (403, 422)
    assert refused.json()["error"]["hint"]
    assert hub.ask("GET", PATH, "editor").json()["items"] == []


def test_who_may_not_create_learns_nothing_of_places(hub: HubHarness) -> None:
    """The right comes first."""
    codes = [
        hub.ask("POST", PATH, "viewer", {"sources": [{"uri": uri}], "project": "vision"}).json()["error"]["message"]
        for uri in ("/logs/runs", "/etc")
    ]

    assert codes[0] == codes[1]
