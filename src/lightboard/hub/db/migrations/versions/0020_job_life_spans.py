"""Life spans of jobs.

Revision ID: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

COLUMNS = ("life_span_secs", "ran_secs")


def upgrade() -> None:
    """Two columns more. Earlier jobs have no life span."""
    for name in COLUMNS:
        op.add_column("jobs", sa.Column(name, sa.Double(), nullable=False, server_default="0"))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        for name in COLUMNS:
            table.alter_column(name, server_default=None)
