"""What projects may use: an administrator binds folders, addresses, credentials and datasets to them."""

from dataclasses import replace

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import LaunchError
from lightboard.hub import lifecycle
from lightboard.hub.access import HUB
from lightboard.hub.api.projects import PATH
from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import bindings, datasets, projects, tensorboards
from lightboard.hub.resources.bindings import Binding, BindingKind, check_value
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.schema.bindings import BindingAnswer, Bindings, CreateBinding
from lightboard.types import ACCESS_DENIED, UNREACHABLE

routes = Routes("bindings")


@routes.get(f"{PATH}/{{id}}/bindings", right="bindings.list", answer=Bindings)
def find(context: ContextDep, id: str) -> Response:
    """The folders, addresses, credentials and datasets that a project may use."""
    with context.read() as session:
        project = projects.get(session, context.who, id, "bindings.list")
        bound = bindings.find(session, context.who, project.id)
        return json_response(Bindings(items=[*given(session, context, project, bound), *answers_of(session, bound)]))


@routes.post(f"{PATH}/{{id}}/bindings", right="bindings.update", answer=BindingAnswer, status=201)
def create(context: ContextDep, id: str, body: CreateBinding) -> Response:
    """Let a project use a folder, an address, a credential, or a dataset of another project."""
    new = Binding(id="", project=id, kind=BindingKind(body.kind), value=body.value.strip(), credential=body.credential)
    with context.read() as session:
        projects.get(session, context.who, id, "bindings.update")
    # Not while writing: a folder may be on a disk that does not answer.
    new = context.hub.source_resolver.validate_binding(
        replace(new, value=check_value(new.kind, new.value, new.credential))
    )

    def act(session: Session) -> StorableResponse:
        made = bindings.create(session, context.who, new, context.at)
        return StorableResponse(answers_of(session, [made])[0], 201)

    return context.run_idempotent(body, act)


@routes.delete(f"{PATH}/{{id}}/bindings/{{binding}}", right="bindings.update", status=204)
def remove(context: ContextDep, id: str, binding: str) -> Response:
    """Take something from a project; TensorBoards that show what it opened are stopped."""
    with context.write() as session:
        bindings.remove(session, context.who, id, binding, context.at)
    stop_denied(context)
    return no_content()


def stop_denied(context: RequestContext) -> None:
    """Stops the boards in use whose sources may not be read any more, or whose disk does not say whether they may."""
    with context.read() as session:
        denied = {
            board.id: reason
            for board in tensorboards.all_in_use(session)
            if (reason := denial(session, context, board))
        }
    for id, reason in denied.items():
        with context.write() as session:
            tensorboards.apply_event(session, HUB, id, "tensorboards.stop", lifecycle.StopRequested(reason), context.at)
    context.hub.wake()


def denial(session: Session, context: RequestContext, board: Tensorboard) -> str:
    """Why its project may not read one of its sources, "" where it may read all."""
    for source in board.sources:
        try:
            context.hub.source_resolver.resolve(session, board.project, source)
        except LaunchError as error:
            if error.reason in (ACCESS_DENIED, UNREACHABLE):
                return error.reason
    return ""


def given(session: Session, context: RequestContext, project: Project, bound: list[Binding]) -> list[BindingAnswer]:
    """What belongs to the project without a binding: by the hub's flags, and by files of credentials."""
    source_resolver, known = context.hub.source_resolver, {(each.kind, each.value) for each in bound}
    roots = [(BindingKind.ROOT, root) for root in source_resolver.roots_of(session, project.id)]
    named = [(BindingKind.CREDENTIAL, name) for name in source_resolver.credentials_of(session, project)]
    return [
        BindingAnswer(id="", kind=kind.value, value=value, shown=value, credential="", created_at=None)
        for kind, value in (*roots, *named)
        if (kind, value) not in known
    ]


def answers_of(session: Session, bound: list[Binding]) -> list[BindingAnswer]:
    """Bindings as they travel."""
    names = datasets.names(session, {each.value for each in bound if each.kind is BindingKind.DATASET})
    return [
        BindingAnswer(
            id=each.id,
            kind=each.kind.value,
            value=each.value,
            shown=names.get(each.value, each.value),
            credential=each.credential,
            created_at=each.created_at,
        )
        for each in bound
    ]
