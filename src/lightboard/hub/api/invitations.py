"""Invitations: an owner of a project sends and withdraws them, whoever is invited accepts or declines."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.projects import PATH as PROJECTS
from lightboard.hub.api.projects import told
from lightboard.hub.api.request_context import ContextDep, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import invitations
from lightboard.hub.db.invitations import InvitationDetails
from lightboard.hub.resources.roles import Role
from lightboard.schema.invitations import InvitationAnswer, Invitations, Invite
from lightboard.schema.projects import ProjectAnswer

PATH = "/api/v1/invitations"

routes = Routes("invitations")


@routes.get(f"{PROJECTS}/{{id}}/invitations", right="members.invite", answer=Invitations)
def find(context: ContextDep, id: str) -> Response:
    """Invitations to a project that wait for an answer, or were declined."""
    with context.read() as session:
        found = invitations.find(session, context.who, id, context.at)
    return json_response(Invitations(items=[answer_of(each) for each in found]))


@routes.post(f"{PROJECTS}/{{id}}/invitations", right="members.invite", answer=InvitationAnswer, status=201)
def invite(context: ContextDep, id: str, body: Invite) -> Response:
    """Invite an account, by its name or id; the answer is the same whether or not there is one."""

    def act(session: Session) -> StorableResponse:
        role = Role(body.role)
        made = invitations.invite(session, context.who, id, body.account, role, context.at, body.expires_secs)
        return StorableResponse(answer_of(made), 201)

    return context.run_idempotent(body, act)


@routes.delete(f"{PROJECTS}/{{id}}/invitations/{{invitation}}", right="members.invite", status=204)
def withdraw(context: ContextDep, id: str, invitation: str) -> Response:
    """Take an invitation back."""
    with context.write() as session:
        invitations.withdraw(session, context.who, id, invitation, context.at)
    return no_content()


@routes.get(PATH, right="own.read", answer=Invitations)
def received(context: ContextDep) -> Response:
    """Invitations of the asker that can be accepted."""
    with context.read() as session:
        found = invitations.received(session, context.who, context.at)
    return json_response(Invitations(items=[answer_of(each) for each in found]))


@routes.put(f"{PATH}/{{id}}/accept", right="own.update", answer=ProjectAnswer)
def accept(context: ContextDep, id: str) -> Response:
    """Become a member of the project."""
    with context.write() as session:
        project = invitations.accept(session, context.who, id, context.at)
        return told(session, context, project)


@routes.put(f"{PATH}/{{id}}/decline", right="own.update", status=204)
def decline(context: ContextDep, id: str) -> Response:
    """Do not become a member; who sent the invitation is not told."""
    with context.write() as session:
        invitations.decline(session, context.who, id, context.at)
    return no_content()


def answer_of(sent: InvitationDetails) -> InvitationAnswer:
    """An invitation as it travels; that it was declined does not."""
    invitation = sent.invitation
    return InvitationAnswer(
        id=invitation.id,
        project=invitation.project,
        project_name=sent.project.name,
        project_display_name=sent.project.display_name,
        account=invitation.invited,
        role=invitation.role.value,
        inviter_name=sent.inviter.name,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
    )
