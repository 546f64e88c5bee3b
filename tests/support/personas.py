"""Standard accounts for tests of the hub: an administrator, a project, and one account in each role."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import insert, select

from lightboard.hub.access import Permission, Principal
from lightboard.hub.db import accounts, bindings, job_access, permissions, projects, tensorboards
from lightboard.hub.db.engine import Database
from lightboard.hub.db.tables import Table
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Tensorboard

START_TIME = 1_000.0
"""The time at which tests start."""


@dataclass
class Personas:
    """Accounts named after their role in the project `vision`; `admin` administers the hub and owns `default`.

    All permissions are granted unless a test calls `set_permissions`.
    """

    database: Database
    people: dict[str, Principal] = field(default_factory=dict)
    vision: str = ""

    def __getattr__(self, name: str) -> Principal:
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    def add_account(self, name: str, **fields: Any) -> Principal:
        """Create an account without a project."""
        with self.database.write() as session:
            made = accounts.create(session, self.people["admin"], Account(id="", name=name, **fields), START_TIME)
            self.people[name] = accounts.principal_of(session, made)
        return self.people[name]

    def set_permissions(self, *allowed: Permission) -> None:
        """Grant exactly these permissions to all accounts, and reload the principals."""
        with self.database.write() as session:
            chosen = {permission: permission in allowed for permission in Permission}
            accounts.set_default_permissions(session, self.people["admin"], chosen, START_TIME)
            for name, who in self.people.items():
                account = accounts.get_unchecked(session, who.account)
                assert account is not None
                self.people[name] = accounts.principal_of(session, account)

    def bind(self, value: str, kind: BindingKind = BindingKind.ROOT, project: str = "vision", **fields: Any) -> Binding:
        """Bind a value to a project, as the administrator."""
        new = Binding(id="", project=project, kind=kind, value=value, **fields)
        with self.database.write() as session:
            return bindings.create(session, self.people["admin"], new, START_TIME)

    def create_board(self, who: Principal | None = None, at: float = START_TIME, **fields: Any) -> Tensorboard:
        """Create a board in `vision`, by the editor unless `who` is given."""
        with self.database.write() as session:
            return tensorboards.create(
                session, who or self.editor, new_tensorboard(**{"project": self.vision, **fields}), at
            )

    def create_job(self, who: Principal | None = None, at: float = START_TIME, **fields: Any) -> Job:
        """Create a job in `vision`, by the editor unless `who` is given."""
        with self.database.write() as session:
            return job_access.create(session, who or self.editor, new_job(**{"project": self.vision, **fields}), at)


def new_job(**fields: Any) -> Job:
    """A job as an account asks for it."""
    return Job(**{"id": "", "name": "", "display_name": "", "project": "", "owner": "", "command": ("true",), **fields})


def create_personas(database: Database) -> Personas:
    """Create the standard accounts and the project `vision` in an empty database.

    The hub's own functions make them once in a process; its other databases get copies of what these wrote.
    """
    if not _COPIES:
        made = _make_personas(database)
        _COPIES.append((made, _read_rows(database)))
        return replace(made, people=dict(made.people))
    first, tables = _COPIES[0]
    with database.write() as session:
        for table, rows in tables.items():
            session.execute(insert(table), rows)
    return Personas(database, dict(first.people), first.vision)


_COPIES: list[tuple[Personas, dict[Any, list[dict[str, Any]]]]] = []


def _read_rows(database: Database) -> dict[Any, list[dict[str, Any]]]:
    """The rows of all tables; the database numbers those that have numbers."""
    found: dict[Any, list[dict[str, Any]]] = {}
    with database.read() as session:
        for table in Table.metadata.sorted_tables:
            chosen = [column for column in table.columns if column is not table.autoincrement_column]
            if rows := session.execute(select(*chosen).order_by(*table.primary_key.columns)).mappings().all():
                found[table] = [dict(row) for row in rows]
    return found


def _make_personas(database: Database) -> Personas:
    personas = Personas(database)
    with database.write() as session:
        permissions.put_defaults(session, dict.fromkeys(Permission, True))
        personas.people["admin"] = accounts.principal_of(
            session, accounts.create_first(session, Account(id="", name="admin"), START_TIME)
        )
        projects.create(session, personas.admin, Project(id="", name="default"), START_TIME)
        for name in ("owner", "leader", "editor", "viewer", "stranger"):
            made = accounts.create(session, personas.admin, Account(id="", name=name), START_TIME)
            personas.people[name] = accounts.principal_of(session, made)
        personas.vision = projects.create(session, personas.owner, Project(id="", name="vision"), START_TIME).id
        for name, role in (("leader", Role.ADMIN), ("editor", Role.EDITOR), ("viewer", Role.VIEWER)):
            projects.set_member(session, personas.admin, personas.vision, name, role, START_TIME)
    return personas


def folder_source(path: str = "/logs/runs", **fields: Any) -> Source:
    """A source that is a folder."""
    return Source(id="", kind=SourceKind.PATH, path=path, **fields)


def new_tensorboard(project: str, **fields: Any) -> Tensorboard:
    """A TensorBoard to create."""
    asked = Tensorboard(
        id="", name="", display_name="", project=project, owner="", sources=(folder_source(),), source_key=""
    )  # fmt: skip
    return replace(asked, **fields)
