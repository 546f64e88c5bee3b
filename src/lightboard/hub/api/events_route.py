"""Server-sent events about changes of TensorBoards, jobs and notebooks, for pages and programs.

The data of an event is the resource in its current state, or `{"id", "deleted": true}` if the client can no longer see
it. The id of an event is a cursor: a client that reconnects with it in Last-Event-ID misses nothing.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.asgi.event_stream import COMMENT, EventStream
from lightboard.errors import DatabaseError, Invalid
from lightboard.hub.api import job_responses, tensorboard_responses
from lightboard.hub.api.guarded_event_stream import HEARTBEAT_SECS, GuardedEventStream
from lightboard.hub.api.request_context import ContextDep, RequestContext
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import AuthDep, Runtime, RuntimeDep
from lightboard.hub.db import changes, job_changes, tensorboard_changes
from lightboard.hub.resources.jobs import JobKind, JobStatus
from lightboard.untrusted.numbers import whole_number

TENSORBOARD = "tensorboard"
KINDS = (TENSORBOARD, *JobKind)

routes = Routes("watch")


@routes.get("/api/v1/watch", right="tensorboards.list", operation_id="watch_watch")
async def watch(context: ContextDep, auth: AuthDep, runtime: RuntimeDep, kinds: str = TENSORBOARD) -> Response:
    """Stream changes of visible TensorBoards, jobs and notebooks as server-sent events."""
    wanted = kinds.split(",")
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown:
        raise Invalid(f"{unknown[0]!r} cannot be watched", hint=f"kinds that can be watched: {', '.join(KINDS)}")
    cursor = whole_number(context.request.headers.get("last-event-id", ""))
    if cursor is None:
        cursor = await runtime.pool.call(latest_cursor, context)
    stream = EventStream(partial(event_chunks, context, runtime, frozenset(wanted), cursor))
    return GuardedEventStream(stream, context, auth, runtime)


async def event_chunks(
    context: RequestContext, runtime: Runtime, kinds: frozenset[str], cursor: int
) -> AsyncIterator[bytes]:
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
                events, cursor = await runtime.pool.call(events_after, context, kinds, cursor)
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


def events_after(context: RequestContext, kinds: frozenset[str], cursor: int) -> tuple[list[bytes], int]:
    """The events after a cursor, and the next cursor."""
    found, after = list[tuple[str, str]](), list[int]()
    with context.read() as session:
        if TENSORBOARD in kinds:
            events, next_cursor = board_events(session, context, cursor)
            found, after = [("", data) for data in events], [next_cursor]
        if job_kinds := [kind for kind in JobKind if kind in kinds]:
            job_events, next_cursor = events_of_jobs(session, context, job_kinds, cursor)
            found, after = [*found, *job_events], [*after, next_cursor]
    cursor = min(after)  # a commit between two queries would be missed otherwise
    return [encoded(cursor, *each) for each in found], cursor


def encoded(cursor: int, name: str, data: str) -> bytes:
    """An event; those about TensorBoards have no name."""
    return f"id: {cursor}\n{f'event: {name}' if name else ':'}\ndata: {data}\n\n".encode()


def board_events(session: Session, context: RequestContext, cursor: int) -> tuple[list[str], int]:
    """The data of the events about TensorBoards, and the next cursor."""
    found, after = tensorboard_changes.changes_after(session, context.principal, cursor)
    boards = tensorboard_responses.to_responses(session, context, [each.board for each in found if each.board])
    return [*(board.model_dump_json() for board in boards), *(gone(each.id) for each in found if not each.board)], after


def events_of_jobs(
    session: Session, context: RequestContext, kinds: list[JobKind], cursor: int
) -> tuple[list[tuple[str, str]], int]:
    """The names and data of the events about jobs, and the next cursor."""
    found, after = job_changes.changes_after(session, context.principal, cursor, kinds)
    there = job_responses.to_responses(session, context, [job for job in found if job.status is not JobStatus.DELETED])
    events = [(job.kind, job.model_dump_json()) for job in there]
    return [*events, *((job.kind, gone(job.id)) for job in found if job.status is JobStatus.DELETED)], after


def gone(id: str) -> str:
    """The data of the event about what the client can no longer see."""
    return json.dumps({"id": id, "deleted": True})
