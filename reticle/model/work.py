"""
The work as it is kept: runs, jobs, sessions, messages, leases, packets, artifacts, reviews, blockers.

Times are microseconds since the epoch and for people; what came first is told by ``seq`` and by the event
log, whose numbers only grow. Words are in ``work_words``, what was planned in ``work_plan``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from reticle.model.ids import (
    ArtifactId,
    BlockerId,
    JobId,
    MessageId,
    PacketId,
    RepositoryId,
    ReviewId,
    RunId,
    TokenId,
    VerdictId,
    WorkLeaseId,
    WorkSessionId,
)
from reticle.model.work_plan import JobPlan, RolePlan
from reticle.model.work_words import (
    BlockerState,
    JobState,
    JobType,
    LeaseState,
    MessageState,
    ReviewOutcome,
    RunState,
    Severity,
    WorkEventKind,
    WorkSessionState,
)


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """
    One execution of a plan. ``source`` is the plan's file, None for jobs given in the call; ``reason`` says
    why it ended or waits.
    """

    run_id: RunId
    repository_id: RepositoryId
    title: str
    state: RunState
    roles: Mapping[str, RolePlan]
    source: str | None
    source_sha256: str
    prepared_by: str
    reason: str
    prepared_at_us: int
    started_at_us: int | None = None
    ended_at_us: int | None = None


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """
    One job of a run. ``name`` is its id in the plan, ``place`` its place there.

    ``attempt`` counts tries from 1; ``fencing`` grows with each claim and each loss of one, and never goes
    back; ``claims`` counts those of this attempt. ``author_session_id`` completed it last. ``reason`` says
    why it waits or ended, ``revision`` what a reviewer wants changed.
    """

    job_id: JobId
    run_id: RunId
    name: str
    place: int
    type: JobType
    role: str
    state: JobState
    priority: int
    attempt: int
    max_attempts: int
    fencing: int
    claims: int
    plan: JobPlan
    author_session_id: WorkSessionId | None
    reason: str
    revision: str
    changed_at_us: int


class Dependency(msgspec.Struct, frozen=True, kw_only=True):
    """
    That a job waits for another one.
    """

    job_id: JobId
    needs_job_id: JobId
    run_id: RunId


class WorkSession(msgspec.Struct, frozen=True, kw_only=True):
    """
    An agent registered in a run, in one slot of a role.

    ``token_id`` is its own token. ``called_at_us`` is its last call of any work method and the next ones the
    last of their kind; they say whether it lives, and nothing of a terminal does.
    """

    session_id: WorkSessionId
    run_id: RunId
    role: str
    slot: int
    label: str
    state: WorkSessionState
    token_id: TokenId | None
    registered_by: str
    reason: str
    registered_at_us: int
    ended_at_us: int | None = None
    called_at_us: int = 0
    awaited_at_us: int | None = None
    claimed_at_us: int | None = None
    acked_at_us: int | None = None
    heartbeat_at_us: int | None = None
    reported_at_us: int | None = None
    report_kind: str = ""
    report_phase: str = ""
    report_obstacle: str = ""
    report_message: str = ""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """
    That one attempt of a job can be claimed. ``seq`` is its place in the queue, given by the store.
    """

    seq: int | None = None
    message_id: MessageId
    run_id: RunId
    job_id: JobId
    attempt: int
    role: str
    priority: int
    state: MessageState
    created_at_us: int
    changed_at_us: int


class WorkLease(msgspec.Struct, frozen=True, kw_only=True):
    """
    One claim and its time. ``fencing`` is the job's number at the claim; a change must name both.

    ``outcome`` is what the call that ended it was answered, for a call that comes twice. ``tree`` is the
    state of the repository's files when the packet was handed over, empty where it could not be told.
    """

    lease_id: WorkLeaseId
    run_id: RunId
    job_id: JobId
    message_id: MessageId
    session_id: WorkSessionId
    attempt: int
    fencing: int
    seconds: int
    state: LeaseState
    claimed_at_us: int
    until_us: int
    acked_at_us: int | None = None
    ended_at_us: int | None = None
    reason: str = ""
    outcome: Mapping[str, Any] | None = None
    tree: str = ""


class Candidate(msgspec.Struct, frozen=True):
    """
    What a session may claim; ``alone`` says that its job waited for no other one.
    """

    message: Message
    job: Job
    alone: bool


class Opening(msgspec.Struct, frozen=True):
    """
    What a claim finds: its session, the claim that this one holds, whether the time of any claim in the run
    is over, and what waits first for its role.
    """

    run: Run
    session: WorkSession
    held: WorkLease | None
    has_lapsed: bool
    first: Candidate | None


class Packet(msgspec.Struct, frozen=True, kw_only=True):
    """
    What was handed over with a claim, word for word (``document``, JSON) and its SHA-256.
    """

    packet_id: PacketId
    run_id: RunId
    job_id: JobId
    message_id: MessageId
    lease_id: WorkLeaseId
    session_id: WorkSessionId
    document: str
    sha256: str
    created_at_us: int


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """
    A file that was published in one attempt under one claim. ``version`` is the state of all files that it
    was published with (``provenance.Snapshot.tree``), empty where that could not be told; ``content`` the
    file itself where it is kept; ``seq`` is the order of publication, given by the store.
    """

    seq: int | None = None
    artifact_id: ArtifactId
    run_id: RunId
    job_id: JobId
    attempt: int
    fencing: int
    session_id: WorkSessionId
    logical_name: str
    kind: str
    path: str
    sha256: str
    size_bytes: int
    version: str
    content: bytes | None
    published_at_us: int


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """
    A reviewer's decision: of the review job's attempt, about the reviewed job's attempt.
    """

    review_id: ReviewId
    run_id: RunId
    job_id: JobId
    attempt: int
    reviewed_job_id: JobId
    reviewed_attempt: int
    session_id: WorkSessionId
    outcome: ReviewOutcome
    rationale: str
    findings_artifact_id: ArtifactId | None
    verdict_ids: Sequence[VerdictId]
    recorded_at_us: int


class Blocker(msgspec.Struct, frozen=True, kw_only=True):
    """
    Why a job, or with ``job_id`` None a session, cannot go on. One of severity ``human_checkpoint`` is an
    escalation. ``resolved_by`` is a principal; ``seq`` is the order of opening, given by the store.
    """

    seq: int | None = None
    blocker_id: BlockerId
    run_id: RunId
    job_id: JobId | None
    session_id: WorkSessionId | None
    kind: str
    severity: Severity
    description: str
    state: BlockerState
    opened_at_us: int
    resolution: str = ""
    resolved_by: str = ""
    resolved_at_us: int | None = None


class WorkEvent(msgspec.Struct, frozen=True, kw_only=True):
    """
    Something that happened, in the order of ``seq``, which the store gives. Of texts by agents it has none.
    """

    seq: int | None = None
    at_us: int
    repository_id: RepositoryId
    run_id: RunId
    kind: WorkEventKind
    job_id: JobId | None = None
    session_id: WorkSessionId | None = None
    lease_id: WorkLeaseId | None = None
    subject: str = ""
    principal: str = ""
    detail: Mapping[str, Any] = {}
