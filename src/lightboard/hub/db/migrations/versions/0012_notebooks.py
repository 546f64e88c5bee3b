"""Notebooks, which are jobs.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Three columns more. Earlier jobs are no notebooks, and log to their outputs."""
    op.add_column("jobs", sa.Column("kind", WORDS, nullable=False, server_default="job"))
    op.add_column("jobs", sa.Column("idle_secs", sa.Double(), nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("log_dir", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("kind", server_default=None)
        table.alter_column("idle_secs", server_default=None)
        table.alter_column("log_dir", server_default=None)
