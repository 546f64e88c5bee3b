"""Server-sent events: one endless response per client. Knows the wire format and when to stop, not the events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.types import Message, Receive, Scope, Send

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),  # otherwise nginx buffers events
]


def event(name: str, data: str) -> bytes:
    """One encoded event; `data` must not contain line breaks."""
    return f"event: {name}\ndata: {data}\n\n".encode()


COMMENT = b": still here\n\n"
END_SECS = 1.0


class ClosableSend:
    """Forwards a response, and can end it early if it is an event stream."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self._is_event_stream = False
        self._is_complete = False

    async def send(self, message: Message) -> None:
        """The `send` for the application."""
        if message["type"] == "http.response.start":
            self.started = True
            kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
            self._is_event_stream = any(kind.startswith(b"text/event-stream") for kind in kinds)
        self._is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def end(self) -> bool:
        """End an event stream, and return whether the response is complete. Does not wait long for slow clients."""
        if self._is_event_stream and not self._is_complete:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_SECS):
                    await self.send({"type": "http.response.body", "body": b"", "more_body": False})
        return self._is_complete


class EventStream:
    """Sends what `source()` yields until it ends or the client disconnects."""

    def __init__(self, source: Callable[[], AsyncIterator[bytes]]) -> None:
        self.source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # ASGI's signature
        """An ASGI application for one request."""
        disconnect = asyncio.create_task(disconnected(receive))
        send_events = asyncio.create_task(self.send_events(send))
        try:
            await asyncio.wait({disconnect, send_events}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            disconnect.cancel()
            send_events.cancel()
            await asyncio.gather(disconnect, send_events, return_exceptions=True)

    async def send_events(self, send: Send) -> None:
        """Send the whole response. While a client is slow, `send` waits and the source collects changes."""
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        async for piece in self.source():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def disconnected(receive: Receive) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
