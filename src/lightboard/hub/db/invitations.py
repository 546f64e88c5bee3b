"""Invitations to projects. The inviter learns nothing about the account: neither whether it exists nor whether it
declined.

An invitation stores a name and is found by the account that has it, so that inviting needs no lookup.
"""

from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, changes, projects
from lightboard.hub.db.access_checks import Resource, check_hub_right, has_right, role_of
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import fill, record, values
from lightboard.hub.db.tables import AccountRow, InvitationRow, MemberRow, ProjectRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.invitations import LASTS_SECS, LONGEST_SECS, PREFIX, Invitation, invited_name
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role

KIND = "invitation"
MAX_INVITATIONS = 500
"""The maximum number of invitations of a project."""


@dataclass(frozen=True, kw_only=True)
class InvitationDetails:
    """An invitation with its project and inviter."""

    invitation: Invitation
    project: Project
    inviter: Account


def invite(
    session: Session,
    principal: Principal,
    project: str,
    invited: str,
    role: Role,
    at: float,
    expires_secs: float = LASTS_SECS,
) -> InvitationDetails:
    """Invites an account by name or id, or renews an invitation. Right `members.invite`; only owners invite owners.

    Raises Conflict for a member, which the principal can see anyway, and Invalid for an invalid name.
    """
    target = projects.get(session, principal, project, "members.invite")
    name = invited_name(invited)
    lock(session, f"members {target.id}")
    if role is Role.OWNER and not principal.administrator and role_of(session, principal, target.id) is not Role.OWNER:
        raise PermissionDenied("only owners can add or remove owners", hint="ask an owner of the project")
    if not 0 < expires_secs <= LONGEST_SECS:
        raise Invalid(f"{expires_secs} seconds", hint=f"an invitation lasts up to {LONGEST_SECS} seconds")
    if projects.member_row(session, target.id, name) is not None:
        raise Conflict(f"{name} is a member of the project {target.name} already", hint="change the role instead")
    row = session.scalar(
        select(InvitationRow).where(InvitationRow.project == target.id, InvitationRow.invited == name).with_for_update()
    )
    made = Invitation(
        id=row.id if row else new_id(PREFIX, at),
        project=target.id,
        invited=name,
        role=role,
        inviter=principal.account,
        created_at=at,
        expires_at=at + expires_secs,
    )
    if row is None:
        check_count(session, target)
        session.add(InvitationRow(**values(made)))
    else:
        fill(row, made)
    details = {"account": name, "role": role.value}
    audit.add(session, principal, "member.invite", kind=KIND, target=made.id, project=target.id, at=at, details=details)
    session.flush()
    return details_of(session, made)


def check_count(session: Session, project: Project) -> None:
    """Raises Invalid if the project has too many invitations."""
    number = session.scalar(select(func.count()).where(InvitationRow.project == project.id)) or 0
    if number >= MAX_INVITATIONS:
        raise Invalid(f"the project {project.name} has {number} invitations", hint="withdraw some")


def find(session: Session, principal: Principal, project: str, now: float) -> list[InvitationDetails]:
    """The invitations to a project that have not expired, by name. Right `members.invite`."""
    target = projects.get(session, principal, project, "members.invite")
    rows = session.scalars(
        select(InvitationRow)
        .where(InvitationRow.project == target.id, InvitationRow.expires_at > now)
        .order_by(InvitationRow.invited)
    )
    return [details_of(session, record(Invitation, row)) for row in rows]


def withdraw(session: Session, principal: Principal, project: str, id: str, at: float) -> None:
    """Withdraws an invitation. Right `members.invite`. Raises NotFound."""
    target = projects.get(session, principal, project, "members.invite")
    row = session.get(InvitationRow, id)
    if row is None or row.project != target.id:
        raise NotFound(f"there is no invitation {id} to the project {target.name}")
    details = {"account": row.invited}
    audit.add(
        session, principal, "invitation.withdraw", kind=KIND, target=id, project=target.id, at=at, details=details
    )
    session.delete(row)
    session.flush()


def received(session: Session, principal: Principal, now: float) -> list[InvitationDetails]:
    """The invitations that the principal can accept, newest first. Right `own.read`."""
    check_hub_right(principal, "own.read")
    rows = session.scalars(
        select(InvitationRow)
        .where(InvitationRow.invited.in_(names_of(session, principal)), InvitationRow.declined_at.is_(None))
        .order_by(InvitationRow.created_at.desc(), InvitationRow.id)
    )
    found = [record(Invitation, row) for row in rows]
    return [details_of(session, each) for each in found if is_valid(session, each, now)]


def accept(session: Session, principal: Principal, id: str, at: float) -> Project:
    """Makes the principal a member. Right `own.update`. Raises NotFound if the invitation is no longer valid."""
    row = own_row(session, principal, id, at)
    invitation = record(Invitation, row)
    lock(session, f"members {row.project}")
    if session.get(MemberRow, (row.project, principal.account), populate_existing=True) is None:
        session.add(MemberRow(project=row.project, account=principal.account, role=row.role, since=at))
        changes.note_access(session, principal.account, at)
    session.delete(row)
    details = {"role": invitation.role.value, "inviter": invitation.inviter}
    audit.add(
        session,
        principal,
        "invitation.accept",
        kind=KIND,
        target=id,
        project=invitation.project,
        at=at,
        details=details,
    )
    session.flush()
    return record(Project, session.get_one(ProjectRow, invitation.project))


def decline(session: Session, principal: Principal, id: str, at: float) -> None:
    """Hides the invitation from the principal; the inviter is not notified. Right `own.update`. Raises NotFound."""
    row = own_row(session, principal, id, at)
    row.declined_at = at
    # Without the project, because its owners would see it.
    audit.add(session, principal, "invitation.decline", kind=KIND, target=id, at=at)
    session.flush()


def own_row(session: Session, principal: Principal, id: str, now: float) -> InvitationRow:
    """The row of an invitation that the principal can accept."""
    check_hub_right(principal, "own.update")
    row = session.get(InvitationRow, id, with_for_update=True, populate_existing=True)
    mine = row is not None and row.declined_at is None and row.invited in names_of(session, principal)
    if row is None or not mine or not is_valid(session, record(Invitation, row), now):
        raise NotFound(f"there is no invitation {id}", hint="it may have expired, or was withdrawn")
    return row


def names_of(session: Session, principal: Principal) -> list[str]:
    """The names by which the principal can be invited."""
    account = accounts.get_unchecked(session, principal.account)
    return [account.id, account.name] if account else []


def is_valid(session: Session, invitation: Invitation, now: float) -> bool:
    """Whether it can be accepted: not expired, the project exists, and the inviter may still invite for the role."""
    project = session.get_one(ProjectRow, invitation.project)
    inviter = accounts.get_unchecked(session, invitation.inviter)
    if invitation.expires_at <= now or project.deleted_at is not None or inviter is None or inviter.disabled:
        return False
    inviting = accounts.principal_of(session, inviter)
    leads = inviting.administrator or role_of(session, inviting, project.id) is Role.OWNER
    return has_right(session, inviting, "members.invite", Resource(project.id)) and (
        leads or invitation.role is not Role.OWNER
    )


def details_of(session: Session, invitation: Invitation) -> InvitationDetails:
    """An invitation with its project and inviter."""
    project = session.get_one(ProjectRow, invitation.project)
    inviter = session.get_one(AccountRow, invitation.inviter)
    return InvitationDetails(invitation=invitation, project=record(Project, project), inviter=record(Account, inviter))


def delete_expired(session: Session, now: float) -> None:
    """Deletes expired invitations."""
    session.execute(delete(InvitationRow).where(InvitationRow.expires_at <= now))
