"""
The words of the work: states, kinds and reasons, as they travel and as they are stored (DESIGN §9).
"""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """What becomes of a run. ``needs_operator``: nothing can go on before a person decided something."""

    READY = "ready"
    RUNNING = "running"
    NEEDS_OPERATOR = "needs_operator"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


class JobState(StrEnum):
    """What becomes of a job. ``blocked`` waits for jobs before it, ``waiting_human`` for a person."""

    BLOCKED = "blocked"
    QUEUED = "queued"
    CLAIMED = "claimed"
    RUNNING = "running"
    WAITING_HUMAN = "waiting_human"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


class MessageState(StrEnum):
    """What becomes of a queue message; ``returned``: its claim ended without an end of the job."""

    PENDING = "pending"
    CLAIMED = "claimed"
    ACKED = "acked"
    COMPLETED = "completed"
    RETURNED = "returned"
    CANCELED = "canceled"


class LeaseState(StrEnum):
    """What became of a claim's time: it runs, the work was done, it was given back, it ran out, was taken."""

    ACTIVE = "active"
    COMPLETED = "completed"
    RELEASED = "released"
    BLOCKED = "blocked"
    EXPIRED = "expired"
    REVOKED = "revoked"


class WorkSessionState(StrEnum):
    """Whether a session may work: ``displaced`` ones gave their slot to a successor."""

    ACTIVE = "active"
    CLOSED = "closed"
    DISPLACED = "displaced"
    ENDED = "ended"


class JobType(StrEnum):
    """What a job is: to make something, or to judge what another job made."""

    WORK = "work"
    REVIEW = "review"


class ReportKind(StrEnum):
    """What an agent tells before it has a packet (second seed, "Agent Loop")."""

    READY = "ready"
    HEARTBEAT = "heartbeat"
    QUESTION = "question"
    ESCALATE = "escalate"


class ReportPhase(StrEnum):
    """Where in its loop an agent is."""

    DISCOVERY = "discovery"
    AWAIT_PACKET = "await_packet"
    LEASE_HELD = "lease_held"
    BETWEEN_PACKETS = "between_packets"


class ReportObstacle(StrEnum):
    """What keeps an agent from work; with questions and escalations only (``blocker_kind``)."""

    AUTH_PROMPT = "auth_prompt"
    MODEL_TIMEOUT = "model_timeout"
    MISSING_INPUT = "missing_input"
    OTHER = "other"


class Severity(StrEnum):
    """Who a blocker is for: whoever runs the work, or a person who must decide."""

    BLOCKED = "blocked"
    HUMAN_CHECKPOINT = "human_checkpoint"


class BlockerState(StrEnum):
    """Whether somebody decided."""

    OPEN = "open"
    RESOLVED = "resolved"


class EscalationAction(StrEnum):
    """What a person can decide about a job that waits for them."""

    RETRY = "retry"
    CANCEL_JOB = "cancel_job"
    CANCEL_RUN = "cancel_run"


class IdleBehavior(StrEnum):
    """What an agent does that got no work: ask again, or end."""

    KEEP_WAITING = "keep_waiting"
    EXIT_SESSION = "exit_session"


class NoWork(StrEnum):
    """Why there is no packet."""

    RUN_NOT_STARTED = "run_not_started"
    RUN_COMPLETED = "run_completed"
    RUN_FAILED = "run_failed"
    RUN_CANCELED = "run_canceled"
    RUN_NEEDS_OPERATOR = "run_needs_operator"
    SESSION_CLOSED = "session_closed"
    SESSION_DISPLACED = "session_displaced"
    SESSION_ENDED = "session_ended"
    ALL_CLAIMED = "all_claimed"
    WAITING_FOR_JOBS = "waiting_for_jobs"
    NOTHING_FOR_ROLE = "nothing_for_role"
    OWN_WORK = "own_work"


class ReviewOutcome(StrEnum):
    """What a reviewer decides."""

    ACCEPT = "accept"
    ACCEPT_WITH_FINDINGS = "accept_with_findings"
    NEEDS_REVISION = "needs_revision"
    REJECT = "reject"


class ArtifactKind(StrEnum):
    """
    What a published file is. There is none for transcripts: what an agent said is no result.
    """

    REPORT = "report"
    REVIEW = "review"
    VERIFICATION = "verification"
    PLAN = "plan"
    DOCUMENT = "document"
    SOURCE = "source"
    PATCH = "patch"
    TEST = "test"
    LOG = "log"
    PICTURE = "picture"
    DATA = "data"


class WorkEventKind(StrEnum):
    """What happened; rows of the event log, which only grow."""

    RUN_PREPARED = "run.prepared"
    RUN_STARTED = "run.started"
    RUN_COMPLETED = "run.completed"
    RUN_FAILED = "run.failed"
    RUN_CANCELED = "run.canceled"
    RUN_NEEDS_OPERATOR = "run.needs_operator"
    RUN_RESUMED = "run.resumed"
    SESSION_REGISTERED = "session.registered"
    SESSION_REPORTED = "session.reported"
    SESSION_CLOSED = "session.closed"
    SESSION_DISPLACED = "session.displaced"
    JOB_QUEUED = "job.queued"
    JOB_CLAIMED = "job.claimed"
    JOB_ACKED = "job.acked"
    JOB_RELEASED = "job.released"
    JOB_BLOCKED = "job.blocked"
    JOB_COMPLETED = "job.completed"
    JOB_FAILED = "job.failed"
    JOB_CANCELED = "job.canceled"
    LEASE_EXPIRED = "lease.expired"
    LEASE_REVOKED = "lease.revoked"
    ESCALATION_OPENED = "escalation.opened"
    ESCALATION_RESOLVED = "escalation.resolved"
    ARTIFACT_PUBLISHED = "artifact.published"
    REVIEW_RECORDED = "review.recorded"
