"""Server-sent events: one long answer per listener.

Knows the wire format and when to stop, not what is said.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.types import Message, Receive, Scope, Send

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back
]


def event(name: str, data: str) -> bytes:
    """One event on the wire; `data` has no line breaks."""
    return f"event: {name}\ndata: {data}\n\n".encode()


COMMENT = b": still here\n\n"
END_SECS = 1.0


class Ending:
    """Passes an answer on, and can end it early: a stream of events as if it was over, all else not at all."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False
        self._streams = False
        self._whole = False

    async def send(self, message: Message) -> None:
        """For the application."""
        if message["type"] == "http.response.start":
            self.begun = True
            kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
            self._streams = any(kind.startswith(b"text/event-stream") for kind in kinds)
        self._whole = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> bool:
        """Whether the answer is at its end now; a listener that takes nothing any more is not waited for."""
        if self._streams and not self._whole:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_SECS):
                    await self.send({"type": "http.response.body", "body": b"", "more_body": False})
        return self._whole


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
