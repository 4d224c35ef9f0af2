"""
The tables of the work, beside those of ``tables``: one for each value of ``reticle.model.work``, whose fields
its columns are. Documents are JSON.

What may be there once only, such as a live lease of a job, is a unique index over the rows that live: no
interleaving of daemons, and no fault of a rule, makes a second one.

Imported in the writer thread only, as ``tables`` is.
"""

from __future__ import annotations

from sqlalchemy import Column, ColumnElement, Index, LargeBinary, Table, Text

from reticle.storage.column_types import Whole
from reticle.storage.tables import metadata

work_run = Table(
    "work_run",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("repository_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("roles", Text, nullable=False, comment="a JSON object of roles"),
    Column("source", Text, nullable=True, comment="the plan's file; null for jobs given in the call"),
    Column("source_sha256", Text, nullable=False),
    Column("prepared_by", Text, nullable=False, comment="a principal"),
    Column("reason", Text, nullable=False),
    Column("prepared_at_us", Whole, nullable=False, comment="microseconds since the epoch"),
    Column("started_at_us", Whole, nullable=True),
    Column("ended_at_us", Whole, nullable=True),
    Index("ix_work_run_repository_id", "repository_id", "prepared_at_us"),
)

work_job = Table(
    "work_job",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("name", Text, nullable=False, comment="its id in the plan"),
    Column("place", Whole, nullable=False, comment="its place in the plan"),
    Column("type", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("priority", Whole, nullable=False),
    Column("attempt", Whole, nullable=False, comment="from 1"),
    Column("max_attempts", Whole, nullable=False),
    Column("fencing", Whole, nullable=False, comment="grows with each claim and each loss of one"),
    Column("claims", Whole, nullable=False, comment="claims of this attempt"),
    Column("plan", Text, nullable=False, comment="the job as planned, as JSON"),
    Column("author_session_id", Text, nullable=True),
    Column("reason", Text, nullable=False),
    Column("revision", Text, nullable=False, comment="what a reviewer wants changed"),
    Column("changed_at_us", Whole, nullable=False),
    Index("uq_work_job_run_id", "run_id", "name", unique=True),
    Index("ix_work_job_place", "run_id", "place"),
    Index("ix_work_job_state", "run_id", "state"),
)

work_dependency = Table(
    "work_dependency",
    metadata,
    Column("job_id", Text, primary_key=True),
    Column("needs_job_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False, index=True),
    Index("ix_work_dependency_needs_job_id", "needs_job_id"),
)

work_session = Table(
    "work_session",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("slot", Whole, nullable=False),
    Column("label", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("token_id", Text, nullable=True, index=True),
    Column("registered_by", Text, nullable=False, comment="a principal"),
    Column("reason", Text, nullable=False),
    Column("registered_at_us", Whole, nullable=False),
    Column("ended_at_us", Whole, nullable=True),
    Column("called_at_us", Whole, nullable=False, comment="its last call; what its life is told by"),
    Column("awaited_at_us", Whole, nullable=True),
    Column("claimed_at_us", Whole, nullable=True),
    Column("acked_at_us", Whole, nullable=True),
    Column("heartbeat_at_us", Whole, nullable=True),
    Column("reported_at_us", Whole, nullable=True),
    Column("report_kind", Text, nullable=False),
    Column("report_phase", Text, nullable=False),
    Column("report_obstacle", Text, nullable=False),
    Column("report_message", Text, nullable=False),
    Index("ix_work_session_run_id", "run_id", "registered_at_us"),
)

work_message = Table(
    "work_message",
    metadata,
    Column("seq", Whole, primary_key=True, comment="place in the queue"),
    Column("message_id", Text, nullable=False, unique=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=False),
    Column("attempt", Whole, nullable=False),
    Column("role", Text, nullable=False),
    Column("priority", Whole, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at_us", Whole, nullable=False),
    Column("changed_at_us", Whole, nullable=False),
)

work_lease = Table(
    "work_lease",
    metadata,
    Column("lease_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=False),
    Column("message_id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("attempt", Whole, nullable=False),
    Column("fencing", Whole, nullable=False, comment="the job's number at the claim"),
    Column("seconds", Whole, nullable=False, comment="its own length"),
    Column("state", Text, nullable=False),
    Column("claimed_at_us", Whole, nullable=False),
    Column("until_us", Whole, nullable=False),
    Column("acked_at_us", Whole, nullable=True),
    Column("ended_at_us", Whole, nullable=True),
    Column("reason", Text, nullable=False),
    Column("outcome", Text, nullable=True, comment="what the call that ended it was answered, as JSON"),
    Column("tree", Text, nullable=False, comment="the files when it was handed over"),
    Index("uq_work_lease_fencing", "job_id", "fencing", unique=True),
)

work_packet = Table(
    "work_packet",
    metadata,
    Column("packet_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=False, index=True),
    Column("message_id", Text, nullable=False),
    Column("lease_id", Text, nullable=False, unique=True),
    Column("session_id", Text, nullable=False, index=True),
    Column("document", Text, nullable=False, comment="the packet as it was handed over, JSON"),
    Column("sha256", Text, nullable=False),
    Column("created_at_us", Whole, nullable=False),
)

work_artifact = Table(
    "work_artifact",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of publication"),
    Column("artifact_id", Text, nullable=False, unique=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=False),
    Column("attempt", Whole, nullable=False),
    Column("fencing", Whole, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("logical_name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("size_bytes", Whole, nullable=False),
    Column("version", Text, nullable=False, comment="the files that it is of"),
    Column("content", LargeBinary, nullable=True),
    Column("published_at_us", Whole, nullable=False),
    Index("uq_work_artifact_logical_name", "job_id", "attempt", "fencing", "logical_name", unique=True),
)

work_review = Table(
    "work_review",
    metadata,
    Column("review_id", Text, primary_key=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=False, comment="the review job"),
    Column("attempt", Whole, nullable=False),
    Column("reviewed_job_id", Text, nullable=False, index=True),
    Column("reviewed_attempt", Whole, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("rationale", Text, nullable=False),
    Column("findings_artifact_id", Text, nullable=True),
    Column("verdict_ids", Text, nullable=False, comment="a JSON array of recorded verdicts"),
    Column("recorded_at_us", Whole, nullable=False),
    Index("uq_work_review_job_id", "job_id", "attempt", unique=True),
)

work_blocker = Table(
    "work_blocker",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of opening"),
    Column("blocker_id", Text, nullable=False, unique=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("job_id", Text, nullable=True, index=True),
    Column("session_id", Text, nullable=True),
    Column("kind", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("opened_at_us", Whole, nullable=False),
    Column("resolution", Text, nullable=False),
    Column("resolved_by", Text, nullable=False),
    Column("resolved_at_us", Whole, nullable=True),
)

work_event = Table(
    "work_event",
    metadata,
    Column("seq", Whole, primary_key=True, comment="order of happening"),
    Column("at_us", Whole, nullable=False),
    Column("repository_id", Text, nullable=False),
    Column("run_id", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("job_id", Text, nullable=True, index=True),
    Column("session_id", Text, nullable=True, index=True),
    Column("lease_id", Text, nullable=True),
    Column("subject", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("detail", Text, nullable=False, comment="a JSON object"),
)


METADATA = metadata
"""All tables, these among them."""

work_tree = Table(
    "work_tree",
    metadata,
    Column("tree", Text, primary_key=True, comment="fingerprint of all files of a repository at one moment"),
    Column("manifest", LargeBinary, nullable=False, comment="the files with their hashes, packed"),
    Column("size_bytes", Whole, nullable=False, comment="of the manifest"),
    Column("kept_at_us", Whole, nullable=False, index=True),
)


def _live(name: str, *columns: Column[str], where: ColumnElement[bool]) -> None:
    """
    A unique index over the rows that live.
    """
    Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)


_live(
    "uq_work_session_slot",
    work_session.c.run_id,
    work_session.c.role,
    work_session.c.slot,
    where=work_session.c.state == "active",
)
_live(
    "uq_work_message_live",
    work_message.c.job_id,
    where=work_message.c.state.in_(["pending", "claimed", "acked"]),
)
_live("uq_work_lease_job_id", work_lease.c.job_id, where=work_lease.c.state == "active")
_live("uq_work_lease_session_id", work_lease.c.session_id, where=work_lease.c.state == "active")
Index(
    "ix_work_message_pending",
    work_message.c.run_id,
    work_message.c.role,
    work_message.c.priority.desc(),
    work_message.c.seq,
    sqlite_where=work_message.c.state == "pending",
    postgresql_where=work_message.c.state == "pending",
)
Index(
    "ix_work_lease_until_us",
    work_lease.c.until_us,
    sqlite_where=work_lease.c.state == "active",
    postgresql_where=work_lease.c.state == "active",
)
Index(
    "ix_work_blocker_open",
    work_blocker.c.run_id,
    sqlite_where=work_blocker.c.state == "open",
    postgresql_where=work_blocker.c.state == "open",
)
