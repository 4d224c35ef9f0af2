"""
What of Streamable HTTP sessions outlives the daemon.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """
    Make the table of ended sessions and of what clients wished for (issue #4).
    """
    op.create_table(
        "mcp_session",
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("issued_at", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("log_level", sa.Text(), nullable=True),
        sa.Column("subscriptions", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_mcp_session"),
    )
    op.create_index("ix_mcp_session_issued_at", "mcp_session", ["issued_at"])
