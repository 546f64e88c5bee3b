"""Boards at host names of their own."""

import pathlib
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from cast import Cast
from hub_harness import Browser, HubHarness
from upstream import Upstream

from lightboard.hub.db.engine import Database

PAGE = {"Accept": "text/html"}


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With a domain for boards."""
    with HubHarness(database, cast, tmp_path, domain="boards.test", public_url="http://127.0.0.1:8080") as asked:
        yield asked


@pytest.fixture
def upstream(hub: HubHarness) -> Iterator[Upstream]:
    """What runs behind the door."""
    with Upstream() as there:
        hub.launcher.base_url = there.base_url
        yield there


def test_a_link_is_the_boards_own_name(hub: HubHarness) -> None:
    """Name and owner."""
    id = hub.running(name="curves")

    told = hub.ask("GET", f"/api/v1/tensorboards/{id}", "editor").json()

    assert told["app_uri"] == "http://curves--editor.boards.test/"


def test_a_program_reaches_it_there(hub: HubHarness, upstream: Upstream) -> None:
    """All paths are the board's, also those the console has elsewhere."""
    id = hub.running(name="curves")
    headers = {"Host": "curves--editor.boards.test"}

    answer = hub.ask("GET", "/api/v1/me?x=1", "editor", headers=headers)

    assert (answer.status_code, upstream.asked[-1]["path"]) == (200, f"/tb/{id}/api/v1/me?x=1")


@pytest.mark.parametrize("label", ["other--editor", "curves--viewer", "curves", "a.curves--editor"])
def test_a_name_of_nothing_is_not_there(hub: HubHarness, upstream: Upstream, label: str) -> None:
    """And asks no board."""
    hub.running(name="curves")

    answer = hub.ask("GET", "/", "editor", headers={"Host": f"{label}.boards.test"})

    assert (answer.status_code, upstream.asked) == (404, [])


def test_who_is_logged_in_at_the_console_gets_in(hub: HubHarness, upstream: Upstream) -> None:
    """By a redirect there and back, which brings a cookie for this host alone."""
    hub.running(name="curves")
    hub.running(name="losses")
    hub.give_password("editor")
    console, board = hub.browser(), Browser(hub, "http://curves--editor.boards.test")
    other = Browser(hub, "http://losses--editor.boards.test")
    console.log_in("editor", "correct horse battery")

    away = board.run("GET", "/?run=a", headers=PAGE)
    there = urlsplit(away.headers["location"])
    back = console.run("GET", f"{there.path}?{there.query}", headers=PAGE)
    ticket = urlsplit(back.headers["location"])
    arrived = board.run("GET", f"{ticket.path}?{ticket.query}", headers=PAGE)

    assert (away.status_code, there.netloc, parse_qs(there.query)) == (302, "127.0.0.1:8080", {"next": ["/?run=a"]})
    assert (ticket.netloc, arrived.headers["location"]) == ("curves--editor.boards.test", "/?run=a")
    assert board.run("GET", "/").status_code == 200
    assert other.run("GET", f"{ticket.path}?{ticket.query}").status_code == 404


def test_who_is_not_logged_in_is_sent_to_the_login_first(hub: HubHarness) -> None:
    """And comes back the same way."""
    id = hub.running(name="curves")

    answer = hub.ask("GET", f"/api/v1/enter/{id}?next=%2Fx", headers=PAGE)

    there = urlsplit(answer.headers["location"])
    assert (there.path, parse_qs(there.query)) == ("/login", {"next": [f"/api/v1/enter/{id}?next=%2Fx"]})


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_the_way_in_leads_nowhere_else(hub: HubHarness, next: str) -> None:
    """Whatever the address says."""
    id = hub.running(name="curves")
    ticket = hub.hub.token_signer.issue("enter", {"ref": "x", "board": id, "next": next}, hub.now + 60)

    answer = Browser(hub, "http://curves--editor.boards.test").run("GET", f"/.lightboard/arrive?ticket={ticket}")

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
