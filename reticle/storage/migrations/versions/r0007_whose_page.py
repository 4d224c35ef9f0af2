"""
Page holds of several daemons on one database.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """
    Say of each held page which daemon it is connected to (issue #10); pages of before are the only daemon's.
    """
    op.rename_table("page_hold", "page_hold_before")
    op.create_table(
        "page_hold",
        sa.Column("daemon", sa.Text(), nullable=False),
        sa.Column("page_id", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("daemon", "page_id", name="pk_page_hold"),
    )
    op.execute(
        "INSERT INTO page_hold (daemon, page_id, holder, shown, purpose, since, until)"
        " SELECT '', page_id, holder, shown, purpose, since, until FROM page_hold_before"
    )
    op.drop_table("page_hold_before")
