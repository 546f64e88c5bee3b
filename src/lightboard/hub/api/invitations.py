"""Invitations: owners of a project send and withdraw them, invited accounts accept or decline."""

from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.hub.api.projects import PATH as PROJECTS
from lightboard.hub.api.projects import project_response
from lightboard.hub.api.request_context import ContextDep, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import invitations
from lightboard.hub.db.invitations import InvitationDetails
from lightboard.hub.resources.roles import Role
from lightboard.schema.invitations import InvitationResponse, Invitations, Invite
from lightboard.schema.projects import ProjectResponse

PATH = "/api/v1/invitations"

routes = Routes("invitations")


@routes.get(f"{PROJECTS}/{{id}}/invitations", right="members.invite", response=Invitations)
def find(context: ContextDep, id: str) -> Response:
    """List the open invitations to a project. A declined one is listed like an open one."""
    with context.read() as session:
        found = invitations.find(session, context.principal, id, context.at)
    return json_response(Invitations(items=[to_response(each) for each in found]))


@routes.post(f"{PROJECTS}/{{id}}/invitations", right="members.invite", response=InvitationResponse, status=201)
def invite(context: ContextDep, id: str, body: Invite) -> Response:
    """Invite an account by name or id; the response does not reveal whether it exists."""

    def run(session: Session) -> StorableResponse:
        role = Role(body.role)
        made = invitations.invite(session, context.principal, id, body.account, role, context.at, body.expires_secs)
        return StorableResponse(to_response(made), 201)

    return context.run_idempotent(body, run)


@routes.delete(f"{PROJECTS}/{{id}}/invitations/{{invitation}}", right="members.invite", status=204)
def withdraw(context: ContextDep, id: str, invitation: str) -> Response:
    """Withdraw an invitation."""
    with context.write() as session:
        invitations.withdraw(session, context.principal, id, invitation, context.at)
    return no_content()


@routes.get(PATH, right="own.read", response=Invitations)
def received(context: ContextDep) -> Response:
    """List the open invitations of the account."""
    with context.read() as session:
        found = invitations.received(session, context.principal, context.at)
    return json_response(Invitations(items=[to_response(each) for each in found]))


@routes.put(f"{PATH}/{{id}}/accept", right="own.update", response=ProjectResponse)
def accept(context: ContextDep, id: str) -> Response:
    """Accept an invitation and become a member of the project."""
    with context.write() as session:
        project = invitations.accept(session, context.principal, id, context.at)
        return project_response(session, context, project)


@routes.put(f"{PATH}/{{id}}/decline", right="own.update", status=204)
def decline(context: ContextDep, id: str) -> Response:
    """Decline an invitation; the inviter is not notified."""
    with context.write() as session:
        invitations.decline(session, context.principal, id, context.at)
    return no_content()


def to_response(details: InvitationDetails) -> InvitationResponse:
    """An invitation. It does not reveal whether it was declined."""
    invitation = details.invitation
    return InvitationResponse(
        id=invitation.id,
        project=invitation.project,
        project_name=details.project.name,
        project_display_name=details.project.display_name,
        account=invitation.invited,
        role=invitation.role.value,
        inviter_name=details.inviter.name,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
    )
