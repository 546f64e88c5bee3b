"""Images of jobs.

Revision ID: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A column more. Earlier jobs have no image."""
    op.add_column("jobs", sa.Column("image", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("image", server_default=None)
