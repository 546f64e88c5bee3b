"""Timeouts and limits of connections, on real sockets."""

import asyncio
import pathlib
import socket
import tomllib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState

from lightboard.asgi.connection import (
    ATTRIBUTES,
    CONNECTION_COUNTER,
    OVERRIDDEN_METHODS,
    Connection,
    Timeouts,
    connection_class,
    missing_names,
)
from lightboard.asgi.server import OVERRIDDEN, SUPPORTED, Server, check_uvicorn
from lightboard.errors import LightboardError
from lightboard.testing.async_runner import run_async
from support.asgi_client import count_body_bytes, echo_path

ROOT = pathlib.Path(__file__).resolve().parents[2]

LONG_SECS = 600.0
"""Longer than any test."""

PATIENT = Timeouts(LONG_SECS, LONG_SECS, LONG_SECS)
HEAD = b"POST /here HTTP/1.1\r\nHost: localhost\r\n"


def served(timeouts: Timeouts, app: Any, story: Callable[[int], Awaitable[bytes]]) -> bytes:
    """What `story(port)` gives while `app` is served."""

    async def play() -> bytes:
        config, state, loop = (
            uvicorn.Config(app, log_config=None, lifespan="off"),
            ServerState(),
            asyncio.get_running_loop(),
        )
        config.load()
        made = connection_class(timeouts)
        server = await loop.create_server(lambda: made(config=config, server_state=state, app_state={}), "127.0.0.1", 0)
        try:
            return await asyncio.wait_for(story(server.sockets[0].getsockname()[1]), 60)
        finally:
            server.close()
            for connection in list(state.connections):
                connection.transport.abort()
            await asyncio.gather(*state.tasks, return_exceptions=True)
            await server.wait_closed()

    return run_async(play())


async def said(port: int, *pieces: bytes) -> bytes:
    """Everything that is answered to these bytes until the connection is closed by the other side."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await reader.read()
    finally:
        writer.close()


def test_incomplete_headers_time_out() -> None:
    """With an error, and the connection closes."""
    answer = served(PATIENT._replace(head_secs=0.01), echo_path, lambda port: said(port, HEAD))

    assert answer.startswith(b"HTTP/1.1 408 ")


def test_incomplete_headers_time_out_on_kept_connections() -> None:
    """A kept connection is no excuse."""
    whole = b"GET /one HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = served(PATIENT._replace(head_secs=0.01), echo_path, lambda port: said(port, whole, HEAD))

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in answer


def test_incomplete_bodies_time_out() -> None:
    """Whatever the Content-Length."""
    asked = HEAD + b"Content-Length: 100\r\n\r\nhalf"
    answer = served(PATIENT._replace(stall_secs=0.01), count_body_bytes, lambda port: said(port, asked))

    assert answer.startswith(b"HTTP/1.1 408 ")


def test_slow_bodies_time_out() -> None:
    """A byte now and then does not keep a connection."""

    async def dripping(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"Content-Length: 1000000\r\n\r\n")
        answer = asyncio.ensure_future(reader.read())
        while not answer.done():
            writer.write(b".")
            await asyncio.sleep(0.001)
        writer.close()
        with suppress(ConnectionError):  # what it is told may be lost under what it went on to send
            await answer
        return b"closed"

    assert served(PATIENT._replace(stall_secs=0.05), count_body_bytes, dripping) == b"closed"


def test_silent_connections_are_closed() -> None:
    """Without a response."""
    assert served(PATIENT._replace(idle_secs=0.01), echo_path, said) == b""


def test_complete_requests_stop_the_timers() -> None:
    """Timers are stopped by what they wait for."""
    asked = HEAD + b"Connection: close\r\nContent-Length: 4\r\n\r\n"

    answer = served(PATIENT, count_body_bytes, lambda port: said(port, asked[:20], asked[20:], b"wh", b"ole"[:2]))

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"4\r\n0\r\n\r\n")


def test_unread_responses_are_aborted() -> None:
    """The sender stops waiting, and the connection closes."""

    async def story(port: int) -> bytes:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await ended.wait()
        return b"ended"

    ended = asyncio.Event()

    async def pour(scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(until_gone(receive))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not gone.done():
            await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})
            await asyncio.sleep(0)
        ended.set()

    assert served(PATIENT._replace(stall_secs=0.05), pour, story) == b"ended"


async def until_gone(receive: Receive) -> None:
    """Returns when the client has gone."""
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()


def test_pipelined_requests_notice_a_disconnect() -> None:
    """uvicorn alone tells only the last one."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await until_gone(receive)
        ended.set()

    async def story(port: int) -> bytes:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /one HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2)
        await begun.wait()
        writer.close()
        await ended.wait()
        return b"ended"

    assert served(PATIENT, endless, story) == b"ended"


def test_connections_over_the_limit_get_503() -> None:
    """They are accepted once another one has closed."""

    async def story(port: int) -> bytes:
        _, first = await asyncio.open_connection("127.0.0.1", port)
        first.write(HEAD)
        refused = await said(port)
        first.close()
        await first.wait_closed()
        whole = b"GET /one HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        while not (answer := await said(port, whole)).startswith(b"HTTP/1.1 200 "):
            assert answer.startswith(b"HTTP/1.1 503 ")
        return refused

    refused = served(PATIENT._replace(most_connections=1), echo_path, story)
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in refused


def test_requests_know_the_connection_count() -> None:
    """While full, with the number refused."""
    told: list[tuple[int, bool, int]] = []

    async def tell(scope: Scope, receive: Receive, send: Send) -> None:
        crowd = scope[CONNECTION_COUNTER]
        told.append((crowd.open, crowd.full, crowd.refused))
        await echo_path(scope, receive, send)

    async def story(port: int) -> bytes:
        reader, first = await asyncio.open_connection("127.0.0.1", port)
        ask = b"GET /one HTTP/1.1\r\nHost: localhost\r\n\r\n"
        _, second = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(3):
            await said(port)
        for leaves in (True, False):
            first.write(ask)
            await reader.readuntil(b"\r\n0\r\n\r\n")  # the whole answer: its last chunk ends with an empty line too
            if leaves:
                second.close()
                await second.wait_closed()
                while not (await said(port, ask.replace(b"Host", b"Connection: close\r\nHost"))).startswith(
                    b"HTTP/1.1 2"
                ):
                    pass
                told[1:] = []
        first.close()
        return b"told"

    served(PATIENT._replace(most_connections=2), tell, story)
    assert (told[0][1:], told[-1]) == ((True, 3), (1, False, 0))


def test_uvicorn_has_the_internals_used_here() -> None:
    """They are undocumented, so another version may rename them."""
    try:
        check_uvicorn(uvicorn.Server)
    except LightboardError as error:
        pytest.fail(
            f"{error}: find what this version calls it, put the new names into OVERRIDDEN(_METHODS) and ATTRIBUTES of "
            f"asgi/server.py and asgi/connection.py and wherever these modules use them, and raise SUPPORTED with the "
            f"bound in pyproject.toml; or go back: {error.hint}"
        )

    assert [name for name in OVERRIDDEN_METHODS if name not in vars(Connection)] == []
    assert [name for name in OVERRIDDEN if name not in vars(Server)] == []


def test_an_incompatible_uvicorn_fails_at_the_start() -> None:
    """The error names what is missing and a working version."""

    class Other:
        def __init__(self) -> None:
            self.exit_now = False

        def main_loop(self) -> None: ...

    with pytest.raises(LightboardError, match=r"^uvicorn \S+ lacks capture_signals, force_exit$") as raised:
        check_uvicorn(Other)
    assert raised.value.hint == f"pip install '{SUPPORTED}'"


def test_attributes_of_connections_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of the request cycle and flow control."""
    for kind in ATTRIBUTES:
        monkeypatch.setitem(ATTRIBUTES, kind, ("gone",))

    assert missing_names() == ["HttpToolsProtocol.gone", "RequestResponseCycle.gone", "FlowControl.gone"]


def test_the_installed_uvicorn_is_supported() -> None:
    """pip brings one of those that the start-up error asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert [one for one in project["dependencies"] if one.startswith("uvicorn")] == [SUPPORTED]
