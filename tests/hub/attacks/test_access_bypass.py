"""Headers, methods and cached responses give no access that the account does not have."""

import socket
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from support.attacker import BOARD_NUMBERS, Attacker, create_attacker, write_run
from support.hub_process import HubProcess, plain_client
from support.response_comparison import comparable_response

NOTE = b'{"runs":{"run":{"note":"written by an attacker"}}}'
JSON = {"Content-Type": "application/json"}


@dataclass
class Target:
    """Boards of somebody else: `hidden` from the attacker, `shown` to be looked at."""

    hub: HubProcess
    attacker: Attacker
    hidden: dict[str, Any]
    shown: dict[str, Any]
    viewer: str

    def look(self, path: str, token: str, board: dict[str, Any], **more: Any) -> httpx.Response:
        """A GET through the front door."""
        return self.hub.request("GET", f"/tb/{board['id']}/{path}", token=token, **more)

    def notes(self) -> dict[str, Any]:
        """What people have added to the board that is shown."""
        found: dict[str, Any] = self.look("api/v1/overlay", self.hub.token, self.shown).json()["runs"]
        return found

    def sent(self, head: str, body: bytes = b"") -> bytes:
        """All that is answered, until the hub closes, to a request of the viewer that is sent as it stands."""
        fixed = f"Host: 127.0.0.1:{self.hub.port}\r\nAuthorization: Bearer {self.viewer}\r\n"
        line, _, headers = head.partition("\n")
        text = f"{line}\r\n{fixed}" + "".join(f"{each}\r\n" for each in headers.split("\n") if each) + "\r\n"
        with socket.create_connection(("127.0.0.1", self.hub.port), timeout=60) as client:
            client.sendall(text.encode("latin-1") + body)
            return b"".join(iter(lambda: client.recv(65_536), b""))


@pytest.fixture(scope="module")
def target(hub: HubProcess) -> Target:
    """With one run in each. All tests look at the same boards, to which nothing may happen."""
    number, attacker = next(BOARD_NUMBERS), create_attacker(hub)
    viewer, owner = (hub.create_account(f"{name}{number}", name) for name in ("viewer", "editor"))
    boards = {}
    for name, access in (("hidden", "private"), ("shown", "project")):
        folder = attacker.folder / name
        write_run(folder, "run")
        boards[name] = hub.create_board(folder, owner, access=access, name=f"{name}-{number}")
    return Target(hub, attacker, boards["hidden"], boards["shown"], viewer)


def test_no_header_grants_write_access(target: Target) -> None:
    """In any spelling, hop-by-hop or not."""
    path = f"/tb/{target.shown['id']}/api/v1/overlay"
    length = f"Content-Type: application/json\nContent-Length: {len(NOTE)}\nConnection: close"
    for header in (
        "X-Lightboard-Role: write",
        "x-lightboard-role: write\nX-LIGHTBOARD-ROLE: write",
        "X_Lightboard_Role: write",
        "X-Lightboard-Role : write",
        "X-Lightboard-Role:\twrite",
        "X-A: b\n X-Lightboard-Role: write",
        "Connection: x-lightboard-role, x-lightboard-hub, x-lightboard-client",
        "X-Lightboard-Client: account:admin",
        "X-HTTP-Method-Override: PATCH",
        "X-Forwarded-User: admin",
        "Forwarded: for=127.0.0.1;by=hub",
    ):
        answer = target.sent(f"PATCH {path} HTTP/1.1\n{header}\n{length}", NOTE)
        assert answer.split(b"\r\n")[0] in (b"HTTP/1.1 403 Forbidden", b"HTTP/1.1 400 Bad Request"), header

    assert target.notes() == {}


@pytest.mark.parametrize("override", ["PATCH", "PUT", "DELETE", "GET", "get", "GET, PATCH"])
def test_method_overrides_change_nothing(target: Target, override: str) -> None:
    """Boards accept them only for queries too long for a URL; the hub ignores them."""
    board, headers = target.shown["id"], {**JSON, "X-HTTP-Method-Override": override}
    on_board = target.hub.request(
        "POST", f"/tb/{board}/api/v1/overlay", token=target.viewer, content=NOTE, headers=headers
    )
    on_hub = [
        target.hub.request("POST", path, token=target.viewer, content=b"", headers=headers).status_code
        for path in (f"/api/v1/tensorboards/{board}", f"/api/v1/tensorboards/{board}/sharedurl", "/api/v1/me")
    ]

    assert on_board.status_code == (200 if override == "GET" else 405)
    assert on_hub == [405, 405, 405]
    assert target.notes() == {}


def test_request_smuggling_is_refused(target: Target) -> None:
    """Requests with two or invalid lengths are not read."""
    path = f"/tb/{target.shown['id']}/api/v1/reload"
    inner = f"PATCH /tb/{target.shown['id']}/api/v1/overlay HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    for headers in (
        "Content-Length: 4\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\nContent-Length: 4",
        "Content-Length: 4\nContent-Length: 0",
        "Content-Length: 4, 0",
        "Content-Length: +4",
        "Content-Length: 0x4",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked\nTransfer-Encoding: identity",
        "Transfer-Encoding:\x0bchunked",
    ):
        answer = target.sent(f"POST {path} HTTP/1.1\n{headers}", b"0\r\n\r\n" + inner)
        assert answer.startswith(b"HTTP/1.1 400 "), headers
        assert answer.count(b"HTTP/1.1 ") == 1, headers


def test_etags_and_ranges_grant_no_access(target: Target) -> None:
    """An ETag or range of somebody else's response reveals nothing."""
    hub, token = target.hub, target.attacker.token
    for path in ("api/v1/runs", "api/v1/tags", "data/plugin/scalars/tags", "assets/index.js"):
        tag = target.look(path, hub.token, target.hidden).headers.get("etag", '"x"')
        plain = comparable_response(target.look(path, token, target.hidden))
        for headers in (
            {"If-None-Match": tag},
            {"If-None-Match": "*"},
            {"If-Match": tag},
            {"Range": "bytes=0-1"},
            {"Range": "bytes=0-1", "If-Range": tag},
            {"If-Modified-Since": "Thu, 01 Jan 2099 00:00:00 GMT"},
        ):
            assert plain[0] == 404
            assert comparable_response(target.look(path, token, target.hidden, headers=headers)) == plain, (
                path,
                headers,
            )


def test_boards_do_not_share_cached_responses(target: Target) -> None:
    """Although a worker has one cache for all boards."""
    write_run(target.attacker.folder / "shown", "only-here")
    target.hub.request("POST", f"/tb/{target.shown['id']}/api/v1/reload")
    names = [
        sorted(run["name"] for run in target.look("api/v1/runs", target.hub.token, board).json()["runs"])
        for board in (target.shown, target.hidden, target.shown)
    ]

    assert names == [["only-here", "run"], ["run"], ["only-here", "run"]]


def test_etags_are_per_board_and_role(target: Target) -> None:
    """A reader's response is not reused for a writer, nor the other way round."""
    tokens = (target.hub.token, target.viewer, target.hub.token)
    writable = [target.look("api/v1/overlay", token, target.shown).json()["writable"] for token in tokens]

    assert writable == [True, False, True]


def test_a_revoked_share_link_grants_nothing(target: Target) -> None:
    """Neither its cookie, nor an ETag, nor the URL it led to."""
    board = target.shown["id"]
    share = target.hub.json("POST", f"/api/v1/tensorboards/{board}/shares", {"expires_secs": 3600})
    with plain_client(target.hub.url) as guest:
        guest.get(share["url"])
        before = guest.get(f"/tb/{board}/api/v1/runs")
        target.hub.request("DELETE", f"/api/v1/tensorboards/{board}/shares/{share['id']}")
        after = [
            guest.get(f"/tb/{board}/api/v1/runs", headers=headers).status_code
            for headers in ({}, {"If-None-Match": before.headers["etag"]}, {"Range": "bytes=0-1"})
        ]

    assert (before.status_code, after) == (200, [401, 401, 401])
