"""Links that open one board for anybody, for a while."""

import string
from collections.abc import Iterator
from typing import Any

import pytest
from hub_harness import BASE, HubHarness
from upstream import Upstream

from lightboard.hub.launchers.base import ROLE_HEADER

DAY = 86_400
LETTERS = f"{string.ascii_letters}{string.digits}-_"


@pytest.fixture
def upstream(hub: HubHarness) -> Iterator[Upstream]:
    """What runs behind the door."""
    with Upstream() as there:
        hub.launcher.base_url = there.base_url
        yield there


def share(hub: HubHarness, id: str, secs: int = DAY) -> dict[str, Any]:
    """A link of the editor, who owns the board."""
    made: dict[str, Any] = hub.ask("POST", f"/api/v1/tensorboards/{id}/shares", "editor", {"expires_secs": secs}).json()
    return made


def follow(hub: HubHarness, url: str) -> tuple[int, Any]:
    """What somebody without an account gets by a link: the status, and the browser."""
    browser = hub.browser()
    return browser.run("GET", url.removeprefix(BASE)).status_code, browser


def test_a_link_opens_one_board_for_reading(hub: HubHarness, upstream: Upstream) -> None:
    """For anybody; and no other."""
    id, other = hub.running(), hub.running()
    made = share(hub, id)

    status, browser = follow(hub, made["url"])

    assert (status, made["TensorboardSharedUrl"]) == (303, made["url"])
    assert [browser.run("GET", f"/tb/{each}/").status_code for each in (id, other)] == [200, 401]
    assert upstream.asked[-1]["headers"][ROLE_HEADER.lower()] == "read"
    assert browser.run("GET", "/api/v1/me").status_code == 401


def test_pais_form_makes_the_same_link(hub: HubHarness, upstream: Upstream) -> None:
    """A GET with a number of seconds, at most seven days."""
    id = hub.running()

    made = hub.ask("GET", f"/api/v1/tensorboards/{id}/sharedurl?ExpireTimeSeconds=60", "editor").json()
    long = hub.ask("GET", f"/api/v1/tensorboards/{id}/sharedurl?ExpireTimeSeconds=604801", "editor")

    assert (follow(hub, made["TensorboardSharedUrl"])[0], made["expires_at"] - hub.now, long.status_code) == (
        303,
        60,
        422,
    )


def test_a_link_ends_when_its_time_is_over(hub: HubHarness, upstream: Upstream) -> None:
    """The link, and the cookie that came of it."""
    id = hub.running()
    made = share(hub, id, 60)
    _, browser = follow(hub, made["url"])

    hub.now += 60
    hub.hub.board_authorizer.clear_cache()

    assert (follow(hub, made["url"])[0], browser.run("GET", f"/tb/{id}/").status_code) == (404, 401)


def test_a_revoked_link_ends_at_once(hub: HubHarness, upstream: Upstream) -> None:
    """Also for who is inside."""
    id = hub.running()
    made = share(hub, id)
    _, browser = follow(hub, made["url"])
    browser.run("GET", f"/tb/{id}/")

    revoked = hub.ask("DELETE", f"/api/v1/tensorboards/{id}/shares/{made['id']}", "editor")

    assert revoked.status_code == 204
    assert (follow(hub, made["url"])[0], browser.run("GET", f"/tb/{id}/").status_code) == (404, 401)


def test_a_link_that_was_changed_opens_nothing(hub: HubHarness, upstream: Upstream) -> None:
    """Not by one letter, not for another board, not for another purpose, not by another key."""
    id = hub.running()
    url = share(hub, id)["url"]
    ticket = url.rpartition("/")[2]
    token_signer = hub.hub.token_signer
    holds = token_signer.read("share", ticket)
    assert holds
    forged = [
        *(ticket[:-1] + last for last in LETTERS if last != ticket[-1]),
        f"x{ticket}",
        token_signer.issue("door", holds, hub.now + 60),
        token_signer.issue("share", {**holds, "board": hub.running()}, hub.now + 60),
        token_signer.issue("share", {**holds, "share": "shr-unknown"}, hub.now + 60),
        type(token_signer)(b"x" * 32, lambda: hub.now).issue("share", holds, hub.now + 60),
        "",
        "x" * 5000,
    ]

    assert [follow(hub, f"/s/{each}")[0] for each in forged] == [404] * len(forged)
    assert follow(hub, url)[0] == 303
    assert ticket not in hub.said


def test_links_are_listed_without_what_opens(hub: HubHarness) -> None:
    """Who made them, and until when."""
    id = hub.running()
    made = share(hub, id)

    listed = hub.ask("GET", f"/api/v1/tensorboards/{id}/shares", "editor").json()["items"]

    assert listed == [{**made, "url": "", "TensorboardSharedUrl": ""}]
    assert (made["issuer_name"], made["revoked_at"]) == ("editor", None)


def test_the_same_request_gets_the_same_link(hub: HubHarness) -> None:
    """Though no link is kept."""
    id, headers = hub.running(), {"Idempotency-Key": "k"}
    path, body = f"/api/v1/tensorboards/{id}/shares", {"expires_secs": 60}

    first, again = (hub.ask("POST", path, "editor", body, headers=headers).json() for _ in range(2))

    assert first == again


def test_a_page_of_another_site_cannot_have_a_link_made(hub: HubHarness) -> None:
    """Although PAI's form is a GET, which needs no word of the page."""
    id, browser = hub.running(), hub.browser()
    hub.give_password("editor")
    browser.log_in("editor", "correct horse battery")
    path = f"/api/v1/tensorboards/{id}/sharedurl"

    foreign = browser.run("GET", path, headers={"Sec-Fetch-Site": "cross-site"})
    own = browser.run("GET", path, headers={"Sec-Fetch-Site": "same-origin"})

    assert (foreign.status_code, own.status_code) == (403, 200)
