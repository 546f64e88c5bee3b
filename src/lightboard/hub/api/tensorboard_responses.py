"""Responses about TensorBoards: the statuses of three platforms, and names for the ids."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from lightboard.hub.api.request_context import RequestContext
from lightboard.hub.db import accounts, datasets, projects, tensorboards
from lightboard.hub.lifecycle import WARNING_SECS
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Progress, Status, Tensorboard, Transition
from lightboard.schema.tensorboards import (
    ProgressResponse,
    SourceResponse,
    TensorboardDetail,
    TensorboardResponse,
    TransitionResponse,
)

PHASES = {
    Status.PENDING: "PENDING",
    Status.CREATING: "PENDING",
    Status.RUNNING: "RUNNING",
    Status.STOPPING: "STOPPED",
    Status.STOPPED: "STOPPED",
    Status.CREATING_FAILED: "FAILED",
    Status.FAILED: "FAILED",
}
"""DCE's statuses. Deleted boards have none."""

NEURO = {
    Status.PENDING: "pending",
    Status.CREATING: "pending",
    Status.RUNNING: "running",
    Status.STOPPING: "cancelled",
    Status.STOPPED: "cancelled",
    Status.CREATING_FAILED: "failed",
    Status.FAILED: "failed",
    Status.DELETING: "cancelled",
    Status.DELETED: "cancelled",
}
"""Neu.ro's statuses."""

COPIED_FIELDS = (
    "id",
    "name",
    "display_name",
    "project",
    "owner",
    "reason",
    "message",
    "version",
    "source_key",
    "origin_id",
    "http_auth",
    "life_span_secs",
    "idle_timeout_secs",
    "reload_secs",
    "labels",
    "created_at",
    "updated_at",
    "status_since",
    "last_active_at",
    "restarts",
    "executor",
    "memory_bytes",
    "cpu_secs",
)
"""Fields that are copied unchanged."""


def to_responses(session: Session, context: RequestContext, boards: Sequence[Tensorboard]) -> list[TensorboardResponse]:
    """Boards that the principal may see. Names are looked up for all at once."""
    owners = accounts.names(session, {board.owner for board in boards})
    project_names = projects.names(session, {board.project for board in boards})
    dataset_names_by_id = dataset_names(session, boards)
    return [
        TensorboardResponse(**fields_of(session, context, board, owners, project_names, dataset_names_by_id))  # type: ignore[arg-type]
        for board in boards
    ]


def to_response(session: Session, context: RequestContext, board: Tensorboard) -> TensorboardResponse:
    """One board."""
    return to_responses(session, context, [board])[0]


def detail_of(session: Session, context: RequestContext, board: Tensorboard) -> TensorboardDetail:
    """One board with its history."""
    history = tensorboards.history(session, context.principal, board.id)
    return TensorboardDetail(
        **to_response(session, context, board).model_dump(), transitions=transitions_of(session, history)
    )


def transitions_of(session: Session, history: Sequence[Transition]) -> list[TransitionResponse]:
    """History entries with the names of their actors."""
    names = accounts.names(session, {step.actor for step in history})
    return [
        TransitionResponse(
            at=step.at,
            status=step.status.value,
            reason=step.reason,
            message=step.message,
            actor=names.get(step.actor, ""),
            life_span_secs=step.life_span_secs,
            expires_at=step.expires_at,
        )
        for step in history
    ]


def progress_of(progress: Progress) -> ProgressResponse:
    """How much of its logs a board has read."""
    return ProgressResponse(
        runs=progress.runs,
        bytes_read=progress.bytes_read,
        bytes_total=progress.bytes_total,
        last_event_at=progress.last_event_at,
        loading=progress.loading,
    )


def dataset_names(session: Session, boards: Sequence[Tensorboard]) -> dict[str, str]:
    """The names of the datasets that boards use, by id."""
    ids = {source.ref for board in boards for source in board.sources if source.kind is SourceKind.DATASET}
    found = {id: datasets.get_unchecked(session, id) for id in ids}
    return {id: dataset.name for id, dataset in found.items() if dataset}


def source_of(source: Source, names: dict[str, str]) -> SourceResponse:
    """A source with the name of its dataset."""
    dataset = names.get(source.ref, source.ref) if source.kind is SourceKind.DATASET else None
    text = f"dataset:{dataset}/{source.path}".rstrip("/") if dataset is not None else source.text
    return SourceResponse(
        id=source.id,
        kind=source.kind.value,
        text=text,
        dataset=dataset,
        path=source.path,
        alias=source.alias,
        include=source.include,
        exclude=source.exclude,
        target=source.target,
    )


def fields_of(
    session: Session,
    context: RequestContext,
    board: Tensorboard,
    owners: dict[str, str],
    project_names: dict[str, str],
    datasets: dict[str, str],
) -> dict[str, object]:
    """All fields of the response."""
    expires = board.expires_at(context.at)
    return {
        **{name: getattr(board, name) for name in COPIED_FIELDS},
        "project_name": project_names.get(board.project, ""),
        "owner_name": owners.get(board.owner, ""),
        "app_uri": context.board_url(board, owners.get(board.owner, "")),
        "status": board.status.value,
        "phase": PHASES.get(board.status, ""),
        "neuro_status": NEURO[board.status],
        "sources": [source_of(source, datasets) for source in board.sources],
        "origin": board.origin.value,
        "access": board.access.value,
        "max_runtime_minutes": round(board.life_span_secs / 60),
        "tags": list(board.tags),
        "running_secs": board.running_secs(context.at),
        "expires_at": expires,
        "ends_soon": expires is not None and expires - context.at <= WARNING_SECS,
        "idle_at": board.idle_at(),
        "progress": progress_of(board.progress),
        "counts_toward_limit": board.counted,
        "rights": tensorboards.rights_of(session, context.principal, board),
    }
