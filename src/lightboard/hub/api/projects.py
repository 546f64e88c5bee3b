"""Projects and their members."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.request_context import (
    ContextDep,
    RequestContext,
    StorableResponse,
    json_response,
    no_content,
    non_null_fields,
)
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import projects
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.projects import Member, Project
from lightboard.hub.resources.roles import Role
from lightboard.schema.projects import (
    ChangeProject,
    CreateProject,
    MemberAnswer,
    Members,
    ProjectAnswer,
    Projects,
    SetMember,
)

PATH = "/api/v1/projects"

routes = Routes("projects")


@routes.get(PATH, right="own.read", answer=Projects)
def find(context: ContextDep) -> Response:
    """The projects that the asker sees."""
    with context.read() as session:
        found = projects.find(session, context.who)
    return json_response(Projects(items=[answer_of(*each) for each in found]))


@routes.post(PATH, right="projects.create", answer=ProjectAnswer, status=201)
def create(context: ContextDep, body: CreateProject) -> Response:
    """Make a project, and own it."""

    def act(session: Session) -> StorableResponse:
        made = projects.create(session, context.who, Project(id="", **body.model_dump()), context.at)
        told = answer_of(made, Role.OWNER, 1)
        return StorableResponse(told, 201, version=made.version, location=context.url(f"{PATH}/{made.id}"))

    return context.run_idempotent(body, act)


@routes.get(f"{PATH}/{{id}}", right="project.get", answer=ProjectAnswer)
def get(context: ContextDep, id: str) -> Response:
    """One project, by its id or its name."""
    with context.read() as session:
        return told(session, context, projects.get(session, context.who, id))


@routes.patch(f"{PATH}/{{id}}", right="project.update", answer=ProjectAnswer)
def change(context: ContextDep, id: str, body: ChangeProject) -> Response:
    """Change a project."""
    with context.write() as session:
        project = projects.change(
            session, context.who, id, non_null_fields(body), context.at, context.if_match_version()
        )
        return told(session, context, project)


@routes.delete(f"{PATH}/{{id}}", right="project.delete", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """End a project that has no TensorBoards any more; logs stay."""
    with context.write() as session:
        projects.remove(session, context.who, id, context.at)
    return no_content()


@routes.get(f"{PATH}/{{id}}/members", right="project.get", answer=Members)
def members(context: ContextDep, id: str) -> Response:
    """Who is in a project."""
    with context.read() as session:
        return json_response(members_of(session, context, id))


@routes.put(f"{PATH}/{{id}}/members", right="members.update", answer=Members)
def set_member(context: ContextDep, id: str, body: SetMember) -> Response:
    """Change the role of a member; administrators of the hub also add accounts."""
    with context.write() as session:
        projects.set_member(session, context.who, id, body.account, Role(body.role), context.at)
        found = members_of(session, context, id)
    return json_response(found)


@routes.delete(f"{PATH}/{{id}}/members/{{account}}", right="members.update", status=204)
def remove_member(context: ContextDep, id: str, account: str) -> Response:
    """Take an account out of a project; everybody may leave by themselves."""
    with context.write() as session:
        projects.remove_member(session, context.who, id, account, context.at)
    return no_content()


def told(session: Session, context: RequestContext, project: Project) -> Response:
    """One project with the asker's role in it."""
    _, role, size = next(each for each in projects.find(session, context.who) if each[0].id == project.id)
    return json_response(answer_of(project, role, size), version=project.version)


def answer_of(project: Project, role: Role | None, size: int) -> ProjectAnswer:
    """A project as it travels."""
    return ProjectAnswer(
        id=project.id,
        name=project.name,
        display_name=project.display_name,
        storage=project.storage,
        created_at=project.created_at,
        version=project.version,
        role=role.value if role else None,
        members=size,
    )


def members_of(session: Session, context: RequestContext, id: str) -> Members:
    """All members of a project."""
    return Members(items=[member_of(*each) for each in projects.members(session, context.who, id)])


def member_of(member: Member, account: Account) -> MemberAnswer:
    """A member as it travels."""
    return MemberAnswer(
        account=account.id,
        name=account.name,
        display_name=account.display_name,
        role=member.role.value,
        since=member.since,
    )
