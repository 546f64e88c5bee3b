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

from lightboard.asgi.event_stream import COMMENT, ClosableSend, EventStream
from lightboard.errors import DatabaseError, Invalid
from lightboard.hub.api.identity import secret_of
from lightboard.hub.api.proxy import ResponseCut
from lightboard.hub.api.request_context import ContextDep, RequestContext
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Auth, AuthDep, Runtime, RuntimeDep
from lightboard.hub.api.tensorboard_responses import to_responses
from lightboard.hub.db import changes, projects, tensorboard_changes
from lightboard.hub.resources.roles import Role
from lightboard.untrusted.numbers import whole_number

KINDS = ("tensorboard",)
HEARTBEAT_SECS = 15.0

routes = Routes("watch")


class GuardedEventStream(Response):
    """An event stream that ends when its client has fewer rights than at the beginning."""

    def __init__(self, stream: EventStream, context: RequestContext, auth: Auth, runtime: Runtime) -> None:
        super().__init__()
        self.stream = stream
        self.context = context
        self.auth = auth
        self.runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Streams until the client disconnects, the hub stops, or access is lost."""
        pool, identity, ending = self.runtime.pool, self.context.identity, ClosableSend(send)
        memberships = await pool.call(memberships_of, self.context)
        check = partial(pool.call, recheck_principal, self.context, self.auth, memberships)
        try:
            async with self.runtime.change_notifier.guard(identity.expires_at if identity else None, check) as limit:
                await self.stream(scope, receive, ending.send)
        except TimeoutError:
            if not limit.expired():
                raise
            if not await ending.end():
                raise ResponseCut("the rights of the principal have changed") from None


Memberships = frozenset[tuple[str, Role]]


def memberships_of(context: RequestContext) -> Memberships:
    """The projects of the client and its roles in them."""
    with context.read() as session:
        return frozenset((project.id, role) for project, role in projects.memberships(session, context.principal))


def recheck_principal(context: RequestContext, auth: Auth, before: Memberships) -> float | bool | None:
    """When the login or token expires; False if it is no longer valid or its rights have changed."""
    secret = secret_of(context.request)
    now = auth.identities.find(secret) if secret else None
    if now is None or now.principal != context.principal or not before <= memberships_of(context):
        return False
    return now.expires_at


@routes.get("/api/v1/watch", right="tensorboards.list", operation_id="watch_watch")
async def watch(context: ContextDep, auth: AuthDep, runtime: RuntimeDep, kinds: str = "tensorboard") -> Response:
    """Stream changes of visible TensorBoards as server-sent events."""
    unknown = [kind for kind in kinds.split(",") if kind not in KINDS]
    if unknown:
        raise Invalid(f"{unknown[0]!r} cannot be watched", hint=f"kinds that can be watched: {', '.join(KINDS)}")
    cursor = whole_number(context.request.headers.get("last-event-id", ""))
    if cursor is None:
        cursor = await runtime.pool.call(latest_cursor, context)
    stream = EventStream(partial(event_chunks, context, runtime, cursor))
    return GuardedEventStream(stream, context, auth, runtime)


async def event_chunks(context: RequestContext, runtime: Runtime, cursor: int) -> AsyncIterator[bytes]:
    """The events after `cursor`, until the hub stops."""
    subscription = runtime.change_notifier.subscribe()
    chunks = [b": watching\n\n"]
    try:
        while not runtime.change_notifier.closed:
            context.at = runtime.clock()
            if context.identity:
                runtime.activity.record_identity(context.identity, context.at)
            subscription.clear()
            events = list[bytes]()
            try:
                events, cursor = await runtime.pool.call(events_after, context, cursor)
            except DatabaseError:  # the client need not connect again for that
                runtime.change_notifier.notify_when_available()
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
        runtime.change_notifier.unsubscribe(subscription)


def latest_cursor(context: RequestContext) -> int:
    """The current cursor."""
    with context.read() as session:
        return changes.latest(session)


def events_after(context: RequestContext, cursor: int) -> tuple[list[bytes], int]:
    """The events after a cursor, and the next cursor."""
    with context.read() as session:
        found, after = tensorboard_changes.changes_after(session, context.principal, cursor)
        boards = to_responses(session, context, [each.board for each in found if each.board])
    events = {board.id: board.model_dump_json() for board in boards}
    gone = {each.id: json.dumps({"id": each.id, "deleted": True}) for each in found if each.board is None}
    return [f"id: {after}\ndata: {data}\n\n".encode() for data in (*events.values(), *gone.values())], after
