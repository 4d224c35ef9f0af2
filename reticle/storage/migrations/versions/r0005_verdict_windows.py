"""
Windows of verdicts.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """
    Make the table of the windows that verdicts were decided over (issue #8).
    """
    op.create_table(
        "verdict_window",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("verdict_id", sa.Text(), nullable=False),
        sa.Column("bytes_until", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_verdict_window"),
        sa.UniqueConstraint("verdict_id", name="uq_verdict_window_verdict_id"),
    )
    op.create_index("ix_verdict_window_bytes_until", "verdict_window", ["bytes_until"])
