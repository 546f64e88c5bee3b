"""What has kept jobs from the rest of the machine.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A column more. Nothing is known of earlier jobs."""
    op.add_column("jobs", sa.Column("isolation", WORDS, nullable=True))
