"""What is open ends with the right to it: streams of boards and of the hub, by everything that takes a right away."""

import asyncio
import concurrent.futures
import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cast import Cast
from hub_harness import PASSWORD, Browser, HubHarness
from starlette.types import Message
from upstream import Upstream

from lightboard.hub.api.board_proxy import AnswerCut
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.resources.tensorboards import Access


class Stream:
    """An answer that is under way; `begun` once there is something of it."""

    def __init__(self, hub: HubHarness, path: str, headers: dict[str, str]) -> None:
        self.messages: list[Message] = []
        self._begun = threading.Event()
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
                 "headers": [(b"host", b"127.0.0.1:8080"), *raw], "client": ("127.0.0.1", 5), "scheme": "http",
                 "server": ("127.0.0.1", 8080), "http_version": "1.1", "root_path": ""}  # fmt: skip
        asked = False

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await asyncio.Event().wait()
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            self.messages.append(message)
            if message["type"] == "http.response.body":
                self._begun.set()

        async def run() -> None:
            await hub.app(scope, receive, send)

        self._running: concurrent.futures.Future[None] = asyncio.run_coroutine_threadsafe(run(), hub._loop)
        assert self._begun.wait(60)

    @property
    def status(self) -> int:
        """Of the answer."""
        return int(self.messages[0]["status"])

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return not self._running.done()

    def ended_whole(self) -> bool:
        """Waits for the end; whether the answer was ended as one that is whole, rather than cut."""
        try:
            self._running.result(60)
        except AnswerCut:
            return False
        last = self.messages[-1]
        return bool(last["type"] == "http.response.body" and not last.get("more_body", False))

    def leave(self) -> None:
        """The listener goes."""
        self._running.cancel()


@pytest.fixture
def upstream(hub: HubHarness) -> Iterator[Upstream]:
    """What runs behind the door."""
    with Upstream() as there:
        hub.launcher.base_url = there.base_url
        yield there


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """One replica."""
    with HubHarness(database, cast, tmp_path) as asked:
        asked.give_password("viewer")
        yield asked


@pytest.fixture
def replica(database_url: str, cast: Cast, tmp_path: pathlib.Path, hub: HubHarness) -> Iterator[HubHarness]:
    """Another one, over the same database and with the same key."""
    database = open_database(database_url)
    (tmp_path / "other").mkdir()
    with HubHarness(database, cast, tmp_path / "other") as asked:
        asked._secrets, asked.now = hub._secrets, hub.now
        yield asked
    database.close()


def cookies(browser: Browser) -> dict[str, str]:
    """What it shows."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}


def by_token(hub: HubHarness, board: str) -> dict[str, str]:
    """Who looks, shows a token."""
    return {"Authorization": f"Bearer {hub.token('viewer', 'read')}"}


def by_login(hub: HubHarness, board: str) -> dict[str, str]:
    """Or is logged in."""
    browser = hub.browser()
    browser.log_in("viewer", PASSWORD)
    return cookies(browser)


def by_share(hub: HubHarness, board: str) -> dict[str, str]:
    """Or has a share link, which the leader gave."""
    made = hub.ask("POST", f"/api/v1/tensorboards/{board}/shares", "leader", {"expires_secs": 3600}).json()
    browser = hub.browser()
    browser.run("GET", made["url"])
    return cookies(browser)


def by_exchange(hub: HubHarness, board: str) -> dict[str, str]:
    """Or a cookie that a token in the address became."""
    browser = hub.browser()
    browser.run("GET", f"/tb/{board}/?token={hub.token('viewer', 'read')}")
    return cookies(browser)


def nobody(hub: HubHarness, board: str) -> dict[str, str]:
    """Or needs nothing."""
    hub.ask("PATCH", f"/api/v1/tensorboards/{board}", "leader", {"http_auth": False})
    return {}


def revoke_token(hub: HubHarness, board: str) -> Any:
    """The token is removed."""
    return hub.ask("DELETE", f"/api/v1/tokens/{hub._secrets['secret-of-viewer-read']}", "viewer")


def log_out(hub: HubHarness, board: str) -> Any:
    """A new password ends all logins."""
    return hub.ask("PATCH", "/api/v1/accounts/viewer", "admin", {"password": "staple of another colour"})


def disable(hub: HubHarness, board: str) -> Any:
    """The account is disabled."""
    return hub.ask("PATCH", "/api/v1/accounts/viewer", "admin", {"disabled": True})


def take_out(hub: HubHarness, board: str) -> Any:
    """The account is taken out of the project."""
    return hub.ask("DELETE", "/api/v1/projects/vision/members/viewer", "leader")


def revoke_share(hub: HubHarness, board: str) -> Any:
    """The link is revoked."""
    (share,) = hub.ask("GET", f"/api/v1/tensorboards/{board}/shares", "leader").json()["items"]
    return hub.ask("DELETE", f"/api/v1/tensorboards/{board}/shares/{share['id']}", "leader")


def issuer_leaves(hub: HubHarness, board: str) -> Any:
    """Whoever gave the link may not any more."""
    return hub.ask("DELETE", "/api/v1/projects/vision/members/leader", "owner")


def make_private(hub: HubHarness, board: str) -> Any:
    """The board is shown to fewer."""
    return hub.ask("PATCH", f"/api/v1/tensorboards/{board}", "editor", {"access": "private"})


def ask_for_login(hub: HubHarness, board: str) -> Any:
    """The board asks who comes."""
    return hub.ask("PATCH", f"/api/v1/tensorboards/{board}", "editor", {"http_auth": True})


Show = Callable[[HubHarness, str], dict[str, str]]
Act = Callable[[HubHarness, str], Any]
ENDS: list[tuple[Show, Act]] = [
    (by_token, revoke_token), (by_token, disable), (by_token, take_out), (by_token, make_private),
    (by_login, log_out), (by_login, disable), (by_login, take_out), (by_login, make_private),
    (by_exchange, revoke_token), (by_exchange, take_out),
    (by_share, revoke_share), (by_share, issuer_leaves),
    (nobody, ask_for_login),
]  # fmt: skip


@pytest.mark.parametrize(("show", "act"), ENDS)
def test_a_stream_of_a_board_ends_with_the_right_to_it(
    hub: HubHarness, upstream: Upstream, show: Show, act: Act
) -> None:
    """As if it were over, so that the page asks again, and is refused."""
    board = hub.running(access=Access.PROJECT)
    headers = show(hub, board)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", headers)
    other = Stream(hub, f"/tb/{board}/api/v1/events", {"Authorization": f"Bearer {hub.token('editor')}"})

    assert (stream.status, stream.is_open) == (200, True)
    assert act(hub, board).is_success
    assert stream.ended_whole()
    assert Stream(hub, f"/tb/{board}/api/v1/events", headers).status in (401, 404)
    assert other.is_open
    other.leave()


@pytest.mark.parametrize(("show", "act"), [(by_token, revoke_token), (by_share, revoke_share), (by_login, take_out)])
def test_it_ends_by_what_another_replica_does(
    hub: HubHarness, replica: HubHarness, upstream: Upstream, show: Show, act: Act
) -> None:
    """Which tells the first by the database."""
    board = hub.running(access=Access.PROJECT)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", show(hub, board))

    assert act(replica, board).is_success
    assert stream.ended_whole()


def test_a_stream_ends_with_the_time_of_its_link(hub: HubHarness, upstream: Upstream) -> None:
    """Nobody has to do anything for that."""
    board = hub.running()
    stream = Stream(hub, f"/tb/{board}/api/v1/events", by_share(hub, board))
    hub.now += 3600

    assert stream.ended_whole()


def test_a_login_that_is_used_goes_on(hub: HubHarness, upstream: Upstream) -> None:
    """Only the end that the database has by then counts."""
    board = hub.running(access=Access.PROJECT)
    headers = by_login(hub, board)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", headers)
    for _ in range(3):
        hub.now += 10 * 86_400
        hub.ask("GET", "/api/v1/me", headers=headers)
        hub.hub.activity.keep()
    hub.ask("DELETE", "/api/v1/projects/vision/members/leader", "owner")  # has every stream looked at
    open_then = stream.is_open
    hub.now += 15 * 86_400

    assert (open_then, stream.ended_whole()) == (True, True)


def test_an_answer_that_is_no_stream_is_cut(hub: HubHarness, upstream: Upstream) -> None:
    """So that nobody takes the half of a table for the whole."""
    board = hub.running(access=Access.PROJECT)
    answer = Stream(hub, f"/tb/{board}/endless", by_token(hub, board))

    revoke_token(hub, board)

    assert not answer.ended_whole()
    assert "access to the board has ended" in hub.said


@pytest.mark.parametrize(
    ("show", "act"),
    [(by_token, revoke_token), (by_token, disable), (by_token, take_out), (by_login, log_out), (by_login, take_out)],
)
def test_a_stream_of_the_hub_ends_with_what_it_told(hub: HubHarness, show: Show, act: Act) -> None:
    """Lists begin anew with what the asker may see now."""
    stream = Stream(hub, "/api/v1/watch", show(hub, ""))

    assert (stream.status, stream.is_open) == (200, True)
    act(hub, "")
    assert stream.ended_whole()


def test_a_stream_of_the_hub_ends_by_what_another_replica_does(hub: HubHarness, replica: HubHarness) -> None:
    """Within a second, not at its next heartbeat."""
    stream = Stream(hub, "/api/v1/watch", by_token(hub, ""))

    revoke_token(replica, "")

    assert stream.ended_whole()


def test_streams_of_others_go_on(hub: HubHarness) -> None:
    """Whatever happens to somebody else."""
    stream = Stream(hub, "/api/v1/watch", by_token(hub, ""))
    hub.ask("DELETE", f"/api/v1/tokens/{(hub.token('editor', 'read'), hub.token_id('editor', 'read'))[1]}", "editor")
    hub.ask("DELETE", "/api/v1/projects/vision/members/leader", "owner")
    gone = Stream(hub, "/api/v1/watch", {"Authorization": f"Bearer {hub.token('stranger')}"})
    hub.ask("PATCH", "/api/v1/accounts/stranger", "admin", {"disabled": True})

    assert (gone.ended_whole(), stream.is_open) == (True, True)
    stream.leave()
