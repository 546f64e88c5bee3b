"""Folders of a project in SDK and CLI."""

import os
import pathlib
import subprocess

import pytest

from lightboard import Project, Session
from lightboard.client import projects
from support.board_process import TIMEOUT_SECS
from support.fork_server import run_lightboard
from support.hub_process import HubProcess


def test_the_sdk_iterates_over_all_pages(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of roots and folders."""
    monkeypatch.setattr(projects, "FOLDERS_AT_ONCE", 2)
    logs = tmp_path / "logs"
    for name in ("a", "b", "c", "d", "other"):
        (logs / name).mkdir(parents=True)
    with HubProcess(tmp_path / "home", roots=[logs]) as hub, Session(hub.url, hub.token) as session:
        project = Project("default", session)
        roots = [each["uri"] for each in project.folders()]
        folders = [each["uri"] for each in project.folders(str(logs))]
        found = [each["name"] for each in project.folders(str(logs), prefix="O")]

    assert roots == [str(logs), "storage:"]
    assert folders == [f"{logs}/{name}" for name in ("a", "b", "c", "d", "other")]
    assert found == ["other"]


def test_the_cli_lists_usable_sources(tmp_path: pathlib.Path) -> None:
    """With event files and modification time; a message instead of an empty table."""
    logs = tmp_path / "logs"
    for name in ("study/empty", "study/run"):
        (logs / name).mkdir(parents=True)
    (logs / "study" / "run" / "events.out.tfevents.1").touch()

    def typed(*words: str) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "LIGHTBOARD_HOME": str(tmp_path)}
        return run_lightboard(["project", "folders", "default", *words], TIMEOUT_SECS, env=env)

    with HubProcess(tmp_path / "home", roots=[logs]) as hub:
        roots = typed()
        found = typed(str(logs), "--path", "study")
        nothing = typed(str(logs), "--prefix", "z")
        missing = typed("/etc")

    table = [[line.split()[:2] for line in done.stdout.splitlines()] for done in (roots, found)]
    assert table == [
        [["FOLDER", "LOGS"], [str(logs), "?"], ["storage:", "?"]],
        [["FOLDER", "LOGS"], [f"{logs}/study/empty", "-"], [f"{logs}/study/run", "yes"]],
    ]
    assert (nothing.stdout, nothing.stderr) == ("", "no folders\n")
    assert (missing.returncode, "/etc is not a folder that this project may show" in missing.stderr) == (1, True)
