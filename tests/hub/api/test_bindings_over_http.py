"""Promises about what administrators bind to projects over HTTP."""

import pathlib
from typing import Any

from cast import Cast, folder
from hub_harness import HubHarness

from lightboard.hub.db.engine import Database
from lightboard.hub.resources.tensorboards import Access

BINDINGS = "/api/v1/projects/vision/bindings"


def bound(hub: HubHarness, name: str = "editor", project: str = "vision") -> list[tuple[str, str]]:
    """Kind and value of what a project may use, as somebody sees it."""
    items = hub.ask("GET", f"/api/v1/projects/{project}/bindings", name).json()["items"]
    return [(item["kind"], item["value"]) for item in items]


def bind(hub: HubHarness, name: str = "admin", **body: Any) -> Any:
    """The answer to who binds something to `vision`."""
    return hub.ask("POST", BINDINGS, name, body)


def test_what_is_bound_is_listed_and_can_be_used(hub: HubHarness, tmp_path: pathlib.Path) -> None:
    """At once, by who may make things there."""
    more = tmp_path / "more"
    more.mkdir()
    before = hub.ask("POST", "/api/v1/datasets", "editor", {"kind": "path", "uri": str(more), "project": "vision"})
    assert (before.status_code, before.json()["error"]["message"]) == (
        422,
        f"{more} is not below a folder that this project may show",
    )

    made = bind(hub, kind="root", value=f"{more}/")

    assert (made.status_code, made.json()["value"], bool(made.json()["id"])) == (201, str(more), True)
    assert ("root", str(more)) in bound(hub)
    assert str(more) in hub.ask("GET", "/api/v1/roots?project=vision", "editor").json()["items"]
    after = hub.ask("POST", "/api/v1/datasets", "editor", {"kind": "path", "uri": str(more), "project": "vision"})
    assert after.status_code == 201


def test_what_the_hub_was_started_with_is_listed_for_the_first_project(hub: HubHarness) -> None:
    """Without an id: no request takes it away."""
    given = hub.ask("GET", "/api/v1/projects/default/bindings", "admin").json()["items"]

    assert [(item["id"], item["kind"], item["value"]) for item in given] == [
        ("", "root", str(hub.logs)),
        ("", "root", "/logs"),
    ]


def test_a_folder_that_is_not_there_is_not_bound(hub: HubHarness, tmp_path: pathlib.Path) -> None:
    """And nothing else that could never be used."""
    for body, message in (
        ({"kind": "root", "value": str(tmp_path / "none")}, f"there is no folder {tmp_path}/none"),
        ({"kind": "root", "value": str(tmp_path / "hub")}, f"{tmp_path}/hub holds the hub's own files"),
        ({"kind": "credential", "value": "team"}, "there is no credential team"),
        ({"kind": "storage", "value": "s3://a", "credential": "team"}, "there is no credential team"),
        ({"kind": "root", "value": "/", "credential": "team"}, "only a storage is bound together with a credential"),
    ):
        answer = bind(hub, **body)
        assert (answer.status_code, answer.json()["error"]["message"]) == (422, message)


def test_what_is_taken_away_is_shown_no_more(hub: HubHarness) -> None:
    """Boards over it are stopped, whoever they are of; others go on, and none starts again."""
    over = hub.running(sources=(folder("/logs/runs"),), access=Access.PROJECT)
    beside = hub.running(sources=(folder(str(hub.logs)),))
    root = next(item["id"] for item in hub.ask("GET", BINDINGS, "admin").json()["items"] if item["value"] == "/logs")

    assert hub.ask("DELETE", f"{BINDINGS}/{root}", "admin").status_code == 204
    hub.reconcile()

    found = {id: hub.ask("GET", f"/api/v1/tensorboards/{id}", "editor").json() for id in (over, beside)}
    assert (found[over]["status"], found[over]["reason"]) == ("Stopped", "AccessDenied")
    assert found[beside]["status"] == "Running"
    assert ("root", "/logs") not in bound(hub)
    hub.ask("PUT", f"/api/v1/tensorboards/{over}/start", "editor")
    hub.reconcile()
    again = hub.ask("GET", f"/api/v1/tensorboards/{over}", "editor").json()
    assert (again["status"], again["reason"]) == ("Creating_Failed", "AccessDenied")


def test_boards_in_use_are_told_of_every_root(hub: HubHarness, tmp_path: pathlib.Path) -> None:
    """Links in their logs lead into a root from when it is bound until it is taken away."""
    more = tmp_path / "more"
    more.mkdir()
    board = hub.running(sources=(folder("/logs/runs"),))
    told = lambda: str(more) in hub.launcher.boards[board].spec.sources[0].roots  # noqa: E731

    made = bind(hub, kind="root", value=str(more)).json()
    hub.reconcile()
    assert told()
    hub.ask("DELETE", f"{BINDINGS}/{made['id']}", "admin")
    hub.reconcile()
    assert not told()


def test_a_dataset_of_another_project_is_bound_by_an_administrator(hub: HubHarness) -> None:
    """It is then offered there, by its name."""
    wanted = {"name": "theirs", "kind": "path", "uri": "/logs", "project": "default"}
    theirs = hub.ask("POST", "/api/v1/datasets", "admin", wanted).json()
    board = {"sources": [{"dataset": "theirs"}], "project": "vision"}
    assert hub.ask("POST", "/api/v1/tensorboards", "editor", board).status_code == 404

    bind(hub, kind="dataset", value=theirs["id"])

    shown = hub.ask("GET", BINDINGS, "editor").json()["items"]
    assert [item["shown"] for item in shown if item["kind"] == "dataset"] == ["theirs"]
    offered = hub.ask("GET", "/api/v1/datasets?project=vision", "editor").json()["items"]
    assert [item["name"] for item in offered] == ["theirs"]
    assert hub.ask("POST", "/api/v1/tensorboards", "editor", board).status_code == 201


def test_credentials_are_offered_to_the_projects_that_may_use_them(
    database: Database, cast: Cast, tmp_path: pathlib.Path
) -> None:
    """An administrator sees all names, since they bind them."""
    keys = tmp_path / "hub" / "credentials"
    keys.mkdir(parents=True)
    for name in ("first", "second"):
        (keys / f"{name}.toml").write_text('kind = "s3"\n')
    with HubHarness(database, cast, tmp_path) as hub:
        bind(hub, kind="credential", value="second")

        offered = [hub.ask("GET", "/api/v1/credentials", name).json()["items"] for name in ("editor", "admin")]
        assert offered == [["second"], ["first", "second"]]
        of_first = hub.ask("GET", "/api/v1/credentials?project=default", "admin").json()["items"]
        assert of_first == ["first", "second"]
