"""Invitations to projects, and which TensorBoards had their project chosen by name.

TensorBoards from before count as such: whoever sees one goes on seeing it.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """A table and a column more."""
    op.create_table(
        "invitations",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("invited", WORDS, nullable=False),
        sa.Column("role", WORDS, nullable=False),
        sa.Column("inviter", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("declined_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_invitations_project"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["inviter"], ["accounts.id"], name=op.f("fk_invitations_inviter"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
    )
    op.create_index(op.f("ix_invitations_invited"), "invitations", ["invited"], unique=False)
    op.create_index("uq_invitations_project_invited", "invitations", ["project", "invited"], unique=True)
    op.add_column("tensorboards", sa.Column("project_chosen", sa.Boolean(), nullable=False, server_default=sa.true()))
