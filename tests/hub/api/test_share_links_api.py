"""Share links: temporary access to one board without an account."""

import string
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub.launchers.base import ROLE_HEADER
from support.fake_worker import FakeWorker
from support.hub_client import BASE, HubClient

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

DAY = 86_400
LETTERS = f"{string.ascii_letters}{string.digits}-_"


@pytest.fixture
def fake_worker(hub: HubClient) -> Iterator[FakeWorker]:
    """What runs behind the door."""
    with FakeWorker() as there:
        hub.launcher.base_url = there.base_url
        yield there


def share(hub: HubClient, id: str, secs: int = DAY) -> dict[str, Any]:
    """A link of the editor, who owns the board."""
    made: dict[str, Any] = hub.request(
        "POST", f"/api/v1/tensorboards/{id}/shares", "editor", {"expires_secs": secs}
    ).json()
    return made


def follow(hub: HubClient, url: str) -> tuple[int, Any]:
    """What somebody without an account gets by a link: the status, and the browser."""
    browser = hub.open_session()
    return browser.request("GET", url.removeprefix(BASE)).status_code, browser


@pytest.mark.databases("sqlite", "postgres")
def test_a_share_link_opens_one_board_read_only(hub: HubClient, fake_worker: FakeWorker) -> None:
    """For anybody; and no other."""
    id, other = hub.create_running_board(), hub.create_running_board()
    made = share(hub, id)

    status, browser = follow(hub, made["url"])

    assert (status, made["TensorboardSharedUrl"]) == (303, made["url"])
    assert [browser.request("GET", f"/tb/{each}/").status_code for each in (id, other)] == [200, 401]
    assert fake_worker.requests[-1]["headers"][ROLE_HEADER.lower()] == "read"
    assert browser.request("GET", "/api/v1/me").status_code == 401


def test_the_pai_route_creates_share_links(hub: HubClient, fake_worker: FakeWorker) -> None:
    """A GET with a number of seconds, at most seven days."""
    id = hub.create_running_board()

    made = hub.request("GET", f"/api/v1/tensorboards/{id}/sharedurl?ExpireTimeSeconds=60", "editor").json()
    long = hub.request("GET", f"/api/v1/tensorboards/{id}/sharedurl?ExpireTimeSeconds=604801", "editor")

    assert (follow(hub, made["TensorboardSharedUrl"])[0], made["expires_at"] - hub.now, long.status_code) == (
        303,
        60,
        422,
    )


def test_a_share_link_expires(hub: HubClient, fake_worker: FakeWorker) -> None:
    """With the cookies created from it."""
    id = hub.create_running_board()
    made = share(hub, id, 60)
    _, browser = follow(hub, made["url"])

    hub.now += 60
    hub.hub.boards.authorizer.clear_cache()

    assert (follow(hub, made["url"])[0], browser.request("GET", f"/tb/{id}/").status_code) == (404, 401)


def test_a_revoked_share_link_ends_at_once(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Also for current visitors."""
    id = hub.create_running_board()
    made = share(hub, id)
    _, browser = follow(hub, made["url"])
    browser.request("GET", f"/tb/{id}/")

    revoked = hub.request("DELETE", f"/api/v1/tensorboards/{id}/shares/{made['id']}", "editor")

    assert revoked.status_code == 204
    assert (follow(hub, made["url"])[0], browser.request("GET", f"/tb/{id}/").status_code) == (404, 401)


def test_a_tampered_share_link_opens_nothing(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Changed letters, board, purpose or key."""
    id = hub.create_running_board()
    url = share(hub, id)["url"]
    ticket = url.rpartition("/")[2]
    token_signer = hub.hub.auth.token_signer
    holds = token_signer.read("share", ticket)
    assert holds
    forged = [
        *(ticket[:-1] + last for last in LETTERS if last != ticket[-1]),
        f"x{ticket}",
        token_signer.issue("door", holds, hub.now + 60),
        token_signer.issue("share", {**holds, "board": hub.create_running_board()}, hub.now + 60),
        token_signer.issue("share", {**holds, "share": "shr-unknown"}, hub.now + 60),
        type(token_signer)(b"x" * 32, lambda: hub.now).issue("share", holds, hub.now + 60),
        "",
        "x" * 5000,
    ]

    assert [follow(hub, f"/s/{each}")[0] for each in forged] == [404] * len(forged)
    assert follow(hub, url)[0] == 303
    assert ticket not in hub.log_text


def test_share_links_are_listed_without_secrets(hub: HubClient) -> None:
    """With creator and expiry."""
    id = hub.create_running_board()
    made = share(hub, id)

    listed = hub.request("GET", f"/api/v1/tensorboards/{id}/shares", "editor").json()["items"]

    assert listed == [{**made, "url": "", "TensorboardSharedUrl": ""}]
    assert (made["issuer_name"], made["revoked_at"]) == ("editor", None)


@pytest.mark.databases("sqlite", "postgres")
def test_a_repeated_request_gets_the_same_share_link(hub: HubClient) -> None:
    """Although links are not stored."""
    id, headers = hub.create_running_board(), {"Idempotency-Key": "k"}
    path, body = f"/api/v1/tensorboards/{id}/shares", {"expires_secs": 60}

    first, again = (hub.request("POST", path, "editor", body, headers=headers).json() for _ in range(2))

    assert first == again


def test_share_links_cannot_be_created_cross_site(hub: HubClient) -> None:
    """Although PAI's route is a GET without CSRF token."""
    id, browser = hub.create_running_board(), hub.open_session()
    hub.set_password("editor")
    browser.log_in("editor", "correct horse battery")
    path = f"/api/v1/tensorboards/{id}/sharedurl"

    foreign = browser.request("GET", path, headers={"Sec-Fetch-Site": "cross-site"})
    own = browser.request("GET", path, headers={"Sec-Fetch-Site": "same-origin"})

    assert (foreign.status_code, own.status_code) == (403, 200)
