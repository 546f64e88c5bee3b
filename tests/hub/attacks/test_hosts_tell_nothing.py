"""With `--domain` the names of boards are host names, which are easy to guess: no host tells whether it has a board."""

import pathlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from cast import Cast
from hub_harness import PASSWORD, Browser, HubHarness
from sqlalchemy import event
from upstream import Upstream
from whole_answers import whole

from lightboard.hub.db.engine import Database
from lightboard.hub.resources.tensorboards import Access

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
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With a domain for boards, and one board that only its project sees."""
    with HubHarness(database, cast, tmp_path, domain="boards.test", public_url="http://127.0.0.1:8080") as asked:
        asked.running(name="curves", access=Access.PROJECT)
        yield asked


@pytest.fixture
def upstream(hub: HubHarness) -> Iterator[Upstream]:
    """What runs behind the door."""
    with Upstream() as there:
        hub.launcher.base_url = there.base_url
        yield there


def at(hub: HubHarness, label: str, question: str, **more: Any) -> httpx.Response:
    """An answer of the host with a label."""
    method, path, headers = QUESTIONS[question]
    host = {"Host": f"{label}.boards.test".encode("latin-1")}
    return hub.ask(method, path, headers={**headers, **host, **more.pop("headers", {})}, **more)


def answers_of(hub: HubHarness, label: str, name: str = "", said: str = "") -> dict[str, Any]:
    """What the host with a label answers, whole, to every question; the label, or what was `said`, is left out."""
    return {question: whole(at(hub, label, question, name=name), said or label) for question in QUESTIONS}


def test_nobody_is_told_which_boards_there_are(hub: HubHarness) -> None:
    """Status, headers, length and words are the same for a board and for none."""
    there = answers_of(hub, THERE)

    assert answers_of(hub, NAME_OF_NOTHING) == there
    assert answers_of(hub, OWNER_OF_NOTHING) == there


def test_nor_is_an_account_that_may_not_see_them(hub: HubHarness) -> None:
    """And no id of a board is in an answer."""
    there = answers_of(hub, THERE, "stranger")

    assert answers_of(hub, NAME_OF_NOTHING, "stranger") == there
    assert answers_of(hub, OWNER_OF_NOTHING, "stranger") == there
    assert "tb-" not in str(there)


@pytest.mark.parametrize("label", [THERE, *NOTHING])
def test_a_token_that_opens_nothing_becomes_no_cookie(hub: HubHarness, label: str) -> None:
    """Which would have the id of the board in it."""
    headers = {"Host": f"{label}.boards.test"}

    answer = hub.ask("GET", f"/?token={hub.token('stranger')}", headers=headers)

    assert (answer.status_code, answer.headers["location"], answer.headers.get("set-cookie")) == (303, "/", None)


def test_a_page_leads_to_the_login(hub: HubHarness) -> None:
    """Of the console, which knows who is there; only the label is told."""
    answers = [at(hub, label, "page below") for label in (THERE, *NOTHING)]

    assert [answer.status_code for answer in answers] == [302, 302, 302]
    assert [answer.headers["location"] for answer in answers] == [
        f"http://127.0.0.1:8080/api/v1/enter/{label}?next=%2Fscalars%2F%3Frun%3Da%26next%3D%252F"
        for label in (THERE, *NOTHING)
    ]


def test_the_console_tells_nobody_either(hub: HubHarness) -> None:
    """Who is not logged in is sent to the login first, whatever the label."""
    answers = [whole(hub.ask("GET", f"/api/v1/enter/{label}", headers=PAGE), label) for label in (THERE, *NOTHING)]

    assert answers[0][0] == 302
    assert answers == [answers[0]] * 3


@pytest.mark.parametrize("headers", [PAGE, {}], ids=["page", "program"])
def test_after_the_login_it_is_the_same_page(hub: HubHarness, headers: dict[str, str]) -> None:
    """404 for what does not exist and for what may not be seen; by its id as well."""
    hub.give_password("stranger")
    browser = hub.browser()
    browser.log_in("stranger", PASSWORD)
    (id,) = hub.listed("editor")
    never = f"{id[:-1]}{'0' if id[-1] != '0' else '1'}"

    answers = [whole(browser.run("GET", f"/api/v1/enter/{word}", headers=headers), word)
               for word in (THERE, *NOTHING)]  # fmt: skip
    by_id = [whole(browser.run("GET", f"/api/v1/enter/{word}", headers=headers), word) for word in (id, never)]

    assert answers[0][0] == 404
    assert answers == [answers[0]] * 3
    assert by_id[0] == by_id[1]


def test_who_may_see_it_gets_in_by_the_label(hub: HubHarness, upstream: Upstream) -> None:
    """In upper case as well."""
    hub.give_password("viewer")
    console, board = hub.browser(), Browser(hub, "http://curves--editor.boards.test")
    console.log_in("viewer", PASSWORD)

    away = board.run("GET", "/", headers={**PAGE, "Host": "CURVES--Editor.BOARDS.test"}).headers["location"]
    ticket = console.run("GET", away).headers["location"]
    arrived = board.run("GET", ticket)

    assert away == "http://127.0.0.1:8080/api/v1/enter/curves--editor?next=%2F"
    assert (arrived.status_code, board.run("GET", "/").status_code) == (303, 200)


def test_who_loses_the_right_is_sent_away_like_everybody(hub: HubHarness, upstream: Upstream) -> None:
    """A cookie of before tells no more than none."""
    hub.give_password("viewer")
    console, board = hub.browser(), Browser(hub, "http://curves--editor.boards.test")
    console.log_in("viewer", PASSWORD)
    board.run("GET", console.run("GET", "/api/v1/enter/curves--editor").headers["location"])
    before = board.run("GET", "/", headers=PAGE).status_code
    hub.ask("DELETE", "/api/v1/projects/vision/members/viewer", "owner")

    after = board.run("GET", "/", headers=PAGE)

    assert (before, whole(after)) == (200, whole(at(hub, THERE, "page")))


def test_a_link_for_all_who_are_logged_in_opens_at_its_host(hub: HubHarness, upstream: Upstream) -> None:
    """What is not hidden is found by its label."""
    hub.running(name="shared", access=Access.LINK)
    hub.give_password("stranger")
    console, board = hub.browser(), Browser(hub, "http://shared--editor.boards.test")
    console.log_in("stranger", PASSWORD)

    board.run("GET", console.run("GET", "/api/v1/enter/shared--editor").headers["location"])

    assert board.run("GET", "/", headers=PAGE).status_code == 200


def test_what_can_be_no_label_is_answered_as_any_other(hub: HubHarness) -> None:
    """With as many headers and letters as a label of its own, however long it is; nothing of it comes back."""
    wanted = answers_of(hub, "none")
    for label in MALFORMED.values():
        assert answers_of(hub, label, said="none") == wanted, label[:60]
        assert label not in str(at(hub, label, "page").headers.multi_items()), label[:60]
    same = answers_of(hub, "none--none")
    assert {question: answer[0] for question, answer in wanted.items()} == {
        question: answer[0] for question, answer in same.items()
    }


def test_a_label_is_looked_for_in_the_same_steps(hub: HubHarness, database: Database) -> None:
    """As many questions to the database for a board as for none, whether or not it was asked before."""
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(str(args[2])))
    steps = []
    for label in (THERE, *NOTHING, THERE, *NOTHING):
        at(hub, label, "page")
        steps.append(len(asked))
        asked.clear()

    assert steps[:3] == [steps[0]] * 3
    assert steps[0] > 0


def test_the_console_may_be_below_the_domain(database: Database, cast: Cast, tmp_path: pathlib.Path) -> None:
    """Its own name is no board."""
    with HubHarness(database, cast, tmp_path, domain="boards.test", public_url="http://hub.boards.test") as hub:
        answer = hub.ask("GET", "/healthz", headers={"Host": "hub.boards.test"})

    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_a_board_that_rests_is_shown_by_the_console(hub: HubHarness) -> None:
    """Which has the files of the page that says how it stands."""
    (id,) = hub.listed("editor")
    hub.ask("PUT", f"/api/v1/tensorboards/{id}/stop", "editor")
    hub.reconcile()

    answer = at(hub, THERE, "page below", name="editor")

    there = f"http://127.0.0.1:8080/tb/{id}/scalars/?run=a&next=%2F"
    assert (answer.status_code, answer.headers["location"]) == (302, there)
