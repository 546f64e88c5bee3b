"""Outputs and hyper-parameters of jobs, and what lists of jobs are searched by.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Three columns more. No job was ever created before."""
    op.add_column("jobs", sa.Column("hyperparameters", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("jobs", sa.Column("output", WORDS, nullable=False, server_default=""))
    op.add_column("jobs", sa.Column("sought", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        for name in ("hyperparameters", "output", "sought"):
            table.alter_column(name, server_default=None)
