"""Checks the rules of `access` with the memberships that the database knows."""

from dataclasses import dataclass, replace

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
    missing_permissions,
)
from lightboard.hub.db import permissions
from lightboard.hub.db.tables import MemberRow
from lightboard.hub.resources.roles import Role, Scope


@dataclass(frozen=True)
class Resource:
    """What a right is checked on: something of `owner` in a project (an id), or with "" the project itself."""

    project: str
    owner: str = ""
    visibility: Visibility = Visibility.MEMBERS


def role_of(session: Session, principal: Principal, project: str) -> Role | None:
    """The role of a principal in the project with this id; None if it is not a member."""
    member = session.get(MemberRow, (project, principal.account))
    # SQLAlchemy forgets rows that nobody references, but lists ask for the same row many times.
    session.info.setdefault("members", {})[project, principal.account] = member
    return member.role if member else None


def has_right(session: Session, principal: Principal, right: str, resource: Resource) -> bool:
    """Whether a principal has a right on a resource."""
    return right in rights_among(session, principal, [right], resource)


def rights_on(session: Session, principal: Principal, kind: str, resource: Resource) -> list[str]:
    """The rights that a principal has on a resource of this kind."""
    return rights_among(session, principal, [right for right in RIGHTS if right.startswith(f"{kind}.")], resource)


def rights_among(session: Session, principal: Principal, rights: list[str], resource: Resource) -> list[str]:
    """Those of `rights` that a principal has on a resource."""
    project, owner, visibility = resource.project, resource.owner, resource.visibility
    role = None if principal.administrator else role_of(session, principal, project)
    return [
        right
        for right in rights
        if allowed(principal, right, role=role, project=project, owner=owner, visibility=visibility)
    ]


def check_right(session: Session, principal: Principal, right: str, resource: Resource) -> None:
    """Raises PermissionDenied, which names the right, if the principal does not have it."""
    if not has_right(session, principal, right, resource):
        raise denied(principal, right)


def check_access(
    session: Session, principal: Principal, right_to_see: str, right: str, name: str, resource: Resource
) -> None:
    """Raises NotFound if the principal may not see the resource, PermissionDenied if it may not use `right` on it.

    Scopes and permissions do not affect what is seen: the account behind a token may have seen the resource, and an
    account without a permission may know about it. `name` is for the error message.
    """
    member = replace(principal, scopes=frozenset(Scope), permissions=frozenset(Permission))
    if not has_right(session, member, right_to_see, resource):
        raise NotFound(f"there is no {name}")
    check_right(session, principal, right, resource)


def check_hub_right(principal: Principal, right: str) -> None:
    """Raises PermissionDenied if the principal does not have a right that belongs to no project."""
    if not allowed_on_hub(principal, right):
        raise denied(principal, right)


def denied(principal: Principal, right: str) -> PermissionDenied:
    """The error for a missing right."""
    rule = RIGHTS.get(right) or HUB_RIGHTS[right]
    if rule.scope not in principal.scopes:
        return PermissionDenied(f"this needs {right}: {rule.what}", hint=f"the token lacks the scope {rule.scope}")
    if missing := missing_permissions(principal, rule.needs):
        return permissions.refusal(missing)
    return PermissionDenied(
        f"this needs {right}: {rule.what}", hint="ask an administrator of the project or of the hub"
    )
