"""TensorBoards over HTTP: versions, limits, vocabularies of other platforms, the change stream."""

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message

from lightboard.hub.db import settings
from lightboard.hub.launchers.base import Probe
from lightboard.hub.resources.tensorboards import Access
from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

PATH = "/api/v1/tensorboards"
TIMEOUT_SECS = 20
WANTED = {"sources": [{"uri": "/logs/runs"}], "project": "vision"}


def create(hub: HubClient, **more: Any) -> dict[str, Any]:
    """A new one."""
    answer = hub.request("POST", PATH, "editor", {**WANTED, **more})
    assert answer.status_code in (200, 201), answer.text
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.databases("sqlite", "postgres")
def test_a_created_board_starts(hub: HubClient) -> None:
    """201 with Location and version; then Running, with history."""
    answer = hub.request("POST", PATH, "editor", WANTED)
    made = answer.json()
    hub.reconcile()

    told = hub.request("GET", f"{PATH}/{made['id']}", "editor").json()

    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == f"http://127.0.0.1:8080{PATH}/{made['id']}"
    assert (made["status"], told["status"], told["app_uri"]) == ("Pending", "Running", made["app_uri"])
    assert [step["status"] for step in told["transitions"]] == ["Pending", "Creating", "Running"]


@pytest.mark.databases("sqlite", "postgres")
def test_boards_are_found_by_name(hub: HubClient) -> None:
    """In the requester's projects."""
    made = create(hub, name="curves")

    assert hub.request("GET", f"{PATH}/curves", "editor").json()["id"] == made["id"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ({"uri": "/logs/runs", "target": "//project/results/"}, "/project/results"),
        ({"uri": "storage:image://project/results:ro"}, "/project/results"),
        ({"uri": "storage:image:/a:ro", "target": "/b"}, "/b"),
        ({"uri": "/logs/runs"}, ""),
    ],
)
def test_c11_c_t4_sources_keep_the_path_at_which_they_are_expected(
    hub: HubClient, source: dict[str, str], target: str
) -> None:
    """With single slashes; other changes leave it."""
    id = create(hub, sources=[source])["id"]

    changed = hub.request("PATCH", f"{PATH}/{id}", "editor", {"display_name": "Another"}).json()

    assert [each["target"] for each in changed["sources"]] == [target]


def test_a_relative_path_of_a_source_is_refused(hub: HubClient) -> None:
    """Nothing could be shown there."""
    answer = hub.request("POST", PATH, "editor", {**WANTED, "sources": [{"uri": "/logs/runs", "target": "results"}]})

    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422,
        "the volume 'results' is not at an absolute path",
    )


def test_outdated_versions_are_conflicts(hub: HubClient) -> None:
    """409, and the board is unchanged."""
    id = create(hub)["id"]
    path, body = f"{PATH}/{id}", {"display_name": "Another"}

    late = hub.request("PATCH", path, "editor", body, headers={"If-Match": '"7"'})
    right = hub.request("PATCH", path, "editor", body, headers={"If-Match": '"1"'})

    assert (late.status_code, right.status_code, right.headers["etag"]) == (409, 200, '"2"')


@pytest.mark.databases("sqlite", "postgres")
def test_get_or_create_returns_an_existing_board(hub: HubClient) -> None:
    """200, and started if it was stopped."""
    first = create(hub)
    hub.request("PUT", f"{PATH}/{first['id']}/stop", "editor")
    hub.reconcile()

    again = hub.request("POST", PATH, "editor", {**WANTED, "reuse": True})

    assert (again.status_code, again.json()["id"], again.json()["status"]) == (200, first["id"], "Pending")


def test_the_limit_error_lists_remedies(hub: HubClient) -> None:
    """409 with PAI's code, active boards and remedies; lists report the remaining number."""
    with hub.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "2")
    ids = [create(hub)["id"] for _ in range(2)]

    refused = hub.request("POST", PATH, "editor", WANTED)

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (409, "TensorboardLimitExceeded")
    assert (error["details"]["limit"], error["details"]["remedies"]) == (2, ["stop", "delete"])
    assert sorted(each["id"] for each in error["details"]["active"]) == sorted(ids)
    assert [hub.request("GET", PATH, "editor").json()[name] for name in ("limit", "remaining")] == [2, 0]


def test_sources_are_added_and_removed(hub: HubClient) -> None:
    """The last one cannot be removed."""
    id = create(hub)["id"]
    more = hub.request("POST", f"{PATH}/{id}/sources", "editor", {"uri": "/logs/more", "alias": "more"}).json()[
        "sources"
    ]
    left = [hub.request("DELETE", f"{PATH}/{id}/sources/{each['id']}", "editor") for each in more]

    assert [each["text"] for each in more] == ["/logs/runs", "/logs/more"]
    assert [answer.status_code for answer in left] == [200, 422]
    assert [each["text"] for each in left[0].json()["sources"]] == ["/logs/more"]


@pytest.mark.parametrize(
    ("uri", "reason"),
    [("/logs/runs", ""), ("/etc", "AccessDenied"), ("s3://bucket/x", "AccessDenied"), ("relative", "Invalid")],
)
def test_sources_can_be_probed(hub: HubClient, uri: str, reason: str) -> None:
    """The result says what is there, or why not."""
    hub.launcher.probes["/logs/runs"] = Probe(runs=12, files=14, size_bytes=20)

    told = hub.request("POST", f"{PATH}/probe", "editor", {"sources": [{"uri": uri}], "project": "vision"}).json()

    assert [(each["reason"], each["runs"]) for each in told["sources"]] == [(reason, 0 if reason else 12)]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("prefix", ["/api/v1", "/apis/baize.io/v1alpha1"])
def test_dce_routes_keep_their_format(hub: HubClient, prefix: str) -> None:
    """Phase, URL and times under its names; deletion by name."""
    made = create(hub, name="curves")
    hub.reconcile()
    path = f"{prefix}/workspaces/vision/analysis"

    told = hub.request("GET", f"{path}?page.page=1&page.pageSize=-1&page.sort=name&page.search=curv", "editor").json()
    gone = hub.request("DELETE", f"{path}/curves", "editor")
    hub.reconcile()

    assert told == {
        "items": [
            {
                "name": "curves",
                "type": "TENSORBOARD",
                "creationTimestamp": "1970-01-01T00:33:20Z",
                "status": {"phase": "RUNNING", "accessUrl": made["app_uri"], "message": "Ready"},
                "kubeVolumes": [],
                "logPath": "/logs/runs",
                "owner": "editor",
            }
        ],
        "page": {"page": 1, "pageSize": -1, "total": 1},
    }
    assert (gone.status_code, hub.request("GET", path, "editor").json()["items"]) == (200, [])


def watched(hub: HubClient, name: str, cursor: int) -> list[dict[str, Any]]:
    """What somebody is told who comes back with a cursor."""
    stream = hub.request("GET", "/api/v1/watch", name, headers={"Last-Event-ID": str(cursor)})
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    return [json.loads(line[6:]) for line in stream.text.splitlines() if line.startswith("data: ")]


@pytest.mark.databases("sqlite", "postgres")
def test_the_change_stream_resumes(hub: HubClient) -> None:
    """With boards in their current state, without private ones of others."""
    hub.personas.create_board(access=Access.PROJECT, display_name="shared")
    hub.personas.create_board(access=Access.PRIVATE, display_name="private")

    told = {name: [each["display_name"] for each in watched(hub, name, 0)] for name in ("editor", "viewer", "stranger")}

    assert told == {"editor": ["shared", "private"], "viewer": ["shared"], "stranger": []}


@pytest.mark.databases("sqlite", "postgres")
def test_the_change_stream_reports_deletions(hub: HubClient) -> None:
    """By id."""
    id = hub.create_running_board()
    hub.request("DELETE", f"{PATH}/{id}", "editor")
    hub.reconcile()

    assert watched(hub, "editor", 0) == [{"id": id, "deleted": True}]


@pytest.mark.parametrize("turns", range(8))
def test_the_change_stream_ends_on_disconnect(hub: HubClient, turns: int) -> None:
    """At any point of sending an event."""
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
        hub.personas.create_board()
        await turn(turns)
        left.set()
        await asyncio.wait({stream}, timeout=TIMEOUT_SECS)
        return stream.done()

    assert hub.run(story())


async def turn(times: int) -> None:
    """So many turns of the loop."""
    for _ in range(times):
        await asyncio.sleep(0)


def test_metrics_need_an_administrator(hub: HubClient) -> None:
    """Prometheus format: boards by status, refusals, logins."""
    hub.create_running_board()

    told = hub.request("GET", "/metrics", "admin").text

    assert 'lightboard_hub_tensorboards{status="Running"} 1.0' in told.splitlines()
    assert 'lightboard_hub_tensorboards{status="Stopped"} 0.0' in told.splitlines()


@pytest.mark.parametrize("uri", ["/etc", "s3://nobodys/logs", "/logs/../etc"])
@pytest.mark.parametrize("reuse", [False, True])
def test_a_refused_board_is_not_created(hub: HubClient, uri: str, reuse: bool) -> None:
    """Sources that the project may not use are refused before a row is inserted."""
    sources = [*WANTED["sources"], {"uri": uri}]  # type: ignore[misc]
    refused = hub.request("POST", PATH, "editor", {**WANTED, "sources": sources, "reuse": reuse})
    hub.reconcile()

    assert refused.status_code in (403, 422)
    assert refused.json()["error"]["hint"]
    assert hub.request("GET", PATH, "editor").json()["items"] == []


def test_the_right_is_checked_before_the_sources(hub: HubClient) -> None:
    """The right comes first."""
    codes = [
        hub.request("POST", PATH, "viewer", {"sources": [{"uri": uri}], "project": "vision"}).json()["error"]["message"]
        for uri in ("/logs/runs", "/etc")
    ]

    assert codes[0] == codes[1]
