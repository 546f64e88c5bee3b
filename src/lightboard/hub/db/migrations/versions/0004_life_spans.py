"""Changes of a life span in the history of a TensorBoard.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Two columns more; steps of before have neither."""
    op.add_column("transitions", sa.Column("life_span_secs", sa.Double(), nullable=True))
    op.add_column("transitions", sa.Column("expires_at", sa.Double(), nullable=True))
