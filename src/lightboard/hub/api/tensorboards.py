"""TensorBoards: made, found, opened, stopped, extended, deleted."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import LaunchError, LightboardError, PermissionDenied, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.api.request_context import (
    ContextDep,
    RequestContext,
    StorableResponse,
    json_response,
    non_null_fields,
)
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.tensorboard_answers import answer_of, answers_of, detail_of, progress_of, transitions_of
from lightboard.hub.db import accounts, projects, tensorboards
from lightboard.hub.db.rights import check
from lightboard.hub.launchers.base import ACCESS_DENIED
from lightboard.hub.resources.sources import Source, SourceKind, clean_relative, parse_uri, source_key
from lightboard.hub.resources.tensorboards import (
    IDLE_TIMEOUT_SECS,
    LIFE_SPAN_SECS,
    RESTING,
    Access,
    Origin,
    Progress,
    Tensorboard,
)
from lightboard.schema.tensorboards import (
    ChangeTensorboard,
    CreateTensorboard,
    ExtendTensorboard,
    History,
    LogAnswer,
    ProbeAnswer,
    ProbeQuestion,
    SourceProbe,
    SourceQuestion,
    TensorboardAnswer,
    TensorboardDetail,
    TensorboardPage,
    TensorboardQuestion,
    TopAnswer,
)

MOST_LINES = 500
PATH = "/api/v1/tensorboards"

routes = Routes("tensorboards")


@routes.post(PATH, right="tensorboards.create", answer=TensorboardDetail, status=201)
def create(context: ContextDep, body: CreateTensorboard) -> Response:
    """Make a TensorBoard, or with `reuse` give back the one there is; 201 for a new one, 200 otherwise.

    403 for a place that the project may not show: nothing is made then.
    """
    check_sources(context, body)

    def act(session: Session) -> StorableResponse:
        new = new_board(context, body)
        found = reused(session, context, new) if body.reuse else None
        board = found or tensorboards.create(session, context.who, new, context.at)
        if not found:
            context.hub.metrics.created.inc()
        told = detail_of(session, context, board)
        return StorableResponse(
            told, 200 if found else 201, version=board.version, location=context.url(f"{PATH}/{board.id}")
        )

    return counted(context, lambda: context.run_idempotent(body, act))


def check_sources(context: RequestContext, body: CreateTensorboard) -> None:
    """Raises PermissionDenied where a source would be refused as soon as the board is started.

    Before the transaction that makes the board: a mount that hangs must not keep others from writing.
    """
    with context.read() as session:
        who = context.who
        project = projects.get(session, who, body.project) if body.project else projects.default(session, who)
        check(session, who, "tensorboards.create", project.id)
        sources = tuple(source_asked(source) for source in body.sources)
        for source in tensorboards.known_sources(session, who, project.id, sources, context.at):
            try:
                context.hub.source_resolver.resolve(session, project.id, source)
            except LaunchError as error:
                if error.reason == ACCESS_DENIED:
                    raise PermissionDenied(error.message, hint=error.hint) from None


def counted(context: RequestContext, act: Any) -> Response:
    """`act()`, a refusal by the limit counted, and the reconcile loop told."""
    try:
        answer: Response = act()
    except TensorboardLimitExceeded:
        context.hub.metrics.refused.inc()
        raise
    context.hub.wake()
    return answer


def new_board(context: RequestContext, body: CreateTensorboard) -> Tensorboard:
    """What a question asks for. Raises Invalid for a source that is none."""
    span = body.life_span_secs if body.max_runtime_minutes is None else body.max_runtime_minutes * 60.0
    sources = tuple(source_asked(source) for source in body.sources)
    return Tensorboard(
        id="",
        name=body.name,
        display_name=body.display_name,
        project=body.project,
        owner=context.who.account,
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
        executor=context.hub.launcher.name,
    )


def source_asked(source: SourceQuestion) -> Source:
    """A source as it was asked for. Raises Invalid."""
    if source.dataset:
        kind, ref, path = SourceKind.DATASET, source.dataset, clean_relative(source.path)
    else:
        kind, ref, path = parse_uri(source.uri)
    return Source(
        id="", kind=kind, ref=ref, path=path, alias=source.alias, include=source.include, exclude=source.exclude
    )


def reused(session: Session, context: RequestContext, new: Tensorboard) -> Tensorboard | None:
    """The board there is already for the same, started if it rests."""
    who = context.who
    project = projects.get(session, who, new.project) if new.project else projects.default(session, who)
    sources = tensorboards.known_sources(session, who, project.id, new.sources, context.at)
    key = source_key(sources, project.id)
    found = tensorboards.reusable(session, who, project.id, new.origin, new.origin_id, key)
    if found is not None and found.status in RESTING:
        started = lifecycle.StartRequested()
        return tensorboards.apply_event(session, who, found.id, "tensorboards.start", started, context.at)
    return found


@routes.get(PATH, right="tensorboards.list", answer=TensorboardPage)
def find(context: ContextDep, question: Annotated[TensorboardQuestion, Query()]) -> Response:
    """A page of the TensorBoards that the asker sees."""
    with context.read() as session:
        boards, total = tensorboards.find(session, context.who, question)
        account = accounts.peek(session, context.who.account)
        limit = accounts.limit_of(session, account) if account else 0
        told = TensorboardPage(
            items=answers_of(session, context, boards),
            page=question.page,
            page_size=question.page_size,
            total=total,
            limit=limit,
            remaining=max(0, limit - tensorboards.count_in_use(session, context.who.account)),
        )
    return json_response(told)


@routes.post(f"{PATH}/probe", right="tensorboards.create", answer=ProbeAnswer)
def probe(context: ContextDep, body: ProbeQuestion) -> Response:
    """Look at places before a TensorBoard is made over them."""
    with context.read() as session:
        who = context.who
        place = projects.get(session, who, body.project) if body.project else projects.default(session, who)
        check(session, who, "tensorboards.create", place.id)
    return json_response(ProbeAnswer(sources=[probe_of(context, place.id, source) for source in body.sources]))


def probe_of(context: RequestContext, project: str, source: SourceQuestion) -> SourceProbe:
    """What lies at one place, or why that cannot be said."""
    hub = context.hub
    try:
        with context.read() as session:
            known = tensorboards.known_sources(session, context.who, project, [source_asked(source)], context.at)
            spec = hub.source_resolver.resolve(session, project, known[0])
    except LaunchError as error:
        return nothing_at(error.reason, error)
    except LightboardError as error:
        return nothing_at("SourceNotFound" if error.status == 404 else "Invalid", error)
    found = hub.launcher.probe(spec)
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


def nothing_at(reason: str, error: LightboardError) -> SourceProbe:
    """A place that is none."""
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


@routes.get(f"{PATH}/{{id}}", right="tensorboards.get", answer=TensorboardDetail)
def get(context: ContextDep, id: str, project: str = "") -> Response:
    """One TensorBoard with its history, by its id or its name."""
    with context.read() as session:
        board = tensorboards.get(session, context.who, id, project=project)
        return json_response(detail_of(session, context, board), version=board.version)


@routes.patch(f"{PATH}/{{id}}", right="tensorboards.update", answer=TensorboardDetail)
def change(context: ContextDep, id: str, body: ChangeTensorboard, project: str = "") -> Response:
    """Change a TensorBoard, while it runs too."""
    wanted = non_null_fields(body)
    if "max_runtime_minutes" in wanted:
        wanted["life_span_secs"] = wanted.pop("max_runtime_minutes") * 60.0
    if body.sources is not None:
        wanted["sources"] = tuple(source_asked(source) for source in body.sources)
    if body.access is not None:
        wanted["access"] = Access(body.access)
    if body.tags is not None:
        wanted["tags"] = tuple(body.tags)
    return changed(context, id, wanted, project)


def changed(context: RequestContext, id: str, wanted: dict[str, Any], project: str = "") -> Response:
    """The board with other fields."""
    with context.write() as session:
        board = tensorboards.change(
            session, context.who, id, wanted, context.at, version=context.if_match_version(), project=project
        )
        told = detail_of(session, context, board)
    context.hub.wake()
    return json_response(told, version=board.version)


@routes.delete(f"{PATH}/{{id}}", right="tensorboards.delete", answer=TensorboardAnswer)
def delete(context: ContextDep, id: str, project: str = "") -> Response:
    """Delete a TensorBoard; logs stay."""
    return event_response(context, id, "tensorboards.delete", lifecycle.DeleteRequested(), project)


@routes.put(f"{PATH}/{{id}}/start", right="tensorboards.start", answer=TensorboardAnswer)
def start(context: ContextDep, id: str, project: str = "") -> Response:
    """Start a TensorBoard that rests; one that runs stays as it is."""
    return counted(
        context, lambda: event_response(context, id, "tensorboards.start", lifecycle.StartRequested(), project)
    )


@routes.put(f"{PATH}/{{id}}/stop", right="tensorboards.stop", answer=TensorboardAnswer)
def stop(context: ContextDep, id: str, project: str = "") -> Response:
    """Stop a TensorBoard; one that rests stays as it is."""
    return event_response(context, id, "tensorboards.stop", lifecycle.StopRequested(), project)


def event_response(context: RequestContext, id: str, right: str, event: lifecycle.Event, project: str) -> Response:
    """The board after something was asked of it."""
    with context.write() as session:
        board = tensorboards.apply_event(
            session, context.who, id, right, event, context.at, version=context.if_match_version(), project=project
        )
        told = answer_of(session, context, board)
    context.hub.wake()
    return json_response(told, version=board.version)


@routes.post(f"{PATH}/{{id}}/extend", right="tensorboards.extend", answer=TensorboardAnswer)
def extend(context: ContextDep, id: str, body: ExtendTensorboard, project: str = "") -> Response:
    """Give a TensorBoard more running time."""

    def act(session: Session) -> StorableResponse:
        board = tensorboards.extend(
            session,
            context.who,
            id,
            context.at,
            additional_secs=body.additional_secs,
            total_secs=body.total_secs,
            version=context.if_match_version(),
            project=project,
        )
        return StorableResponse(answer_of(session, context, board), 200, version=board.version)

    return context.run_idempotent(body, act)


@routes.get(f"{PATH}/{{id}}/events", right="tensorboards.get", answer=History)
def events(context: ContextDep, id: str, project: str = "") -> Response:
    """How a TensorBoard came to stand as it does, oldest first."""
    with context.read() as session:
        steps = tensorboards.history(session, context.who, id, project)
        return json_response(History(items=transitions_of(session, steps)))


@routes.get(f"{PATH}/{{id}}/logs", right="tensorboards.logs", answer=LogAnswer)
def logs(
    context: ContextDep, id: str, lines: Annotated[int, Query(ge=1, le=MOST_LINES)] = 200, project: str = ""
) -> Response:
    """The last lines that its server said about it."""
    with context.read() as session:
        board = tensorboards.get(session, context.who, id, "tensorboards.logs", project)
    said = context.hub.launcher.logs(board.executor_ref, lines) if board.executor_ref else []
    return json_response(LogAnswer(lines=said))


@routes.get(f"{PATH}/{{id}}/top", right="tensorboards.get", answer=TopAnswer)
def top(context: ContextDep, id: str, project: str = "") -> Response:
    """What it takes now."""
    with context.read() as session:
        board = tensorboards.get(session, context.who, id, project=project)
    memory, cpu, progress = board.memory_bytes, board.cpu_secs, board.progress
    process_memory = process_boards = None
    if board.executor_ref:
        seen = context.hub.launcher.observe([board.executor_ref])[0]
        memory, cpu = seen.memory_bytes, seen.cpu_secs
        process_memory, process_boards = seen.process_memory_bytes, seen.process_boards
        if found := seen.progress:
            progress = Progress(
                runs=found.runs,
                bytes_read=found.bytes_read,
                bytes_total=found.bytes_total,
                last_event_at=found.last_event_time,
                loading=found.loading,
            )
    return json_response(
        TopAnswer(
            memory_bytes=memory,
            process_memory_bytes=process_memory,
            process_boards=process_boards,
            cpu_secs=cpu,
            progress=progress_of(progress),
            at=context.at,
        )
    )
