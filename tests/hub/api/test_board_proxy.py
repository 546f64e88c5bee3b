"""The front door: who comes in, what goes through, and what is said of boards that do not run."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from hub_harness import HubHarness
from upstream import Upstream

from lightboard.hub import lifecycle
from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.base import CLIENT_HEADER, ROLE_HEADER
from lightboard.hub.resources.tensorboards import Access
from running_hub import until

PAGE = {"Accept": "text/html"}
SECRET = {"X-Lightboard-Hub": "secret"}


@pytest.fixture
def upstream(hub: HubHarness) -> Iterator[Upstream]:
    """What runs behind the door."""
    with Upstream() as there:
        hub.launcher.base_url = there.base_url
        yield there


def refusal(answer) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    """Status and code."""
    return answer.status_code, answer.json()["error"]["code"]


def test_a_request_is_handed_on_as_it_came(hub: HubHarness, upstream: Upstream) -> None:
    """Path, query, body and headers of the board's own; nothing of the hub's."""
    id = hub.running(access=Access.PROJECT)
    forged = {"X-Lightboard-Role": "write", "X-Lightboard-Hub": "guess", "Cookie": "a=b", "X-Forwarded-For": "1.2.3.4"}

    answer = hub.ask("POST", f"/tb/{id}/data/%D0%BA?tag=a%2Fb", "viewer", {"x": 1}, headers={**forged, "X-Own": "1"})

    asked = upstream.asked[-1]
    assert (answer.status_code, asked["method"], asked["path"]) == (200, "POST", f"/tb/{id}/data/%D0%BA?tag=a%2Fb")
    assert asked["body"] == b'{"x":1}'
    assert {name for name in asked["headers"] if name in ("cookie", "authorization", "x-forwarded-for")} == set()
    assert (asked["headers"][ROLE_HEADER.lower()], asked["headers"]["x-own"]) == ("read", "1")
    assert asked["headers"].get("x-lightboard-hub") != "guess"


def test_an_answer_brings_nothing_of_the_worker(hub: HubHarness, upstream: Upstream) -> None:
    """Neither its cookies nor its secret, nor what is hop by hop."""
    answer = hub.ask("GET", f"/tb/{hub.running()}/", "editor", headers={"Range": "bytes=0-1"})

    assert answer.status_code == 206
    assert {"set-cookie", "x-hop", "x-lightboard-hub"} & set(answer.headers) == set()


@pytest.mark.parametrize(("name", "role"), [("editor", "write"), ("viewer", "read"), ("admin", "write")])
def test_the_board_is_told_what_the_person_may_do(hub: HubHarness, upstream: Upstream, name: str, role: str) -> None:
    """By the right to annotate."""
    hub.ask("GET", f"/tb/{hub.running(access=Access.PROJECT)}/", name)

    assert upstream.asked[-1]["headers"][ROLE_HEADER.lower()] == role


def test_the_board_is_told_who_asks_so_that_people_take_turns(hub: HubHarness, upstream: Upstream) -> None:
    """One word for each account, which nobody can forge; guests go by their address."""
    board, open_to_all = hub.running(access=Access.PROJECT), hub.running(http_auth=False)
    for name in ("editor", "viewer", "editor"):
        hub.ask("GET", f"/tb/{board}/", name, headers={CLIENT_HEADER: "account:somebody else"})
    hub.ask("GET", f"/tb/{open_to_all}/")

    told = [asked["headers"][CLIENT_HEADER.lower()] for asked in upstream.asked[-4:]]
    assert (told[0] == told[2], told[0] == told[1]) == (True, False)
    assert not any("somebody else" in each for each in told)
    assert [each.partition(":")[0] for each in told] == ["account", "account", "account", "guest"]


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("", 401, "unauthenticated"),
        ("viewer", 404, "not_found"),
        ("stranger", 404, "not_found"),
        ("leader", 200, ""),
        ("editor", 200, ""),
    ],
)
def test_a_private_board_is_not_there_for_others(
    hub: HubHarness, upstream: Upstream, name: str, status: int, code: str
) -> None:
    """401 for nobody, 404 for who may not see it, whoever leads the project sees it."""
    answer = hub.ask("GET", f"/tb/{hub.running()}/api/v1/runs", name)

    assert (answer.status_code, answer.json().get("error", {}).get("code", "")) == (status, code)
    assert len(upstream.asked) == (status == 200)


def test_who_has_the_link_may_look_where_the_owner_says_so(hub: HubHarness, upstream: Upstream) -> None:
    """With a login, as a reader; without one not."""
    id = hub.running(access=Access.LINK)

    assert hub.ask("GET", f"/tb/{id}/", "stranger").status_code == 200
    assert upstream.asked[-1]["headers"][ROLE_HEADER.lower()] == "read"
    assert hub.ask("GET", f"/tb/{id}/").status_code == 401


def test_a_board_without_login_lets_anybody_look(hub: HubHarness, upstream: Upstream) -> None:
    """And change nothing."""
    id = hub.running(http_auth=False)

    assert hub.ask("GET", f"/tb/{id}/").status_code == 200
    assert upstream.asked[-1]["headers"][ROLE_HEADER.lower()] == "read"


def test_a_browser_is_sent_to_the_login_and_back(hub: HubHarness) -> None:
    """With the whole address it asked for."""
    id = hub.running()

    answer = hub.ask("GET", f"/tb/{id}/?run=a%20b", headers=PAGE)

    there = urlsplit(answer.headers["location"])
    assert (answer.status_code, there.path) == (302, "/login")
    assert parse_qs(there.query) == {"next": [f"/tb/{id}/?run=a%20b"]}


@pytest.mark.parametrize(
    "path",
    [
        "/tb/{id}/../../api/v1/me",
        "/tb/{id}/%2e%2e/%2e%2e/etc",
        "/tb/{id}/..%2f..%2fetc",
        "/tb/{id}/a/..\\..\\b",
        "/tb/{id}/a%5c..%5cb",
        "/tb/{id}/a%00b",
        "/tb/{id}%2f..%2fother/",
        "/tb/{id}/..",
        "/tb/../control/state",
        "/tb/%74b-x/",
        "/tb/",
        "/tb/runs/",
        "/tb/{id}.evil/",
    ],
)
def test_nothing_climbs_through_the_door(hub: HubHarness, upstream: Upstream, path: str) -> None:
    """However it is written; the worker is never asked."""
    id = hub.running()

    assert (hub.raw_status(path.format(id=id), "admin"), upstream.asked) == (404, [])


def test_the_address_without_its_slash_leads_to_the_board(hub: HubHarness, upstream: Upstream) -> None:
    """Relative addresses of its page need the slash."""
    id = hub.running()

    answer = hub.ask("GET", f"/tb/{id}", "editor")

    assert (answer.status_code, answer.headers["location"]) == (308, f"/tb/{id}/")


def rest(hub: HubHarness, id: str, event: lifecycle.Event) -> None:
    """Something happens to a board, to its end."""
    with hub.database.write() as session:
        tensorboards.apply_event(session, hub.cast.admin, id, "tensorboards.delete", event, hub.now)
    hub.reconcile()


def test_a_stopped_board_is_a_page_for_people_and_503_for_programs(hub: HubHarness) -> None:
    """Which say what to do."""
    id = hub.running()
    rest(hub, id, lifecycle.StopRequested())

    page, told = hub.ask("GET", f"/tb/{id}/", "editor", headers=PAGE), hub.ask("GET", f"/tb/{id}/", "editor")

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (*refusal(told), told.headers["retry-after"]) == (503, "not_ready", "30")
    assert told.json()["error"]["hint"] == f"PUT /api/v1/tensorboards/{id}/start starts it"


def test_a_board_that_comes_up_says_when_to_ask_again(hub: HubHarness) -> None:
    """Soon."""
    id = hub.cast.board().id

    told = hub.ask("GET", f"/tb/{id}/", "editor")

    assert (*refusal(told), told.headers["retry-after"]) == (503, "not_ready", "1")


def test_a_deleted_board_is_gone(hub: HubHarness) -> None:
    """410 for who could see it; for others it never was."""
    id = hub.running()
    rest(hub, id, lifecycle.DeleteRequested())

    assert [hub.ask("GET", f"/tb/{id}/", name).status_code for name in ("editor", "viewer")] == [410, 404]


def test_a_worker_that_does_not_answer_is_503(hub: HubHarness) -> None:
    """And the hub looks after it at once."""
    hub.launcher.base_url = "http://127.0.0.1:1"

    assert refusal(hub.ask("GET", f"/tb/{hub.running()}/", "editor")) == (503, "not_ready")


def test_a_token_in_the_address_becomes_a_cookie(hub: HubHarness, upstream: Upstream) -> None:
    """The address is asked again without it; the cookie opens this board and nothing else; no line tells the token."""
    id, other = hub.running(), hub.running()
    browser, token = hub.browser(), hub.token("editor")

    first = browser.run("GET", f"/tb/{id}/?run=a&token={token}")

    assert (first.status_code, first.headers["location"]) == (303, f"/tb/{id}/?run=a")
    assert (first.headers["referrer-policy"], first.headers["cache-control"]) == ("no-referrer", "no-store")
    assert {"HttpOnly", "SameSite=lax", f"Path=/tb/{id}/"} <= set(first.headers["set-cookie"].split("; "))
    assert browser.run("GET", f"/tb/{id}/").status_code == 200
    assert browser.run("GET", f"/tb/{other}/").status_code == 401
    assert browser.run("GET", "/api/v1/me").status_code == 401
    assert token not in hub.said


def test_the_cookie_of_one_board_opens_no_other(hub: HubHarness, upstream: Upstream) -> None:
    """Not even when it is shown there by hand."""
    id, other = hub.running(), hub.running()
    browser = hub.browser()
    browser.run("GET", f"/tb/{id}/?token={hub.token('editor')}")
    cookie = next(iter(browser.cookies.jar)).value

    shown = {"Cookie": f"lightboard_door={cookie}"}

    assert [hub.ask("GET", f"/tb/{each}/", headers=shown).status_code for each in (id, other)] == [200, 401]


def test_a_revoked_token_takes_its_cookies_along(hub: HubHarness, upstream: Upstream) -> None:
    """At once."""
    id, browser = hub.running(), hub.browser()
    browser.run("GET", f"/tb/{id}/?token={hub.token('editor', 'read')}")
    hub.ask("DELETE", f"/api/v1/tokens/{hub.token_id('editor', 'read')}", "editor")

    assert browser.run("GET", f"/tb/{id}/").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "headers", "counts"),
    [
        ("GET", "", {"Accept": "text/html,*/*;q=0.8"}, True),
        ("GET", "api/v1/runs", {"X-Lightboard-Poll": "visible"}, True),
        ("POST", "api/v1/scalars", {"X-Lightboard-Poll": "visible"}, True),
        ("PATCH", "api/v1/overlay", {}, True),
        ("PATCH", "api/v1/overlay", {"X-Lightboard-Poll": "hidden"}, False),
        ("GET", "api/v1/runs", {"X-Lightboard-Poll": "hidden"}, False),
        ("GET", "", {"Accept": "text/html", "X-Lightboard-Poll": "hidden"}, False),
        ("GET", "", {"Accept": "text/event-stream"}, False),
        ("GET", "", {"User-Agent": "kube-probe/1.31"}, False),
        ("HEAD", "", {"Accept": "text/html"}, False),
        ("GET", "metrics", {"User-Agent": "Prometheus/3.0", "Accept": "text/plain;version=0.0.4"}, False),
        ("GET", "data/plugin/scalars/tags", {}, False),
        ("POST", "api/v1/scalars", {}, False),
    ],
)
def test_only_people_keep_a_board_awake(
    hub: HubHarness, upstream: Upstream, method: str, path: str, headers: dict, counts: bool
) -> None:
    """Neither hidden pages, streams, probes, scrapers nor scripts that look."""
    id = hub.running()
    hub.now += 500

    hub.ask(method, f"/tb/{id}/{path}", "editor", headers=headers)
    hub.hub.activity.keep()

    told = hub.ask("GET", f"/api/v1/tensorboards/{id}", "editor").json()
    assert (told["last_active_at"] == hub.now) is counts


def test_a_token_that_was_ended_opens_nothing_any_more(hub: HubHarness, upstream: Upstream) -> None:
    """At once, although the board was open a moment ago."""
    id = hub.running()
    before = hub.ask("GET", f"/tb/{id}/", "editor", kind="read").status_code

    hub.ask("DELETE", f"/api/v1/tokens/{hub.token_id('editor', 'read')}", "editor")

    assert (before, hub.ask("GET", f"/tb/{id}/", "editor", kind="read").status_code) == (200, 401)


def test_who_opened_what_is_written_down_once(hub: HubHarness, upstream: Upstream) -> None:
    """The page, not each of its questions."""
    id = hub.running()
    for path in ("/", "/", "/api/v1/runs"):
        hub.ask("GET", f"/tb/{id}{path}", "leader", headers=PAGE)

    def lines() -> list[tuple[str, str]]:
        told = hub.ask("GET", f"/api/v1/audit?target={id}&action=tensorboard.open", "admin").json()
        return [(line["actor_name"], line["via"]) for line in told["items"]]

    assert until(lines, bool, "the line") == [("leader", "all")]


@pytest.mark.parametrize("host", ["evil.example", "boards.test.evil.example", "", "localhost.evil"])
def test_a_foreign_name_is_not_answered(hub: HubHarness, host: str) -> None:
    """A page that made its own name lead here gets nothing (DNS rebinding)."""
    answer = hub.ask("GET", f"/tb/{hub.running()}/", "editor", headers={"Host": host})

    assert answer.status_code == 403


def test_a_page_of_another_site_changes_nothing(hub: HubHarness, upstream: Upstream) -> None:
    """Neither through a board's address nor through the API."""
    id = hub.running()
    for path in (f"/tb/{id}/api/v1/overlay", f"/api/v1/tensorboards/{id}/extend"):
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
            assert hub.ask("POST", path, "editor", {}, headers=headers).status_code == 403

    assert upstream.asked == []
