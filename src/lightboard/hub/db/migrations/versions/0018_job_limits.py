"""What has enforced the limits of jobs.

Revision ID: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A column more. Nothing is known of earlier jobs."""
    op.add_column("jobs", sa.Column("limits", WORDS, nullable=True))
