"""Projects and their members."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.asking import Asked, Asking, Made, answered, done, leave_out_none
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
def find(asked: Asked) -> Response:
    """The projects that the asker sees."""
    with asked.read() as session:
        found = projects.find(session, asked.who)
    return answered(Projects(items=[answer_of(*each) for each in found]))


@routes.post(PATH, right="projects.create", answer=ProjectAnswer, status=201)
def create(asked: Asked, body: CreateProject) -> Response:
    """Make a project, and own it."""

    def act(session: Session) -> Made:
        made = projects.create(session, asked.who, Project(id="", **body.model_dump()), asked.at)
        told = answer_of(made, Role.OWNER, 1)
        return Made(told, 201, version=made.version, location=asked.url(f"{PATH}/{made.id}"))

    return asked.once(body, act)


@routes.get(f"{PATH}/{{id}}", right="project.get", answer=ProjectAnswer)
def get(asked: Asked, id: str) -> Response:
    """One project, by its id or its name."""
    with asked.read() as session:
        return told(session, asked, projects.get(session, asked.who, id))


@routes.patch(f"{PATH}/{{id}}", right="project.update", answer=ProjectAnswer)
def change(asked: Asked, id: str, body: ChangeProject) -> Response:
    """Change a project."""
    with asked.write() as session:
        project = projects.change(session, asked.who, id, leave_out_none(body), asked.at, asked.wanted_version())
        return told(session, asked, project)


@routes.delete(f"{PATH}/{{id}}", right="project.delete", status=204)
def remove(asked: Asked, id: str) -> Response:
    """End a project that has no TensorBoards any more; logs stay."""
    with asked.write() as session:
        projects.remove(session, asked.who, id, asked.at)
    return done()


@routes.get(f"{PATH}/{{id}}/members", right="project.get", answer=Members)
def members(asked: Asked, id: str) -> Response:
    """Who is in a project."""
    with asked.read() as session:
        return answered(members_of(session, asked, id))


@routes.put(f"{PATH}/{{id}}/members", right="members.update", answer=Members)
def set_member(asked: Asked, id: str, body: SetMember) -> Response:
    """Change the role of a member; administrators of the hub also add accounts."""
    with asked.write() as session:
        projects.set_member(session, asked.who, id, body.account, Role(body.role), asked.at)
        found = members_of(session, asked, id)
    return answered(found)


@routes.delete(f"{PATH}/{{id}}/members/{{account}}", right="members.update", status=204)
def remove_member(asked: Asked, id: str, account: str) -> Response:
    """Take an account out of a project; everybody may leave by themselves."""
    with asked.write() as session:
        projects.remove_member(session, asked.who, id, account, asked.at)
    return done()


def told(session: Session, asked: Asking, project: Project) -> Response:
    """One project with the asker's role in it."""
    _, role, size = next(each for each in projects.find(session, asked.who) if each[0].id == project.id)
    return answered(answer_of(project, role, size), version=project.version)


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


def members_of(session: Session, asked: Asking, id: str) -> Members:
    """All members of a project."""
    return Members(items=[member_of(*each) for each in projects.members(session, asked.who, id)])


def member_of(member: Member, account: Account) -> MemberAnswer:
    """A member as it travels."""
    return MemberAnswer(
        account=account.id,
        name=account.name,
        display_name=account.display_name,
        role=member.role.value,
        since=member.since,
    )
