"""The scalars of jobs.

Revision ID: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Two tables. Earlier jobs are read once, after the hub has started."""
    op.create_table(
        "job_scalar_logs",
        sa.Column("job", WORDS, nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("limited", sa.Boolean(), nullable=False),
        sa.Column("behind", sa.Boolean(), nullable=False),
        sa.Column("message", WORDS, nullable=False),
        sa.Column("read_at", sa.Double(), nullable=False),
        sa.Column("read_attempt", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("job", name=op.f("pk_job_scalar_logs")),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_job_scalar_logs_job"), ondelete="CASCADE"),
    )
    op.create_table(
        "job_scalars",
        sa.Column("job", WORDS, nullable=False),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("run", WORDS, nullable=False),
        sa.Column("tag", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("stride", sa.BigInteger(), nullable=False),
        sa.Column("samples", sa.LargeBinary(), nullable=False),
        sa.Column("last", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("job", "position", name=op.f("pk_job_scalars")),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_job_scalars_job"), ondelete="CASCADE"),
    )
    op.create_index("ix_job_scalars_job_name", "job_scalars", ["job", "name"])
