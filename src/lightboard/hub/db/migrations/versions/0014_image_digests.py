"""Digests of the environments of jobs.

Revision ID: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A column more. No environment of earlier jobs was built by a hub."""
    op.add_column("jobs", sa.Column("image_digest", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("image_digest", server_default=None)
