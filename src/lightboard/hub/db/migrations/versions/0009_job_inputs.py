"""Data that jobs read.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """A column more. Earlier jobs have no inputs."""
    op.add_column("jobs", sa.Column("inputs", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("inputs", server_default=None)
