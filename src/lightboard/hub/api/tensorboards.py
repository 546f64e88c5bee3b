"""TensorBoards: made, found, opened, stopped, extended, deleted."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import LaunchError, LightboardError, PermissionDenied, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.api.asking import Asked, Asking, Made, answered, leave_out_none
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
def create(asked: Asked, body: CreateTensorboard) -> Response:
    """Make a TensorBoard, or with `reuse` give back the one there is; 201 for a new one, 200 otherwise.

    403 for a place that the project may not show: nothing is made then.
    """
    check_sources(asked, body)

    def act(session: Session) -> Made:
        new = new_board(asked, body)
        found = reused(session, asked, new) if body.reuse else None
        board = found or tensorboards.create(session, asked.who, new, asked.at)
        if not found:
            asked.hub.metrics.created.inc()
        told = detail_of(session, asked, board)
        return Made(told, 200 if found else 201, version=board.version, location=asked.url(f"{PATH}/{board.id}"))

    return counted(asked, lambda: asked.once(body, act))


def check_sources(asked: Asking, body: CreateTensorboard) -> None:
    """Raises PermissionDenied where a source would be refused as soon as the board is started.

    Before the transaction that makes the board: a mount that hangs must not keep others from writing.
    """
    with asked.read() as session:
        who = asked.who
        project = projects.get(session, who, body.project) if body.project else projects.default(session, who)
        check(session, who, "tensorboards.create", project.id)
        sources = tuple(source_asked(source) for source in body.sources)
        for source in tensorboards.known_sources(session, who, project.id, sources, asked.at):
            try:
                asked.hub.places.resolve(session, project.id, source)
            except LaunchError as error:
                if error.reason == ACCESS_DENIED:
                    raise PermissionDenied(error.message, hint=error.hint) from None


def counted(asked: Asking, act: Any) -> Response:
    """`act()`, a refusal by the limit counted, and the reconcile loop told."""
    try:
        answer: Response = act()
    except TensorboardLimitExceeded:
        asked.hub.metrics.refused.inc()
        raise
    asked.hub.wake()
    return answer


def new_board(asked: Asking, body: CreateTensorboard) -> Tensorboard:
    """What a question asks for. Raises Invalid for a source that is none."""
    span = body.life_span_secs if body.max_runtime_minutes is None else body.max_runtime_minutes * 60.0
    sources = tuple(source_asked(source) for source in body.sources)
    return Tensorboard(
        id="",
        name=body.name,
        display_name=body.display_name,
        project=body.project,
        owner=asked.who.account,
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
        executor=asked.hub.launcher.name,
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


def reused(session: Session, asked: Asking, new: Tensorboard) -> Tensorboard | None:
    """The board there is already for the same, started if it rests."""
    who = asked.who
    project = projects.get(session, who, new.project) if new.project else projects.default(session, who)
    sources = tensorboards.known_sources(session, who, project.id, new.sources, asked.at)
    key = source_key(sources, project.id)
    found = tensorboards.reusable(session, who, project.id, new.origin, new.origin_id, key)
    if found is not None and found.status in RESTING:
        started = lifecycle.StartAsked()
        return tensorboards.happen(session, who, found.id, "tensorboards.start", started, asked.at)
    return found


@routes.get(PATH, right="tensorboards.list", answer=TensorboardPage)
def find(asked: Asked, question: Annotated[TensorboardQuestion, Query()]) -> Response:
    """A page of the TensorBoards that the asker sees."""
    with asked.read() as session:
        boards, total = tensorboards.find(session, asked.who, question)
        account = accounts.peek(session, asked.who.account)
        limit = accounts.limit_of(session, account) if account else 0
        told = TensorboardPage(
            items=answers_of(session, asked, boards),
            page=question.page,
            page_size=question.page_size,
            total=total,
            limit=limit,
            remaining=max(0, limit - tensorboards.count_in_use(session, asked.who.account)),
        )
    return answered(told)


@routes.post(f"{PATH}/probe", right="tensorboards.create", answer=ProbeAnswer)
def probe(asked: Asked, body: ProbeQuestion) -> Response:
    """Look at places before a TensorBoard is made over them."""
    with asked.read() as session:
        who = asked.who
        place = projects.get(session, who, body.project) if body.project else projects.default(session, who)
        check(session, who, "tensorboards.create", place.id)
    return answered(ProbeAnswer(sources=[probe_of(asked, place.id, source) for source in body.sources]))


def probe_of(asked: Asking, project: str, source: SourceQuestion) -> SourceProbe:
    """What lies at one place, or why that cannot be said."""
    hub = asked.hub
    try:
        with asked.read() as session:
            known = tensorboards.known_sources(session, asked.who, project, [source_asked(source)], asked.at)
            spec = hub.places.resolve(session, project, known[0])
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
def get(asked: Asked, id: str, project: str = "") -> Response:
    """One TensorBoard with its history, by its id or its name."""
    with asked.read() as session:
        board = tensorboards.get(session, asked.who, id, project=project)
        return answered(detail_of(session, asked, board), version=board.version)


@routes.patch(f"{PATH}/{{id}}", right="tensorboards.update", answer=TensorboardDetail)
def change(asked: Asked, id: str, body: ChangeTensorboard, project: str = "") -> Response:
    """Change a TensorBoard, while it runs too."""
    wanted = leave_out_none(body)
    if "max_runtime_minutes" in wanted:
        wanted["life_span_secs"] = wanted.pop("max_runtime_minutes") * 60.0
    if body.sources is not None:
        wanted["sources"] = tuple(source_asked(source) for source in body.sources)
    if body.access is not None:
        wanted["access"] = Access(body.access)
    if body.tags is not None:
        wanted["tags"] = tuple(body.tags)
    return changed(asked, id, wanted, project)


def changed(asked: Asking, id: str, wanted: dict[str, Any], project: str = "") -> Response:
    """The board with other fields."""
    with asked.write() as session:
        board = tensorboards.change(
            session, asked.who, id, wanted, asked.at, version=asked.wanted_version(), project=project
        )
        told = detail_of(session, asked, board)
    asked.hub.wake()
    return answered(told, version=board.version)


@routes.delete(f"{PATH}/{{id}}", right="tensorboards.delete", answer=TensorboardAnswer)
def delete(asked: Asked, id: str, project: str = "") -> Response:
    """Delete a TensorBoard; logs stay."""
    return happened(asked, id, "tensorboards.delete", lifecycle.DeleteAsked(), project)


@routes.put(f"{PATH}/{{id}}/start", right="tensorboards.start", answer=TensorboardAnswer)
def start(asked: Asked, id: str, project: str = "") -> Response:
    """Start a TensorBoard that rests; one that runs stays as it is."""
    return counted(asked, lambda: happened(asked, id, "tensorboards.start", lifecycle.StartAsked(), project))


@routes.put(f"{PATH}/{{id}}/stop", right="tensorboards.stop", answer=TensorboardAnswer)
def stop(asked: Asked, id: str, project: str = "") -> Response:
    """Stop a TensorBoard; one that rests stays as it is."""
    return happened(asked, id, "tensorboards.stop", lifecycle.StopAsked(), project)


def happened(asked: Asking, id: str, right: str, event: lifecycle.Event, project: str) -> Response:
    """The board after something was asked of it."""
    with asked.write() as session:
        board = tensorboards.happen(
            session, asked.who, id, right, event, asked.at, version=asked.wanted_version(), project=project
        )
        told = answer_of(session, asked, board)
    asked.hub.wake()
    return answered(told, version=board.version)


@routes.post(f"{PATH}/{{id}}/extend", right="tensorboards.extend", answer=TensorboardAnswer)
def extend(asked: Asked, id: str, body: ExtendTensorboard, project: str = "") -> Response:
    """Give a TensorBoard more running time."""

    def act(session: Session) -> Made:
        board = tensorboards.extend(
            session,
            asked.who,
            id,
            asked.at,
            additional_secs=body.additional_secs,
            total_secs=body.total_secs,
            version=asked.wanted_version(),
            project=project,
        )
        return Made(answer_of(session, asked, board), 200, version=board.version)

    return asked.once(body, act)


@routes.get(f"{PATH}/{{id}}/events", right="tensorboards.get", answer=History)
def events(asked: Asked, id: str, project: str = "") -> Response:
    """How a TensorBoard came to stand as it does, oldest first."""
    with asked.read() as session:
        steps = tensorboards.history(session, asked.who, id, project)
        return answered(History(items=transitions_of(session, steps)))


@routes.get(f"{PATH}/{{id}}/logs", right="tensorboards.logs", answer=LogAnswer)
def logs(asked: Asked, id: str, lines: Annotated[int, Query(ge=1, le=MOST_LINES)] = 200, project: str = "") -> Response:
    """The last lines that its server said about it."""
    with asked.read() as session:
        board = tensorboards.get(session, asked.who, id, "tensorboards.logs", project)
    said = asked.hub.launcher.logs(board.executor_ref, lines) if board.executor_ref else []
    return answered(LogAnswer(lines=said))


@routes.get(f"{PATH}/{{id}}/top", right="tensorboards.get", answer=TopAnswer)
def top(asked: Asked, id: str, project: str = "") -> Response:
    """What it takes now."""
    with asked.read() as session:
        board = tensorboards.get(session, asked.who, id, project=project)
    memory, cpu, progress = board.memory_bytes, board.cpu_secs, board.progress
    process_memory = process_boards = None
    if board.executor_ref:
        seen = asked.hub.launcher.observe([board.executor_ref])[0]
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
    return answered(
        TopAnswer(
            memory_bytes=memory,
            process_memory_bytes=process_memory,
            process_boards=process_boards,
            cpu_secs=cpu,
            progress=progress_of(progress),
            at=asked.at,
        )
    )
