"""Sends requests to an ASGI application in process."""

from typing import Any

import httpx
from starlette.types import ASGIApp, Message

from lightboard.testing.async_runner import run_async

BASE = "http://localhost:6006"


def send_request(app: ASGIApp, method: str, url: str, **arguments: Any) -> httpx.Response:
    """Send one request. Redirects are not followed; exceptions become error responses."""

    async def exchange() -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
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
