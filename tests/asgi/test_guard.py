"""Host and Origin checks, and security headers on every response."""

import pytest

from lightboard.asgi.guard import Guard
from lightboard.asgi.hosts import AllowedHosts
from support.asgi_client import echo_path, send_request

APP = Guard(echo_path, AllowedHosts(["box"]))


def test_a_foreign_host_is_refused_with_a_hint() -> None:
    """Against DNS rebinding, for all routes."""
    api = send_request(APP, "GET", "/api/v1/status", headers={"host": "evil.com"})
    page = send_request(APP, "GET", "/", headers={"host": "evil.com"})

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
def test_same_origin_and_scripts_may_post(headers: dict[str, str]) -> None:
    """Scripts send no Origin; behind proxies, browsers send same-origin."""
    assert send_request(APP, "POST", "/x", headers=headers).status_code == 200


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
def test_cross_site_posts_are_refused(headers: dict[str, str]) -> None:
    """Another port is another site."""
    refused = send_request(APP, "POST", "/api/x", headers=headers)

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden_origin")


def test_proxies_may_drop_the_port() -> None:
    """nginx's `proxy_set_header Host $host` does; over HTTP browsers send Origin only."""
    app = Guard(echo_path, AllowedHosts(["*"]))
    sent = {"host": "board.lan", "origin": "http://board.lan:8080"}

    assert send_request(app, "POST", "/x", headers=sent).status_code == 200
    assert send_request(app, "POST", "/x", headers={**sent, "origin": "http://evil.lan:8080"}).status_code == 403
    assert send_request(app, "POST", "/x", headers={**sent, "host": "board.lan:6006"}).status_code == 403


def test_any_allowed_host_still_refuses_cross_site_posts() -> None:
    """Any name may be asked for; a page of another still may not post."""
    app = Guard(echo_path, AllowedHosts(["*"]))

    assert send_request(app, "GET", "/", headers={"host": "tensorboard:6006"}).status_code == 200
    assert (
        send_request(app, "POST", "/x", headers={"host": "tensorboard:6006", "origin": "http://evil.com"}).status_code
        == 403
    )


def test_allowed_suffixes_apply_to_origins() -> None:
    """`.example.com` counts for Origin as for Host."""
    app = Guard(echo_path, AllowedHosts([".example.com"]))
    headers = {"host": "localhost:6006", "origin": "http://board.example.com"}

    assert send_request(app, "POST", "/x", headers=headers).status_code == 200


def test_cross_site_links_are_allowed() -> None:
    """A link is a GET whose response others cannot read."""
    assert send_request(APP, "GET", "/", headers={"origin": "http://evil.com"}).status_code == 200


def test_every_response_has_security_headers() -> None:
    """Errors too; there are no CORS headers."""
    answers = [send_request(APP, "GET", "/"), send_request(APP, "GET", "/", headers={"host": "evil.com"})]

    assert [answer.headers["x-content-type-options"] for answer in answers] == ["nosniff", "nosniff"]
    assert [name for answer in answers for name in answer.headers if name.startswith("access-control")] == []


def test_behind_a_checking_proxy_only_headers_are_added() -> None:
    """It forwards the host name of the browser."""
    answer = send_request(
        Guard(echo_path, None), "POST", "/x", headers={"host": "evil.com", "origin": "http://other.net"}
    )

    assert (answer.status_code, answer.headers["x-content-type-options"]) == (200, "nosniff")
