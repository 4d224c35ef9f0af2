"""
Artifacts and blockers in the order in which they came.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from reticle.storage.column_types import Whole

revision = "0009"
down_revision = "0008"


def _artifact() -> None:
    op.execute("CREATE TABLE work_artifact_before AS SELECT * FROM work_artifact")
    op.drop_table("work_artifact")
    op.create_table(
        "work_artifact",
        sa.Column("seq", Whole, nullable=False),
        sa.Column("artifact_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("attempt", Whole, nullable=False),
        sa.Column("fencing", Whole, nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("logical_name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size_bytes", Whole, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("published_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_work_artifact"),
        sa.UniqueConstraint("artifact_id", name="uq_work_artifact_artifact_id"),
    )
    op.create_index("ix_work_artifact_run_id", "work_artifact", ["run_id"])
    op.create_index(
        "uq_work_artifact_logical_name",
        "work_artifact",
        ["job_id", "attempt", "fencing", "logical_name"],
        unique=True,
    )
    _fill(
        "work_artifact",
        "artifact_id, run_id, job_id, attempt, fencing, session_id, logical_name, kind, path, sha256,"
        " size_bytes, version, content, published_at_us",
        "published_at_us, artifact_id",
    )


def _blocker() -> None:
    op.execute("CREATE TABLE work_blocker_before AS SELECT * FROM work_blocker")
    op.drop_table("work_blocker")
    op.create_table(
        "work_blocker",
        sa.Column("seq", Whole, nullable=False),
        sa.Column("blocker_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at_us", Whole, nullable=False),
        sa.Column("resolution", sa.Text(), nullable=False),
        sa.Column("resolved_by", sa.Text(), nullable=False),
        sa.Column("resolved_at_us", Whole, nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_work_blocker"),
        sa.UniqueConstraint("blocker_id", name="uq_work_blocker_blocker_id"),
    )
    op.create_index("ix_work_blocker_job_id", "work_blocker", ["job_id"])
    op.create_index(
        "ix_work_blocker_open",
        "work_blocker",
        ["run_id"],
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_index("ix_work_blocker_run_id", "work_blocker", ["run_id"])
    _fill(
        "work_blocker",
        "blocker_id, run_id, job_id, session_id, kind, severity, description, state, opened_at_us,"
        " resolution, resolved_by, resolved_at_us",
        "opened_at_us, blocker_id",
    )


def _fill(table: str, columns: str, order: str) -> None:
    """
    The rows of before, numbered in the order of their times: all that is known of it.
    """
    before = f"SELECT {columns} FROM {table}_before ORDER BY {order}"  # noqa: S608 - names of our own
    op.execute(f"INSERT INTO {table} ({columns}) {before}")
    op.drop_table(f"{table}_before")


def upgrade() -> None:
    """
    Number artifacts and blockers, so that lists and their pages follow no clock (issue 10).
    """
    _artifact()
    _blocker()
