"""Invitations to projects. Whoever invites learns nothing of the account: whether it exists, and whether it declined.

An invitation holds a name and is found by the account that has it, so that inviting looks nothing up.
"""

from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, changes, projects
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import fill, record, values
from lightboard.hub.db.rights import check_on_hub, may, role_of
from lightboard.hub.db.tables import AccountRow, InvitationRow, MemberRow, ProjectRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.invitations import LASTS_SECS, LONGEST_SECS, PREFIX, Invitation, invited_name
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role

KIND = "invitation"
MOST = 500
"""Invitations that one project can have at a time."""


@dataclass(frozen=True, kw_only=True)
class InvitationDetails:
    """An invitation, and the project and the account it is from."""

    invitation: Invitation
    project: Project
    inviter: Account


def invite(
    session: Session,
    who: Principal,
    project: str,
    invited: str,
    role: Role,
    at: float,
    expires_secs: float = LASTS_SECS,
) -> InvitationDetails:
    """Invites an account, by name or id, or invites it anew. Right `members.invite`; only owners invite owners.

    Raises Conflict for a member, which the asker sees, and Invalid for what no account can be called.
    """
    into = projects.get(session, who, project, "members.invite")
    name = invited_name(invited)
    lock(session, f"members {into.id}")
    if role is Role.OWNER and not who.administrator and role_of(session, who, into.id) is not Role.OWNER:
        raise PermissionDenied("only an owner makes and unmakes owners", hint="ask an owner of the project")
    if not 0 < expires_secs <= LONGEST_SECS:
        raise Invalid(f"{expires_secs} seconds", hint=f"an invitation lasts up to {LONGEST_SECS} seconds")
    if projects.member_row(session, into.id, name) is not None:
        raise Conflict(f"{name} is in the project {into.name} already", hint="change the role instead")
    row = session.scalar(
        select(InvitationRow).where(InvitationRow.project == into.id, InvitationRow.invited == name).with_for_update()
    )
    made = Invitation(
        id=row.id if row else new_id(PREFIX, at),
        project=into.id,
        invited=name,
        role=role,
        inviter=who.account,
        created_at=at,
        expires_at=at + expires_secs,
    )
    if row is None:
        check_room(session, into)
        session.add(InvitationRow(**values(made)))
    else:
        fill(row, made)
    details = {"account": name, "role": role.value}
    audit.add(session, who, "member.invite", kind=KIND, target=made.id, project=into.id, at=at, details=details)
    session.flush()
    return sent(session, made)


def check_room(session: Session, project: Project) -> None:
    """Raises Invalid where the project has as many as it may."""
    number = session.scalar(select(func.count()).where(InvitationRow.project == project.id)) or 0
    if number >= MOST:
        raise Invalid(f"the project {project.name} has {number} invitations", hint="withdraw some")


def find(session: Session, who: Principal, project: str, now: float) -> list[InvitationDetails]:
    """Those to a project that have not expired, by name. Right `members.invite`."""
    of = projects.get(session, who, project, "members.invite")
    rows = session.scalars(
        select(InvitationRow)
        .where(InvitationRow.project == of.id, InvitationRow.expires_at > now)
        .order_by(InvitationRow.invited)
    )
    return [sent(session, record(Invitation, row)) for row in rows]


def withdraw(session: Session, who: Principal, project: str, id: str, at: float) -> None:
    """Takes an invitation back. Right `members.invite`. Raises NotFound."""
    of = projects.get(session, who, project, "members.invite")
    row = session.get(InvitationRow, id)
    if row is None or row.project != of.id:
        raise NotFound(f"there is no invitation {id} to the project {of.name}")
    details = {"account": row.invited}
    audit.add(session, who, "invitation.withdraw", kind=KIND, target=id, project=of.id, at=at, details=details)
    session.delete(row)
    session.flush()


def received(session: Session, who: Principal, now: float) -> list[InvitationDetails]:
    """Those of the asker that can be accepted, newest first. Right `own.read`."""
    check_on_hub(who, "own.read")
    rows = session.scalars(
        select(InvitationRow)
        .where(InvitationRow.invited.in_(names_of(session, who)), InvitationRow.declined_at.is_(None))
        .order_by(InvitationRow.created_at.desc(), InvitationRow.id)
    )
    found = [record(Invitation, row) for row in rows]
    return [sent(session, each) for each in found if stands(session, each, now)]


def accept(session: Session, who: Principal, id: str, at: float) -> Project:
    """Makes the asker a member, as the invitation says. Right `own.update`. Raises NotFound for one that is over."""
    row = own_row(session, who, id, at)
    invitation = record(Invitation, row)
    lock(session, f"members {row.project}")
    if session.get(MemberRow, (row.project, who.account), populate_existing=True) is None:
        session.add(MemberRow(project=row.project, account=who.account, role=row.role, since=at))
        changes.note_access(session, who.account, at)
    session.delete(row)
    details = {"role": invitation.role.value, "inviter": invitation.inviter}
    audit.add(
        session, who, "invitation.accept", kind=KIND, target=id, project=invitation.project, at=at, details=details
    )  # fmt: skip
    session.flush()
    return record(Project, session.get_one(ProjectRow, invitation.project))


def decline(session: Session, who: Principal, id: str, at: float) -> None:
    """Hides the invitation from the asker; who sent it is not told. Right `own.update`. Raises NotFound."""
    row = own_row(session, who, id, at)
    row.declined_at = at
    audit.add(session, who, "invitation.decline", kind=KIND, target=id, at=at)  # of no project: its owners would see
    session.flush()


def own_row(session: Session, who: Principal, id: str, now: float) -> InvitationRow:
    """The row of an invitation to the asker that can be accepted."""
    check_on_hub(who, "own.update")
    row = session.get(InvitationRow, id, with_for_update=True, populate_existing=True)
    mine = row is not None and row.declined_at is None and row.invited in names_of(session, who)
    if row is None or not mine or not stands(session, record(Invitation, row), now):
        raise NotFound(f"there is no invitation {id}", hint="it may have expired, or was withdrawn")
    return row


def names_of(session: Session, who: Principal) -> list[str]:
    """By what an account is invited."""
    account = accounts.peek(session, who.account)
    return [account.id, account.name] if account else []


def stands(session: Session, invitation: Invitation, now: float) -> bool:
    """Whether it can be accepted: in time, to a project that is there, from somebody who still may invite so."""
    project = session.get_one(ProjectRow, invitation.project)
    inviter = accounts.peek(session, invitation.inviter)
    if invitation.expires_at <= now or project.deleted_at is not None or inviter is None or inviter.disabled:
        return False
    them = accounts.principal(session, inviter)
    leads = them.administrator or role_of(session, them, project.id) is Role.OWNER
    return may(session, them, "members.invite", project.id) and (leads or invitation.role is not Role.OWNER)


def sent(session: Session, invitation: Invitation) -> InvitationDetails:
    """With its project and who sent it."""
    project = session.get_one(ProjectRow, invitation.project)
    inviter = session.get_one(AccountRow, invitation.inviter)
    return InvitationDetails(invitation=invitation, project=record(Project, project), inviter=record(Account, inviter))


def retire(session: Session, now: float) -> None:
    """Forgets those that have expired."""
    session.execute(delete(InvitationRow).where(InvitationRow.expires_at <= now))
