"""Boards at subdomains."""

import pathlib
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from lightboard.hub.api.urls import host_url
from lightboard.hub.db import jobs as job_rows
from lightboard.hub.db.engine import Database
from support.fake_worker import FakeWorker
from support.hub_client import BrowserSession, HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

PAGE = {"Accept": "text/html"}


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With a domain for boards."""
    with HubClient(database, personas, tmp_path, domain="boards.test", public_url="http://127.0.0.1:8080") as asked:
        yield asked


@pytest.fixture
def fake_worker(hub: HubClient) -> Iterator[FakeWorker]:
    """What runs behind the door."""
    with FakeWorker() as there:
        hub.launcher.base_url = there.base_url
        yield there


def test_board_links_use_subdomains(hub: HubClient) -> None:
    """Of name and owner, at the port of the hub."""
    id = hub.create_running_board(name="curves")

    told = hub.request("GET", f"/api/v1/tensorboards/{id}", "editor").json()

    assert told["app_uri"] == "http://curves--editor.boards.test:8080/"


def test_links_have_no_port_that_their_scheme_has() -> None:
    """Whether the public URL has it or not."""
    bases = (
        "https://hub.test",
        "https://hub.test:443/tb",
        "http://hub.test:80",
        "https://hub.test:8443",
        "http://[::1]:8080",
    )

    assert [host_url(base, "image--a.tb.test") for base in bases] == [
        "https://image--a.tb.test/", "https://image--a.tb.test/", "http://image--a.tb.test/",
        "https://image--a.tb.test:8443/", "http://image--a.tb.test:8080/",
    ]  # fmt: skip


def test_all_paths_of_a_subdomain_belong_to_the_board(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Even those that the console uses."""
    id = hub.create_running_board(name="curves")
    headers = {"Host": "curves--editor.boards.test"}

    answer = hub.request("GET", "/api/v1/me?x=1", "editor", headers=headers)

    assert (answer.status_code, fake_worker.requests[-1]["path"]) == (200, f"/tb/{id}/api/v1/me?x=1")


@pytest.mark.parametrize("label", ["other--editor", "curves--viewer", "curves", "a.curves--editor"])
def test_unknown_subdomains_are_404(hub: HubClient, fake_worker: FakeWorker, label: str) -> None:
    """And no worker is called."""
    hub.create_running_board(name="curves")

    answer = hub.request("GET", "/", "editor", headers={"Host": f"{label}.boards.test"})

    assert (answer.status_code, fake_worker.requests) == (404, [])


@pytest.mark.databases("sqlite", "postgres")
def test_console_sessions_carry_over(hub: HubClient, fake_worker: FakeWorker) -> None:
    """By a redirect that sets a cookie for this host only."""
    hub.create_running_board(name="curves")
    hub.create_running_board(name="losses")
    hub.set_password("editor")
    console, board = hub.open_session(), BrowserSession(hub, "http://curves--editor.boards.test")
    other = BrowserSession(hub, "http://losses--editor.boards.test")
    console.log_in("editor", "correct horse battery")

    away = board.request("GET", "/?run=a", headers=PAGE)
    there = urlsplit(away.headers["location"])
    back = console.request("GET", f"{there.path}?{there.query}", headers=PAGE)
    ticket = urlsplit(back.headers["location"])
    arrived = board.request("GET", f"{ticket.path}?{ticket.query}", headers=PAGE)

    assert (away.status_code, there.netloc, parse_qs(there.query)) == (302, "127.0.0.1:8080", {"next": ["/?run=a"]})
    assert (ticket.netloc, arrived.headers["location"]) == ("curves--editor.boards.test:8080", "/?run=a")
    assert board.request("GET", "/").status_code == 200
    assert other.request("GET", f"{ticket.path}?{ticket.query}").status_code == 404


def test_subdomains_redirect_to_the_login(hub: HubClient) -> None:
    """And back."""
    id = hub.create_running_board(name="curves")

    answer = hub.request("GET", f"/api/v1/enter/{id}?next=%2Fx", headers=PAGE)

    there = urlsplit(answer.headers["location"])
    assert (there.path, parse_qs(there.query)) == ("/login", {"next": [f"/api/v1/enter/{id}?next=%2Fx"]})


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_redirects_stay_on_the_board(hub: HubClient, next: str) -> None:
    """Whatever the URL says."""
    id = hub.create_running_board(name="curves")
    ticket = hub.hub.auth.token_signer.issue("enter", {"ref": "x", "board": id, "next": next}, hub.now + 60)

    answer = BrowserSession(hub, "http://curves--editor.boards.test").request(
        "GET", f"/.lightboard/arrive?ticket={ticket}"
    )

    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_the_web_page_of_a_job_has_a_host_of_its_own(hub: HubClient) -> None:
    """There alone, so that it cannot use the login at the console. The program finds that it is at the root."""
    body = {"command": ["serve"], "project": "vision", "http_port": 8000}
    made = hub.request("POST", "/api/v1/jobs", "editor", body).json()
    moved = hub.request("GET", f"/http/{made['id']}/a?b=c", "editor", headers=PAGE)
    asked = hub.request("GET", "/a?b=c", "", headers={**PAGE, "Host": f"{made['id']}.boards.test"})
    with hub.database.read() as session:
        job = job_rows.get(session, made["id"])
    variables = hub.hub.jobs.workloads.complete(replace(job, attempt=1)).environment_of(0)

    assert made["url"] == f"http://{made['id']}.boards.test:8080/"
    assert (moved.status_code, moved.headers["location"]) == (307, f"{made['url']}a?b=c")
    assert asked.headers["location"] == f"http://127.0.0.1:8080/api/v1/enter/{made['id']}?next=%2Fa%3Fb%3Dc"
    assert (variables["PORT"], variables["LIGHTBOARD_HTTP_PATH"]) == ("8000", "")
