"""Who the tests of the hub speak of: an administrator, a project, and one person in each role of it."""

from dataclasses import dataclass, field, replace
from typing import Any

from lightboard.hub.access import Permission, Principal
from lightboard.hub.db import accounts, bindings, permissions, projects, tensorboards
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Tensorboard

AT = 1_000.0
"""When it all begins."""


@dataclass
class Cast:
    """`admin` has set the hub up and owns the project `default`; in `vision` the others are what they are called.

    Every account is permitted everything, unless a test says otherwise (`permit`).
    """

    database: Database
    people: dict[str, Principal] = field(default_factory=dict)
    vision: str = ""

    def __getattr__(self, name: str) -> Principal:
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    def join(self, name: str, **fields: Any) -> Principal:
        """Another account, in no project."""
        with self.database.write() as session:
            made = accounts.create(session, self.people["admin"], Account(id="", name=name, **fields), AT)
            self.people[name] = accounts.principal(session, made)
        return self.people[name]

    def permit(self, *allowed: Permission) -> None:
        """From now on accounts are permitted just that; people are who they are anew."""
        with self.database.write() as session:
            wanted = {permission: permission in allowed for permission in Permission}
            accounts.set_default_permissions(session, self.people["admin"], wanted, AT)
            for name, who in self.people.items():
                account = accounts.peek(session, who.account)
                assert account is not None
                self.people[name] = accounts.principal(session, account)

    def bind(self, value: str, kind: BindingKind = BindingKind.ROOT, project: str = "vision", **fields: Any) -> Binding:
        """The administrator lets a project use something."""
        new = Binding(id="", project=project, kind=kind, value=value, **fields)
        with self.database.write() as session:
            return bindings.create(session, self.people["admin"], new, AT)

    def board(self, who: Principal | None = None, at: float = AT, **fields: Any) -> Tensorboard:
        """A new board in `vision`, of the editor unless it is said whose."""
        with self.database.write() as session:
            return tensorboards.create(session, who or self.editor, wanted(**{"project": self.vision, **fields}), at)


def set_stage(database: Database) -> Cast:
    """Everybody in their place."""
    cast = Cast(database)
    with database.write() as session:
        permissions.put_defaults(session, dict.fromkeys(Permission, True))
        cast.people["admin"] = accounts.principal(session, accounts.first(session, Account(id="", name="admin"), AT))
        projects.create(session, cast.admin, Project(id="", name="default"), AT)
        for name in ("owner", "leader", "editor", "viewer", "stranger"):
            made = accounts.create(session, cast.admin, Account(id="", name=name), AT)
            cast.people[name] = accounts.principal(session, made)
        cast.vision = projects.create(session, cast.owner, Project(id="", name="vision"), AT).id
        for name, role in (("leader", Role.ADMIN), ("editor", Role.EDITOR), ("viewer", Role.VIEWER)):
            projects.set_member(session, cast.admin, cast.vision, name, role, AT)
    return cast


def folder(path: str = "/logs/runs", **fields: Any) -> Source:
    """A folder with logs."""
    return Source(id="", kind=SourceKind.PATH, path=path, **fields)


def wanted(project: str, **fields: Any) -> Tensorboard:
    """What somebody asks for."""
    asked = Tensorboard(
        id="", name="", display_name="", project=project, owner="", sources=(folder(),), source_key=""
    )  # fmt: skip
    return replace(asked, **fields)
