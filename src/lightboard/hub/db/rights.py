"""The table of `access` put to the question with what the database knows: who is what in which project."""

from dataclasses import replace

from sqlalchemy.orm import Session

from lightboard.errors import NotFound, PermissionDenied
from lightboard.hub.access import (
    HUB_RIGHTS,
    RIGHTS,
    Permission,
    Principal,
    Visibility,
    allowed,
    allowed_on_hub,
    lacking,
)
from lightboard.hub.db import permissions
from lightboard.hub.db.tables import MemberRow
from lightboard.hub.resources.roles import Role, Scope


def role_of(session: Session, who: Principal, project: str) -> Role | None:
    """What `who` is in the project with this id; None for no member."""
    member = session.get(MemberRow, (project, who.account))
    # A session forgets rows that nobody holds, and lists ask for the same one again and again.
    session.info.setdefault("members", {})[project, who.account] = member
    return member.role if member else None


def may(
    session: Session,
    who: Principal,
    right: str,
    project: str,
    owner: str = "",
    visibility: Visibility = Visibility.MEMBERS,
) -> bool:
    """Whether `who` has the right over something of `owner` in `project`."""
    role = None if who.administrator else role_of(session, who, project)
    return allowed(who, right, role=role, project=project, owner=owner, visibility=visibility)


def rights_over(
    session: Session,
    who: Principal,
    kind: str,
    project: str,
    owner: str,
    visibility: Visibility = Visibility.MEMBERS,
) -> list[str]:
    """What `who` may do with a thing of this kind, by the names of the table."""
    role = None if who.administrator else role_of(session, who, project)
    ours = [right for right in RIGHTS if right.startswith(f"{kind}.")]
    return [
        right for right in ours if allowed(who, right, role=role, project=project, owner=owner, visibility=visibility)
    ]  # fmt: skip


def check(
    session: Session,
    who: Principal,
    right: str,
    project: str,
    owner: str = "",
    visibility: Visibility = Visibility.MEMBERS,
) -> None:
    """Raises PermissionDenied, naming the right, where `may` says no."""
    if not may(session, who, right, project, owner, visibility):
        raise denied(who, right)


def check_seen(
    session: Session,
    who: Principal,
    seeing: str,
    right: str,
    what: str,
    project: str,
    owner: str,
    visibility: Visibility = Visibility.MEMBERS,
) -> None:
    """Raises NotFound for what `who` may not even see (`seeing`), PermissionDenied for what `right` is missing for.

    What a token may not do it may still have seen by its account, and what an account is not permitted it may still
    know of: so scopes and permissions do not count for seeing.
    """
    member = replace(who, scopes=frozenset(Scope), permissions=frozenset(Permission))
    if not may(session, member, seeing, project, owner, visibility):
        raise NotFound(f"there is no {what}")
    check(session, who, right, project, owner, visibility)


def check_on_hub(who: Principal, right: str) -> None:
    """The same for rights that are of no project."""
    if not allowed_on_hub(who, right):
        raise denied(who, right)


def denied(who: Principal, right: str) -> PermissionDenied:
    """The error that names the right."""
    rule = RIGHTS.get(right) or HUB_RIGHTS[right]
    if rule.scope not in who.scopes:
        return PermissionDenied(f"this needs {right}: {rule.what}", hint=f"the token lacks the scope {rule.scope}")
    if missing := lacking(who, rule.needs):
        return permissions.refusal(missing)
    return PermissionDenied(f"this needs {right}: {rule.what}", hint="ask who administers the project, or the hub")
