"""The board proxy: access, forwarding, and responses for boards that do not run."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from lightboard.hub import lifecycle
from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.base import CLIENT_HEADER, ROLE_HEADER
from lightboard.hub.resources.tensorboards import Access
from support.fake_worker import FakeWorker
from support.hub_client import HubClient
from support.hub_process import wait_for

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

PAGE = {"Accept": "text/html"}
SECRET = {"X-Lightboard-Hub": "secret"}


@pytest.fixture
def fake_worker(hub: HubClient) -> Iterator[FakeWorker]:
    """What runs behind the door."""
    with FakeWorker() as there:
        hub.launcher.base_url = there.base_url
        yield there


def refusal(answer) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    """Status and code."""
    return answer.status_code, answer.json()["error"]["code"]


def test_requests_are_forwarded_unchanged(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Path, query, body and headers, without those of the hub."""
    id = hub.create_running_board(access=Access.PROJECT)
    forged = {"X-Lightboard-Role": "write", "X-Lightboard-Hub": "guess", "Cookie": "a=b", "X-Forwarded-For": "1.2.3.4"}

    answer = hub.request(
        "POST", f"/tb/{id}/data/%D0%BA?tag=a%2Fb", "viewer", {"x": 1}, headers={**forged, "X-Own": "1"}
    )

    asked = fake_worker.requests[-1]
    assert (answer.status_code, asked["method"], asked["path"]) == (200, "POST", f"/tb/{id}/data/%D0%BA?tag=a%2Fb")
    assert asked["body"] == b'{"x":1}'
    assert {name for name in asked["headers"] if name in ("cookie", "authorization", "x-forwarded-for")} == set()
    assert (asked["headers"][ROLE_HEADER.lower()], asked["headers"]["x-own"]) == ("read", "1")
    assert asked["headers"].get("x-lightboard-hub") != "guess"


def test_responses_omit_worker_headers(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Cookies, secrets and hop-by-hop headers."""
    answer = hub.request("GET", f"/tb/{hub.create_running_board()}/", "editor", headers={"Range": "bytes=0-1"})

    assert answer.status_code == 206
    assert {"set-cookie", "x-hop", "x-lightboard-hub"} & set(answer.headers) == set()


@pytest.mark.parametrize(("name", "role"), [("editor", "write"), ("viewer", "read"), ("admin", "write")])
def test_the_board_receives_the_write_permission(hub: HubClient, fake_worker: FakeWorker, name: str, role: str) -> None:
    """From the right to annotate."""
    hub.request("GET", f"/tb/{hub.create_running_board(access=Access.PROJECT)}/", name)

    assert fake_worker.requests[-1]["headers"][ROLE_HEADER.lower()] == role


def test_the_board_receives_a_client_key(hub: HubClient, fake_worker: FakeWorker) -> None:
    """One unforgeable key for each account, for fair scheduling; anonymous clients use their address."""
    board, open_to_all = hub.create_running_board(access=Access.PROJECT), hub.create_running_board(http_auth=False)
    for name in ("editor", "viewer", "editor"):
        hub.request("GET", f"/tb/{board}/", name, headers={CLIENT_HEADER: "account:somebody else"})
    hub.request("GET", f"/tb/{open_to_all}/")

    told = [asked["headers"][CLIENT_HEADER.lower()] for asked in fake_worker.requests[-4:]]
    assert (told[0] == told[2], told[0] == told[1]) == (True, False)
    assert not any("somebody else" in each for each in told)
    assert [each.partition(":")[0] for each in told] == ["account", "account", "account", "guest"]


@pytest.mark.databases("sqlite", "postgres")
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
def test_private_boards_are_hidden(hub: HubClient, fake_worker: FakeWorker, name: str, status: int, code: str) -> None:
    """401 without a login, 404 without access; project admins see them."""
    answer = hub.request("GET", f"/tb/{hub.create_running_board()}/api/v1/runs", name)

    assert (answer.status_code, answer.json().get("error", {}).get("code", "")) == (status, code)
    assert len(fake_worker.requests) == (status == 200)


def test_boards_open_to_all_accounts_are_read_only(hub: HubClient, fake_worker: FakeWorker) -> None:
    """With a login, but not without."""
    id = hub.create_running_board(access=Access.LINK)

    assert hub.request("GET", f"/tb/{id}/", "stranger").status_code == 200
    assert fake_worker.requests[-1]["headers"][ROLE_HEADER.lower()] == "read"
    assert hub.request("GET", f"/tb/{id}/").status_code == 401


def test_public_boards_are_read_only(hub: HubClient, fake_worker: FakeWorker) -> None:
    """For anybody."""
    id = hub.create_running_board(http_auth=False)

    assert hub.request("GET", f"/tb/{id}/").status_code == 200
    assert fake_worker.requests[-1]["headers"][ROLE_HEADER.lower()] == "read"


def test_browsers_are_redirected_to_the_login(hub: HubClient) -> None:
    """And back to the full URL."""
    id = hub.create_running_board()

    answer = hub.request("GET", f"/tb/{id}/?run=a%20b", headers=PAGE)

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
def test_path_traversal_is_refused(hub: HubClient, fake_worker: FakeWorker, path: str) -> None:
    """In any encoding; the worker receives nothing."""
    id = hub.create_running_board()

    assert (hub.raw_status(path.format(id=id), "admin"), fake_worker.requests) == (404, [])


def test_urls_without_trailing_slash_redirect(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Relative URLs of the page need it."""
    id = hub.create_running_board()

    answer = hub.request("GET", f"/tb/{id}", "editor")

    assert (answer.status_code, answer.headers["location"]) == (308, f"/tb/{id}/")


def rest(hub: HubClient, id: str, event: lifecycle.Event) -> None:
    """Something happens to a board, to its end."""
    with hub.database.write() as session:
        tensorboards.apply_event(session, hub.personas.admin, id, "tensorboards.delete", event, hub.now)
    hub.reconcile()


def test_stopped_boards_return_a_page_or_503(hub: HubClient) -> None:
    """A status page for browsers, an error for programs; both say what to do."""
    id = hub.create_running_board()
    rest(hub, id, lifecycle.StopRequested())

    page, told = hub.request("GET", f"/tb/{id}/", "editor", headers=PAGE), hub.request("GET", f"/tb/{id}/", "editor")

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert (*refusal(told), told.headers["retry-after"]) == (503, "not_ready", "30")
    assert told.json()["error"]["hint"] == f"PUT /api/v1/tensorboards/{id}/start starts it"


def test_starting_boards_send_retry_after(hub: HubClient) -> None:
    """Soon."""
    id = hub.personas.create_board().id

    told = hub.request("GET", f"/tb/{id}/", "editor")

    assert (*refusal(told), told.headers["retry-after"]) == (503, "not_ready", "1")


def test_deleted_boards_return_410(hub: HubClient) -> None:
    """Only to those who could see them; 404 for others."""
    id = hub.create_running_board()
    rest(hub, id, lifecycle.DeleteRequested())

    assert [hub.request("GET", f"/tb/{id}/", name).status_code for name in ("editor", "viewer")] == [410, 404]


def test_an_unreachable_worker_is_503(hub: HubClient) -> None:
    """And the hub checks it at once."""
    hub.launcher.base_url = "http://127.0.0.1:1"

    assert refusal(hub.request("GET", f"/tb/{hub.create_running_board()}/", "editor")) == (503, "not_ready")


@pytest.mark.databases("sqlite", "postgres")
def test_tokens_in_urls_become_cookies(hub: HubClient, fake_worker: FakeWorker) -> None:
    """The redirect removes the token; the cookie opens this board only; logs omit the token."""
    id, other = hub.create_running_board(), hub.create_running_board()
    browser, token = hub.open_session(), hub.token("editor")

    first = browser.request("GET", f"/tb/{id}/?run=a&token={token}")

    assert (first.status_code, first.headers["location"]) == (303, f"/tb/{id}/?run=a")
    assert (first.headers["referrer-policy"], first.headers["cache-control"]) == ("no-referrer", "no-store")
    assert {"HttpOnly", "SameSite=lax", f"Path=/tb/{id}/"} <= set(first.headers["set-cookie"].split("; "))
    assert browser.request("GET", f"/tb/{id}/").status_code == 200
    assert browser.request("GET", f"/tb/{other}/").status_code == 401
    assert browser.request("GET", "/api/v1/me").status_code == 401
    assert token not in hub.log_text


def test_board_cookies_are_per_board(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Also when copied by hand."""
    id, other = hub.create_running_board(), hub.create_running_board()
    browser = hub.open_session()
    browser.request("GET", f"/tb/{id}/?token={hub.token('editor')}")
    cookie = next(iter(browser.cookies.jar)).value

    shown = {"Cookie": f"lightboard_door={cookie}"}

    assert [hub.request("GET", f"/tb/{each}/", headers=shown).status_code for each in (id, other)] == [200, 401]


def test_revoking_a_token_ends_its_cookies(hub: HubClient, fake_worker: FakeWorker) -> None:
    """At once."""
    id, browser = hub.create_running_board(), hub.open_session()
    browser.request("GET", f"/tb/{id}/?token={hub.token('editor', 'read')}")
    hub.request("DELETE", f"/api/v1/tokens/{hub.token_id('editor', 'read')}", "editor")

    assert browser.request("GET", f"/tb/{id}/").status_code == 401


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
def test_only_visible_pages_count_as_activity(
    hub: HubClient, fake_worker: FakeWorker, method: str, path: str, headers: dict, counts: bool
) -> None:
    """Not hidden pages, streams, probes, scrapers or scripts."""
    id = hub.create_running_board()
    hub.now += 500

    hub.request(method, f"/tb/{id}/{path}", "editor", headers=headers)
    hub.hub.runtime.activity.flush()

    told = hub.request("GET", f"/api/v1/tensorboards/{id}", "editor").json()
    assert (told["last_active_at"] == hub.now) is counts


def test_revoked_tokens_open_nothing(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Even right after a successful request."""
    id = hub.create_running_board()
    before = hub.request("GET", f"/tb/{id}/", "editor", kind="read").status_code

    hub.request("DELETE", f"/api/v1/tokens/{hub.token_id('editor', 'read')}", "editor")

    assert (before, hub.request("GET", f"/tb/{id}/", "editor", kind="read").status_code) == (200, 401)


@pytest.mark.databases("sqlite", "postgres")
def test_the_audit_records_visits_once(hub: HubClient, fake_worker: FakeWorker) -> None:
    """The page, not each of its requests."""
    id = hub.create_running_board()
    for path in ("/", "/", "/api/v1/runs"):
        hub.request("GET", f"/tb/{id}{path}", "leader", headers=PAGE)

    def lines() -> list[tuple[str, str]]:
        told = hub.request("GET", f"/api/v1/audit?target={id}&action=tensorboard.open", "admin").json()
        return [(line["actor_name"], line["via"]) for line in told["items"]]

    assert wait_for(lines, bool, "the line") == [("leader", "all")]


@pytest.mark.parametrize("host", ["evil.example", "boards.test.evil.example", "", "localhost.evil"])
def test_foreign_host_names_are_refused(hub: HubClient, host: str) -> None:
    """Against DNS rebinding."""
    answer = hub.request("GET", f"/tb/{hub.create_running_board()}/", "editor", headers={"Host": host})

    assert answer.status_code == 403


def test_cross_site_requests_are_refused(hub: HubClient, fake_worker: FakeWorker) -> None:
    """To boards and to the API."""
    id = hub.create_running_board()
    for path in (f"/tb/{id}/api/v1/overlay", f"/api/v1/tensorboards/{id}/extend"):
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
            assert hub.request("POST", path, "editor", {}, headers=headers).status_code == 403

    assert fake_worker.requests == []
