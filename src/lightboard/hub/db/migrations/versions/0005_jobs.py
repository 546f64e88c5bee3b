"""Jobs and their history.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")
SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Two tables more."""
    op.create_table(
        "jobs",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("display_name", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.Column("command", sa.JSON(), nullable=False),
        sa.Column("environment", sa.JSON(), nullable=False),
        sa.Column("replicas", sa.BigInteger(), nullable=False),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("priority", sa.BigInteger(), nullable=False),
        sa.Column("max_retries", sa.BigInteger(), nullable=False),
        sa.Column("max_run_secs", sa.Double(), nullable=False),
        sa.Column("queue_timeout_secs", sa.Double(), nullable=False),
        sa.Column("grace_secs", sa.Double(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("status", WORDS, nullable=False),
        sa.Column("reason", WORDS, nullable=False),
        sa.Column("message", WORDS, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("status_since", sa.Double(), nullable=False),
        sa.Column("queued_at", sa.Double(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("retries", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=True),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("exit_code", sa.BigInteger(), nullable=True),
        sa.Column("signal", sa.BigInteger(), nullable=True),
        sa.Column("runner", WORDS, nullable=False),
        sa.Column("runner_ref", WORDS, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name=op.f("fk_jobs_owner")),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_jobs_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index("ix_jobs_project_created_at", "jobs", ["project", "created_at"], unique=False)
    op.create_index("ix_jobs_project_name", "jobs", ["project", "name"], unique=False)
    op.create_index(op.f("ix_jobs_status"), "jobs", ["status"], unique=False)
    op.create_table(
        "job_transitions",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("job", WORDS, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("status", WORDS, nullable=False),
        sa.Column("reason", WORDS, nullable=False),
        sa.Column("message", WORDS, nullable=False),
        sa.Column("actor", WORDS, nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_job_transitions_job"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_transitions")),
    )
    op.create_index(op.f("ix_job_transitions_job"), "job_transitions", ["job"], unique=False)
