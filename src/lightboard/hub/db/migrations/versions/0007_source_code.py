"""Source code of jobs.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A table and a column more. Earlier jobs have no source code."""
    op.create_table(
        "source_code",
        sa.Column("project", WORDS, nullable=False),
        sa.Column("digest", WORDS, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("packed_bytes", sa.BigInteger(), nullable=False),
        sa.Column("uploaded_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name=op.f("fk_source_code_owner")),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_source_code_project"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project", "digest", name=op.f("pk_source_code")),
    )
    op.create_index(op.f("ix_source_code_owner"), "source_code", ["owner"], unique=False)
    op.add_column("jobs", sa.Column("source_code", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("source_code", server_default=None)
