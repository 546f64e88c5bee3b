"""Who may come in from an outside login, and what its groups are here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from lightboard.errors import PermissionDenied, UsageError
from lightboard.hub.resources.roles import Role

ADMINISTRATOR = "administrator"
HINT = "as vision-team=vision:editor, or hub-admins=administrator"


class NotAllowed(PermissionDenied):
    """The provider knows somebody whom this hub does not let in."""


@dataclass(frozen=True)
class Grant:
    """Members of `group` are `role` in `project` (its name), or administrators of the hub where that is ""."""

    group: str
    project: str
    role: Role


def parse_grant(text: str) -> Grant:
    """`GROUP=PROJECT:ROLE` or `GROUP=administrator`. Raises UsageError."""
    group, equals, what = text.rpartition("=")
    project, colon, role = what.rpartition(":")
    if group and what == ADMINISTRATOR:
        return Grant(group, "", Role.ADMIN)
    if not (group and equals and project and colon) or role not in set(Role):
        raise UsageError(f"--oidc-group-role {text} makes no sense", hint=HINT)
    return Grant(group, project, Role(role))


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Empty `domains` and `groups` let everybody in whom the provider knows. `claim` is where it tells groups."""

    domains: Collection[str] = ()
    groups: Collection[str] = ()
    claim: str = "groups"
    grants: Collection[Grant] = ()

    @property
    def claims(self) -> set[str]:
        """What must be known of somebody."""
        wanted = {"email", "email_verified"} if self.domains else set()
        return wanted | ({self.claim} if self.groups or self.grants else set())

    def check(self, claims: Mapping[str, Any]) -> None:
        """Raises NotAllowed for who may not come in."""
        domain = str(claims.get("email", "")).rpartition("@")[2].lower()
        by_domain = not self.domains or (claims.get("email_verified") is True and domain in self.domains)
        if not by_domain or (self.groups and not self.groups_of(claims) & set(self.groups)):
            raise NotAllowed("this hub is not for your account", hint="ask an administrator of the hub")

    def groups_of(self, claims: Mapping[str, Any]) -> set[str]:
        """The groups that the provider tells: a list, or one as a text."""
        told = claims.get(self.claim, [])
        return {told} if isinstance(told, str) else {str(each) for each in told} if isinstance(told, list) else set()

    def administrator(self, claims: Mapping[str, Any]) -> bool | None:
        """Whether somebody is an administrator; None where groups do not say who is."""
        groups = [grant.group for grant in self.grants if not grant.project]
        return bool(self.groups_of(claims) & set(groups)) if groups else None

    def roles(self, claims: Mapping[str, Any]) -> dict[str, Role | None]:
        """The highest role in each project of which groups say who is what; None is no member."""
        mine, order = self.groups_of(claims), list(Role)
        found: dict[str, Role | None] = {grant.project: None for grant in self.grants if grant.project}
        for grant in self.grants:
            if grant.project and grant.group in mine:
                before = found[grant.project]
                found[grant.project] = min(grant.role, before or grant.role, key=order.index)
        return found
