"""Browsing for logs over HTTP."""

import errno
import os
import pathlib
import threading
from typing import Any

import httpx
import pytest

from lightboard.errors import NotFound, NotReady, PermissionDenied
from lightboard.hub.api.folders import folder_error
from lightboard.hub.db import projects
from lightboard.hub.resources.bindings import BindingKind
from support.hub_client import HubClient

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

FOLDERS = "/api/v1/projects/vision/folders"
EVENTS = "events.out.tfevents.1"
CHANGED = 1_000_000.0


def ask(hub: HubClient, root: str = "", path: str = "", name: str = "editor", **more: Any) -> httpx.Response:
    """The answer to who browses."""
    return hub.request("GET", FOLDERS, name, params={"root": root, "path": path, **more})


def uris(answer: httpx.Response) -> list[str]:
    """What is shown."""
    assert answer.status_code == 200, answer.text
    return [item["uri"] for item in answer.json()["items"]]


def error(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, code and message of what is refused."""
    told = answer.json()["error"]
    return answer.status_code, told["code"], told["message"]


def make(folder: pathlib.Path, *files: str) -> pathlib.Path:
    """A folder with files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        (folder / name).touch()
        os.utime(folder / name, (CHANGED, CHANGED))
    os.utime(folder, (CHANGED, CHANGED))
    return folder


@pytest.mark.databases("sqlite", "postgres")
def test_roots_are_listed(hub: HubClient) -> None:
    """With the project's storage; none of them is opened."""
    answer = ask(hub)

    assert (answer.status_code, answer.json()) == (
        200,
        {
            "items": [
                {"name": uri, "uri": uri, "logs": None, "modified_at": None}
                for uri in ("/logs", str(hub.logs), "storage:")
            ],
            "page": 1,
            "page_size": 100,
            "total": 3,
            "root": "",
            "path": "",
            "uri": "",
            "logs": False,
            "links_skipped": 0,
            "names_skipped": 0,
            "complete": True,
        },
    )
    assert uris(ask(hub, prefix="STOR")) == ["storage:"]
    assert uris(ask(hub, page=2, page_size=2)) == ["storage:"]


def test_bucket_storages_are_not_roots(hub: HubClient) -> None:
    """They cannot be browsed."""
    with hub.database.write() as session:
        projects.change(session, hub.personas.owner, "vision", {"storage": "s3://bucket/logs"}, hub.now)

    assert uris(ask(hub)) == ["/logs", str(hub.logs)]
    assert error(ask(hub, "storage:")) == (422, "invalid", "folders in a bucket cannot be browsed")


def test_folders_are_listed_with_source_uris(hub: HubClient) -> None:
    """With the words that name each folder as a source."""
    make(hub.logs / "team" / "run-1", EVENTS)
    make(hub.logs / "team" / "run-2")
    make(hub.logs / "team", EVENTS)

    answer = ask(hub, f"{hub.logs}/", "/team//.", page_size=1)

    assert (answer.status_code, answer.json()) == (
        200,
        {
            "items": [{"name": "run-1", "uri": f"{hub.logs}/team/run-1", "logs": True, "modified_at": CHANGED}],
            "page": 1,
            "page_size": 1,
            "total": 2,
            "root": str(hub.logs),
            "path": "team",
            "uri": f"{hub.logs}/team",
            "logs": True,
            "links_skipped": 0,
            "names_skipped": 0,
            "complete": True,
        },
    )
    assert uris(ask(hub, str(hub.logs), "team", page=2, page_size=1)) == [f"{hub.logs}/team/run-2"]
    assert uris(ask(hub, str(hub.logs), "team", prefix="RUN-2")) == [f"{hub.logs}/team/run-2"]


def test_listed_uris_are_valid_sources(hub: HubClient) -> None:
    """Word by word."""
    make(hub.logs / "two words" / "研究 100%", EVENTS)
    [uri] = uris(ask(hub, str(hub.logs), "two words"))

    made = hub.request("POST", "/api/v1/tensorboards", "editor", {"project": "vision", "sources": [{"uri": uri}]})
    hub.reconcile()

    shown = [source.url for board in hub.launcher.boards.values() for source in board.spec.sources]
    assert (made.status_code, shown) == (201, [uri])


def test_the_project_storage_can_be_browsed(hub: HubClient, tmp_path: pathlib.Path) -> None:
    """Empty at first; in the hub's folder or the configured one."""
    assert uris(ask(hub, "storage:")) == []
    make(tmp_path / "hub" / "storage" / "vision" / "a" / "b", EVENTS)
    own = uris(ask(hub, "storage:")), uris(ask(hub, "storage:", "a"))
    make(hub.logs / "team" / "c")
    with hub.database.write() as session:
        projects.change(session, hub.personas.owner, "vision", {"storage": f"{hub.logs}/team"}, hub.now)

    assert own == (["storage:a"], ["storage:a/b"])
    assert uris(ask(hub, "storage:")) == ["storage:c"]


@pytest.mark.databases("sqlite", "postgres")
def test_datasets_can_be_browsed(hub: HubClient) -> None:
    """Below their own folder only; those of other projects once bound."""
    make(hub.logs / "corpus" / "fit", EVENTS)
    (hub.logs / "corpus" / "out").symlink_to(hub.logs)
    body = {"kind": "path", "uri": f"{hub.logs}/corpus", "name": "corpus", "project": "vision"}
    hub.request("POST", "/api/v1/datasets", "editor", body)
    theirs = {**body, "name": "theirs", "project": "default", "uri": f"file://{hub.logs}/corpus"}
    id = hub.request("POST", "/api/v1/datasets", "admin", theirs).json()["id"]

    answer = ask(hub, "dataset:corpus")
    before = ask(hub, f"dataset:{id}").status_code
    hub.personas.bind(id, BindingKind.DATASET)

    assert (uris(answer), answer.json()["links_skipped"], before) == (["dataset:corpus/fit"], 1, 404)
    assert uris(ask(hub, f"dataset:{id}")) == [f"dataset:{id}/fit"]


def test_datasets_in_the_storage_can_be_browsed(hub: HubClient) -> None:
    """Below their own folder only."""
    storage = hub.logs.parent / "hub" / "storage" / "vision"
    make(storage / "corpus" / "fit", EVENTS)
    (storage / "corpus" / "out").symlink_to(storage)
    body = {"kind": "storage", "uri": "storage:corpus", "name": "corpus", "project": "vision"}
    hub.request("POST", "/api/v1/datasets", "editor", body)
    answer = ask(hub, "dataset:corpus")

    assert (uris(answer), answer.json()["links_skipped"]) == (["dataset:corpus/fit"], 1)


def test_missing_paths_are_errors_with_hints(hub: HubClient) -> None:
    """Unknown roots, missing folders, files, invalid names, traversal."""
    (hub.logs / "file").touch()
    root = str(hub.logs)

    assert error(ask(hub, "/etc")) == (404, "not_found", "/etc is not a folder that this project may show")
    assert error(ask(hub, root, "none")) == (404, "not_found", f"there is no folder {root}/none")
    assert error(ask(hub, root, "file")) == (404, "not_found", f"there is no folder {root}/file")
    assert error(ask(hub, root, "x" * 300)) == (404, "not_found", f"there is no folder {root}/{'x' * 300}")
    assert error(ask(hub, root, "../..")) == (422, "invalid", "the path leads out of its root")
    assert error(ask(hub, "nonsense")) == (422, "invalid", "'nonsense' is not an absolute path")
    assert error(ask(hub, "storage:a")) == (404, "not_found", "storage:a is not a root")
    assert error(ask(hub, root, page_size=201))[:2] == (422, "invalid")
    assert ask(hub, root, "none").json()["error"]["hint"] == "it may have been renamed or deleted"


@pytest.mark.parametrize(
    ("number", "refused", "message"),
    [
        (errno.EACCES, PermissionDenied, "the hub may not read /logs/a"),
        (errno.EPERM, PermissionDenied, "the hub may not read /logs/a"),
        (errno.ENOENT, NotFound, "there is no folder /logs/a"),
        (errno.ENOTDIR, NotFound, "there is no folder /logs/a"),
        (errno.ELOOP, NotFound, "there is no folder /logs/a"),
        (errno.EIO, NotReady, "/logs/a cannot be read: Input/output error"),
        (errno.ESTALE, NotReady, "/logs/a cannot be read: Stale file handle"),
        (errno.ETIMEDOUT, NotReady, "/logs/a cannot be read: Connection timed out"),
        (errno.EMFILE, NotReady, "/logs/a cannot be read: Too many open files"),
    ],
)
def test_unreadable_folders_are_reported(number: int, refused: type, message: str) -> None:
    """With a hint."""
    told = folder_error(OSError(number, os.strerror(number)), "/logs/a")

    assert (type(told), told.message, bool(told.hint)) == (refused, message, True)


def test_a_hanging_disk_does_not_delay_others(hub: HubClient) -> None:
    """Browsing it is an error; other roots, lists and pages respond."""
    stuck, disks = threading.Event(), hub.hub.boards.disks
    timeout_secs, disks._timeout_secs = disks._timeout_secs, 0.01
    for _ in range(4):
        with pytest.raises(Exception, match="does not respond"):
            hub.run(disks.call(stuck.wait, disk="/logs", account="another"))
    hung = error(ask(hub, "/logs"))
    disks._timeout_secs = timeout_secs
    make(hub.logs / "run")
    others = uris(ask(hub, str(hub.logs))), hub.request("GET", "/api/v1/me", "editor").status_code
    stuck.set()

    assert hung == (503, "not_ready", "the folder does not respond")
    assert others == ([f"{hub.logs}/run"], 200)
