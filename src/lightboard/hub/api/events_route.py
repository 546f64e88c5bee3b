"""Server-sent events about changes of TensorBoards, for pages and programs.

The data of an event is the current TensorBoard, or `{"id", "deleted": true}` if the client can no longer see it. The id
of an event is a cursor: a client that reconnects with it in Last-Event-ID misses nothing.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.event_stream import COMMENT, Ending, EventStream
from lightboard.errors import Invalid
from lightboard.hub.api.identity import secret_of
from lightboard.hub.api.proxy import AnswerCut
from lightboard.hub.api.request_context import ContextDep, RequestContext, record_use
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import answers_of
from lightboard.hub.db import changes, projects, tensorboards
from lightboard.hub.resources.roles import Role
from lightboard.untrusted.numbers import whole_number

KINDS = ("tensorboard",)
HEARTBEAT_SECS = 15.0

routes = Routes("watch")


class GuardedEventStream(Response):
    """An event stream that ends when its client has fewer rights than at the beginning."""

    def __init__(self, stream: EventStream, context: RequestContext) -> None:
        super().__init__()
        self.stream = stream
        self.context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Streams until the client disconnects, the hub stops, or access is lost."""
        hub, identity, ending = self.context.hub, self.context.identity, Ending(send)
        check = partial(
            hub.pool.call, recheck_principal, self.context, await hub.pool.call(memberships_of, self.context)
        )
        try:
            async with hub.change_notifier.guard(identity.expires_at if identity else None, check) as limit:
                await self.stream(scope, receive, ending.send)
        except TimeoutError:
            if not limit.expired():
                raise
            if not await ending.end():
                raise AnswerCut("what the asker may do has changed") from None


Memberships = frozenset[tuple[str, Role]]


def memberships_of(context: RequestContext) -> Memberships:
    """The projects of the client and its roles in them."""
    with context.read() as session:
        return frozenset((project.id, role) for project, role in projects.memberships(session, context.who))


def recheck_principal(context: RequestContext, before: Memberships) -> float | bool | None:
    """When the login or token expires; False if it is no longer valid or its rights have changed."""
    secret = secret_of(context.request)
    now = context.hub.identities.find(secret) if secret else None
    if now is None or now.who != context.who or not before <= memberships_of(context):
        return False
    return now.expires_at


@routes.get("/api/v1/watch", right="tensorboards.list", operation_id="watch_watch")
async def watch(context: ContextDep, kinds: str = "tensorboard") -> Response:
    """Changes of TensorBoards that the asker sees, as server-sent events."""
    unknown = [kind for kind in kinds.split(",") if kind not in KINDS]
    if unknown:
        raise Invalid(f"{unknown[0]!r} cannot be watched", hint=f"what can: {', '.join(KINDS)}")
    cursor = whole_number(context.request.headers.get("last-event-id", ""))
    if cursor is None:
        cursor = await context.hub.pool.call(latest_cursor, context)
    return GuardedEventStream(EventStream(partial(event_chunks, context, cursor)), context)


async def event_chunks(context: RequestContext, cursor: int) -> AsyncIterator[bytes]:
    """The events after `cursor`, until the hub stops."""
    hub = context.hub
    subscription = hub.change_notifier.subscribe()
    chunks = [b": watching\n\n"]
    try:
        while not hub.change_notifier.closed:
            if context.identity:
                record_use(hub, context.identity)
            subscription.clear()
            events, cursor = await hub.pool.call(events_after, context, cursor)
            if chunks or events:
                yield b"".join([*chunks, *events])
            chunks = []
            try:
                # Not `wait_for`: Python 3.11's forgets that it is cancelled if the event is set at the same moment.
                async with asyncio.timeout(HEARTBEAT_SECS):
                    await subscription.wait()
            except TimeoutError:
                yield COMMENT
    finally:
        hub.change_notifier.unsubscribe(subscription)


def latest_cursor(context: RequestContext) -> int:
    """The current cursor."""
    with context.read() as session:
        return changes.latest(session)


def events_after(context: RequestContext, cursor: int) -> tuple[list[bytes], int]:
    """The events after a cursor, and the next cursor."""
    context.at = context.hub.clock()
    with context.read() as session:
        found, after = tensorboards.changes_after(session, context.who, cursor)
        boards = answers_of(session, context, [each.board for each in found if each.board])
    events = {board.id: board.model_dump_json() for board in boards}
    gone = {each.id: json.dumps({"id": each.id, "deleted": True}) for each in found if each.board is None}
    return [f"id: {after}\ndata: {data}\n\n".encode() for data in (*events.values(), *gone.values())], after
