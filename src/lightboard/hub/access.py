"""Who may do what: one table, from which every check is made and the documents are printed.

A role is held in a project. An administrator of the hub may do everything everywhere. Some rights hold only for what
one made oneself. A token narrows what its account may do by its scopes, and never widens it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from lightboard.hub.resources.roles import Role, Scope


class Reach(StrEnum):
    """How far a right of a role goes."""

    NONE = "no"
    OWN = "own"
    ANY = "yes"


@dataclass(frozen=True, kw_only=True)
class Right:
    """One thing that can be done, who may, and what scope a token needs for it."""

    what: str
    scope: Scope
    owner: Reach = Reach.ANY
    admin: Reach = Reach.ANY
    editor: Reach = Reach.NONE
    viewer: Reach = Reach.NONE

    def reach(self, role: Role) -> Reach:
        """How far it goes for a role."""
        return {Role.OWNER: self.owner, Role.ADMIN: self.admin, Role.EDITOR: self.editor, Role.VIEWER: self.viewer}[
            role
        ]


ANY, OWN, READ, WRITE, ADMIN = Reach.ANY, Reach.OWN, Scope.READ, Scope.WRITE, Scope.ADMIN

RIGHTS: dict[str, Right] = {
    "tensorboards.list": Right(what="see TensorBoards of the project in lists", scope=READ, editor=ANY, viewer=ANY),
    "tensorboards.get": Right(what="see one TensorBoard, its history and figures", scope=READ, editor=ANY, viewer=ANY),
    "tensorboards.open": Right(what="open the board and look", scope=READ, editor=ANY, viewer=ANY),
    "tensorboards.annotate": Right(what="change notes, names and views on the board", scope=WRITE, editor=ANY),
    "tensorboards.create": Right(what="make TensorBoards", scope=WRITE, editor=ANY),
    "tensorboards.update": Right(what="change name, sources, access and times", scope=WRITE, editor=ANY),
    "tensorboards.start": Right(what="start a stopped one, or wake it by its link", scope=WRITE, editor=ANY),
    "tensorboards.stop": Right(what="stop a running one", scope=WRITE, editor=ANY),
    "tensorboards.extend": Right(what="give it more time", scope=WRITE, editor=ANY),
    "tensorboards.share": Right(what="make and revoke share links", scope=WRITE, editor=OWN),
    "tensorboards.delete": Right(what="delete it; logs stay", scope=WRITE, editor=OWN),
    "tensorboards.logs": Right(what="read what its server says", scope=READ, editor=ANY, viewer=OWN),
    "datasets.list": Right(what="see datasets", scope=READ, editor=ANY, viewer=ANY),
    "datasets.create": Right(what="make datasets", scope=WRITE, editor=ANY),
    "datasets.update": Right(what="change datasets", scope=WRITE, editor=OWN),
    "datasets.delete": Right(what="remove datasets from the hub; the data stays", scope=WRITE, editor=OWN),
    "project.get": Right(what="see the project and its members", scope=READ, editor=ANY, viewer=ANY),
    "project.update": Right(what="rename the project, change its settings", scope=ADMIN),
    "project.delete": Right(what="delete the project", scope=ADMIN, admin=Reach.NONE),
    "members.update": Right(what="add members and change roles", scope=ADMIN),
    "audit.list": Right(what="read who did what", scope=ADMIN),
}
"""Rights within a project."""

HUB_RIGHTS: dict[str, Right] = {
    "projects.create": Right(what="make projects", scope=ADMIN, editor=ANY, viewer=ANY),
    "own.read": Right(what="see one's own account, tokens and limit", scope=READ, editor=ANY, viewer=ANY),
    "own.update": Right(what="change one's own account, password and tokens", scope=ADMIN, editor=ANY, viewer=ANY),
    "accounts.manage": Right(what="make, disable and limit accounts", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "hub.read": Right(what="see the hub's settings and figures", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
}
"""Rights that are not of a project: every account has what its row says of a viewer, administrators have all."""


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who asks. `project` narrows a token: "" is all. `label`, for the audit, names the token, or is "session"."""

    account: str
    administrator: bool = False
    scopes: frozenset[Scope] = frozenset(Scope)
    project: str = ""
    label: str = ""


HUB = Principal(account="", administrator=True, label="hub")
"""The hub itself, where nobody asked: logins that come from elsewhere, clocks, automation at the first start."""


def allowed(
    who: Principal, right: str, *, role: Role | None, project: str, owner: str = "", private: bool = False
) -> bool:
    """May `who`, who has `role` in `project`, do `right` to something of `owner`?

    `private` things are for their owner and the project's owners and admins alone, for whoever else they do not exist.
    """
    rule = RIGHTS[right]
    if rule.scope not in who.scopes or (who.project and who.project != project):
        return False
    if who.administrator:
        return True
    if role is None:
        return False
    mine = bool(owner) and owner == who.account
    if private and not mine and role not in (Role.OWNER, Role.ADMIN):
        return False
    reach = rule.reach(role)
    return reach is ANY or (reach is OWN and mine)


def allowed_on_hub(who: Principal, right: str) -> bool:
    """May `who` do what is not of a project?"""
    rule = HUB_RIGHTS[right]
    return rule.scope in who.scopes and not who.project and (who.administrator or rule.viewer is ANY)


def table() -> Iterable[tuple[str, ...]]:
    """The rows that the documents print: right, what it is, owner, admin, editor, viewer, scope."""
    for name, right in RIGHTS.items():
        yield (name, right.what, *(right.reach(role).value for role in Role), right.scope.value)
