"""Open streams of boards and of the hub end when the right to them ends."""

import asyncio
import concurrent.futures
import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.types import Message

from lightboard.hub.api.board_proxy import ResponseCut
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.resources.tensorboards import Access
from support.fake_worker import FakeWorker
from support.hub_client import PASSWORD, BrowserSession, HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db


class Stream:
    """An answer that is under way; `begun` once there is something of it."""

    def __init__(self, hub: HubClient, path: str, headers: dict[str, str]) -> None:
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
        except ResponseCut:
            return False
        last = self.messages[-1]
        return bool(last["type"] == "http.response.body" and not last.get("more_body", False))

    def leave(self) -> None:
        """The listener goes."""
        self._running.cancel()


@pytest.fixture
def fake_worker(hub: HubClient) -> Iterator[FakeWorker]:
    """What runs behind the door."""
    with FakeWorker() as there:
        hub.launcher.base_url = there.base_url
        yield there


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """One replica."""
    with HubClient(database, personas, tmp_path) as asked:
        asked.set_password("viewer")
        yield asked


@pytest.fixture
def replica(database_url: str, personas: Personas, tmp_path: pathlib.Path, hub: HubClient) -> Iterator[HubClient]:
    """Another one, over the same database and with the same key."""
    database = open_database(database_url)
    (tmp_path / "other").mkdir()
    with HubClient(database, personas, tmp_path / "other") as asked:
        asked._secrets, asked.now = hub._secrets, hub.now
        yield asked
    database.close()


def cookies(browser: BrowserSession) -> dict[str, str]:
    """What it shows."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}


def by_token(hub: HubClient, board: str) -> dict[str, str]:
    """Who looks, shows a token."""
    return {"Authorization": f"Bearer {hub.token('viewer', 'read')}"}


def by_login(hub: HubClient, board: str) -> dict[str, str]:
    """Or is logged in."""
    browser = hub.open_session()
    browser.log_in("viewer", PASSWORD)
    return cookies(browser)


def by_share(hub: HubClient, board: str) -> dict[str, str]:
    """Or has a share link, which the leader gave."""
    made = hub.request("POST", f"/api/v1/tensorboards/{board}/shares", "leader", {"expires_secs": 3600}).json()
    browser = hub.open_session()
    browser.request("GET", made["url"])
    return cookies(browser)


def by_exchange(hub: HubClient, board: str) -> dict[str, str]:
    """Or a cookie that a token in the address became."""
    browser = hub.open_session()
    browser.request("GET", f"/tb/{board}/?token={hub.token('viewer', 'read')}")
    return cookies(browser)


def nobody(hub: HubClient, board: str) -> dict[str, str]:
    """Or needs nothing."""
    hub.request("PATCH", f"/api/v1/tensorboards/{board}", "leader", {"http_auth": False})
    return {}


def revoke_token(hub: HubClient, board: str) -> Any:
    """The token is removed."""
    return hub.request("DELETE", f"/api/v1/tokens/{hub._secrets['secret-of-viewer-read']}", "viewer")


def log_out(hub: HubClient, board: str) -> Any:
    """A new password ends all logins."""
    return hub.request("PATCH", "/api/v1/accounts/viewer", "admin", {"password": "staple of another colour"})


def disable(hub: HubClient, board: str) -> Any:
    """The account is disabled."""
    return hub.request("PATCH", "/api/v1/accounts/viewer", "admin", {"disabled": True})


def take_out(hub: HubClient, board: str) -> Any:
    """The account is taken out of the project."""
    return hub.request("DELETE", "/api/v1/projects/vision/members/viewer", "leader")


def revoke_share(hub: HubClient, board: str) -> Any:
    """The link is revoked."""
    (share,) = hub.request("GET", f"/api/v1/tensorboards/{board}/shares", "leader").json()["items"]
    return hub.request("DELETE", f"/api/v1/tensorboards/{board}/shares/{share['id']}", "leader")


def issuer_leaves(hub: HubClient, board: str) -> Any:
    """Whoever gave the link may not any more."""
    return hub.request("DELETE", "/api/v1/projects/vision/members/leader", "owner")


def make_private(hub: HubClient, board: str) -> Any:
    """The board is shown to fewer."""
    return hub.request("PATCH", f"/api/v1/tensorboards/{board}", "editor", {"access": "private"})


def ask_for_login(hub: HubClient, board: str) -> Any:
    """The board asks who comes."""
    return hub.request("PATCH", f"/api/v1/tensorboards/{board}", "editor", {"http_auth": True})


Show = Callable[[HubClient, str], dict[str, str]]
Act = Callable[[HubClient, str], Any]
ENDS: list[tuple[Show, Act]] = [
    (by_token, revoke_token), (by_token, disable), (by_token, take_out), (by_token, make_private),
    (by_login, log_out), (by_login, disable), (by_login, take_out), (by_login, make_private),
    (by_exchange, revoke_token), (by_exchange, take_out),
    (by_share, revoke_share), (by_share, issuer_leaves),
    (nobody, ask_for_login),
]  # fmt: skip


@pytest.mark.parametrize(("show", "act"), ENDS)
def test_a_board_stream_ends_when_access_is_revoked(
    hub: HubClient, fake_worker: FakeWorker, show: Show, act: Act
) -> None:
    """As a normal end, so that the page reconnects and is refused."""
    board = hub.create_running_board(access=Access.PROJECT)
    headers = show(hub, board)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", headers)
    other = Stream(hub, f"/tb/{board}/api/v1/events", {"Authorization": f"Bearer {hub.token('editor')}"})

    assert (stream.status, stream.is_open) == (200, True)
    assert act(hub, board).is_success
    assert stream.ended_whole()
    assert Stream(hub, f"/tb/{board}/api/v1/events", headers).status in (401, 404)
    assert other.is_open
    other.leave()


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize(("show", "act"), [(by_token, revoke_token), (by_share, revoke_share), (by_login, take_out)])
def test_a_revocation_at_another_replica_ends_the_stream(
    hub: HubClient, replica: HubClient, fake_worker: FakeWorker, show: Show, act: Act
) -> None:
    """The database notifies this replica."""
    board = hub.create_running_board(access=Access.PROJECT)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", show(hub, board))

    assert act(replica, board).is_success
    assert stream.ended_whole()


@pytest.mark.databases("sqlite", "postgres")
def test_a_stream_ends_when_its_share_link_expires(hub: HubClient, fake_worker: FakeWorker) -> None:
    """Without any request."""
    board = hub.create_running_board()
    stream = Stream(hub, f"/tb/{board}/api/v1/events", by_share(hub, board))
    hub.now += 3600

    assert stream.ended_whole()


@pytest.mark.databases("sqlite", "postgres")
def test_a_renewed_login_keeps_its_stream(hub: HubClient, fake_worker: FakeWorker) -> None:
    """The expiry in the database counts."""
    board = hub.create_running_board(access=Access.PROJECT)
    headers = by_login(hub, board)
    stream = Stream(hub, f"/tb/{board}/api/v1/events", headers)
    for _ in range(3):
        hub.now += 10 * 86_400
        hub.request("GET", "/api/v1/me", headers=headers)
        hub.hub.runtime.activity.flush()
    hub.request("DELETE", "/api/v1/projects/vision/members/leader", "owner")  # has every stream looked at
    open_then = stream.is_open
    hub.now += 15 * 86_400

    assert (open_then, stream.ended_whole()) == (True, True)


def test_an_ordinary_response_is_aborted(hub: HubClient, fake_worker: FakeWorker) -> None:
    """So that nobody mistakes half a table for all of it."""
    board = hub.create_running_board(access=Access.PROJECT)
    answer = Stream(hub, f"/tb/{board}/endless", by_token(hub, board))

    revoke_token(hub, board)

    assert not answer.ended_whole()
    assert "access to the board has ended" in hub.log_text


@pytest.mark.parametrize(
    ("show", "act"),
    [(by_token, revoke_token), (by_token, disable), (by_token, take_out), (by_login, log_out), (by_login, take_out)],
)
def test_a_hub_stream_ends_when_access_changes(hub: HubClient, show: Show, act: Act) -> None:
    """Clients reload their lists."""
    stream = Stream(hub, "/api/v1/watch", show(hub, ""))

    assert (stream.status, stream.is_open) == (200, True)
    act(hub, "")
    assert stream.ended_whole()


@pytest.mark.parametrize(
    ("show", "act"),
    [(by_token, revoke_token), (by_token, disable), (by_token, take_out), (by_login, log_out), (by_login, take_out)],
)
def test_a_stream_of_a_log_ends_when_access_changes(hub: HubClient, show: Show, act: Act) -> None:
    """While its job runs on; that of somebody else continues."""
    job = hub.request("POST", "/api/v1/jobs", "editor", {"command": ["train"], "project": "vision"}).json()["id"]
    hub.reconcile()
    path, headers = f"/api/v1/jobs/{job}/logs/stream", show(hub, "")
    stream = Stream(hub, path, headers)
    other = Stream(hub, path, {"Authorization": f"Bearer {hub.token('editor')}"})

    assert (stream.status, stream.is_open) == (200, True)
    act(hub, "")
    assert stream.ended_whole()
    assert Stream(hub, path, headers).status in (401, 404)
    assert other.is_open
    other.leave()


@pytest.mark.databases("sqlite", "postgres")
def test_a_change_at_another_replica_ends_a_hub_stream(hub: HubClient, replica: HubClient) -> None:
    """Within a second, not at the next heartbeat."""
    stream = Stream(hub, "/api/v1/watch", by_token(hub, ""))

    revoke_token(replica, "")

    assert stream.ended_whole()


@pytest.mark.databases("sqlite", "postgres")
def test_other_streams_continue(hub: HubClient) -> None:
    """Whatever happens to other accounts."""
    stream = Stream(hub, "/api/v1/watch", by_token(hub, ""))
    hub.request(
        "DELETE", f"/api/v1/tokens/{(hub.token('editor', 'read'), hub.token_id('editor', 'read'))[1]}", "editor"
    )
    hub.request("DELETE", "/api/v1/projects/vision/members/leader", "owner")
    gone = Stream(hub, "/api/v1/watch", {"Authorization": f"Bearer {hub.token('stranger')}"})
    hub.request("PATCH", "/api/v1/accounts/stranger", "admin", {"disabled": True})

    assert (gone.ended_whole(), stream.is_open) == (True, True)
    stream.leave()
