"""The quick start of the README, and what an administrator does for a second project."""

import pathlib
from collections.abc import Iterator

import httpx
import pytest

from lightboard import Project
from lightboard.client.session import Session
from lightboard.errors import Conflict, NotFound, PermissionDenied
from lightboard.testing.event_files import scalar_record, write_events
from support.hub_cli import HubCli
from support.hub_process import PASSWORD, HubProcess, plain_client


@pytest.fixture
def fresh(tmp_path: pathlib.Path, database: str) -> Iterator[HubProcess]:
    """`lightboard hub --allow-root LOGS` on a machine that never had one."""
    write_events(tmp_path / "logs" / "mnist" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    write_events(tmp_path / "more" / "cars" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    with HubProcess(tmp_path / "home", roots=[tmp_path / "logs"], database=database, bootstrap=False) as hub:
        yield hub


def create_first_account(hub: HubProcess) -> str:
    """What the page behind the printed link does, and then the page Tokens: the token."""
    key = hub.setup_link.partition("#key=")[2]
    with plain_client(hub.url) as browser:
        me = browser.post("/api/v1/setup", json={"key": key, "name": "grace", "password": PASSWORD}).raise_for_status()
        wanted = {"name": "mine", "scopes": ["read", "write", "admin"]}
        made = browser.post("/api/v1/tokens", json=wanted, headers={"X-CSRF-Token": me.json()["csrf"]})
        return str(made.raise_for_status().json()["secret"])


def test_the_quick_start_works(fresh: HubProcess, tmp_path: pathlib.Path) -> None:
    """Start, link, `lightboard tb create`: without bindings or permissions."""
    fresh.token = create_first_account(fresh)
    cli = HubCli(fresh, tmp_path)
    cli.env.pop("LIGHTBOARD_PROJECT")

    link = cli("tb", "create", str(tmp_path / "logs" / "mnist")).strip()

    runs = httpx.get(f"{link}api/v1/runs", headers={"Authorization": f"Bearer {fresh.token}"}).json()["runs"]
    assert len(runs) == 1


@pytest.mark.databases("sqlite")  # tests/hub/db has the SQL
def test_a_second_project_needs_bindings(fresh: HubProcess, tmp_path: pathlib.Path) -> None:
    """Set with CLI or SDK, by administrators only."""
    fresh.token = create_first_account(fresh)
    cli = HubCli(fresh, tmp_path)
    cli("project", "create", "second")
    ann = fresh.create_account("ann", "editor", "second")
    as_ann = {"LIGHTBOARD_TOKEN": ann, "LIGHTBOARD_PROJECT": "second"}
    create = ("tb", "create", str(tmp_path / "more" / "cars"), "--no-wait")
    cli("project", "bind", "second", "--root", str(tmp_path / "more"), code=1, **as_ann)
    assert cli("project", "bindings", "second", **as_ann) == ""

    id = cli("project", "bind", "second", "--root", str(tmp_path / "more")).strip()

    assert str(tmp_path / "more") in cli("project", "bindings", "second", **as_ann)
    with Session(fresh.url, ann, "second") as session:
        made = session.ask("GET", "/api/v1/tensorboards", params={"search": "cars"})["items"]
        assert made == []
        cli(*create, **as_ann)
        board = session.get("/api/v1/tensorboards")["items"][0]
        fresh.wait_for_status(board["id"], "Running", ann)
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
    assert fresh.wait_for_status(board["id"], "Stopped", ann)["reason"] == "AccessDenied"


@pytest.mark.databases("sqlite")  # tests/hub/db has the SQL
def test_d4_tensorboards_need_a_permission(fresh: HubProcess, tmp_path: pathlib.Path) -> None:
    """Accounts without it get a clear error until an administrator grants it."""
    fresh.token = create_first_account(fresh)
    cli = HubCli(fresh, tmp_path)
    ann = {"LIGHTBOARD_TOKEN": fresh.create_account("ann", "editor"), "LIGHTBOARD_PROJECT": "default"}
    cli("permission", "deny", "use_tensorboards")

    refused = cli.command("tb", "ls", code=1, **ann).stderr
    assert "this account is not permitted to use TensorBoards at all" in refused
    assert "hint: an administrator of the hub can permit it: use_tensorboards" in refused

    cli("permission", "allow", "use_tensorboards", "--account", "ann")
    assert "no TensorBoards" in cli.command("tb", "ls", **ann).stderr
    assert "allowed" in cli("permission", "ls", "--account", "ann").split("create_projects")[0]
    cli("permission", "reset", "use_tensorboards", "--account", "ann")
    cli("tb", "ls", code=1, **ann)
