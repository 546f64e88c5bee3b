"""Volumes of jobs.

Revision ID: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """A column more. Earlier jobs have no volumes."""
    op.add_column("jobs", sa.Column("volumes", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("volumes", server_default=None)
