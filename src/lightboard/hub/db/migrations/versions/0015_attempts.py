"""What attempts of jobs have started with, and which job was run again.

Revision ID: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Two tables and a column more. Earlier attempts have no record. Indexes find the job of a folder, and repeats."""
    op.create_table(
        "attempts",
        sa.Column("job", WORDS, nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("program", WORDS, nullable=False),
        sa.Column("python", WORDS, nullable=False),
        sa.Column("packages", WORDS, nullable=False),
        sa.Column("image_digest", WORDS, nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("preset", WORDS, nullable=False),
        sa.Column("cpus", sa.BigInteger(), nullable=False),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("gpus", sa.BigInteger(), nullable=False),
        sa.Column("hub_version", WORDS, nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_attempts_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job", "attempt", name=op.f("pk_attempts")),
    )
    op.create_index(op.f("ix_attempts_packages"), "attempts", ["packages"], unique=False)
    op.create_table(
        "package_lists",
        sa.Column("digest", WORDS, nullable=False),
        sa.Column("packages", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_package_lists")),
    )
    op.create_index(op.f("ix_jobs_output"), "jobs", ["output"], unique=False)
    op.add_column("jobs", sa.Column("repeat_of", WORDS, nullable=False, server_default=""))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        table.alter_column("repeat_of", server_default=None)
    op.create_index(op.f("ix_jobs_repeat_of"), "jobs", ["repeat_of"], unique=False)
