"""Login, logout, passwords and tokens, and what must not authenticate."""

import pathlib

import pytest

from lightboard.hub.db.engine import Database
from support.hub_client import PASSWORD, HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

ANOTHER = "staple of another colour"


@pytest.fixture
def grace(hub: HubClient) -> str:
    """The name of somebody with a password."""
    hub.personas.add_account("grace", email="Grace@example.org")
    hub.set_password("grace")
    return "grace"


def code(answer) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    """Status and code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("name", ["grace", "GRACE", "grace@example.org"])
def test_login_sets_a_protected_cookie(hub: HubClient, grace: str, name: str) -> None:
    """By name or email; HttpOnly and SameSite."""
    browser = hub.open_session()

    answer = browser.log_in(name, PASSWORD)

    assert (answer.status_code, answer.json()["account"]["name"]) == (200, "grace")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(answer.headers["set-cookie"].split("; "))
    assert browser.request("GET", "/api/v1/me").json()["account"]["name"] == "grace"


def test_cookies_are_secure_behind_https(database: Database, personas: Personas, tmp_path: pathlib.Path) -> None:
    """If the public URL is https."""
    personas.add_account("grace")
    with HubClient(database, personas, tmp_path, public_url="https://boards.example.org") as hub:
        hub.set_password("grace")

        assert "Secure" in hub.open_session().log_in("grace", PASSWORD).headers["set-cookie"].split("; ")


def test_disabled_accounts_cannot_authenticate(hub: HubClient, grace: str) -> None:
    """Sessions and tokens end at once."""
    browser, token = hub.open_session(), hub.token("grace")
    browser.log_in("grace", PASSWORD)

    hub.request("PATCH", "/api/v1/accounts/grace", "admin", {"disabled": True})

    assert code(browser.request("GET", "/api/v1/me")) == (401, "unauthenticated")
    assert code(hub.request("GET", "/api/v1/me", "grace")) == (401, "unauthenticated")
    assert code(hub.open_session().log_in("grace", PASSWORD)) == (401, "unauthenticated")
    assert token not in hub.log_text


def test_login_replaces_existing_cookies(hub: HubClient, grace: str) -> None:
    """Against session fixation."""
    attacker, victim = hub.open_session(), hub.open_session()
    attacker.log_in("grace", PASSWORD)
    planted = attacker.cookies["lightboard_session"]
    victim.cookies.set("lightboard_session", planted, domain="127.0.0.1", path="/")

    victim.log_in("grace", PASSWORD)

    assert victim.cookies["lightboard_session"] != planted
    assert attacker.request("GET", "/api/v1/me").status_code == 401


def test_changes_need_a_csrf_token(hub: HubClient, grace: str) -> None:
    """With cookie authentication."""
    browser = hub.open_session()
    browser.log_in("grace", PASSWORD)

    without = browser.request("PATCH", "/api/v1/me", json={"display_name": "x"})
    wrong = browser.request("PATCH", "/api/v1/me", json={"display_name": "x"}, headers={"X-CSRF-Token": "guess"})
    right = browser.send_change("PATCH", "/api/v1/me", {"display_name": "Grace"})

    assert [code(without), code(wrong)] == [(403, "permission_denied")] * 2
    assert right.json()["account"]["display_name"] == "Grace"


def test_login_requires_json(hub: HubClient, grace: str) -> None:
    """Against login CSRF by forms."""
    body = f'{{"name": "grace", "password": "{PASSWORD}"}}'

    answer = hub.open_session().request("POST", "/api/v1/login", content=body, headers={"Content-Type": "text/plain"})

    assert answer.status_code in (400, 422)


def test_logout_ends_the_session(hub: HubClient, grace: str) -> None:
    """Also for copies of the cookie."""
    browser, thief = hub.open_session(), hub.open_session()
    browser.log_in("grace", PASSWORD)
    thief.cookies.update(browser.cookies)

    assert browser.send_change("POST", "/api/v1/logout").status_code == 204
    assert thief.request("GET", "/api/v1/me").status_code == 401


def test_an_account_has_so_many_logins_at_once(database: Database, personas: Personas, tmp_path: pathlib.Path) -> None:
    """The one that was not used for longest ends, and the program that logs in again and again continues."""
    personas.add_account("grace")
    with HubClient(database, personas, tmp_path, max_logins=2) as hub:
        hub.set_password("grace")
        browsers = [hub.open_session() for _ in range(3)]
        for browser in browsers:
            browser.log_in("grace", PASSWORD)
            hub.now += 1

        answers = [browser.request("GET", "/api/v1/me").status_code for browser in browsers]

    assert answers == [401, 200, 200]


def test_changing_the_password_ends_other_sessions(hub: HubClient, grace: str) -> None:
    """It needs the old password."""
    here, elsewhere = hub.open_session(), hub.open_session()
    here.log_in("grace", PASSWORD)
    elsewhere.log_in("grace", PASSWORD)

    wrong = here.send_change("PATCH", "/api/v1/me", {"password": ANOTHER, "old_password": "wrong"})
    right = here.send_change("PATCH", "/api/v1/me", {"password": ANOTHER, "old_password": PASSWORD})

    assert (code(wrong), right.status_code) == ((403, "permission_denied"), 200)
    assert [each.request("GET", "/api/v1/me").status_code for each in (here, elsewhere)] == [200, 401]
    assert hub.open_session().log_in("grace", ANOTHER).status_code == 200


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "newcomernewcomer"[:8]])
def test_weak_passwords_are_refused(hub: HubClient, password: str) -> None:
    """With the rule."""
    answer = hub.request("POST", "/api/v1/accounts", "admin", {"name": "newcomer", "password": password})

    assert code(answer) == (422, "invalid")


@pytest.mark.databases("sqlite", "postgres")
def test_tokens_are_shown_once_and_scoped(hub: HubClient) -> None:
    """Stored as digests; lists show only a prefix."""
    made = hub.request("POST", "/api/v1/tokens", "editor", {"name": "ci", "scopes": ["read"]}).json()
    headers = {"Authorization": f"Bearer {made['secret']}"}

    listed = hub.request("GET", "/api/v1/tokens", "editor").json()["items"]

    assert [(each["name"], each["secret"]) for each in listed if each["id"] == made["id"]] == [("ci", "")]
    assert hub.request("GET", "/api/v1/me", headers=headers).json()["account"]["name"] == "editor"
    assert (
        hub.request("POST", "/api/v1/tensorboards", body={"sources": [{"uri": "/logs"}]}, headers=headers).status_code
        == 403
    )
    assert made["secret"] not in hub.log_text


def test_tokens_of_others_are_hidden(hub: HubClient) -> None:
    """They cannot be seen or revoked."""
    other = (hub.token("viewer"), hub.token_id("viewer"))[1]

    assert hub.request("DELETE", f"/api/v1/tokens/{other}", "editor").status_code == 404


@pytest.mark.databases("sqlite", "postgres")
def test_idempotency_keys_prevent_duplicates(hub: HubClient) -> None:
    """The response is repeated, secret included; another body is a conflict."""
    headers = {"Idempotency-Key": "once"}
    first, again = (hub.request("POST", "/api/v1/tokens", "editor", {"name": "ci"}, headers=headers) for _ in range(2))
    other = hub.request("POST", "/api/v1/tokens", "editor", {"name": "another"}, headers=headers)

    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert (
        hub.request("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first.json()['secret']}"}).status_code
        == 200
    )
    assert code(other) == (409, "conflict")


def test_oversized_bodies_are_refused(hub: HubClient) -> None:
    """Before parsing."""
    assert hub.request("POST", "/api/v1/login", body={"name": "x" * 2_000_000, "password": "x"}).status_code == 413


def test_every_error_has_the_same_shape(hub: HubClient) -> None:
    """Code, message, hint and request id."""
    answers = [
        hub.request("GET", "/api/v1/nowhere", "editor"),
        hub.request("DELETE", "/api/v1/entry", "editor"),
        hub.request("POST", "/api/v1/tensorboards", "editor", {"nonsense": 1}),
        hub.request("GET", "/api/v1/tensorboards?page=x", "editor"),
        hub.request("POST", "/api/v1/login", content=b"{", headers={"Content-Type": "application/json"}),
        hub.request("GET", "/api/v1/tensorboards/nothing", "editor"),
    ]

    assert [answer.status_code for answer in answers] == [404, 405, 422, 422, 400, 404]
    assert all({"code", "message", "hint", "request_id"} == set(answer.json()["error"]) for answer in answers)
    assert [a.headers["x-request-id"] for a in answers] == [a.json()["error"]["request_id"] for a in answers]


@pytest.mark.databases("sqlite", "postgres")
def test_user_text_is_never_executed(hub: HubClient) -> None:
    """Names with scripts are returned as JSON, and pages forbid foreign scripts."""
    evil = "<script>alert(1)</script>"
    wanted = {"sources": [{"uri": "/logs/x"}], "project": "vision", "display_name": evil, "labels": {evil: evil}}
    made = hub.request("POST", "/api/v1/tensorboards", "editor", wanted)

    page = hub.request("GET", "/", headers={"Accept": "text/html"})

    assert (made.json()["display_name"], made.headers["content-type"]) == (evil, "application/json")
    assert made.headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in page.headers["content-security-policy"].split("; "))
    assert (policy["script-src"], policy["frame-ancestors"], policy["object-src"]) == ("'self'", "'self'", "'none'")


@pytest.mark.databases("sqlite", "postgres")
def test_token_use_is_recorded_once_a_minute(hub: HubClient) -> None:
    """Frequent requests cause no further writes."""
    told = []
    for at in (2_000.0, 2_059.0, 2_060.0):
        hub.now = at
        hub.request("GET", "/api/v1/me", "viewer", kind="read")
        hub.hub.runtime.activity.flush()
        (token,) = hub.request("GET", "/api/v1/tokens", "viewer", kind="read").json()["items"]
        told.append(token["last_used_at"])

    assert told == [2_000.0, 2_000.0, 2_060.0]


@pytest.mark.databases("sqlite", "postgres")
def test_using_a_session_extends_it(hub: HubClient, grace: str) -> None:
    """Two weeks from the last use."""
    browser = hub.open_session()
    browser.log_in("grace", PASSWORD)
    for days in (10, 20, 30):
        hub.now = 2_000.0 + days * 86_400
        hub.hub.auth.identities.clear_cache()
        answer = browser.request("GET", "/api/v1/me")
        hub.hub.runtime.activity.flush()

    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/settings",
        "/jobs",
        "/notebooks",
        "/queue",
        "/environments",
        "/tensorboards/tb-1",
        "/jobs/job-1",
        "/projects/vision",
    ],
)
def test_pages_of_the_console_can_be_loaded(hub: HubClient, path: str) -> None:
    """Also those of a single thing: the page itself says if that does not exist."""
    shown = hub.request("GET", path, headers={"Accept": "text/html"})

    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_unknown_urls_get_a_page_or_an_error(hub: HubClient) -> None:
    """Browsers get a page, programs one line, and API requests the list of routes."""
    shown = hub.request("GET", "/nowhere/at/all", headers={"Accept": "text/html"})
    told = hub.request("GET", "/nowhere/at/all")
    below = hub.request("GET", "/api/v1/nowhere", headers={"Accept": "text/html"})

    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (told.status_code, told.text) == (404, "Not found")
    assert below.json()["error"]["message"] == "no such address /api/v1/nowhere"
