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
    MemberResponse,
    Members,
    ProjectResponse,
    Projects,
    SetMember,
)

PATH = "/api/v1/projects"

routes = Routes("projects")


@routes.get(PATH, right="own.read", response=Projects)
def find(context: ContextDep) -> Response:
    """List the visible projects."""
    with context.read() as session:
        found = projects.find(session, context.principal)
    return json_response(Projects(items=[to_response(*each) for each in found]))


@routes.post(PATH, right="projects.create", response=ProjectResponse, status=201)
def create(context: ContextDep, body: CreateProject) -> Response:
    """Create a project. The account becomes its owner."""

    def run(session: Session) -> StorableResponse:
        made = projects.create(session, context.principal, Project(id="", **body.model_dump()), context.at)
        result = to_response(made, Role.OWNER, 1)
        return StorableResponse(result, 201, version=made.version, location=context.url(f"{PATH}/{made.id}"))

    return context.run_idempotent(body, run)


@routes.get(f"{PATH}/{{id}}", right="project.get", response=ProjectResponse)
def get(context: ContextDep, id: str) -> Response:
    """Get a project by id or name."""
    with context.read() as session:
        return project_response(session, context, projects.get(session, context.principal, id))


@routes.patch(f"{PATH}/{{id}}", right="project.update", response=ProjectResponse)
def change(context: ContextDep, id: str, body: ChangeProject) -> Response:
    """Change a project."""
    with context.write() as session:
        project = projects.change(
            session, context.principal, id, non_null_fields(body), context.at, context.if_match_version()
        )
        return project_response(session, context, project)


@routes.delete(f"{PATH}/{{id}}", right="project.delete", status=204)
def remove(context: ContextDep, id: str) -> Response:
    """Delete a project that has no TensorBoards; logs are kept."""
    with context.write() as session:
        projects.remove(session, context.principal, id, context.at)
    return no_content()


@routes.get(f"{PATH}/{{id}}/members", right="project.get", response=Members)
def members(context: ContextDep, id: str) -> Response:
    """List the members of a project."""
    with context.read() as session:
        return json_response(members_of(session, context, id))


@routes.put(f"{PATH}/{{id}}/members", right="members.update", response=Members)
def set_member(context: ContextDep, id: str, body: SetMember) -> Response:
    """Change the role of a member; administrators of the hub can also add accounts."""
    with context.write() as session:
        projects.set_member(session, context.principal, id, body.account, Role(body.role), context.at)
        found = members_of(session, context, id)
    return json_response(found)


@routes.delete(f"{PATH}/{{id}}/members/{{account}}", right="members.update", status=204)
def remove_member(context: ContextDep, id: str, account: str) -> Response:
    """Remove a member from a project; members can leave by themselves."""
    with context.write() as session:
        projects.remove_member(session, context.principal, id, account, context.at)
    return no_content()


def project_response(session: Session, context: RequestContext, project: Project) -> Response:
    """A project with the principal's role in it."""
    _, role, size = next(each for each in projects.find(session, context.principal) if each[0].id == project.id)
    return json_response(to_response(project, role, size), version=project.version)


def to_response(project: Project, role: Role | None, size: int) -> ProjectResponse:
    """A project with a role and the number of members."""
    return ProjectResponse(
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
    """The members of a project."""
    return Members(items=[member_of(*each) for each in projects.members(session, context.principal, id)])


def member_of(member: Member, account: Account) -> MemberResponse:
    """A member with the names of its account."""
    return MemberResponse(
        account=account.id,
        name=account.name,
        display_name=account.display_name,
        role=member.role.value,
        since=member.since,
    )
