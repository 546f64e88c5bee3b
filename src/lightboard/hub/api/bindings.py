"""Bindings: administrators bind folders, URLs, credentials and datasets to projects."""

from dataclasses import replace

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import LaunchError
from lightboard.hub import lifecycle
from lightboard.hub.access import HUB
from lightboard.hub.api.projects import PATH
from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.db import bindings, datasets, projects, tensorboards
from lightboard.hub.resources.bindings import Binding, BindingKind, check_value
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.source_resolver import SourceResolver
from lightboard.schema.bindings import BindingResponse, Bindings, CreateBinding
from lightboard.types import ACCESS_DENIED, UNREACHABLE

routes = Routes("bindings")


@routes.get(f"{PATH}/{{id}}/bindings", right="bindings.list", response=Bindings)
def find(context: ContextDep, boards: BoardsDep, id: str) -> Response:
    """List the folders, URLs, credentials and datasets that a project may use."""
    with context.read() as session:
        project = projects.get(session, context.principal, id, "bindings.list")
        bound = bindings.find(session, context.principal, project.id)
        given = implicit_bindings(session, boards.source_resolver, project, bound)
        return json_response(Bindings(items=[*given, *to_responses(session, bound)]))


@routes.post(f"{PATH}/{{id}}/bindings", right="bindings.update", response=BindingResponse, status=201)
def create(context: ContextDep, boards: BoardsDep, id: str, body: CreateBinding) -> Response:
    """Bind a folder, URL, credential, or dataset of another project to a project."""
    new = Binding(id="", project=id, kind=BindingKind(body.kind), value=body.value.strip(), credential=body.credential)
    with context.read() as session:
        projects.get(session, context.principal, id, "bindings.update")
    # Not in a write transaction, because the disk may hang.
    new = replace(new, value=check_value(new.kind, new.value, new.credential))
    new = boards.source_resolver.validate_binding(new)

    def run(session: Session) -> StorableResponse:
        made = bindings.create(session, context.principal, new, context.at)
        return StorableResponse(to_responses(session, [made])[0], 201)

    return context.run_idempotent(body, run)


@routes.delete(f"{PATH}/{{id}}/bindings/{{binding}}", right="bindings.update", status=204)
def remove(context: ContextDep, boards: BoardsDep, id: str, binding: str) -> Response:
    """Remove a binding; TensorBoards that need it are stopped."""
    with context.write() as session:
        bindings.remove(session, context.principal, id, binding, context.at)
    stop_denied(context, boards.source_resolver)
    boards.wake()
    return no_content()


def stop_denied(context: RequestContext, source_resolver: SourceResolver) -> None:
    """Stops boards in use whose sources may no longer be read, or whose disk does not respond."""
    with context.read() as session:
        denied = {
            board.id: reason
            for board in tensorboards.all_in_use(session)
            if (reason := denial(session, source_resolver, board))
        }
    for id, reason in denied.items():
        with context.write() as session:
            tensorboards.apply_event(session, HUB, id, "tensorboards.stop", lifecycle.StopRequested(reason), context.at)


def denial(session: Session, source_resolver: SourceResolver, board: Tensorboard) -> str:
    """The reason why a board may not read one of its sources, "" if it may read all."""
    for source in board.sources:
        try:
            source_resolver.resolve(session, board.project, source)
        except LaunchError as error:
            if error.reason in (ACCESS_DENIED, UNREACHABLE):
                return error.reason
    return ""


def implicit_bindings(
    session: Session, source_resolver: SourceResolver, project: Project, bound: list[Binding]
) -> list[BindingResponse]:
    """What the project may use without a binding, because of the hub's flags or of credential files."""
    known = {(each.kind, each.value) for each in bound}
    roots = [(BindingKind.ROOT, root) for root in source_resolver.roots_of(session, project.id)]
    named = [(BindingKind.CREDENTIAL, name) for name in source_resolver.credentials_of(session, project)]
    return [
        BindingResponse(id="", kind=kind.value, value=value, shown=value, credential="", created_at=None)
        for kind, value in (*roots, *named)
        if (kind, value) not in known
    ]


def to_responses(session: Session, bound: list[Binding]) -> list[BindingResponse]:
    """Bindings with the names of their datasets."""
    names = datasets.names(session, {each.value for each in bound if each.kind is BindingKind.DATASET})
    return [
        BindingResponse(
            id=each.id,
            kind=each.kind.value,
            value=each.value,
            shown=names.get(each.value, each.value),
            credential=each.credential,
            created_at=each.created_at,
        )
        for each in bound
    ]
