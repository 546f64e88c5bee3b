"""Sends requests to an ASGI application in process."""

import asyncio
from typing import Any
from urllib.parse import unquote

import httpx
from starlette.types import ASGIApp, Message, Scope

from lightboard.testing.async_runner import run_async

BASE = "http://localhost:6006"


class InProcess(httpx.AsyncBaseTransport):
    """What `httpx.ASGITransport` does in asyncio; that looks for another library at each request, which takes longer.

    Exceptions become error responses.
    """

    def __init__(self, app: ASGIApp, client: tuple[str, int] = ("127.0.0.1", 123)) -> None:
        self._app = app
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The whole response."""
        chunks = aiter(request.stream)
        sent, ended = False, asyncio.Event()
        status, headers, body = 500, list[tuple[bytes, bytes]](), list[bytes]()

        async def receive() -> Message:
            nonlocal sent
            if sent:
                await ended.wait()
                return {"type": "http.disconnect"}
            chunk = await anext(chunks, None)
            sent = chunk is None
            return {"type": "http.request", "body": chunk or b"", "more_body": not sent}

        async def send(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], message.get("headers", [])
            elif message["type"] == "http.response.body":
                assert not ended.is_set()
                if request.method != "HEAD":
                    body.append(message.get("body", b""))
                if not message.get("more_body", False):
                    ended.set()

        try:
            await self._app(scope_of(request, self._client), receive, send)
        except Exception:
            ended.set()
        assert ended.is_set()
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(b"".join(body)), request=request)


def scope_of(request: httpx.Request, client: tuple[str, int]) -> Scope:
    """What a server tells an application of a request. As for httpx, the extension `target` replaces path and query."""
    raw_path, _, query = request.extensions.get("target", request.url.raw_path).partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": request.url.scheme,
        "path": unquote(raw_path.decode("ascii")),
        "raw_path": raw_path,
        "query_string": query,
        "server": (request.url.host, request.url.port),
        "client": client,
        "root_path": "",
    }


def send_request(app: ASGIApp, method: str, url: str, **arguments: Any) -> httpx.Response:
    """Send one request. Redirects are not followed; exceptions become error responses."""

    async def exchange() -> httpx.Response:
        async with httpx.AsyncClient(transport=InProcess(app), base_url=BASE) as client:
            return await client.request(method, url, **arguments)

    return run_async(exchange())


async def echo_path(scope: Any, receive: Any, send: Any) -> None:
    """An application that responds with its own path."""
    body = scope["path"].encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


async def count_body_bytes(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body and responds with its length."""
    length, more = 0, True
    while more:
        message: Message = await receive()
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})
