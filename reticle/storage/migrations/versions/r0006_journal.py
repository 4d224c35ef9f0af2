"""
The journal of pages.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """
    Make the table of what pages reported and were asked, a row for each chunk (issue #8).
    """
    op.create_table(
        "journal_chunk",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Text(), nullable=False),
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("bytes_until", sa.Integer(), nullable=False),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_journal_chunk"),
    )
    op.create_index("ix_journal_chunk_page_id", "journal_chunk", ["page_id"])
    op.create_index("ix_journal_chunk_at", "journal_chunk", ["at"])
    op.create_index("ix_journal_chunk_bytes_until", "journal_chunk", ["bytes_until"])
