"""
The work: runs, jobs, sessions, claims, packets, artifacts, reviews, blockers and the event log.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from reticle.storage.column_types import Whole

revision = "0008"
down_revision = "0007"


def _make_run() -> None:
    op.create_table(
        "work_run",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("repository_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("source_sha256", sa.Text(), nullable=False),
        sa.Column("prepared_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("prepared_at_us", Whole, nullable=False),
        sa.Column("started_at_us", Whole, nullable=True),
        sa.Column("ended_at_us", Whole, nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_work_run"),
    )
    op.create_index("ix_work_run_repository_id", "work_run", ["repository_id", "prepared_at_us"])


def _make_job() -> None:
    op.create_table(
        "work_job",
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", Whole, nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("priority", Whole, nullable=False),
        sa.Column("attempt", Whole, nullable=False),
        sa.Column("max_attempts", Whole, nullable=False),
        sa.Column("fencing", Whole, nullable=False),
        sa.Column("claims", Whole, nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("author_session_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("revision", sa.Text(), nullable=False),
        sa.Column("changed_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("job_id", name="pk_work_job"),
    )
    op.create_index("ix_work_job_place", "work_job", ["run_id", "place"])
    op.create_index("ix_work_job_state", "work_job", ["run_id", "state"])
    op.create_index("uq_work_job_run_id", "work_job", ["run_id", "name"], unique=True)


def _make_dependency() -> None:
    op.create_table(
        "work_dependency",
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("needs_job_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job_id", "needs_job_id", name="pk_work_dependency"),
    )
    op.create_index("ix_work_dependency_needs_job_id", "work_dependency", ["needs_job_id"])
    op.create_index("ix_work_dependency_run_id", "work_dependency", ["run_id"])


def _make_session() -> None:
    op.create_table(
        "work_session",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("slot", Whole, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Text(), nullable=True),
        sa.Column("registered_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("registered_at_us", Whole, nullable=False),
        sa.Column("ended_at_us", Whole, nullable=True),
        sa.Column("called_at_us", Whole, nullable=False),
        sa.Column("awaited_at_us", Whole, nullable=True),
        sa.Column("claimed_at_us", Whole, nullable=True),
        sa.Column("acked_at_us", Whole, nullable=True),
        sa.Column("heartbeat_at_us", Whole, nullable=True),
        sa.Column("reported_at_us", Whole, nullable=True),
        sa.Column("report_kind", sa.Text(), nullable=False),
        sa.Column("report_phase", sa.Text(), nullable=False),
        sa.Column("report_obstacle", sa.Text(), nullable=False),
        sa.Column("report_message", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_work_session"),
    )
    op.create_index("ix_work_session_run_id", "work_session", ["run_id", "registered_at_us"])
    op.create_index("ix_work_session_token_id", "work_session", ["token_id"])
    op.create_index(
        "uq_work_session_slot",
        "work_session",
        ["run_id", "role", "slot"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )


def _make_message() -> None:
    op.create_table(
        "work_message",
        sa.Column("seq", Whole, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("attempt", Whole, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("priority", Whole, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at_us", Whole, nullable=False),
        sa.Column("changed_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_work_message"),
        sa.UniqueConstraint("message_id", name="uq_work_message_message_id"),
    )
    op.create_index(
        "ix_work_message_pending",
        "work_message",
        ["run_id", "role", sa.text("priority DESC"), "seq"],
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index("ix_work_message_run_id", "work_message", ["run_id"])
    op.create_index(
        "uq_work_message_live",
        "work_message",
        ["job_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('pending', 'claimed', 'acked')"),
        postgresql_where=sa.text("state IN ('pending', 'claimed', 'acked')"),
    )


def _make_lease() -> None:
    op.create_table(
        "work_lease",
        sa.Column("lease_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("attempt", Whole, nullable=False),
        sa.Column("fencing", Whole, nullable=False),
        sa.Column("seconds", Whole, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("claimed_at_us", Whole, nullable=False),
        sa.Column("until_us", Whole, nullable=False),
        sa.Column("acked_at_us", Whole, nullable=True),
        sa.Column("ended_at_us", Whole, nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("tree", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("lease_id", name="pk_work_lease"),
    )
    op.create_index("ix_work_lease_run_id", "work_lease", ["run_id"])
    op.create_index(
        "ix_work_lease_until_us",
        "work_lease",
        ["until_us"],
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_index("uq_work_lease_fencing", "work_lease", ["job_id", "fencing"], unique=True)
    op.create_index(
        "uq_work_lease_job_id",
        "work_lease",
        ["job_id"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_index(
        "uq_work_lease_session_id",
        "work_lease",
        ["session_id"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )


def _make_packet() -> None:
    op.create_table(
        "work_packet",
        sa.Column("packet_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("lease_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("created_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("packet_id", name="pk_work_packet"),
        sa.UniqueConstraint("lease_id", name="uq_work_packet_lease_id"),
    )
    op.create_index("ix_work_packet_job_id", "work_packet", ["job_id"])
    op.create_index("ix_work_packet_run_id", "work_packet", ["run_id"])
    op.create_index("ix_work_packet_session_id", "work_packet", ["session_id"])


def _make_artifact() -> None:
    op.create_table(
        "work_artifact",
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
        sa.PrimaryKeyConstraint("artifact_id", name="pk_work_artifact"),
    )
    op.create_index("ix_work_artifact_run_id", "work_artifact", ["run_id"])
    op.create_index(
        "uq_work_artifact_logical_name",
        "work_artifact",
        ["job_id", "attempt", "fencing", "logical_name"],
        unique=True,
    )


def _make_review() -> None:
    op.create_table(
        "work_review",
        sa.Column("review_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=False),
        sa.Column("attempt", Whole, nullable=False),
        sa.Column("reviewed_job_id", sa.Text(), nullable=False),
        sa.Column("reviewed_attempt", Whole, nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("findings_artifact_id", sa.Text(), nullable=True),
        sa.Column("verdict_ids", sa.Text(), nullable=False),
        sa.Column("recorded_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("review_id", name="pk_work_review"),
    )
    op.create_index("ix_work_review_reviewed_job_id", "work_review", ["reviewed_job_id"])
    op.create_index("ix_work_review_run_id", "work_review", ["run_id"])
    op.create_index("uq_work_review_job_id", "work_review", ["job_id", "attempt"], unique=True)


def _make_blocker() -> None:
    op.create_table(
        "work_blocker",
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
        sa.PrimaryKeyConstraint("blocker_id", name="pk_work_blocker"),
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


def _make_event() -> None:
    op.create_table(
        "work_event",
        sa.Column("seq", Whole, nullable=False),
        sa.Column("at_us", Whole, nullable=False),
        sa.Column("repository_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("job_id", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("lease_id", sa.Text(), nullable=True),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_work_event"),
    )
    op.create_index("ix_work_event_job_id", "work_event", ["job_id"])
    op.create_index("ix_work_event_run_id", "work_event", ["run_id"])
    op.create_index("ix_work_event_session_id", "work_event", ["session_id"])


def _make_tree() -> None:
    op.create_table(
        "work_tree",
        sa.Column("tree", sa.Text(), nullable=False),
        sa.Column("manifest", sa.LargeBinary(), nullable=False),
        sa.Column("size_bytes", Whole, nullable=False),
        sa.Column("kept_at_us", Whole, nullable=False),
        sa.PrimaryKeyConstraint("tree", name="pk_work_tree"),
    )
    op.create_index("ix_work_tree_kept_at_us", "work_tree", ["kept_at_us"])


def upgrade() -> None:
    """
    Make the tables of the work (issue #10).
    """
    _make_run()
    _make_job()
    _make_dependency()
    _make_session()
    _make_message()
    _make_lease()
    _make_packet()
    _make_artifact()
    _make_review()
    _make_blocker()
    _make_event()
    _make_tree()
