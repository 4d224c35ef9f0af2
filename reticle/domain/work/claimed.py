"""
What the holder of a claim may do with it: say that it has it, keep it, give it back, be stuck, be done.

Each answers the same when it comes twice for one lease, and ``lease_error`` once the claim is another's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from reticle.domain.work.calling import Holding, WorkCaller, answered_before, heard_of, holding
from reticle.domain.work.ending import after_a_move, end_lease
from reticle.domain.work.lives import JOB_LIFE, MESSAGE_LIFE, JobInputs, LeaseInputs, MessageInputs
from reticle.domain.work.packet import time_of
from reticle.domain.work.queue import Moment, hold_up, queue_ready, requeue
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId, MessageId, WorkLeaseId, WorkSessionId
from reticle.model.work import Job
from reticle.model.work_words import JobState, JobType, LeaseState, MessageState, Severity, WorkEventKind

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

Outcome = Mapping[str, Any]
"""The fields of an answer."""

Gate = Callable[["WorkBook", Holding], None]
"""Raises ``Refusal`` while a job may not be completed."""

AWAIT: Final = "work.await_packet"
"""What to call next, in most answers."""

GO_ON: Final = "do the work as the packet's next_steps say; work.heartbeat before expires_at"
"""The same, for who has a packet."""


def ack(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    message_id: MessageId | None = None,
) -> Outcome:
    """
    The session has its packet and begins. Raises ``Refusal`` as ``calling.holding``.
    """
    held = holding(book, caller, session_id, lease_id, moment.now_us)
    if message_id is not None and message_id != held.lease.message_id:
        raise Refusal(
            RefusalCode.LEASE_ERROR,
            f"the lease is of the message {held.lease.message_id}; nothing was done",
            "Name the message_id and the lease_id of one packet.",
        )
    if held.message.state is MessageState.CLAIMED:
        held = _begin(book, held, moment)
    heard_of(book, held.session, moment.now_us)
    return {
        "status": "acked",
        "job_id": held.job.job_id,
        "lease_id": lease_id,
        "expires_at": time_of(held.lease.until_us),
        "next_action": GO_ON,
    }


def _begin(book: WorkBook, held: Holding, moment: Moment) -> Holding:
    now_us = moment.now_us
    state = MESSAGE_LIFE.after(held.message.state, MessageInputs.ack)
    message = book.replace(held.message, replace(held.message, state=state, changed_at_us=now_us))
    running = JOB_LIFE.after(held.job.state, JobInputs.ack)
    job = book.replace(held.job, replace(held.job, state=running, changed_at_us=now_us))
    lease = book.replace(held.lease, replace(held.lease, acked_at_us=now_us))
    session = book.replace(held.session, replace(held.session, acked_at_us=now_us))
    book.add(
        moment.event(
            held.run,
            WorkEventKind.JOB_ACKED,
            job_id=job.job_id,
            session_id=session.session_id,
            lease_id=lease.lease_id,
        )
    )
    return Holding(held.run, session, job, message, lease)


def heartbeat(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    extend_seconds: int | None = None,
) -> Outcome:
    """
    Extend a lease by its own length, or by what is named, from now; never shorten it. Raises ``Refusal`` as
    ``calling.holding``.
    """
    held = holding(book, caller, session_id, lease_id, moment.now_us)
    until = moment.now_us + (extend_seconds or held.lease.seconds) * 1_000_000
    lease = book.replace(held.lease, replace(held.lease, until_us=max(until, held.lease.until_us)))
    heard_of(book, held.session, moment.now_us, heartbeat_at_us=moment.now_us)
    unacked = held.message.state is MessageState.CLAIMED
    return {
        "status": "heartbeat",
        "lease_id": lease_id,
        "expires_at": time_of(lease.until_us),
        **({"unacked_packet": True} if unacked else {}),
        "next_action": "work.ack" if unacked else GO_ON,
    }


def release(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    reason: str,
) -> Outcome:
    """
    Give a packet back to the queue. Raises ``Refusal`` as ``calling.holding``.
    """
    before = answered_before(book, caller, session_id, lease_id, LeaseState.RELEASED)
    if before is not None:
        return {**before, "status": "already_released"}
    held = holding(book, caller, session_id, lease_id, moment.now_us)
    worked = held.lease.acked_at_us is not None
    # First of all: a job has one live message.
    lease = end_lease(book, held.lease, LeaseInputs.release, moment, reason=reason)
    job = requeue(
        book,
        held.run,
        held.job,
        moment,
        worked=worked,
        reason=f"its holder gave it back: {reason}" if reason else "its holder gave it back",
    )
    outcome = {
        "status": "released",
        "job_id": job.job_id,
        "job_state": job.state.value,
        "attempt": job.attempt,
        "attempt_preserved": not worked,
        "next_action": AWAIT,
    }
    book.replace(lease, replace(lease, outcome=outcome))
    _note_end(book, held, WorkEventKind.JOB_RELEASED, moment)
    after_a_move(book, held.run.run_id, moment)
    return outcome


def block(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    job_id: JobId | None,
    kind: str,
    severity: Severity,
    description: str,
) -> Outcome:
    """
    Let a job wait for somebody, because its holder cannot go on. Raises ``Refusal`` as ``calling.holding``.
    """
    before = answered_before(book, caller, session_id, lease_id, LeaseState.BLOCKED)
    if before is not None:
        return {**before, "status": "already_blocked"}
    held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    job, blocker = hold_up(
        book,
        held.run,
        held.job,
        moment,
        kind=kind,
        severity=severity,
        description=description,
        session_id=session_id,
    )
    outcome = {
        "status": "blocked",
        "blocker_id": blocker.blocker_id,
        "job_id": job.job_id,
        "job_state": job.state.value,
        "next_action": AWAIT,
    }
    end_lease(book, held.lease, LeaseInputs.block, moment, reason=kind, outcome=outcome)
    _note_end(book, held, WorkEventKind.JOB_BLOCKED, moment)
    after_a_move(book, held.run.run_id, moment)
    return outcome


def complete(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    moment: Moment,
    *,
    job_id: JobId | None,
    summary: str,
    gate: Gate,
) -> Outcome:
    """
    The work is done, and its gate lets it through.

    Raises:
        Refusal: As ``calling.holding``; ``invalid_transition`` for a review, which ends by its decision, and
            for a packet that was not acknowledged; what the gate raises, which changes nothing.
    """
    before = answered_before(book, caller, session_id, lease_id, LeaseState.COMPLETED)
    if before is not None:
        return {**before, "status": "already_completed"}
    held = holding(book, caller, session_id, lease_id, moment.now_us, job_id=job_id)
    if held.job.type is JobType.REVIEW:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            "a review is completed by its decision; nothing was done",
            "Call review.submit or review.verdict.",
        )
    if held.job.state is not JobState.RUNNING:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            "the packet was not acknowledged; nothing was done",
            "Call work.ack, do the work, then complete it.",
        )
    gate(book, held)
    return finish(book, held, moment, summary=summary)


def finish(
    book: WorkBook, held: Holding, moment: Moment, *, summary: str, more: Outcome | None = None
) -> Outcome:
    """
    Complete a job whose gate was passed: what waits for it is queued, and the last one ends the run.

    ``more`` is said beside, also when the call comes again.
    """
    done = book.replace(
        held.job,
        replace(
            held.job,
            state=JOB_LIFE.after(held.job.state, JobInputs.complete),
            author_session_id=held.session.session_id,
            reason=summary,
            revision="",
            changed_at_us=moment.now_us,
        ),
    )
    queued: Sequence[Job] = queue_ready(book, held.run, done, moment)
    outcome = {
        "status": "completed",
        "job_id": done.job_id,
        "attempt": done.attempt,
        "queued_jobs": [job.name for job in queued],
        "next_action": AWAIT,
        **(more or {}),
    }
    end_lease(book, held.lease, LeaseInputs.complete, moment, reason=summary, outcome=outcome)
    _note_end(book, held, WorkEventKind.JOB_COMPLETED, moment)
    if not queued:
        after_a_move(book, held.run.run_id, moment)
    return outcome


def _note_end(book: WorkBook, held: Holding, kind: WorkEventKind, moment: Moment) -> None:
    heard_of(book, held.session, moment.now_us)
    book.add(
        moment.event(
            held.run,
            kind,
            job_id=held.job.job_id,
            session_id=held.session.session_id,
            lease_id=held.lease.lease_id,
            attempt=held.lease.attempt,
            fencing=held.lease.fencing,
        )
    )
