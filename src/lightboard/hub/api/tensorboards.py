"""TensorBoards: create, list, get, change, start, stop, extend, delete and probe."""

import contextlib
from collections.abc import Iterator
from typing import Annotated

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import LaunchError, LightboardError, PermissionDenied, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.api.life_spans import respond_with_extended
from lightboard.hub.api.request_context import (
    ContextDep,
    RequestContext,
    StorableResponse,
    json_response,
    non_null_fields,
)
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import Boards, BoardsDep, MonitoringDep
from lightboard.hub.api.tensorboard_responses import detail_of, progress_of, to_response, to_responses, transitions_of
from lightboard.hub.db import accounts, projects, tensorboards
from lightboard.hub.db.access_checks import Resource, check_right
from lightboard.hub.launchers.base import ACCESS_DENIED
from lightboard.hub.metrics import Metrics
from lightboard.hub.resources.sources import Source, SourceKind, clean_relative, parse_uri, source_key, volume_target
from lightboard.hub.resources.tensorboards import (
    IDLE_TIMEOUT_SECS,
    LIFE_SPAN_SECS,
    RESTING,
    Access,
    Origin,
    Progress,
    Tensorboard,
)
from lightboard.hub.resources.volumes import absolute_target
from lightboard.hub.source_resolver import SourceResolver
from lightboard.schema.life_spans import ExtendLifeSpan
from lightboard.schema.tensorboards import (
    ChangeTensorboard,
    CreateTensorboard,
    History,
    LogResponse,
    ProbeRequest,
    ProbeResponse,
    SourceProbe,
    SourceRequest,
    TensorboardDetail,
    TensorboardPage,
    TensorboardRequest,
    TensorboardResponse,
    TopResponse,
)

MAX_LINES = 500
PATH = "/api/v1/tensorboards"

routes = Routes("tensorboards")


@routes.post(PATH, right="tensorboards.create", response=TensorboardDetail, status=201)
def create(context: ContextDep, boards: BoardsDep, monitoring: MonitoringDep, body: CreateTensorboard) -> Response:
    """Create a TensorBoard, or with `reuse` return an existing one; 201 if it is new, otherwise 200.

    Responds with 403, and creates nothing, if the project may not show a source.
    """
    check_sources(context, boards.source_resolver, body)

    def run(session: Session) -> StorableResponse:
        new = new_board(context, body, executor=boards.launcher.name)
        found = find_reusable(session, context, new) if body.reuse else None
        board = found or tensorboards.create(session, context.principal, new, context.at)
        if not found:
            monitoring.metrics.created.inc()
        result = detail_of(session, context, board)
        return StorableResponse(
            result, 200 if found else 201, version=board.version, location=context.url(f"{PATH}/{board.id}")
        )

    with counting_refusals(monitoring.metrics):
        response = context.run_idempotent(body, run)
    boards.wake()
    return response


def check_sources(context: RequestContext, source_resolver: SourceResolver, body: CreateTensorboard) -> None:
    """Raises PermissionDenied if a source would be refused when the board starts.

    Runs before the transaction that creates the board, so that a hanging mount does not block other writers.
    """
    with context.read() as session:
        principal = context.principal
        project = (
            projects.get(session, principal, body.project) if body.project else projects.default(session, principal)
        )
        check_right(session, principal, "tensorboards.create", Resource(project.id))
        sources = tuple(to_source(source) for source in body.sources)
        for source in tensorboards.known_sources(session, principal, project.id, sources, context.at):
            try:
                source_resolver.resolve(session, project.id, source)
            except LaunchError as error:
                if error.reason == ACCESS_DENIED:
                    raise PermissionDenied(error.message, hint=error.hint) from None


@contextlib.contextmanager
def counting_refusals(metrics: Metrics) -> Iterator[None]:
    """Counts starts that the limit of an account refuses."""
    try:
        yield
    except TensorboardLimitExceeded:
        metrics.refused.inc()
        raise


def new_board(context: RequestContext, body: CreateTensorboard, executor: str) -> Tensorboard:
    """The board that a request describes. Raises Invalid for an invalid source."""
    span = body.life_span_secs if body.max_runtime_minutes is None else body.max_runtime_minutes * 60.0
    sources = tuple(to_source(source) for source in body.sources)
    return Tensorboard(
        id="",
        name=body.name,
        display_name=body.display_name,
        project=body.project,
        owner=context.principal.account,
        sources=sources,
        source_key="",
        origin=Origin(body.origin),
        origin_id=body.origin_id,
        access=Access(body.access),
        http_auth=body.http_auth,
        life_span_secs=LIFE_SPAN_SECS if span is None else span,
        idle_timeout_secs=IDLE_TIMEOUT_SECS if body.idle_timeout_secs is None else body.idle_timeout_secs,
        labels=body.labels,
        tags=tuple(body.tags),
        executor=executor,
    )


def to_source(source: SourceRequest) -> Source:
    """The source that a request describes. Raises Invalid."""
    if source.dataset:
        kind, ref, path = SourceKind.DATASET, source.dataset, clean_relative(source.path)
    else:
        kind, ref, path = parse_uri(source.uri)
    target = source.target or volume_target(source.uri)
    return Source(
        id="",
        kind=kind,
        ref=ref,
        path=path,
        alias=source.alias,
        include=source.include,
        exclude=source.exclude,
        target=absolute_target(target) if target else "",
    )


def find_reusable(session: Session, context: RequestContext, new: Tensorboard) -> Tensorboard | None:
    """An existing board for the same sources or origin, started if it is not running."""
    principal = context.principal
    project = projects.get(session, principal, new.project) if new.project else projects.default(session, principal)
    sources = tensorboards.known_sources(session, principal, project.id, new.sources, context.at)
    key = source_key(sources, project.id)
    found = tensorboards.reusable(session, principal, project.id, new.origin, new.origin_id, key)
    if found is not None and found.status in RESTING:
        started = lifecycle.StartRequested()
        return tensorboards.apply_event(session, principal, found.id, "tensorboards.start", started, context.at)
    return found


@routes.get(PATH, right="tensorboards.list", response=TensorboardPage)
def find(context: ContextDep, query: Annotated[TensorboardRequest, Query()]) -> Response:
    """List the visible TensorBoards, one page at a time."""
    with context.read() as session:
        found, total = tensorboards.find(session, context.principal, query)
        account = accounts.get_unchecked(session, context.principal.account)
        limit = accounts.limit_of(session, account) if account else 0
        result = TensorboardPage(
            items=to_responses(session, context, found),
            page=query.page,
            page_size=query.page_size,
            total=total,
            limit=limit,
            remaining=max(0, limit - tensorboards.count_in_use(session, context.principal.account)),
        )
    return json_response(result)


@routes.post(f"{PATH}/probe", right="tensorboards.create", response=ProbeResponse)
def probe(context: ContextDep, boards: BoardsDep, body: ProbeRequest) -> Response:
    """Check sources before a TensorBoard is created from them."""
    with context.read() as session:
        principal = context.principal
        project = (
            projects.get(session, principal, body.project) if body.project else projects.default(session, principal)
        )
        check_right(session, principal, "tensorboards.create", Resource(project.id))
    return json_response(
        ProbeResponse(sources=[probe_of(context, boards, project.id, source) for source in body.sources])
    )


def probe_of(context: RequestContext, boards: Boards, project: str, source: SourceRequest) -> SourceProbe:
    """What a source contains, or why it cannot be read."""
    try:
        with context.read() as session:
            known = tensorboards.known_sources(session, context.principal, project, [to_source(source)], context.at)
            spec = boards.source_resolver.resolve(session, project, known[0])
    except LaunchError as error:
        return failed_probe(error.reason, error)
    except LightboardError as error:
        return failed_probe("SourceNotFound" if error.status == 404 else "Invalid", error)
    found = boards.launcher.probe(spec)
    return SourceProbe(
        runs=found.runs,
        files=found.files,
        size_bytes=found.size_bytes,
        last_event_at=found.last_event_time,
        more=found.more,
        reason=found.reason,
        message=found.message,
        hint="",
    )


def failed_probe(reason: str, error: LightboardError) -> SourceProbe:
    """The result for a source that cannot be read."""
    return SourceProbe(
        runs=0,
        files=0,
        size_bytes=0,
        last_event_at=None,
        more=False,
        reason=reason,
        message=error.message,
        hint=error.hint,
    )


@routes.get(f"{PATH}/{{id}}", right="tensorboards.get", response=TensorboardDetail)
def get(context: ContextDep, id: str, project: str = "") -> Response:
    """Get a TensorBoard with its history, by id or name."""
    with context.read() as session:
        board = tensorboards.get(session, context.principal, id, project=project)
        return json_response(detail_of(session, context, board), version=board.version)


@routes.patch(f"{PATH}/{{id}}", right="tensorboards.update", response=TensorboardDetail)
def change(context: ContextDep, boards: BoardsDep, id: str, body: ChangeTensorboard, project: str = "") -> Response:
    """Change a TensorBoard, also while it runs."""
    changes = non_null_fields(body)
    if "max_runtime_minutes" in changes:
        changes["life_span_secs"] = changes.pop("max_runtime_minutes") * 60.0
    if body.sources is not None:
        changes["sources"] = tuple(to_source(source) for source in body.sources)
    if body.access is not None:
        changes["access"] = Access(body.access)
    if body.tags is not None:
        changes["tags"] = tuple(body.tags)
    with context.write() as session:
        board = tensorboards.change(
            session, context.principal, id, changes, context.at, version=context.if_match_version(), project=project
        )
        result = detail_of(session, context, board)
    boards.wake()
    return json_response(result, version=board.version)


@routes.delete(f"{PATH}/{{id}}", right="tensorboards.delete", response=TensorboardResponse)
def delete(context: ContextDep, boards: BoardsDep, id: str, project: str = "") -> Response:
    """Delete a TensorBoard; its logs are kept."""
    return event_response(context, boards, id, "tensorboards.delete", lifecycle.DeleteRequested(), project)


@routes.put(f"{PATH}/{{id}}/start", right="tensorboards.start", response=TensorboardResponse)
def start(context: ContextDep, boards: BoardsDep, monitoring: MonitoringDep, id: str, project: str = "") -> Response:
    """Start a stopped TensorBoard; a running one is not changed."""
    with counting_refusals(monitoring.metrics):
        return event_response(context, boards, id, "tensorboards.start", lifecycle.StartRequested(), project)


@routes.put(f"{PATH}/{{id}}/stop", right="tensorboards.stop", response=TensorboardResponse)
def stop(context: ContextDep, boards: BoardsDep, id: str, project: str = "") -> Response:
    """Stop a TensorBoard; a stopped one is not changed."""
    return event_response(context, boards, id, "tensorboards.stop", lifecycle.StopRequested(), project)


def event_response(
    context: RequestContext, boards: Boards, id: str, right: str, event: lifecycle.Event, project: str
) -> Response:
    """Applies an event to a board and returns the board."""
    with context.write() as session:
        board = tensorboards.apply_event(
            session,
            context.principal,
            id,
            right,
            event,
            context.at,
            version=context.if_match_version(),
            project=project,
        )
        result = to_response(session, context, board)
    boards.wake()
    return json_response(result, version=board.version)


@routes.post(f"{PATH}/{{id}}/extend", right="tensorboards.extend", response=TensorboardResponse)
def extend(context: ContextDep, id: str, body: ExtendLifeSpan, project: str = "") -> Response:
    """Extend the life span of a TensorBoard."""
    return respond_with_extended(context, id, body, project, tensorboards.extend, to_response)


@routes.get(f"{PATH}/{{id}}/events", right="tensorboards.get", response=History)
def events(context: ContextDep, id: str, project: str = "") -> Response:
    """List the history of a TensorBoard, oldest first."""
    with context.read() as session:
        steps = tensorboards.history(session, context.principal, id, project)
        return json_response(History(items=transitions_of(session, steps)))


@routes.get(f"{PATH}/{{id}}/logs", right="tensorboards.logs", response=LogResponse)
def logs(
    context: ContextDep,
    boards: BoardsDep,
    id: str,
    lines: Annotated[int, Query(ge=1, le=MAX_LINES)] = 200,
    project: str = "",
) -> Response:
    """Get the last lines of the server log about a TensorBoard."""
    with context.read() as session:
        board = tensorboards.get(session, context.principal, id, "tensorboards.logs", project)
    log_lines = boards.launcher.logs(board.executor_ref, lines) if board.executor_ref else []
    return json_response(LogResponse(lines=log_lines))


@routes.get(f"{PATH}/{{id}}/top", right="tensorboards.get", response=TopResponse)
def top(context: ContextDep, boards: BoardsDep, id: str, project: str = "") -> Response:
    """Get the current resource usage of a TensorBoard."""
    with context.read() as session:
        board = tensorboards.get(session, context.principal, id, project=project)
    memory, cpu, progress = board.memory_bytes, board.cpu_secs, board.progress
    process_memory = process_boards = None
    if board.executor_ref:
        observation = boards.launcher.observe([board.executor_ref])[0]
        memory, cpu = observation.memory_bytes, observation.cpu_secs
        process_memory, process_boards = observation.process_memory_bytes, observation.process_boards
        if found := observation.progress:
            progress = Progress(
                runs=found.runs,
                bytes_read=found.bytes_read,
                bytes_total=found.bytes_total,
                last_event_at=found.last_event_time,
                loading=found.loading,
            )
    return json_response(
        TopResponse(
            memory_bytes=memory,
            process_memory_bytes=process_memory,
            process_boards=process_boards,
            cpu_secs=cpu,
            progress=progress_of(progress),
            at=context.at,
        )
    )
