"""The first minute as the README shows it, and what an administrator then does for a second project."""

import pathlib
from collections.abc import Iterator

import httpx
import pytest
from stage import Terminal

from lightboard import Project
from lightboard.client.session import Session
from lightboard.errors import Conflict, NotFound, PermissionDenied
from lightboard.testing.event_files import scalar_record, write_events
from running_hub import PASSWORD, RunningHub


@pytest.fixture
def fresh(tmp_path: pathlib.Path, database: str) -> Iterator[RunningHub]:
    """`lightboard hub --allow-root LOGS` on a machine that never had one."""
    write_events(tmp_path / "logs" / "mnist" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    write_events(tmp_path / "more" / "cars" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    with RunningHub(tmp_path / "home", roots=[tmp_path / "logs"], database=database, bootstrap=False) as hub:
        yield hub


def first_account(hub: RunningHub) -> str:
    """What the page behind the printed link does, and then the page Tokens: the token."""
    key = hub.setup_link.partition("#key=")[2]
    with httpx.Client(base_url=hub.url) as browser:
        me = browser.post("/api/v1/setup", json={"key": key, "name": "grace", "password": PASSWORD}).raise_for_status()
        wanted = {"name": "mine", "scopes": ["read", "write", "admin"]}
        made = browser.post("/api/v1/tokens", json=wanted, headers={"X-CSRF-Token": me.json()["csrf"]})
        return str(made.raise_for_status().json()["secret"])


def test_the_first_minute_is_as_short_as_the_readme_says(fresh: RunningHub, tmp_path: pathlib.Path) -> None:
    """Start, link, `lightboard tb create`: nothing is bound or permitted by hand."""
    fresh.token = first_account(fresh)
    terminal = Terminal(fresh, tmp_path)
    terminal.env.pop("LIGHTBOARD_PROJECT")

    link = terminal("tb", "create", str(tmp_path / "logs" / "mnist")).strip()

    runs = httpx.get(f"{link}api/v1/runs", headers={"Authorization": f"Bearer {fresh.token}"}).json()["runs"]
    assert len(runs) == 1


def test_a_second_project_gets_what_is_bound_to_it(fresh: RunningHub, tmp_path: pathlib.Path) -> None:
    """By the command line or the SDK, and by nobody but an administrator."""
    fresh.token = first_account(fresh)
    terminal = Terminal(fresh, tmp_path)
    terminal("project", "create", "second")
    ann = fresh.person("ann", "editor", "second")
    as_ann = {"LIGHTBOARD_TOKEN": ann, "LIGHTBOARD_PROJECT": "second"}
    create = ("tb", "create", str(tmp_path / "more" / "cars"), "--no-wait")
    terminal("project", "bind", "second", "--root", str(tmp_path / "more"), code=1, **as_ann)
    assert terminal("project", "bindings", "second", **as_ann) == ""

    id = terminal("project", "bind", "second", "--root", str(tmp_path / "more")).strip()

    assert str(tmp_path / "more") in terminal("project", "bindings", "second", **as_ann)
    with Session(fresh.url, ann, "second") as session:
        made = session.ask("GET", "/api/v1/tensorboards", params={"search": "cars"})["items"]
        assert made == []
        terminal(*create, **as_ann)
        board = session.get("/api/v1/tensorboards")["items"][0]
        fresh.becomes(board["id"], "Running", ann)
        with pytest.raises(PermissionDenied):
            Project("second", session).unbind(id)
    with Session(fresh.url, fresh.token) as session:
        project = Project("second", session)
        with pytest.raises(Conflict):
            project.bind("root", str(tmp_path / "more"))
        project.unbind(id)
        assert ([each.info()["name"] for each in Project.list(session)], list(project.bindings())) == (
            ["default", "second"],
            [],
        )
        with pytest.raises(NotFound):
            project.unbind(id)
    assert fresh.becomes(board["id"], "Stopped", ann)["reason"] == "AccessDenied"


def test_d4_tensorboards_are_a_permission_of_their_own(fresh: RunningHub, tmp_path: pathlib.Path) -> None:
    """A user without it gets a clear refusal, until an administrator allows it."""
    fresh.token = first_account(fresh)
    terminal = Terminal(fresh, tmp_path)
    ann = {"LIGHTBOARD_TOKEN": fresh.person("ann", "editor"), "LIGHTBOARD_PROJECT": "default"}
    terminal("permission", "deny", "use_tensorboards")

    refused = terminal.run("-m", "lightboard", "tb", "ls", code=1, **ann).stderr
    assert "this account is not permitted to use TensorBoards at all" in refused
    assert "hint: an administrator of the hub can permit it: use_tensorboards" in refused

    terminal("permission", "allow", "use_tensorboards", "--account", "ann")
    assert "no TensorBoards" in terminal.run("-m", "lightboard", "tb", "ls", **ann).stderr
    assert "allowed" in terminal("permission", "ls", "--account", "ann").split("create_projects")[0]
    terminal("permission", "reset", "use_tensorboards", "--account", "ann")
    terminal("tb", "ls", code=1, **ann)
