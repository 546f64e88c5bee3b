"""Rules for external logins: who may log in, and which roles the groups of the provider have."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from lightboard.errors import PermissionDenied, UsageError
from lightboard.hub.resources.roles import Role

ADMINISTRATOR = "administrator"
HINT = "for example vision-team=vision:editor, or hub-admins=administrator"


class LoginNotAllowed(PermissionDenied):
    """The user is known to the provider but may not log in to this hub."""


@dataclass(frozen=True)
class GroupRole:
    """Members of `group` have `role` in `project` (its name), or are administrators of the hub if that is ""."""

    group: str
    project: str
    role: Role


def parse_group_role(text: str) -> GroupRole:
    """Parses `GROUP=PROJECT:ROLE` or `GROUP=administrator`. Raises UsageError."""
    group, equals, value = text.rpartition("=")
    project, colon, role = value.rpartition(":")
    if group and value == ADMINISTRATOR:
        return GroupRole(group, "", Role.ADMIN)
    if not (group and equals and project and colon) or role not in set(Role):
        raise UsageError(f"--oidc-group-role {text} is not valid", hint=HINT)
    return GroupRole(group, project, Role(role))


@dataclass(frozen=True, kw_only=True)
class LoginRules:
    """If `domains` and `groups` are empty, all users of the provider may log in. `claim` contains their groups."""

    domains: Collection[str] = ()
    groups: Collection[str] = ()
    claim: str = "groups"
    group_roles: Collection[GroupRole] = ()

    @property
    def claims(self) -> set[str]:
        """The claims that the rules need."""
        needed = {"email", "email_verified"} if self.domains else set()
        return needed | ({self.claim} if self.groups or self.group_roles else set())

    def check(self, claims: Mapping[str, Any]) -> None:
        """Raises LoginNotAllowed for a user who may not log in."""
        domain = str(claims.get("email", "")).rpartition("@")[2].lower()
        is_domain_allowed = not self.domains or (claims.get("email_verified") is True and domain in self.domains)
        if not is_domain_allowed or (self.groups and not self.groups_of(claims) & set(self.groups)):
            raise LoginNotAllowed("your account may not log in to this hub", hint="ask an administrator of the hub")

    def groups_of(self, claims: Mapping[str, Any]) -> set[str]:
        """The groups of a user. The claim is a list, or a string with one group."""
        groups = claims.get(self.claim, [])
        if isinstance(groups, str):
            return {groups}
        return {str(group) for group in groups} if isinstance(groups, list) else set()

    def administrator(self, claims: Mapping[str, Any]) -> bool | None:
        """Whether a user is an administrator; None if no group decides that."""
        groups = [item.group for item in self.group_roles if not item.project]
        return bool(self.groups_of(claims) & set(groups)) if groups else None

    def roles(self, claims: Mapping[str, Any]) -> dict[str, Role | None]:
        """The highest role of a user in each project that groups decide about; None for no membership."""
        groups, order = self.groups_of(claims), list(Role)
        roles: dict[str, Role | None] = {item.project: None for item in self.group_roles if item.project}
        for item in self.group_roles:
            if item.project and item.group in groups:
                roles[item.project] = min(item.role, roles[item.project] or item.role, key=order.index)
        return roles
