"""With `--domain`, board names are host names, which can be guessed: no host reveals whether it has a board."""

import pathlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from lightboard.hub.db.engine import Database
from lightboard.hub.resources.tensorboards import Access
from support.fake_worker import FakeWorker
from support.hub_client import PASSWORD, BrowserSession, HubClient
from support.personas import Personas
from support.response_comparison import comparable_response

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

THERE, NAME_OF_NOTHING, OWNER_OF_NOTHING = "curves--editor", "corves--editor", "curves--edytor"
NOTHING = [NAME_OF_NOTHING, OWNER_OF_NOTHING]
PAGE = {"Accept": "text/html,application/xhtml+xml"}
QUESTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "page": ("GET", "/", PAGE),
    "page below": ("GET", "/scalars/?run=a&next=%2F", PAGE),
    "head of a page": ("HEAD", "/", PAGE),
    "form": ("POST", "/", PAGE),
    "api": ("GET", "/api/v1/runs", {}),
    "question": ("POST", "/api/v1/scalars", {"Content-Type": "application/json"}),
    "change": ("PATCH", "/api/v1/overlay", {"Content-Type": "application/json"}),
    "stream": ("GET", "/api/v1/events", {"Accept": "text/event-stream"}),
    "asset": ("GET", "/assets/index.js", {}),
    "route of tensorboard": ("GET", "/data/plugin/scalars/tags", {}),
    "range": ("GET", "/api/v1/export/1", {"Range": "bytes=0-10"}),
    "way in": ("GET", "/.lightboard/arrive", PAGE),
    "way in of a program": ("GET", "/.lightboard/arrive?ticket=forged", {}),
    "wrong token": ("GET", "/?token=wrong", PAGE),
    "climbing": ("GET", "/%2e%2e/api/v1/me", PAGE),
    "websocket": ("GET", "/", {"Connection": "Upgrade", "Upgrade": "websocket"}),
}
MALFORMED = {
    "too long": "a" * 41 + "--editor",
    "far too long": "a" * 5_000 + "--editor",
    "punycode": "xn--curves-9cb",
    "punycode of the whole": "xn--curves--editor-9cb",
    "two levels": "a.curves--editor",
    "no owner": "curves",
    "no owner but dashes": "curves--",
    "no name": "--editor",
    "too short": "ab--editor",
    "underscore": "cur_ves--editor",
    "three parts": "curves--editor--more",
    "percent": "curves%2d-editor",
    "slash": "curves/..--editor",
    "an id": "tb-01j00000000000000000000000--editor",
    "no ascii": "curv\xe9s--editor",
}


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With a domain for boards, and one board that only its project sees."""
    with HubClient(database, personas, tmp_path, domain="boards.test", public_url="http://127.0.0.1:8080") as asked:
        asked.create_running_board(name="curves", access=Access.PROJECT)
        yield asked


@pytest.fixture
def fake_worker(hub: HubClient) -> Iterator[FakeWorker]:
    """What runs behind the door."""
    with FakeWorker() as there:
        hub.launcher.base_url = there.base_url
        yield there


def at(hub: HubClient, label: str, question: str, **more: Any) -> httpx.Response:
    """An answer of the host with a label."""
    method, path, headers = QUESTIONS[question]
    host = {"Host": f"{label}.boards.test".encode("latin-1")}
    return hub.request(method, path, headers={**headers, **host, **more.pop("headers", {})}, **more)


def answers_of(hub: HubClient, label: str, name: str = "", said: str = "") -> dict[str, Any]:
    """What the host with a label answers, whole, to every question; the label, or what was `said`, is left out."""
    return {question: comparable_response(at(hub, label, question, name=name), said or label) for question in QUESTIONS}


@pytest.mark.databases("sqlite", "postgres")
def test_anonymous_requests_cannot_enumerate_boards(hub: HubClient) -> None:
    """Status, headers, length and text are the same for a board and for none."""
    there = answers_of(hub, THERE)

    assert answers_of(hub, NAME_OF_NOTHING) == there
    assert answers_of(hub, OWNER_OF_NOTHING) == there


def test_accounts_without_access_cannot_enumerate_boards(hub: HubClient) -> None:
    """No response contains a board id."""
    there = answers_of(hub, THERE, "stranger")

    assert answers_of(hub, NAME_OF_NOTHING, "stranger") == there
    assert answers_of(hub, OWNER_OF_NOTHING, "stranger") == there
    assert "tb-" not in str(there)


@pytest.mark.parametrize("label", [THERE, *NOTHING])
def test_an_unauthorized_token_sets_no_cookie(hub: HubClient, label: str) -> None:
    """The cookie would contain the board id."""
    headers = {"Host": f"{label}.boards.test"}

    answer = hub.request("GET", f"/?token={hub.token('stranger')}", headers=headers)

    assert (answer.status_code, answer.headers["location"], answer.headers.get("set-cookie")) == (303, "/", None)


def test_pages_redirect_to_the_console_login(hub: HubClient) -> None:
    """The redirect contains only the label."""
    answers = [at(hub, label, "page below") for label in (THERE, *NOTHING)]

    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert [answer.headers["location"] for answer in answers] == [
        f"http://127.0.0.1:8080/api/v1/enter/{label}?next=%2Fscalars%2F%3Frun%3Da%26next%3D%252F"
        for label in (THERE, *NOTHING)
    ]


def test_the_console_reveals_no_label_to_anonymous_users(hub: HubClient) -> None:
    """They are sent to the login first, whatever the label."""
    answers = [
        comparable_response(hub.request("GET", f"/api/v1/enter/{label}", headers=PAGE), label)
        for label in (THERE, *NOTHING)
    ]

    assert answers[0][0] == 302
    assert answers == [answers[0]] * 3


@pytest.mark.parametrize("headers", [PAGE, {}], ids=["page", "program"])
def test_unknown_and_forbidden_labels_get_the_same_page(hub: HubClient, headers: dict[str, str]) -> None:
    """404 for both, also by id."""
    hub.set_password("stranger")
    browser = hub.open_session()
    browser.log_in("stranger", PASSWORD)
    (id,) = hub.list_board_ids("editor")
    never = f"{id[:-1]}{'0' if id[-1] != '0' else '1'}"

    answers = [comparable_response(browser.request("GET", f"/api/v1/enter/{word}", headers=headers), word)
               for word in (THERE, *NOTHING)]  # fmt: skip
    by_id = [
        comparable_response(browser.request("GET", f"/api/v1/enter/{word}", headers=headers), word)
        for word in (id, never)
    ]

    assert answers[0][0] == 404
    assert answers == [answers[0]] * 3
    assert by_id[0] == by_id[1]


def test_authorized_users_enter_by_label(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Also in upper case."""
    hub.set_password("viewer")
    console, board = hub.open_session(), BrowserSession(hub, "http://curves--editor.boards.test")
    console.log_in("viewer", PASSWORD)

    away = board.request("GET", "/", headers={**PAGE, "Host": "CURVES--Editor.BOARDS.test"}).headers["location"]
    ticket = console.request("GET", away).headers["location"]
    arrived = board.request("GET", ticket)

    assert away == "http://127.0.0.1:8080/api/v1/enter/curves--editor?next=%2F"
    assert (arrived.status_code, board.request("GET", "/").status_code) == (303, 200)


def test_users_who_lose_access_are_redirected_like_anyone(hub: HubClient, fake_worker: FakeWorker) -> None:
    """An old cookie reveals no more than none."""
    hub.set_password("viewer")
    console, board = hub.open_session(), BrowserSession(hub, "http://curves--editor.boards.test")
    console.log_in("viewer", PASSWORD)
    board.request("GET", console.request("GET", "/api/v1/enter/curves--editor").headers["location"])
    before = board.request("GET", "/", headers=PAGE).status_code
    hub.request("DELETE", "/api/v1/projects/vision/members/viewer", "owner")

    after = board.request("GET", "/", headers=PAGE)

    assert (before, comparable_response(after)) == (200, comparable_response(at(hub, THERE, "page")))


def test_boards_open_to_all_accounts_open_at_their_host(hub: HubClient, fake_worker: FakeWorker) -> None:
    """What is not hidden is found by its label."""
    hub.create_running_board(name="shared", access=Access.LINK)
    hub.set_password("stranger")
    console, board = hub.open_session(), BrowserSession(hub, "http://shared--editor.boards.test")
    console.log_in("stranger", PASSWORD)

    board.request("GET", console.request("GET", "/api/v1/enter/shared--editor").headers["location"])

    assert board.request("GET", "/", headers=PAGE).status_code == 200


def test_invalid_labels_are_answered_like_unknown_ones(hub: HubClient) -> None:
    """Same headers and length, however long the label; nothing of it is echoed."""
    wanted = answers_of(hub, "none")
    for label in MALFORMED.values():
        assert answers_of(hub, label, said="none") == wanted, label[:60]
        assert label not in str(at(hub, label, "page").headers.multi_items()), label[:60]
    same = answers_of(hub, "none--none")
    assert {question: answer[0] for question, answer in wanted.items()} == {
        question: answer[0] for question, answer in same.items()
    }


@pytest.mark.databases("sqlite", "postgres")
def test_label_lookups_run_the_same_queries(hub: HubClient, database: Database) -> None:
    """The same number of database queries for a board and for none, cached or not."""
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(str(args[2])))
    steps = []
    for label in (THERE, *NOTHING, THERE, *NOTHING):
        at(hub, label, "page")
        steps.append(len(asked))
        asked.clear()

    assert steps[:3] == [steps[0]] * 3
    assert steps[0] > 0


def test_the_console_may_be_a_subdomain(database: Database, personas: Personas, tmp_path: pathlib.Path) -> None:
    """Its own name is not a board."""
    with HubClient(database, personas, tmp_path, domain="boards.test", public_url="http://hub.boards.test") as hub:
        answer = hub.request("GET", "/healthz", headers={"Host": "hub.boards.test"})

    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_a_stopped_board_is_served_by_the_console(hub: HubClient) -> None:
    """It has the assets of the status page."""
    (id,) = hub.list_board_ids("editor")
    hub.request("PUT", f"/api/v1/tensorboards/{id}/stop", "editor")
    hub.reconcile()

    answer = at(hub, THERE, "page below", name="editor")

    there = f"http://127.0.0.1:8080/tb/{id}/scalars/?run=a&next=%2F"
    assert (answer.status_code, answer.headers["location"]) == (302, there)
