"""Projects and their members."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from lightboard.counts import counted
from lightboard.errors import Conflict, NotFound, PermissionDenied
from lightboard.hub import job_lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, jobs, settings
from lightboard.hub.db import changes as changed
from lightboard.hub.db.access_checks import Resource, check_access, check_hub_right, check_right, has_right, role_of
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.tables import (
    AccountRow,
    BindingRow,
    DatasetRow,
    InvitationRow,
    JobRow,
    MemberRow,
    ProjectRow,
    SecretRow,
    TensorboardRow,
    TokenRow,
)
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.jobs import NOT_ENDED
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.projects import PREFIX, Member, Project
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.tensorboards import Status

KIND = "project"
CHANGEABLE = frozenset({"display_name", "storage"})
FIRST = "project.first"
"""Setting: the id of the first project, which owns the roots and credentials that the hub is started with."""


def create(session: Session, principal: Principal, new: Project, at: float) -> Project:
    """Creates a project that the principal owns. Right `projects.create`.

    A `name` of "" is derived from the display name. Raises Conflict if the name is taken, Invalid if it is not valid.
    """
    check_hub_right(principal, "projects.create")
    name = check_name(new.name, "name of a project") if new.name else free_name(session, new.display_name)
    if session.scalar(select(ProjectRow.id).where(ProjectRow.name == name)):
        raise Conflict(f"there is or was a project {name} already", hint="choose another name")
    made = replace(
        new,
        id=new_id(PREFIX, at),
        name=name,
        display_name=new.display_name or name,
        created_at=at,
        updated_at=at,
        version=1,
    )
    session.add(ProjectRow(**values(made), deleted_at=None))
    session.flush()
    settings.take(session, FIRST, lambda: made.id)
    if principal.account:
        session.add(MemberRow(project=made.id, account=principal.account, role=Role.OWNER, since=at))
    audit.add(
        session, principal, "project.create", kind=KIND, target=made.id, project=made.id, at=at, details={"name": name}
    )
    session.flush()
    return made


def free_name(session: Session, display_name: str) -> str:
    """A name for a new project that no project has or had."""
    return numbered(name_from(display_name, "project"), set(session.scalars(select(ProjectRow.name))))


def get(session: Session, principal: Principal, id_or_name: str, right: str = "project.get") -> Project:
    """The project, for its members and administrators. Raises NotFound for others.

    Raises PermissionDenied if the principal sees it but does not have the `right`.
    """
    row = row_of(session, id_or_name)
    if row is None:
        raise NotFound(f"there is no project {id_or_name}")
    check_access(session, principal, "project.get", right, f"project {id_or_name}", Resource(row.id))
    return record(Project, row)


def default(session: Session, principal: Principal) -> Project:
    """The project to use if none is named: the token's, else the first that the principal joined."""
    if principal.project:
        return get(session, principal, principal.project)
    row = session.scalar(
        select(ProjectRow)
        .join(MemberRow, MemberRow.project == ProjectRow.id)
        .where(MemberRow.account == principal.account, ProjectRow.deleted_at.is_(None))
        .order_by(MemberRow.since, ProjectRow.id)
        .limit(1)
    )
    if row is None:
        raise NotFound("you are not a member of any project", hint="create one, or ask somebody to add you to theirs")
    return get(session, principal, row.id)


def find(session: Session, principal: Principal) -> list[tuple[Project, Role | None, int]]:
    """The visible projects by name, with the principal's role and the number of members."""
    counted = session.execute(select(MemberRow.project, func.count()).group_by(MemberRow.project))
    sizes = dict(counted.all())
    query = select(ProjectRow).where(ProjectRow.deleted_at.is_(None)).order_by(ProjectRow.name)
    if principal.project:
        query = query.where(ProjectRow.id == principal.project)
    if not principal.administrator:
        query = query.where(ProjectRow.id.in_(select(MemberRow.project).where(MemberRow.account == principal.account)))
    check_hub_right(replace(principal, project=""), "own.read")
    return [
        (record(Project, row), role_of(session, principal, row.id), sizes.get(row.id, 0))
        for row in session.scalars(query)
    ]


def change(
    session: Session,
    principal: Principal,
    id_or_name: str,
    changes: Mapping[str, Any],
    at: float,
    version: int | None = None,
) -> Project:
    """Changes `display_name` or `storage`. Right `project.update`. Raises Conflict for another version."""
    seen = get(session, principal, id_or_name, "project.update")
    accounts.check_fields(changes, CHANGEABLE)
    row = session.get_one(ProjectRow, seen.id, with_for_update=True, populate_existing=True)
    before = record(Project, row)
    check_version(f"the project {before.name}", before.version, version)
    after = replace(before, **changes)
    if after == before:
        return before
    after = replace(after, updated_at=at, version=before.version + 1)
    fill(row, after)
    audit.add(
        session, principal, "project.change", kind=KIND, target=row.id, project=row.id, at=at, details=dict(changes)
    )
    session.flush()
    return after


def remove(session: Session, principal: Principal, id_or_name: str, at: float) -> None:
    """Deletes a project with its datasets, secrets, tokens and ended jobs; logs and outputs are kept.

    Right `project.delete`. Raises Conflict while it has TensorBoards, or jobs that have not ended.
    """
    project = get(session, principal, id_or_name, "project.delete")
    row = session.get_one(ProjectRow, project.id, with_for_update=True, populate_existing=True)
    live = select(func.count()).where(TensorboardRow.project == row.id, TensorboardRow.status != Status.DELETED)
    number = session.scalar(live) or 0
    if number:
        raise Conflict(f"the project {row.name} still has {counted(number, 'TensorBoard')}", hint="delete them first")
    active = select(func.count()).where(JobRow.project == row.id, JobRow.status.in_(NOT_ENDED))
    number = session.scalar(active) or 0
    if number:
        raise Conflict(f"jobs of the project {row.name} wait or run: {number}", hint="stop them first")
    owned = select(DatasetRow.id).where(DatasetRow.project == row.id)
    session.execute(delete(BindingRow).where(BindingRow.kind == BindingKind.DATASET, BindingRow.value.in_(owned)))
    for table in (BindingRow, DatasetRow, InvitationRow, MemberRow, SecretRow, TokenRow):
        session.execute(delete(table).where(table.project == row.id))
    for job in jobs.of_project(session, row.id):
        jobs.apply_event(session, job, job_lifecycle.DeleteRequested(), at, principal)
    row.deleted_at = at
    changed.note_access(session, row.id, at)
    audit.add(session, principal, "project.delete", kind=KIND, target=row.id, project=row.id, at=at)
    session.flush()


def members(session: Session, principal: Principal, id_or_name: str) -> list[tuple[Member, Account]]:
    """The members, by name. Right `project.get`."""
    project = get(session, principal, id_or_name)
    rows = session.execute(
        select(MemberRow, AccountRow)
        .join(AccountRow, AccountRow.id == MemberRow.account)
        .where(MemberRow.project == project.id)
        .order_by(AccountRow.name)
    )
    return [(record(Member, member), record(Account, account)) for member, account in rows]


def memberships(session: Session, principal: Principal) -> list[tuple[Project, Role]]:
    """The projects that the principal is a member of, in the order of joining."""
    rows = session.execute(
        select(ProjectRow, MemberRow.role)
        .join(MemberRow, MemberRow.project == ProjectRow.id)
        .where(MemberRow.account == principal.account, ProjectRow.deleted_at.is_(None))
        .order_by(MemberRow.since, ProjectRow.id)
    )
    return [(record(Project, row), role) for row, role in rows if principal.project in ("", row.id)]


def set_member(session: Session, principal: Principal, id_or_name: str, account: str, role: Role, at: float) -> Member:
    """Changes the role of a member, by name or id. Right `members.update`; with `members.add`, adds any account.

    Only owners can add or remove owners. Raises Conflict if the project would have no owner, and NotFound for a
    non-member, with the same message whether or not the account exists.
    """
    project = get(session, principal, id_or_name, "members.update")
    lock(session, f"members {project.id}")
    row = member_row(session, project.id, account)
    check_owners(session, principal, project, row, role)
    before = row.role.value if row else ""
    if row is None:
        if not has_right(session, principal, "members.add", Resource(project.id)):
            raise NotFound(f"{account} is not a member of the project {project.name}", hint=INVITE)
        row = add_member(session, project, account, role, at)
    row.role = role
    changed.note_access(session, row.account, at)
    details = {"account": account, "role": role.value, "before": before}
    audit.add(
        session, principal, "member.set", kind="member", target=row.account, project=project.id, at=at, details=details
    )
    session.flush()
    return record(Member, row)


INVITE = "invite them: an administrator of the hub adds people at once, a project's owners invite"


def add_member(session: Session, project: Project, account: str, role: Role, at: float) -> MemberRow:
    """Inserts a member and deletes its invitations. Raises NotFound if there is no such account."""
    person = accounts.row_of(session, account)
    if person is None:
        raise NotFound(f"there is no account {account}")
    names = InvitationRow.invited.in_([person.id, person.name])
    session.execute(delete(InvitationRow).where(InvitationRow.project == project.id, names))
    row = MemberRow(project=project.id, account=person.id, role=role, since=at)
    session.add(row)
    return row


def member_row(session: Session, project: str, account: str) -> MemberRow | None:
    """The member of a project (id) with this name or id: one query, whether or not the account exists."""
    query = select(MemberRow).join(AccountRow, AccountRow.id == MemberRow.account)
    query = query.where(MemberRow.project == project, (AccountRow.id == account) | (AccountRow.name == account))
    return session.scalar(query.execution_options(populate_existing=True))


def remove_member(session: Session, principal: Principal, id_or_name: str, account: str, at: float) -> None:
    """Removes a member; members can leave by themselves. Right `members.update`.

    Their resources in the project are kept. Raises NotFound for a non-member, Conflict for the last owner.
    """
    project = get(session, principal, id_or_name)
    lock(session, f"members {project.id}")
    row = member_row(session, project.id, account)
    if row is None:
        raise NotFound(f"{account} is not a member of the project {project.name}")
    if row.account == principal.account:
        check_hub_right(replace(principal, project=""), "own.update")
        check_another_owner(session, project, row)
    else:
        check_right(session, principal, "members.update", Resource(project.id))
        check_owners(session, principal, project, row, None)
    session.delete(row)
    changed.note_access(session, row.account, at)
    audit.add(session, principal, "member.remove", kind="member", target=row.account, project=project.id, at=at)
    session.flush()


def check_owners(
    session: Session, principal: Principal, project: Project, row: MemberRow | None, role: Role | None
) -> None:
    """Raises unless an owner or administrator makes changes that affect owners, and one owner remains."""
    touched = role is Role.OWNER or (row is not None and row.role is Role.OWNER)
    if touched and not principal.administrator and role_of(session, principal, project.id) is not Role.OWNER:
        raise PermissionDenied("only owners can add or remove owners", hint="ask an owner of the project")
    if row is not None and role is not Role.OWNER:
        check_another_owner(session, project, row)


def check_another_owner(session: Session, project: Project, row: MemberRow) -> None:
    """Raises Conflict if `row` is the only owner."""
    if row.role is not Role.OWNER:
        return
    others = select(MemberRow.account).where(
        MemberRow.project == project.id, MemberRow.role == Role.OWNER, MemberRow.account != row.account
    )
    if session.scalar(others.limit(1)) is None:
        raise Conflict(f"the project {project.name} would have no owner", hint="appoint another owner first")


def get_unchecked(session: Session, id: str) -> Project | None:
    """The project with this id. For the hub itself: no rights are checked."""
    row = session.get(ProjectRow, id)
    return record(Project, row) if row else None


def is_first(session: Session, id: str) -> bool:
    """Whether the project with this id was the first. If it is deleted, no other replaces it."""
    return bool(id) and settings.get(session, FIRST) == id


def names(session: Session, ids: Iterable[str]) -> dict[str, str]:
    """Names by id, for ids that the principal sees anyway. Unknown ids are left out."""
    rows = session.execute(select(ProjectRow.id, ProjectRow.name).where(ProjectRow.id.in_(set(ids) - {""})))
    return dict(rows.all())


def row_of(session: Session, id_or_name: str) -> ProjectRow | None:
    """The row of a project that is not deleted. No rights are checked."""
    column = ProjectRow.id if is_id(id_or_name, PREFIX) else ProjectRow.name
    return session.scalar(select(ProjectRow).where(column == id_or_name, ProjectRow.deleted_at.is_(None)))
