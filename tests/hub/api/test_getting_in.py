"""Login, logout, passwords, tokens, and everything that must not get anybody in."""

import pytest
from hub_harness import PASSWORD, HubHarness

ANOTHER = "staple of another colour"


@pytest.fixture
def grace(hub: HubHarness) -> str:
    """The name of somebody with a password."""
    hub.cast.join("grace", email="Grace@example.org")
    hub.give_password("grace")
    return "grace"


def code(answer) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    """Status and code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize("name", ["grace", "GRACE", "grace@example.org"])
def test_a_login_brings_a_cookie_for_the_browser_alone(hub: HubHarness, grace: str, name: str) -> None:
    """By name or email; no script can read it, no other site can send it."""
    browser = hub.browser()

    answer = browser.log_in(name, PASSWORD)

    assert (answer.status_code, answer.json()["account"]["name"]) == (200, "grace")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(answer.headers["set-cookie"].split("; "))
    assert browser.run("GET", "/api/v1/me").json()["account"]["name"] == "grace"


def test_cookies_behind_https_are_for_https_alone(hub: HubHarness, grace: str) -> None:
    """Where the hub is known by such an address."""
    hub.hub.settings = hub.hub.settings.__class__(home="", public_url="https://boards.example.org")

    assert "Secure" in hub.browser().log_in("grace", PASSWORD).headers["set-cookie"].split("; ")


def test_a_disabled_account_gets_nowhere(hub: HubHarness, grace: str) -> None:
    """Its logins and tokens end at once."""
    browser, token = hub.browser(), hub.token("grace")
    browser.log_in("grace", PASSWORD)

    hub.ask("PATCH", "/api/v1/accounts/grace", "admin", {"disabled": True})

    assert code(browser.run("GET", "/api/v1/me")) == (401, "unauthenticated")
    assert code(hub.ask("GET", "/api/v1/me", "grace")) == (401, "unauthenticated")
    assert code(hub.browser().log_in("grace", PASSWORD)) == (401, "unauthenticated")
    assert token not in hub.said


def test_a_cookie_that_was_there_before_is_worth_nothing_after(hub: HubHarness, grace: str) -> None:
    """Who slipped somebody a session (fixation) does not get in with it."""
    attacker, victim = hub.browser(), hub.browser()
    attacker.log_in("grace", PASSWORD)
    planted = attacker.cookies["lightboard_session"]
    victim.cookies.set("lightboard_session", planted, domain="127.0.0.1", path="/")

    victim.log_in("grace", PASSWORD)

    assert victim.cookies["lightboard_session"] != planted
    assert attacker.run("GET", "/api/v1/me").status_code == 401


def test_a_change_by_cookie_needs_the_word_of_the_page(hub: HubHarness, grace: str) -> None:
    """Which a page of another site cannot know (CSRF)."""
    browser = hub.browser()
    browser.log_in("grace", PASSWORD)

    without = browser.run("PATCH", "/api/v1/me", json={"display_name": "x"})
    wrong = browser.run("PATCH", "/api/v1/me", json={"display_name": "x"}, headers={"X-CSRF-Token": "guess"})
    right = browser.change("PATCH", "/api/v1/me", {"display_name": "Grace"})

    assert [code(without), code(wrong)] == [(403, "permission_denied")] * 2
    assert right.json()["account"]["display_name"] == "Grace"


def test_a_login_wants_json(hub: HubHarness, grace: str) -> None:
    """A form of another site cannot log somebody in as somebody else."""
    body = f'{{"name": "grace", "password": "{PASSWORD}"}}'

    answer = hub.browser().run("POST", "/api/v1/login", content=body, headers={"Content-Type": "text/plain"})

    assert answer.status_code in (400, 422)


def test_logout_ends_the_login(hub: HubHarness, grace: str) -> None:
    """For whoever has kept the cookie as well."""
    browser, thief = hub.browser(), hub.browser()
    browser.log_in("grace", PASSWORD)
    thief.cookies.update(browser.cookies)

    assert browser.change("POST", "/api/v1/logout").status_code == 204
    assert thief.run("GET", "/api/v1/me").status_code == 401


def test_a_new_password_ends_the_other_logins(hub: HubHarness, grace: str) -> None:
    """And wants the old one."""
    here, elsewhere = hub.browser(), hub.browser()
    here.log_in("grace", PASSWORD)
    elsewhere.log_in("grace", PASSWORD)

    wrong = here.change("PATCH", "/api/v1/me", {"password": ANOTHER, "old_password": "wrong"})
    right = here.change("PATCH", "/api/v1/me", {"password": ANOTHER, "old_password": PASSWORD})

    assert (code(wrong), right.status_code) == ((403, "permission_denied"), 200)
    assert [each.run("GET", "/api/v1/me").status_code for each in (here, elsewhere)] == [200, 401]
    assert hub.browser().log_in("grace", ANOTHER).status_code == 200


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "newcomernewcomer"[:8]])
def test_a_password_that_is_guessed_is_refused(hub: HubHarness, password: str) -> None:
    """With the rule."""
    answer = hub.ask("POST", "/api/v1/accounts", "admin", {"name": "newcomer", "password": password})

    assert code(answer) == (422, "invalid")


def test_a_token_is_shown_once_and_may_no_more_than_it_says(hub: HubHarness) -> None:
    """Kept as a digest; a list shows only its beginning."""
    made = hub.ask("POST", "/api/v1/tokens", "editor", {"name": "ci", "scopes": ["read"]}).json()
    headers = {"Authorization": f"Bearer {made['secret']}"}

    listed = hub.ask("GET", "/api/v1/tokens", "editor").json()["items"]

    assert [(each["name"], each["secret"]) for each in listed if each["id"] == made["id"]] == [("ci", "")]
    assert hub.ask("GET", "/api/v1/me", headers=headers).json()["account"]["name"] == "editor"
    assert (
        hub.ask("POST", "/api/v1/tensorboards", body={"sources": [{"uri": "/logs"}]}, headers=headers).status_code
        == 403
    )
    assert made["secret"] not in hub.said


def test_a_token_of_somebody_else_is_not_there(hub: HubHarness) -> None:
    """Neither to see nor to end."""
    other = (hub.token("viewer"), hub.token_id("viewer"))[1]

    assert hub.ask("DELETE", f"/api/v1/tokens/{other}", "editor").status_code == 404


def test_the_same_request_is_done_once(hub: HubHarness) -> None:
    """One key is one deed, and one answer, its secret included; another body with the key is refused."""
    headers = {"Idempotency-Key": "once"}
    first, again = (hub.ask("POST", "/api/v1/tokens", "editor", {"name": "ci"}, headers=headers) for _ in range(2))
    other = hub.ask("POST", "/api/v1/tokens", "editor", {"name": "another"}, headers=headers)

    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert (
        hub.ask("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first.json()['secret']}"}).status_code == 200
    )
    assert code(other) == (409, "conflict")


def test_a_body_that_is_too_long_is_refused(hub: HubHarness) -> None:
    """Before anything looks at it."""
    assert hub.ask("POST", "/api/v1/login", body={"name": "x" * 2_000_000, "password": "x"}).status_code == 413


def test_every_error_has_the_same_shape(hub: HubHarness) -> None:
    """Code, message, hint, and how the request is called in the log."""
    answers = [
        hub.ask("GET", "/api/v1/nowhere", "editor"),
        hub.ask("DELETE", "/api/v1/entry", "editor"),
        hub.ask("POST", "/api/v1/tensorboards", "editor", {"nonsense": 1}),
        hub.ask("GET", "/api/v1/tensorboards?page=x", "editor"),
        hub.ask("POST", "/api/v1/login", content=b"{", headers={"Content-Type": "application/json"}),
        hub.ask("GET", "/api/v1/tensorboards/nothing", "editor"),
    ]

    assert [answer.status_code for answer in answers] == [404, 405, 422, 422, 400, 404]
    assert all({"code", "message", "hint", "request_id"} == set(answer.json()["error"]) for answer in answers)
    assert [a.headers["x-request-id"] for a in answers] == [a.json()["error"]["request_id"] for a in answers]


def test_what_people_write_is_data_and_nothing_else(hub: HubHarness) -> None:
    """A script in a name comes back as JSON that no browser runs, on pages that run no foreign script."""
    evil = "<script>alert(1)</script>"
    wanted = {"sources": [{"uri": "/logs/x"}], "project": "vision", "display_name": evil, "labels": {evil: evil}}
    made = hub.ask("POST", "/api/v1/tensorboards", "editor", wanted)

    page = hub.ask("GET", "/", headers={"Accept": "text/html"})

    assert (made.json()["display_name"], made.headers["content-type"]) == (evil, "application/json")
    assert made.headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in page.headers["content-security-policy"].split("; "))
    assert (policy["script-src"], policy["frame-ancestors"], policy["object-src"]) == ("'self'", "'self'", "'none'")


def test_when_a_token_was_used_is_told_once_a_minute(hub: HubHarness) -> None:
    """Who asks all the time costs no more writing than who asks once a minute."""
    told = []
    for at in (2_000.0, 2_059.0, 2_060.0):
        hub.now = at
        hub.ask("GET", "/api/v1/me", "viewer", kind="read")
        hub.hub.activity.keep()
        (token,) = hub.ask("GET", "/api/v1/tokens", "viewer", kind="read").json()["items"]
        told.append(token["last_used_at"])

    assert told == [2_000.0, 2_000.0, 2_060.0]


def test_a_login_that_is_used_lasts(hub: HubHarness, grace: str) -> None:
    """Two weeks from the last time."""
    browser = hub.browser()
    browser.log_in("grace", PASSWORD)
    for days in (10, 20, 30):
        hub.now = 2_000.0 + days * 86_400
        hub.hub.identities.clear_cache()
        answer = browser.run("GET", "/api/v1/me")
        hub.hub.activity.keep()

    assert answer.status_code == 200


def test_an_address_that_does_not_exist_is_a_page_for_people(hub: HubHarness) -> None:
    """Which says so and leads back; programs get one line, and below the API the list of what there is."""
    shown = hub.ask("GET", "/nowhere/at/all", headers={"Accept": "text/html"})
    told = hub.ask("GET", "/nowhere/at/all")
    below = hub.ask("GET", "/api/v1/nowhere", headers={"Accept": "text/html"})

    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (told.status_code, told.text) == (404, "Not found")
    assert below.json()["error"]["message"] == "no such address /api/v1/nowhere"
