"""Roots, storages, credentials and datasets are bound to projects; permissions have defaults and exceptions.

What worked before goes on working: the first project is written down, datasets that are used from another project are
bound to it, whoever could do something may still do it, and the next start binds folders and credentials to the
projects that use them (`lightboard.hub.adoption`).

Revision ID: 0002
"""

import time
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from lightboard.hub.resources.ids import new_id

revision = "0002"
down_revision = "0001"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")
FORMERLY_ALLOWED = ("create_projects", "disable_http_auth", "run_without_end")
"""What every account could do before, and a new hub does not allow."""

accounts = sa.table("accounts", sa.column("id"))
projects = sa.table("projects", sa.column("id"), sa.column("created_at"))
settings = sa.table("settings", sa.column("name"), sa.column("value"))
datasets = sa.table("datasets", sa.column("id"), sa.column("project"), sa.column("kind"), sa.column("uri"))
tensorboards = sa.table(
    "tensorboards", sa.column("project"), sa.column("status"), sa.column("sources", sa.JSON(none_as_null=True))
)
bindings = sa.table(
    "bindings",
    *(sa.column(name) for name in ("id", "project", "kind", "value", "credential", "created_at")),
)


def upgrade() -> None:
    """Makes the tables, then keeps what worked."""
    op.create_table(
        "bindings",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("value", WORDS, nullable=False),
        sa.Column("credential", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_bindings_project"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bindings")),
    )
    op.create_index(op.f("ix_bindings_value"), "bindings", ["value"], unique=False)
    op.create_index("uq_bindings_project_kind_value", "bindings", ["project", "kind", "value"], unique=True)
    op.create_table(
        "permissions",
        sa.Column("account", WORDS, nullable=False),
        sa.Column("permission", WORDS, nullable=False),
        sa.Column("allowed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_permissions_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account", "permission", name=op.f("pk_permissions")),
    )
    connection = op.get_bind()
    if connection.scalar(sa.select(accounts.c.id).limit(1)) is not None:
        keep_what_worked(connection)


def keep_what_worked(connection: sa.Connection) -> None:
    """For a hub that has been used."""
    kept = {f"permission.{name}": "yes" for name in FORMERLY_ALLOWED}
    first = connection.scalar(sa.select(projects.c.id).order_by(projects.c.created_at, projects.c.id).limit(1))
    if first is not None:
        kept |= {"project.first": first, "bindings.adopt": "yes"}
    connection.execute(settings.insert(), [{"name": name, "value": value} for name, value in kept.items()])
    now = time.time()
    for project, dataset in sorted(set(used_elsewhere(connection))):
        made = {"id": new_id("bnd", now), "project": project, "kind": "dataset", "value": dataset}
        connection.execute(bindings.insert(), {**made, "credential": "", "created_at": now})


def used_elsewhere(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Each project with a dataset of another one that it uses."""
    rows = connection.execute(sa.select(datasets.c.id, datasets.c.project, datasets.c.kind, datasets.c.uri)).all()
    owners = {row.id: row.project for row in rows}
    for row in rows:
        if row.kind == "reference" and owners.get(row.uri, row.project) != row.project:
            yield row.project, row.uri
    live = sa.select(tensorboards.c.project, tensorboards.c.sources).where(tensorboards.c.status != "Deleted")
    for project, sources in connection.execute(live):
        for source in sources:
            if owners.get(source["ref"], project) != project:
                yield project, source["ref"]
