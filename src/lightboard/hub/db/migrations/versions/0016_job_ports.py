"""The ports of web pages that jobs serve.

Revision ID: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """A column more. Earlier jobs serve no web page."""
    op.add_column("jobs", sa.Column("http_port", sa.BigInteger(), nullable=True))
