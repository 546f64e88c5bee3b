"""System users of accounts and groups of projects, for jobs without a sandbox.

Revision ID: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A table more. An account or project gets a number when its first job needs one."""
    op.create_table(
        "job_users",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_job_users")),
        sa.UniqueConstraint("owner", name=op.f("uq_job_users_owner")),
    )
