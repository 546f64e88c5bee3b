"""Browsing never reveals folder names outside what the project may show."""

import contextlib
import http.client
import os
import pathlib
import threading
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from support.attacker import Attacker

SECRET = "secret-project"
ROUNDS = 40


def browse(attacker: Attacker, root: str, path: str = "", project: str = "default", **more: Any) -> httpx.Response:
    """What the attacker is told."""
    return attacker.hub.request(
        "GET",
        f"/api/v1/projects/{project}/folders",
        token=attacker.token,
        params={"root": root, "path": path, **more},
    )


def below(attacker: Attacker, path: str = "") -> tuple[str, str]:
    """The root, and a path below the attacker's own folder."""
    return str(attacker.folder.parent), f"{attacker.folder.name}/{path}"


@pytest.fixture
def secret(attacker: Attacker) -> pathlib.Path:
    """A folder outside, whose name is not to be learnt."""
    made = attacker.outside / SECRET
    made.mkdir()
    (made / "events.out.tfevents.1").touch()
    return made


PATHS = {
    "climbs": "..",
    "climbs far": "../../../../../../etc",
    "climbs within": "a/../../outside",
    "climbs by dots": "./.././..",
    "absolute": "/etc",
    "absolute twice": "//etc",
    "backslash": "..\\..\\outside",
    "encoded": "%2e%2e/%2e%2e",
    "NUL": "a\0b",
    "NUL after a folder": "\0/../..",
    "uri": "file:///etc",
    "process": "/proc/self/cwd",
    "long name": "x" * 3_000,
    "deep": "a/" * 2_000,
    "newline": "a\n../..",
    "wide": "／etc",
    "dots of another kind": "．．/．．",
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_paths_outside_a_root_are_refused(attacker: Attacker, secret: pathlib.Path, path: str) -> None:
    """Every traversal is refused, and the error reveals nothing."""
    answers = [browse(attacker, *below(attacker, path)), browse(attacker, str(attacker.folder.parent), path)]

    assert {answer.status_code for answer in answers} <= {404, 422}
    assert [SECRET in answer.text or "passwd" in answer.text for answer in answers] == [False, False]


def raw_status(attacker: Attacker, path: str) -> int:
    """The status of an answer to an address that clients would not send."""
    line = http.client.HTTPConnection("127.0.0.1", attacker.hub.port)
    line.request("GET", path, headers={"Authorization": f"Bearer {attacker.token}"})
    with contextlib.closing(line):
        return line.getresponse().status


def test_names_of_64_kib_are_refused(attacker: Attacker) -> None:
    """As root, path, prefix and project."""
    path, root, long = "/api/v1/projects/default/folders", quote(str(attacker.folder.parent)), "x" * 65_536

    statuses = [
        raw_status(attacker, f"{path}?root=/{long}"),
        raw_status(attacker, f"{path}?root={root}&path={long}"),
        raw_status(attacker, f"{path}?root={root}&prefix={long}"),
        raw_status(attacker, f"/api/v1/projects/{long}/folders?root={root}"),
    ]

    assert [status in (400, 404, 414, 422, 431) for status in statuses] == [True] * 4, statuses


def test_names_that_are_not_utf8_are_counted_but_not_listed(attacker: Attacker) -> None:
    """A request for one finds nothing; one on disk breaks nothing."""
    os.mkdir(os.fsencode(attacker.folder) + b"/\xff\xfe")
    (attacker.folder / "run").mkdir()
    root, path = below(attacker)
    asked = attacker.hub.request(
        "GET", f"/api/v1/projects/default/folders?root={quote(root)}&path={quote(path)}%ff%fe", token=attacker.token
    )
    listed = browse(attacker, root, path).json()

    assert asked.status_code == 404
    assert ([item["name"] for item in listed["items"]], listed["names_skipped"]) == (["run"], 1)


def test_symlinks_to_outside_are_counted_but_not_listed(attacker: Attacker, secret: pathlib.Path) -> None:
    """Absolute, relative, chained and /proc links; requested by name, they are not found."""
    (attacker.folder / "inner").mkdir()
    links = {
        "absolute": str(attacker.outside),
        "climbing": os.path.relpath(attacker.outside, attacker.folder),
        "chain": "absolute",
        "through": "inner/../absolute/" + SECRET,
        "process": "/proc/self/cwd",
        "top": "/",
    }
    for name, target in links.items():
        (attacker.folder / name).symlink_to(target)
    root, path = below(attacker)

    listed = browse(attacker, root, path).json()
    asked = [browse(attacker, root, path + name) for name in links]
    nothing = browse(attacker, root, path + "nothing")

    assert ([item["name"] for item in listed["items"]], listed["links_skipped"]) == (["inner"], len(links))
    for name, answer in zip(links, asked, strict=True):
        told = answer.text.replace(f"{path}{name}", f"{path}nothing")
        assert (answer.status_code, without_id(told)) == (404, without_id(nothing.text))


def without_id(text: str) -> str:
    """An error without what tells one request from another."""
    return text.partition('"request_id"')[0]


def test_the_data_directory_is_not_browsable(attacker: Attacker) -> None:
    """Not by name, not through links, not as a root."""
    (attacker.folder / "home").symlink_to(attacker.home)
    (attacker.folder / "storage").symlink_to(attacker.home / "storage")
    root, path = below(attacker)

    answers = [
        browse(attacker, str(attacker.home)),
        browse(attacker, str(attacker.hub.home)),
        browse(attacker, root, path + "home"),
        browse(attacker, root, path + "storage"),
        browse(attacker, root, "../home/hub"),
        browse(attacker, "storage:", "../.."),
        browse(attacker, f"storage:{path}"),
    ]

    assert {answer.status_code for answer in answers} <= {404, 422}
    assert browse(attacker, root, path).json()["items"] == []


def test_folders_swapped_during_a_listing_reveal_nothing(attacker: Attacker, secret: pathlib.Path) -> None:
    """No response contains a name from outside, and none fails."""
    folder = attacker.folder / "a"
    (folder / "own").mkdir(parents=True)
    link = attacker.folder / "link"
    link.symlink_to(attacker.outside)
    stop = threading.Event()

    def swap() -> None:
        spare = attacker.folder / "spare"
        while not stop.is_set():
            folder.rename(spare)
            link.rename(folder)
            folder.rename(link)
            spare.rename(folder)

    swapping = threading.Thread(target=swap)
    swapping.start()
    root, path = below(attacker)
    answers = [browse(attacker, root, path + name) for _ in range(ROUNDS) for name in ("", "a", "a/own")]
    stop.set()
    swapping.join()

    assert {answer.status_code for answer in answers} <= {200, 404}
    assert [answer.text for answer in answers if SECRET in answer.text] == []


def test_roots_of_another_project_look_like_missing_ones(attacker: Attacker, secret: pathlib.Path) -> None:
    """Same status, text and listing; the same holds for the project itself."""
    hub, name = attacker.hub, f"alpha-{attacker.folder.name}"
    hub.json("POST", "/api/v1/projects", {"name": name})
    hub.json("POST", f"/api/v1/projects/{name}/bindings", {"kind": "root", "value": str(attacker.outside)})
    none = str(attacker.outside.with_name("x" * len(attacker.outside.name)))
    told = []
    for root in (str(attacker.outside), str(secret), none):
        answer = browse(attacker, root)
        told.append((answer.status_code, without_id(answer.text.replace(root, "ROOT"))))
    foreign = [browse(attacker, root, project=project) for root in ("", str(secret)) for project in (name, "none")]

    assert (told, told[0][0]) == ([told[0]] * 3, 404)
    assert [answer.status_code for answer in foreign] == [404] * 4
    assert str(attacker.outside) not in browse(attacker, "").text
    administrator = hub.request("GET", f"/api/v1/projects/{name}/folders", params={"root": str(attacker.outside)})
    assert [item["name"] for item in administrator.json()["items"]] == [SECRET]


def test_datasets_of_another_project_cannot_be_browsed(attacker: Attacker, secret: pathlib.Path) -> None:
    """Not by name or id; and links in one's own dataset do not lead out."""
    hub, name = attacker.hub, f"beta-{attacker.folder.name}"
    hub.json("POST", "/api/v1/projects", {"name": name})
    hub.json("POST", f"/api/v1/projects/{name}/bindings", {"kind": "root", "value": str(attacker.outside)})
    theirs = {"kind": "path", "uri": str(attacker.outside), "name": f"of-{name}", "project": name}
    id = hub.json("POST", "/api/v1/datasets", theirs)["id"]
    (attacker.folder / "link").mkdir()
    own = {"kind": "path", "uri": f"{attacker.folder}/link", "name": f"own-{name}", "project": "default"}
    hub.json("POST", "/api/v1/datasets", own, attacker.token)
    (attacker.folder / "link").rmdir()
    (attacker.folder / "link").symlink_to(attacker.outside)

    statuses = [browse(attacker, f"dataset:{ref}").status_code for ref in (id, theirs["name"], own["name"])]

    assert statuses == [404] * 3


def test_browsing_requires_the_right_to_create(attacker: Attacker) -> None:
    """Refused for viewers, read-only tokens and anonymous requests."""
    hub = attacker.hub
    viewer = hub.create_account(f"viewer-{attacker.folder.name}", "viewer")
    reading = hub.json("POST", "/api/v1/tokens", {"name": "r", "scopes": ["read"]}, attacker.token)["secret"]
    path = "/api/v1/projects/default/folders"

    assert [hub.request("GET", path, token=token).status_code for token in (viewer, reading, "")] == [403, 403, 401]
