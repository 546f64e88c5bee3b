"""Speaks to an ASGI application in process, for tests."""

from typing import Any

import httpx
from starlette.types import ASGIApp, Message

from lightboard.testing.stories import played

BASE = "http://localhost:6006"


def ask(app: ASGIApp, method: str, url: str, **arguments: Any) -> httpx.Response:
    """One request and its answer; redirects are not followed, exceptions become the answer the app makes of them."""

    async def exchange() -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, url, **arguments)

    return played(exchange())


async def say_ok(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers its own path as text."""
    body = scope["path"].encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": body})


async def read_all(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the whole body and answers its length."""
    length, more = 0, True
    while more:
        message: Message = await receive()
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})
