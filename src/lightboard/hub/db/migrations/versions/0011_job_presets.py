"""Presets of jobs, and the processors and GPUs of their attempts.

Revision ID: 0011
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Earlier jobs have no preset: a slot for each replica, and all processors and GPUs of the machine."""
    columns: dict[str, tuple[Any, str]] = {
        "preset": (WORDS, ""),
        "cpus": (sa.BigInteger(), "1"),
        "gpus": (sa.BigInteger(), "0"),
        "cpu_ids": (sa.JSON(), "[]"),
        "gpu_ids": (sa.JSON(), "[]"),
    }
    op.add_column("jobs", sa.Column("preset_memory_bytes", sa.BigInteger(), nullable=True))
    for name, (kind, default) in columns.items():
        op.add_column("jobs", sa.Column(name, kind, nullable=False, server_default=default))
    with op.batch_alter_table("jobs") as table:  # SQLite changes no column without a copy of the table
        for name in columns:
            table.alter_column(name, server_default=None)
