"""What happens on the hub, as it happens: server-sent events for pages and programs.

The data of an event is a TensorBoard as it is now, or `{"id", "deleted": true}` for one that is gone for who watches.
Its id is a cursor: who comes back with it in Last-Event-ID has missed nothing.
"""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.event_stream import COMMENT, EventStream
from lightboard.errors import Invalid
from lightboard.hub.api.asking import Asked, Asking, identify
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import answers_of
from lightboard.hub.db import changes, tensorboards

KINDS = ("tensorboard",)
HEARTBEAT_SECS = 15.0

routes = Routes("watch")


class Stream(Response):
    """An event stream as an answer of a handler."""

    def __init__(self, stream: EventStream) -> None:
        super().__init__()
        self.stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Speaks until either side has enough."""
        await self.stream(scope, receive, send)


@routes.get("/api/v1/watch", right="tensorboards.list")
async def watch(asked: Asked, kinds: str = "tensorboard") -> Response:
    """Changes of TensorBoards that the asker sees, as server-sent events."""
    unknown = [kind for kind in kinds.split(",") if kind not in KINDS]
    if unknown:
        raise Invalid(f"{unknown[0]!r} cannot be watched", hint=f"what can: {', '.join(KINDS)}")
    last = asked.request.headers.get("last-event-id", "")
    cursor = int(last) if last.isdigit() else await asked.hub.pool.call(latest, asked)
    return Stream(EventStream(lambda: speak(asked, cursor)))


async def speak(asked: Asking, cursor: int) -> AsyncIterator[bytes]:
    """All that changes past `cursor`, until the hub ends or the asker is nobody any more."""
    hub = asked.hub
    ear = hub.watching.join()
    pieces = [b": watching\n\n"]
    try:
        while not hub.watching.closed and await still_there(asked.request, asked):
            ear.clear()
            told, cursor = await hub.pool.call(news, asked, cursor)
            if pieces or told:
                yield b"".join([*pieces, *told])
            pieces = []
            try:
                # Not `wait_for`: Python 3.11's forgets that it is cancelled if news come at the same moment.
                async with asyncio.timeout(HEARTBEAT_SECS):
                    await ear.wait()
            except TimeoutError:
                yield COMMENT
    finally:
        hub.watching.leave(ear)


async def still_there(request: Request, asked: Asking) -> bool:
    """Whether the login or token still stands; what it may see can have changed as well."""
    asked.identity = await identify(request, asked.hub)
    return asked.identity is not None


def latest(asked: Asking) -> int:
    """Where the changes stand."""
    with asked.read() as session:
        return changes.latest(session)


def news(asked: Asking, cursor: int) -> tuple[list[bytes], int]:
    """Events past a cursor, and the next cursor."""
    asked.at = asked.hub.clock()
    with asked.read() as session:
        found, after = tensorboards.transitions_after(session, asked.who, cursor)
        boards = answers_of(session, asked, [each.board for each in found if each.board])
    told = {board.id: board.model_dump_json() for board in boards}
    gone = {each.id: json.dumps({"id": each.id, "deleted": True}) for each in found if each.board is None}
    return [f"id: {after}\ndata: {data}\n\n".encode() for data in (*told.values(), *gone.values())], after
