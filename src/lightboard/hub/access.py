"""Access rules: one table of rights, used by every check and printed in the documentation.

Roles are per project. Administrators of the hub may do everything. Some rights hold only for one's own resources. The
scopes of a token narrow the rights of its account. Some rights also need a permission, which has a default on each hub
and exceptions for accounts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access


class Reach(StrEnum):
    """Which resources a right of a role covers."""

    NONE = "no"
    OWN = "own"
    ANY = "yes"


class Permission(StrEnum):
    """What administrators allow or deny to accounts, in all projects."""

    USE_TENSORBOARDS = "use_tensorboards"
    CREATE_PROJECTS = "create_projects"
    SHARE_PUBLICLY = "share_publicly"
    DISABLE_HTTP_AUTH = "disable_http_auth"
    RUN_WITHOUT_END = "run_without_end"
    RUN_JOBS = "run_jobs"


@dataclass(frozen=True)
class Grant:
    """What a permission is for, and its built-in default."""

    what: str
    by_default: bool


PERMISSIONS: dict[Permission, Grant] = {
    Permission.USE_TENSORBOARDS: Grant("use TensorBoards at all", True),
    Permission.CREATE_PROJECTS: Grant("create projects", False),
    Permission.SHARE_PUBLICLY: Grant(
        "open TensorBoards to people outside their project: share links, public_link", True
    ),
    Permission.DISABLE_HTTP_AUTH: Grant("open TensorBoards without login (http_auth off)", False),
    Permission.RUN_WITHOUT_END: Grant("run TensorBoards for more than 30 days, or without end", False),
    Permission.RUN_JOBS: Grant("run programs on the hub's machine, as jobs", False),
}


def permitted(defaults: Mapping[Permission, bool], own: Mapping[Permission, bool]) -> frozenset[Permission]:
    """The permissions of an account: its own exceptions override the hub's defaults, and these the built-in ones."""
    built_in = {permission: grant.by_default for permission, grant in PERMISSIONS.items()}
    return frozenset(permission for permission, has in {**built_in, **defaults, **own}.items() if has)


@dataclass(frozen=True, kw_only=True)
class Right:
    """A right: which roles have it, the scope a token needs, and the permissions an account needs."""

    what: str
    scope: Scope
    owner: Reach = Reach.ANY
    admin: Reach = Reach.ANY
    editor: Reach = Reach.NONE
    viewer: Reach = Reach.NONE
    needs: frozenset[Permission] = frozenset()

    def reach(self, role: Role) -> Reach:
        """Which resources the right covers for a role."""
        return {Role.OWNER: self.owner, Role.ADMIN: self.admin, Role.EDITOR: self.editor, Role.VIEWER: self.viewer}[
            role
        ]


ANY, OWN, READ, WRITE, ADMIN = Reach.ANY, Reach.OWN, Scope.READ, Scope.WRITE, Scope.ADMIN
USE = frozenset({Permission.USE_TENSORBOARDS})
SHARE = USE | {Permission.SHARE_PUBLICLY}
RUN = frozenset({Permission.RUN_JOBS})

RIGHTS: dict[str, Right] = {
    "tensorboards.list": Right(
        what="see TensorBoards of the project in lists", scope=READ, editor=ANY, viewer=ANY, needs=USE
    ),
    "tensorboards.get": Right(
        what="see one TensorBoard, its history and figures", scope=READ, editor=ANY, viewer=ANY, needs=USE
    ),
    "tensorboards.open": Right(what="open the board", scope=READ, editor=ANY, viewer=ANY, needs=USE),
    "tensorboards.annotate": Right(
        what="change notes, names and views on the board", scope=WRITE, editor=ANY, needs=USE
    ),
    "tensorboards.create": Right(what="create TensorBoards", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.update": Right(what="change name, sources, access and times", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.start": Right(what="start a stopped one, or wake it by its link", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.stop": Right(what="stop a running one", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.extend": Right(what="extend its life span", scope=WRITE, editor=ANY, needs=USE),
    "tensorboards.share": Right(what="create and revoke share links", scope=WRITE, editor=OWN, needs=SHARE),
    "tensorboards.delete": Right(what="delete it; logs stay", scope=WRITE, editor=OWN, needs=USE),
    "tensorboards.logs": Right(what="read the log of its server", scope=READ, editor=ANY, viewer=OWN, needs=USE),
    "jobs.list": Right(what="see jobs of the project in lists", scope=READ, editor=ANY, viewer=ANY),
    "jobs.get": Right(what="see one job and its history", scope=READ, editor=ANY, viewer=ANY),
    "jobs.logs": Right(what="read what it has printed", scope=READ, editor=ANY, viewer=ANY),
    "jobs.source_code": Right(what="download its source code", scope=READ, editor=ANY, viewer=ANY),
    "jobs.create": Right(what="create jobs, upload their source code", scope=WRITE, editor=ANY, needs=RUN),
    "jobs.stop": Right(what="stop a waiting or running one", scope=WRITE, editor=ANY),
    "jobs.pause": Right(what="pause a waiting or running one", scope=WRITE, editor=ANY),
    "jobs.resume": Right(what="resume a paused one", scope=WRITE, editor=ANY, needs=RUN),
    "jobs.extend": Right(what="extend its life span", scope=WRITE, editor=ANY),
    "jobs.prioritize": Right(what="change its priority", scope=WRITE, editor=ANY),
    "jobs.exec": Right(
        what="run further commands in a running one", scope=WRITE, owner=OWN, admin=OWN, editor=OWN, needs=RUN
    ),
    "jobs.connect": Right(
        what="open its web page, forward its ports", scope=WRITE, owner=OWN, admin=OWN, editor=OWN, needs=RUN
    ),
    "jobs.restart": Right(what="run an ended one again", scope=WRITE, editor=ANY, needs=RUN),
    "jobs.update": Right(what="enable its TensorBoard, or delete it", scope=WRITE, editor=ANY, needs=USE),
    "jobs.delete": Right(what="delete it and its log; its outputs stay", scope=WRITE, editor=OWN),
    "notebooks.create": Right(what="create notebooks", scope=WRITE, editor=ANY, needs=RUN),
    "notebooks.open": Right(what="open a notebook", scope=WRITE, owner=OWN, admin=OWN, editor=OWN, needs=RUN),
    "datasets.list": Right(what="see datasets", scope=READ, editor=ANY, viewer=ANY),
    "datasets.create": Right(what="create datasets", scope=WRITE, editor=ANY),
    "datasets.update": Right(what="change datasets", scope=WRITE, editor=OWN),
    "datasets.delete": Right(what="remove datasets from the hub; the data stays", scope=WRITE, editor=OWN),
    "secrets.list": Right(what="see the names of secrets; nobody sees values", scope=READ, editor=ANY),
    "secrets.create": Right(what="add secrets", scope=WRITE, editor=ANY),
    "secrets.update": Right(what="replace their values", scope=WRITE, editor=OWN),
    "secrets.delete": Right(what="delete secrets", scope=WRITE, editor=OWN),
    "project.get": Right(what="see the project and its members", scope=READ, editor=ANY, viewer=ANY),
    "project.update": Right(what="rename the project, change its settings", scope=ADMIN),
    "project.delete": Right(what="delete the project", scope=ADMIN, admin=Reach.NONE),
    "bindings.list": Right(what="see the folders, buckets and credentials it may use", scope=READ, editor=ANY),
    "bindings.update": Right(what="bind and unbind them", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "members.update": Right(what="change roles and remove members", scope=ADMIN),
    "members.invite": Right(what="invite people, who accept or decline", scope=ADMIN),
    "members.add": Right(what="add accounts directly", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
    "audit.list": Right(what="read the audit log", scope=ADMIN),
}
"""Rights within a project."""

HUB_RIGHTS: dict[str, Right] = {
    "projects.create": Right(
        what="create projects", scope=ADMIN, editor=ANY, viewer=ANY, needs=frozenset({Permission.CREATE_PROJECTS})
    ),
    "own.read": Right(what="see one's own account, tokens and limit", scope=READ, editor=ANY, viewer=ANY),
    "own.update": Right(what="change one's own account, password and tokens", scope=ADMIN, editor=ANY, viewer=ANY),
    "accounts.manage": Right(
        what="create, disable and limit accounts", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE
    ),
    "images.manage": Right(
        what="read how images of jobs were built, and build them again",
        scope=ADMIN,
        owner=Reach.NONE,
        admin=Reach.NONE,
    ),
    "hub.read": Right(what="see the hub's settings and figures", scope=ADMIN, owner=Reach.NONE, admin=Reach.NONE),
}
"""Rights that belong to no project. Accounts have those that `viewer` has here, administrators have all."""


class Visibility(StrEnum):
    """Who sees a resource of a project besides its owner. The values are printed in the documentation."""

    NOBODY = "nobody"
    LEADERS = "its owners and admins"
    MEMBERS = "all its members"


SEEN_BY: dict[Visibility, frozenset[Role]] = {
    Visibility.NOBODY: frozenset(),
    Visibility.LEADERS: frozenset({Role.OWNER, Role.ADMIN}),
    Visibility.MEMBERS: frozenset(Role),
}


def visibility_of(access: Access, project_chosen: bool) -> Visibility:
    """Who sees a TensorBoard. `project_chosen`: its owner named the project and did not get the default one."""
    if access is not Access.PRIVATE:
        return Visibility.MEMBERS
    return Visibility.LEADERS if project_chosen else Visibility.NOBODY


def kinds_of(visibility: Visibility) -> list[tuple[Access, bool]]:
    """The pairs of access and `project_chosen` that have this visibility."""
    return [pair for pair in product(Access, (True, False)) if visibility_of(*pair) is visibility]


@dataclass(frozen=True, kw_only=True)
class Principal:
    """The authenticated account. `project` narrows a token, "" is all projects. `label` is for the audit.

    The label is the name of the token, or "session". Administrators have all permissions, whatever `permissions` says.
    """

    account: str
    administrator: bool = False
    scopes: frozenset[Scope] = frozenset(Scope)
    project: str = ""
    label: str = ""
    permissions: frozenset[Permission] = permitted({}, {})


HUB = Principal(account="", administrator=True, label="hub")
"""The hub itself: for external logins, timers, and automation at the first start."""


def allowed(
    principal: Principal,
    right: str,
    *,
    role: Role | None,
    project: str,
    owner: str = "",
    visibility: Visibility = Visibility.MEMBERS,
) -> bool:
    """Whether a principal with `role` in `project` has a right on a resource of `owner`.

    Nobody has a right on a resource that is not visible to them.
    """
    rule = RIGHTS[right]
    if (
        rule.scope not in principal.scopes
        or (principal.project and principal.project != project)
        or missing_permissions(principal, rule.needs)
    ):
        return False
    if principal.administrator:
        return True
    if role is None:
        return False
    mine = bool(owner) and owner == principal.account
    if not mine and role not in SEEN_BY[visibility]:
        return False
    reach = rule.reach(role)
    return reach is ANY or (reach is OWN and mine)


def allowed_on_hub(principal: Principal, right: str) -> bool:
    """Whether a principal has a right that belongs to no project."""
    rule = HUB_RIGHTS[right]
    if rule.scope not in principal.scopes or principal.project or missing_permissions(principal, rule.needs):
        return False
    return principal.administrator or rule.viewer is ANY


def missing_permissions(principal: Principal, needs: Iterable[Permission]) -> list[Permission]:
    """The needed permissions that a principal lacks."""
    return [] if principal.administrator else sorted(set(needs) - principal.permissions)


def table() -> Iterable[tuple[str, ...]]:
    """Rows for the documentation: right, description, owner, admin, editor, viewer, scope, permissions."""
    for name, right in RIGHTS.items():
        yield (name, right.what, *(right.reach(role).value for role in Role), right.scope.value, needs_text(right))


def visibility_table() -> Iterable[tuple[str, ...]]:
    """Rows for the documentation: access, how the project was chosen, and who in the project sees it."""
    for access, chosen in product(Access, (True, False)):
        how = "chosen" if chosen else "not chosen: the first project of the creator"
        yield (access.value, how, visibility_of(access, chosen).value)


def needs_text(right: Right) -> str:
    """The permissions that a right needs, for the documentation."""
    return ", ".join(f"`{permission}`" for permission in Permission if permission in right.needs)
