"""Requests end when their client disconnects."""

import asyncio

from starlette.types import Message, Receive, Scope, Send

from lightboard.asgi.scheduler import ScheduledRequest
from lightboard.asgi.scheduling_middleware import SchedulingMiddleware
from lightboard.cancellation import CancelToken
from lightboard.testing.async_runner import run_async
from support.asgi_client import count_body_bytes


class Client:
    """Sends a body in pieces, then leaves when `gone` is set. `heard` is what it was sent."""

    def __init__(self, *pieces: bytes) -> None:
        last = len(pieces) - 1
        self.coming = [
            {"type": "http.request", "body": piece, "more_body": at < last} for at, piece in enumerate(pieces)
        ]
        self.gone = asyncio.Event()
        self.heard: list[Message] = []

    async def receive(self) -> Message:
        if self.coming:
            return self.coming.pop(0)
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.heard.append(message)


class Endless:
    """An application that answers when it is cancelled only; `begun` says that it was reached."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.ended = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.ended = "cancelled"
            raise


def scope_of(method: str = "POST") -> Scope:
    """A request."""
    return {"type": "http", "method": method, "path": "/", "headers": []}


def test_a_disconnect_cancels_the_work() -> None:
    """And its token, which threads check."""

    async def story() -> tuple[str, bool]:
        app, client, request = Endless(), Client(b""), ScheduledRequest("lane", ("ann",))
        answer = asyncio.create_task(
            SchedulingMiddleware(app, lambda _: request)(scope_of(), client.receive, client.send)
        )
        await app.begun.wait()
        client.gone.set()
        await answer
        return app.ended, request.token.cancelled

    assert run_async(story()) == ("cancelled", True)


def test_bodies_are_received_first() -> None:
    """In the chunks that were sent."""

    async def story() -> bytes:
        client = Client(b"123", b"45", b"")
        await SchedulingMiddleware(count_body_bytes, lambda _: ScheduledRequest("lane", ()))(
            scope_of(), client.receive, client.send
        )
        return b"".join(message.get("body", b"") for message in client.heard)

    assert run_async(story()) == b"5"


def test_a_disconnect_during_the_body_cancels() -> None:
    """Whoever reads it."""

    async def story() -> list[str]:
        client, seen = Client(b"123", b"45"), []
        client.coming[-1]["more_body"] = True
        client.gone.set()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
            try:
                while True:
                    seen.append((await receive())["type"])
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

        await SchedulingMiddleware(app, lambda _: ScheduledRequest("lane", ()))(scope_of(), client.receive, client.send)
        return seen

    assert run_async(story()) == ["http.request", "http.request", "cancelled"]


def test_writes_are_completed() -> None:
    """Others are notified about them."""

    async def story() -> bool:
        client, request = Client(b""), ScheduledRequest("lane", ())
        client.gone.set()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
            assert (await receive())["type"] == "http.request"
            assert (await receive())["type"] == "http.disconnect"
            await send({"type": "http.response.start", "status": 204, "headers": []})

        await SchedulingMiddleware(app, lambda _: request)(scope_of("PATCH"), client.receive, client.send)
        return client.heard[0]["status"] == 204

    assert run_async(story())


def test_application_errors_propagate() -> None:
    """The server responds with 500."""

    async def story() -> str:
        client = Client(b"")

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
            raise KeyError("broken")

        try:
            await SchedulingMiddleware(app, lambda _: ScheduledRequest("lane", ()))(
                scope_of(), client.receive, client.send
            )
        except KeyError as error:
            return str(error)
        return ""

    assert run_async(story()) == "'broken'"


def test_finished_responses_cancel_prefetching() -> None:
    """Nothing goes on for a request that is over."""

    async def story() -> CancelToken:
        client, request = Client(b"1"), ScheduledRequest("lane", ())
        await SchedulingMiddleware(count_body_bytes, lambda _: request)(scope_of(), client.receive, client.send)
        return request.token

    assert run_async(story()).cancelled
