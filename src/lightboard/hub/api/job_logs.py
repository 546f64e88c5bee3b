"""What jobs have printed: in parts on request, and as server-sent events while they print it.

The id of an event is where its part ends, so a client that reconnects with it in Last-Event-ID misses nothing. A stream
reads the next part when its client has received the one before, and at most ten a second: neither a slow client nor a
job that prints without end fills the memory of the hub, or keeps it from other work.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from lightboard.asgi.event_stream import COMMENT, EventStream
from lightboard.errors import DatabaseError, LightboardError, NotFound
from lightboard.hub.api.guarded_event_stream import HEARTBEAT_SECS, GuardedEventStream
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import AuthDep, Jobs, JobsDep, Runtime, RuntimeDep
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import NOT_ENDED, ON_RUNNER, Job
from lightboard.hub.runners.log_part import LogPart
from lightboard.schema.jobs import MAX_ATTEMPT, MAX_CURSOR, JobLog, JobLogLine, JobLogRequest
from lightboard.untrusted.numbers import whole_number

PATH = "/api/v1/jobs/{id}/logs"
BUSY_SECS = 0.1
"""Between two parts."""
QUIET_SECS = 0.25
"""Until it is looked again whether there is more."""

routes = Routes("jobs")


@routes.get(PATH, right="jobs.logs", response=JobLog, operation_id="jobs_logs")
def logs(context: ContextDep, jobs: JobsDep, id: str, query: Annotated[JobLogRequest, Query()]) -> Response:
    """Get a part of what a replica of a job has printed."""
    return json_response(read_part(jobs, find_log(context, id, query), query))


@routes.get(f"{PATH}/stream", right="jobs.logs", operation_id="jobs_log_stream")
async def stream(
    context: ContextDep,
    auth: AuthDep,
    jobs: JobsDep,
    runtime: RuntimeDep,
    id: str,
    query: Annotated[JobLogRequest, Query()],
) -> Response:
    """Stream what a replica of a job prints, as server-sent events."""
    query = resumed(query, context.request.headers.get("last-event-id", ""))
    log = await runtime.pool.call(find_log, context, id, query)
    events = EventStream(partial(log_events, context, jobs, runtime, log, query))
    return GuardedEventStream(events, context, auth, runtime, jobs.log_streams.counted(context.principal.account))


def resumed(query: JobLogRequest, last_event_id: str) -> JobLogRequest:
    """A request that continues after an event, whose id is the attempt and the cursor: `2-4096`."""
    first, _, second = last_event_id.partition("-")
    attempt, cursor = whole_number(first, MAX_ATTEMPT), whole_number(second, MAX_CURSOR)
    if attempt is None or cursor is None:
        return query
    return query.model_copy(update={"attempt": attempt, "cursor": cursor})


@dataclass(frozen=True)
class Log:
    """The log of an attempt, 0 before the first. `ended`: nothing more will be written."""

    job: Job
    attempt: int
    ended: bool


def find_log(context: RequestContext, id: str, query: JobLogRequest) -> Log:
    """The log that a request asks for. Right `jobs.logs`. Raises NotFound if there is no such attempt or replica."""
    with context.read() as session:
        job = job_access.get(session, context.principal, id, "jobs.logs", query.project)
    attempt = query.attempt or job.attempt
    if attempt > job.attempt or query.rank >= job.replicas:
        raise NotFound(
            f"the job {job.name} has no attempt {attempt} with a replica {query.rank}",
            hint=f"attempts so far: {job.attempt}; replicas: 0 to {job.replicas - 1}",
        )
    ended = attempt < job.attempt or job.status not in (ON_RUNNER if attempt else NOT_ENDED)
    return Log(job, attempt, ended)


def read_part(jobs: Jobs, log: Log, query: JobLogRequest) -> JobLog:
    """A part of a log. It is read after `log` was found, so after its end nothing is missed."""
    part = LogPart(lines=(), cursor=max(query.cursor, 0))
    if log.attempt and log.job.runner_ref:
        handle = jobs.runner.validate(jobs.workloads.outline(replace(log.job, attempt=log.attempt)))
        part = jobs.runner.read_log(handle, query.rank, query.cursor, query.max_bytes)
    return JobLog(
        attempt=log.attempt,
        lines=[JobLogLine(at=line.at, text=line.text, transient=line.transient) for line in part.lines],
        cursor=part.cursor,
        lost_bytes=part.lost_bytes,
        complete=log.ended and not part.lines,
    )


async def log_events(
    context: RequestContext, jobs: Jobs, runtime: Runtime, log: Log, query: JobLogRequest
) -> AsyncIterator[bytes]:
    """The events about a log until it is complete, the client may not read it any more, or the hub stops.

    The first one comes at once, whether or not there are lines.
    """
    changed, sent_at, is_first = runtime.change_notifier.subscribe(), runtime.clock(), True
    changed.set()  # it may have ended since it was found
    try:
        while not runtime.change_notifier.closed:
            if changed.is_set():
                changed.clear()
                try:
                    log = await runtime.pool.call(find_log, context, log.job.id, query)
                except DatabaseError:  # the client need not connect again for that
                    runtime.change_notifier.notify_when_available()
            part, data = await runtime.pool.call(read_event, jobs, log, query)
            query = query.model_copy(update={"attempt": part.attempt, "cursor": part.cursor})
            is_event = is_first or bool(part.lines) or part.lost_bytes > 0 or part.complete
            if is_event or runtime.clock() - sent_at >= HEARTBEAT_SECS:
                sent_at, is_first = runtime.clock(), False
                if context.identity:
                    runtime.activity.record_identity(context.identity, sent_at)
                yield data if is_event else COMMENT
            if part.complete:
                return
            await asyncio.sleep(BUSY_SECS if part.lines else QUIET_SECS)
    except LightboardError:
        return  # the client connects again, and is told
    finally:
        runtime.change_notifier.unsubscribe(changed)


def read_event(jobs: Jobs, log: Log, query: JobLogRequest) -> tuple[JobLog, bytes]:
    """A part of a log, and the event about it."""
    part = read_part(jobs, log, query)
    return part, f"id: {part.attempt}-{part.cursor}\ndata: {part.model_dump_json()}\n\n".encode()
