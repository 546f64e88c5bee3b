"""The door: foreign names and foreign pages stay outside, every answer carries the safety headers."""

import pytest
from speaking import ask, say_ok

from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts

APP = Guard(say_ok, AllowedHosts(["box"]))


def test_a_foreign_host_is_refused_with_a_hint() -> None:
    """DNS rebinding ends here, for the API and for everything else."""
    api = ask(APP, "GET", "/api/v1/status", headers={"host": "evil.com"})
    page = ask(APP, "GET", "/", headers={"host": "evil.com"})

    assert (api.status_code, api.json()["error"]["code"]) == (403, "forbidden_host")
    assert "--allowed_hosts" in api.json()["error"]["hint"]
    assert (page.status_code, page.headers["content-type"]) == (403, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://localhost:6006"},
        {"origin": "https://box"},
        {"origin": "https://whatever.net", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
    ],
)
def test_our_own_page_and_scripts_may_post(headers: dict[str, str]) -> None:
    """Scripts send no Origin; a browser behind a proxy says same-origin."""
    assert ask(APP, "POST", "/x", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.com"},
        {"origin": "http://localhost:9999"},
        {"origin": "null"},
        {"origin": "http://localhost:6006", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_foreign_pages_may_not_post(headers: dict[str, str]) -> None:
    """Another port of this machine is another site, too."""
    refused = ask(APP, "POST", "/api/x", headers=headers)

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden_origin")


def test_a_proxy_may_take_the_port_off_the_host() -> None:
    """nginx's `proxy_set_header Host $host` does; over plain HTTP browsers send nothing but Origin."""
    app = Guard(say_ok, AllowedHosts(["*"]))
    sent = {"host": "board.lan", "origin": "http://board.lan:8080"}

    assert ask(app, "POST", "/x", headers=sent).status_code == 200
    assert ask(app, "POST", "/x", headers={**sent, "origin": "http://evil.lan:8080"}).status_code == 403
    assert ask(app, "POST", "/x", headers={**sent, "host": "board.lan:6006"}).status_code == 403


def test_an_open_door_keeps_foreign_pages_from_changing_anything() -> None:
    """Any name may be asked for; a page of another still may not post."""
    app = Guard(say_ok, AllowedHosts(["*"]))

    assert ask(app, "GET", "/", headers={"host": "tensorboard:6006"}).status_code == 200
    assert ask(app, "POST", "/x", headers={"host": "tensorboard:6006", "origin": "http://evil.com"}).status_code == 403


def test_pages_below_a_name_that_was_given_may_post() -> None:
    """`.example.com` counts for Origin as for Host."""
    app = Guard(say_ok, AllowedHosts([".example.com"]))
    headers = {"host": "localhost:6006", "origin": "http://board.example.com"}

    assert ask(app, "POST", "/x", headers=headers).status_code == 200


def test_foreign_pages_may_lead_here() -> None:
    """A link is a GET; what it answers cannot be read from outside."""
    assert ask(APP, "GET", "/", headers={"origin": "http://evil.com"}).status_code == 200


def test_every_answer_says_nosniff_and_none_opens_the_door() -> None:
    """Refusals included; there is no CORS header at all."""
    answers = [ask(APP, "GET", "/"), ask(APP, "GET", "/", headers={"host": "evil.com"})]

    assert [answer.headers["x-content-type-options"] for answer in answers] == ["nosniff", "nosniff"]
    assert [name for answer in answers for name in answer.headers if name.startswith("access-control")] == []


def test_behind_somebody_who_looked_only_headers_are_added() -> None:
    """A front door that checked names passes on whatever name the browser used."""
    answer = ask(Guard(say_ok, None), "POST", "/x", headers={"host": "evil.com", "origin": "http://other.net"})

    assert (answer.status_code, answer.headers["x-content-type-options"]) == (200, "nosniff")
