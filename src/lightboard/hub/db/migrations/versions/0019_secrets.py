"""Secrets of projects, and the variables of jobs that have them.

Revision ID: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A table and a column more. Earlier jobs have none."""
    op.create_table(
        "secrets",
        sa.Column("project", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name=op.f("fk_secrets_owner")),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_secrets_project"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project", "name", name=op.f("pk_secrets")),
    )
    op.add_column("jobs", sa.Column("secrets", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("secrets", server_default=None)
