"""Who may do what: one table, from which every check is made and the documents are printed.

A role is held in a project. An administrator of the hub may do everything everywhere. Some rights hold only for what
one made oneself. A token narrows what its account may do by its scopes, and never widens it. Some things an account may
do only with a permission besides, whatever its role: these have a default on each hub, and exceptions for accounts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access


class Reach(StrEnum):
    """How far a right of a role goes."""

    NONE = "no"
    OWN = "own"
    ANY = "yes"


class Permission(StrEnum):
    """What an administrator allows to accounts, in every project alike."""

    USE_TENSORBOARDS = "use_tensorboards"
    CREATE_PROJECTS = "create_projects"
    SHARE_PUBLICLY = "share_publicly"
    DISABLE_HTTP_AUTH = "disable_http_auth"
    RUN_WITHOUT_END = "run_without_end"


@dataclass(frozen=True)
class Grant:
    """What a permission is for, and whether accounts have it where nobody has said anything."""

    what: str
    by_default: bool


PERMISSIONS: dict[Permission, Grant] = {
    Permission.USE_TENSORBOARDS: Grant("use TensorBoards at all", True),
    Permission.CREATE_PROJECTS: Grant("make projects", False),
    Permission.SHARE_PUBLICLY: Grant(
        "open TensorBoards to people outside their project: share links, public_link", True
    ),
    Permission.DISABLE_HTTP_AUTH: Grant("open TensorBoards without login (http_auth off)", False),
    Permission.RUN_WITHOUT_END: Grant("run TensorBoards for more than 30 days, or without end", False),
}


def permitted(defaults: Mapping[Permission, bool], own: Mapping[Permission, bool]) -> frozenset[Permission]:
    """What an account has: its own exceptions go before the hub's defaults, and these before the program's."""
    built_in = {permission: grant.by_default for permission, grant in PERMISSIONS.items()}
    return frozenset(permission for permission, has in {**built_in, **defaults, **own}.items() if has)


@dataclass(frozen=True, kw_only=True)
class Right:
    """One thing that can be done, who may, what scope a token needs for it, and what the account must be permitted."""

    what: str
    scope: Scope
    owner: Reach = Reach.ANY
    admin: Reach = Reach.ANY
    editor: Reach = Reach.NONE
    viewer: Reach = Reach.NONE
    needs: frozenset[Permission] = frozenset()

    def reach(self, role: Role) -> Reach:
        """How far it goes for a role."""
        return {Role.OWNER: self.owner, Role.ADMIN: self.admin, Role.EDITOR: self.editor, Role.VIEWER: self.viewer}[
            role
        ]


ANY, OWN, READ, WRITE, ADMIN = Reach.ANY, Reach.OWN, Scope.READ, Scope.WRITE, Scope.ADMIN
USE = frozenset({Permission.USE_TENSORBOARDS})
SHARE = USE | {Permission.SHARE_PUBLICLY}

RIGHTS: dict[str, Right] = {
    "tensorboards.list": Right(
        what="see TensorBoards of the project in lists", scope=READ, editor=ANY, viewer=ANY, needs=USE
    ),
    "tensorboards.get": Right(
        what="see one TensorBoard, its history and figures", scope=READ, editor=ANY, viewer=ANY, needs=USE
    ),
    "tensorboards.open": Right(what="open the board and look", scope=READ, editor=ANY, viewer=ANY, needs=USE),
    "tensorboards.annotate": Right(
        what="change notes, names and views on the board", scope=WRITE, editor=ANY, needs=USE
    ),
    "tensorboards.create": Right(what="make TensorBoards", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.update": Right(what="change name, sources, access and times", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.start": Right(what="start a stopped one, or wake it by its link", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.stop": Right(what="stop a running one", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.extend": Right(what="give it more time", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.share": Right(what="make and revoke share links", scope=WRITE, editor=OWN, needs=SHARE),
    "tensorboards.delete": Right(what="delete it; logs stay", scope=WRITE, editor=OWN, needs=USE),
    "tensorboards.logs": Right(what="read what its server says", scope=READ, editor=ANY, viewer=OWN, needs=USE),
    "datasets.list": Right(what="see datasets", scope=READ, editor=ANY, viewer=ANY),
    "datasets.create": Right(what="make datasets", scope=WRITE, editor=ANY),
    "datasets.update": Right(what="change datasets", scope=WRITE, editor=OWN),
    "datasets.delete": Right(what="remove datasets from the hub; the data stays", scope=WRITE, editor=OWN),
    "project.get": Right(what="see the project and its members", scope=READ, editor=ANY, viewer=ANY),
    "project.update": Right(what="rename the project, change its settings", scope=ADMIN),
    "project.delete": Right(what="delete the project", scope=ADMIN, admin=Reach.NONE),
    "bindings.list": Right(what="see the folders, buckets and credentials it may use", scope=READ, editor=ANY),
    "bindings.update": Right(what="bind and unbind them", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "members.update": Right(what="change roles and take members out", scope=ADMIN),
    "members.invite": Right(what="invite people, who accept or decline", scope=ADMIN),
    "members.add": Right(what="add people at once", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "audit.list": Right(what="read who did what", scope=ADMIN),
}
"""Rights within a project."""

HUB_RIGHTS: dict[str, Right] = {
    "projects.create": Right(
        what="make projects", scope=ADMIN, editor=ANY, viewer=ANY, needs=frozenset({Permission.CREATE_PROJECTS})
    ),
    "own.read": Right(what="see one's own account, tokens and limit", scope=READ, editor=ANY, viewer=ANY),
    "own.update": Right(what="change one's own account, password and tokens", scope=ADMIN, editor=ANY, viewer=ANY),
    "accounts.manage": Right(what="make, disable and limit accounts", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "hub.read": Right(what="see the hub's settings and figures", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
}
"""Rights that are not of a project: every account has what its row says of a viewer, administrators have all."""


class Visibility(StrEnum):
    """Who sees a thing of a project besides whoever made it; the value is what the documents say."""

    NOBODY = "nobody"
    LEADERS = "its owners and admins"
    MEMBERS = "all its members"


SEEN_BY: dict[Visibility, frozenset[Role]] = {
    Visibility.NOBODY: frozenset(),
    Visibility.LEADERS: frozenset({Role.OWNER, Role.ADMIN}),
    Visibility.MEMBERS: frozenset(Role),
}


def visibility_of(access: Access, project_chosen: bool) -> Visibility:
    """Who sees a TensorBoard; `project_chosen` says that its maker named the project, and did not just get one."""
    if access is not Access.PRIVATE:
        return Visibility.MEMBERS
    return Visibility.LEADERS if project_chosen else Visibility.NOBODY


def kinds_of(visibility: Visibility) -> list[tuple[Access, bool]]:
    """The pairs of access and `project_chosen` that have this visibility."""
    return [pair for pair in product(Access, (True, False)) if visibility_of(*pair) is visibility]


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who asks. `project` narrows a token: "" is all. `label`, for the audit, names the token, or is "session".

    `permissions` count for who is no administrator.
    """

    account: str
    administrator: bool = False
    scopes: frozenset[Scope] = frozenset(Scope)
    project: str = ""
    label: str = ""
    permissions: frozenset[Permission] = permitted({}, {})


HUB = Principal(account="", administrator=True, label="hub")
"""The hub itself, where nobody asked: logins that come from elsewhere, clocks, automation at the first start."""


def allowed(
    who: Principal,
    right: str,
    *,
    role: Role | None,
    project: str,
    owner: str = "",
    visibility: Visibility = Visibility.MEMBERS,
) -> bool:
    """May `who`, who has `role` in `project`, do `right` to something of `owner`?

    For whom a thing is not visible, it does not exist.
    """
    rule = RIGHTS[right]
    if rule.scope not in who.scopes or (who.project and who.project != project) or lacking(who, rule.needs):
        return False
    if who.administrator:
        return True
    if role is None:
        return False
    mine = bool(owner) and owner == who.account
    if not mine and role not in SEEN_BY[visibility]:
        return False
    reach = rule.reach(role)
    return reach is ANY or (reach is OWN and mine)


def allowed_on_hub(who: Principal, right: str) -> bool:
    """May `who` do what is not of a project?"""
    rule = HUB_RIGHTS[right]
    if rule.scope not in who.scopes or who.project or lacking(who, rule.needs):
        return False
    return who.administrator or rule.viewer is ANY


def lacking(who: Principal, needs: Iterable[Permission]) -> list[Permission]:
    """The permissions that `who` would need besides."""
    return [] if who.administrator else sorted(set(needs) - who.permissions)


def table() -> Iterable[tuple[str, ...]]:
    """The rows that the documents print: right, what it is, owner, admin, editor, viewer, scope, permissions."""
    for name, right in RIGHTS.items():
        yield (name, right.what, *(right.reach(role).value for role in Role), right.scope.value, needs_text(right))


def visibility_table() -> Iterable[tuple[str, ...]]:
    """The rows that the documents print: access, how it got its project, and who in the project sees it."""
    for access, chosen in product(Access, (True, False)):
        how = "named when it was made" if chosen else "not named: the first of its maker"
        yield (access.value, how, visibility_of(access, chosen).value)


def needs_text(right: Right) -> str:
    """The permissions that a right needs, for people."""
    return ", ".join(f"`{permission}`" for permission in Permission if permission in right.needs)
