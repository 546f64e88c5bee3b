"""A request ends when its client leaves."""

import asyncio

from speaking import read_all
from starlette.types import Message, Receive, Scope, Send

from lightboard.asgi.scheduler import Turn
from lightboard.asgi.turns import Turns
from lightboard.cancellation import CancelToken
from lightboard.testing.stories import played


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


def test_the_work_ends_with_the_client() -> None:
    """And its token is cancelled, for threads to see."""

    async def story() -> tuple[str, bool]:
        app, client, turn = Endless(), Client(b""), Turn("lane", ("ann",))
        answer = asyncio.create_task(Turns(app, lambda _: turn)(scope_of(), client.receive, client.send))
        await app.begun.wait()
        client.gone.set()
        await answer
        return app.ended, turn.token.cancelled

    assert played(story()) == ("cancelled", True)


def test_a_body_comes_whole_first() -> None:
    """In the pieces in which it was sent."""

    async def story() -> bytes:
        client = Client(b"123", b"45", b"")
        await Turns(read_all, lambda _: Turn("lane", ()))(scope_of(), client.receive, client.send)
        return b"".join(message.get("body", b"") for message in client.heard)

    assert played(story()) == b"5"


def test_a_client_that_leaves_in_its_body_is_noticed() -> None:
    """Whoever reads the body is cancelled, too."""

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

        await Turns(app, lambda _: Turn("lane", ()))(scope_of(), client.receive, client.send)
        return seen

    assert played(story()) == ["http.request", "http.request", "cancelled"]


def test_what_changes_something_is_done_to_its_end() -> None:
    """Others are to be told of it."""

    async def story() -> bool:
        client, turn = Client(b""), Turn("lane", ())
        client.gone.set()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
            assert (await receive())["type"] == "http.request"
            assert (await receive())["type"] == "http.disconnect"
            await send({"type": "http.response.start", "status": 204, "headers": []})

        await Turns(app, lambda _: turn)(scope_of("PATCH"), client.receive, client.send)
        return client.heard[0]["status"] == 204

    assert played(story())


def test_an_error_of_the_application_is_raised_here() -> None:
    """The server around it says 500."""

    async def story() -> str:
        client = Client(b"")

        async def app(scope: Scope, receive: Receive, send: Send) -> None:  # ASGI's signature
            raise KeyError("broken")

        try:
            await Turns(app, lambda _: Turn("lane", ()))(scope_of(), client.receive, client.send)
        except KeyError as error:
            return str(error)
        return ""

    assert played(story()) == "'broken'"


def test_the_end_of_an_answer_cancels_what_was_made_ahead() -> None:
    """Nothing goes on for a request that is over."""

    async def story() -> CancelToken:
        client, turn = Client(b"1"), Turn("lane", ())
        await Turns(read_all, lambda _: turn)(scope_of(), client.receive, client.send)
        return turn.token

    assert played(story()).cancelled
