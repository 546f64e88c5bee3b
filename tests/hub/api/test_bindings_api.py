"""Bindings of projects over HTTP."""

import pathlib
from typing import Any

import pytest

from lightboard.hub.db.engine import Database
from lightboard.hub.resources.tensorboards import Access
from support.hub_client import HubClient
from support.personas import Personas, folder_source

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

BINDINGS = "/api/v1/projects/vision/bindings"


def bound(hub: HubClient, name: str = "editor", project: str = "vision") -> list[tuple[str, str]]:
    """Kind and value of what a project may use, as somebody sees it."""
    items = hub.request("GET", f"/api/v1/projects/{project}/bindings", name).json()["items"]
    return [(item["kind"], item["value"]) for item in items]


def bind(hub: HubClient, name: str = "admin", **body: Any) -> Any:
    """The answer to who binds something to `vision`."""
    return hub.request("POST", BINDINGS, name, body)


@pytest.mark.databases("sqlite", "postgres")
def test_bindings_are_listed_and_usable(hub: HubClient, tmp_path: pathlib.Path) -> None:
    """At once, by members who may create."""
    more = tmp_path / "more"
    more.mkdir()
    before = hub.request("POST", "/api/v1/datasets", "editor", {"kind": "path", "uri": str(more), "project": "vision"})
    assert (before.status_code, before.json()["error"]["message"]) == (
        422,
        f"{more} is not below a folder that this project may show",
    )

    made = bind(hub, kind="root", value=f"{more}/")

    assert (made.status_code, made.json()["value"], bool(made.json()["id"])) == (201, str(more), True)
    assert ("root", str(more)) in bound(hub)
    assert str(more) in hub.request("GET", "/api/v1/roots?project=vision", "editor").json()["items"]
    after = hub.request("POST", "/api/v1/datasets", "editor", {"kind": "path", "uri": str(more), "project": "vision"})
    assert after.status_code == 201


def test_command_line_roots_are_listed_for_the_first_project(hub: HubClient) -> None:
    """Without an id: no request removes them."""
    given = hub.request("GET", "/api/v1/projects/default/bindings", "admin").json()["items"]

    assert [(item["id"], item["kind"], item["value"]) for item in given] == [
        ("", "root", str(hub.logs)),
        ("", "root", "/logs"),
    ]


def test_unusable_values_are_refused(hub: HubClient, tmp_path: pathlib.Path) -> None:
    """Such as missing folders."""
    for body, message in (
        ({"kind": "root", "value": str(tmp_path / "none")}, f"there is no folder {tmp_path}/none"),
        ({"kind": "root", "value": str(tmp_path / "hub")}, f"{tmp_path}/hub contains the hub's own files"),
        ({"kind": "credential", "value": "team"}, "there is no credential team"),
        ({"kind": "storage", "value": "s3://a", "credential": "team"}, "there is no credential team"),
        ({"kind": "root", "value": "/", "credential": "team"}, "only a storage can be bound with a credential"),
    ):
        answer = bind(hub, **body)
        assert (answer.status_code, answer.json()["error"]["message"]) == (422, message)


@pytest.mark.databases("sqlite", "postgres")
def test_removing_a_binding_stops_its_boards(hub: HubClient) -> None:
    """Whoever owns them; they cannot be restarted, others continue."""
    over = hub.create_running_board(sources=(folder_source("/logs/runs"),), access=Access.PROJECT)
    beside = hub.create_running_board(sources=(folder_source(str(hub.logs)),))
    root = next(
        item["id"] for item in hub.request("GET", BINDINGS, "admin").json()["items"] if item["value"] == "/logs"
    )

    assert hub.request("DELETE", f"{BINDINGS}/{root}", "admin").status_code == 204
    hub.reconcile()

    found = {id: hub.request("GET", f"/api/v1/tensorboards/{id}", "editor").json() for id in (over, beside)}
    assert (found[over]["status"], found[over]["reason"]) == ("Stopped", "AccessDenied")
    assert found[beside]["status"] == "Running"
    assert ("root", "/logs") not in bound(hub)
    hub.request("PUT", f"/api/v1/tensorboards/{over}/start", "editor")
    hub.reconcile()
    again = hub.request("GET", f"/api/v1/tensorboards/{over}", "editor").json()
    assert (again["status"], again["reason"]) == ("Creating_Failed", "AccessDenied")


def test_running_boards_follow_roots(hub: HubClient, tmp_path: pathlib.Path) -> None:
    """Symlinks into a root work while it is bound."""
    more = tmp_path / "more"
    more.mkdir()
    board = hub.create_running_board(sources=(folder_source("/logs/runs"),))
    told = lambda: str(more) in hub.launcher.boards[board].spec.sources[0].roots  # noqa: E731

    made = bind(hub, kind="root", value=str(more)).json()
    hub.reconcile()
    assert told()
    hub.request("DELETE", f"{BINDINGS}/{made['id']}", "admin")
    hub.reconcile()
    assert not told()


def test_administrators_bind_datasets_of_other_projects(hub: HubClient) -> None:
    """The project then lists them by name."""
    wanted = {"name": "theirs", "kind": "path", "uri": "/logs", "project": "default"}
    theirs = hub.request("POST", "/api/v1/datasets", "admin", wanted).json()
    board = {"sources": [{"dataset": "theirs"}], "project": "vision"}
    assert hub.request("POST", "/api/v1/tensorboards", "editor", board).status_code == 404

    bind(hub, kind="dataset", value=theirs["id"])

    shown = hub.request("GET", BINDINGS, "editor").json()["items"]
    assert [item["shown"] for item in shown if item["kind"] == "dataset"] == ["theirs"]
    offered = hub.request("GET", "/api/v1/datasets?project=vision", "editor").json()["items"]
    assert [item["name"] for item in offered] == ["theirs"]
    assert hub.request("POST", "/api/v1/tensorboards", "editor", board).status_code == 201


def test_credentials_are_listed_for_their_projects(
    database: Database, personas: Personas, tmp_path: pathlib.Path
) -> None:
    """Administrators see all names."""
    keys = tmp_path / "hub" / "credentials"
    keys.mkdir(parents=True)
    for name in ("first", "second"):
        (keys / f"{name}.toml").write_text('kind = "s3"\n')
    with HubClient(database, personas, tmp_path) as hub:
        bind(hub, kind="credential", value="second")

        offered = [hub.request("GET", "/api/v1/credentials", name).json()["items"] for name in ("editor", "admin")]
        assert offered == [["second"], ["first", "second"]]
        of_first = hub.request("GET", "/api/v1/credentials?project=default", "admin").json()["items"]
        assert of_first == ["first", "second"]
