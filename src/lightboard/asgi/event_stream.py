"""Server-sent events: one long answer per listener.

Knows the wire format and when to stop, not what is said.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.types import Receive, Scope, Send

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back
]


def event(name: str, data: str) -> bytes:
    """One event on the wire; `data` has no line breaks."""
    return f"event: {name}\ndata: {data}\n\n".encode()


COMMENT = b": still here\n\n"


class EventStream:
    """Sends what `source()` yields until the source ends or the listener goes away, whichever is first."""

    def __init__(self, source: Callable[[], AsyncIterator[bytes]]) -> None:
        self.source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """An ASGI application for one request."""
        gone = asyncio.create_task(disconnected(receive))
        talk = asyncio.create_task(self.talk(send))
        try:
            await asyncio.wait({gone, talk}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            talk.cancel()
            await asyncio.gather(gone, talk, return_exceptions=True)

    async def talk(self, send: Send) -> None:
        """The answer from start to end. `send` waits while the listener is slow; the source gathers meanwhile."""
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        async for piece in self.source():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def disconnected(receive: Receive) -> None:
    """Returns when the listener has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
