"""
How a session gets its next packet, or is told why there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
from msgspec.structs import replace

from reticle.domain.work.calling import WorkCaller, heard_of, opening
from reticle.domain.work.lives import JOB_LIFE, MESSAGE_LIFE, JobInputs, MessageInputs
from reticle.domain.work.packet import make_packet
from reticle.domain.work.queue import Moment
from reticle.domain.work.recovery import expire_lapsed
from reticle.model.ids import WorkLeaseId, WorkSessionId
from reticle.model.work import Candidate, Job, Message, Packet, Run, WorkLease, WorkSession
from reticle.model.work_limits import CANDIDATES, JOBS_PER_RUN
from reticle.model.work_words import (
    IdleBehavior,
    JobState,
    JobType,
    LeaseState,
    NoWork,
    RunState,
    WorkEventKind,
    WorkSessionState,
)

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading


@attrs.frozen
class Claimed:
    """
    A packet with its lease; ``again`` when the session held it already.
    """

    packet: Packet
    lease: WorkLease
    job: Job
    again: bool = False


@attrs.frozen
class Idle:
    """
    No packet: why, whether waiting makes sense, and when the first claim of somebody else may lapse.
    """

    reason: NoWork
    behavior: IdleBehavior
    next_action: str
    next_lapse_us: int | None = None


_RUN_IDLE = {
    RunState.READY: (
        NoWork.RUN_NOT_STARTED,
        IdleBehavior.KEEP_WAITING,
        "the operator starts it with run.start",
    ),
    RunState.NEEDS_OPERATOR: (
        NoWork.RUN_NEEDS_OPERATOR,
        IdleBehavior.KEEP_WAITING,
        "a person must resolve what escalation.list shows",
    ),
    RunState.COMPLETED: (
        NoWork.RUN_COMPLETED,
        IdleBehavior.EXIT_SESSION,
        "all jobs are done; end this agent",
    ),
    RunState.FAILED: (NoWork.RUN_FAILED, IdleBehavior.EXIT_SESSION, "the run failed; end this agent"),
    RunState.CANCELED: (
        NoWork.RUN_CANCELED,
        IdleBehavior.EXIT_SESSION,
        "the run was canceled; end this agent",
    ),
}
_SESSION_IDLE = {
    WorkSessionState.CLOSED: NoWork.SESSION_CLOSED,
    WorkSessionState.DISPLACED: NoWork.SESSION_DISPLACED,
    WorkSessionState.ENDED: NoWork.SESSION_ENDED,
}


def claim(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    moment: Moment,
    *,
    seconds: int,
    repo_root: str,
) -> Claimed | Idle:
    """
    Claim the next packet of the session's role; one that it holds already is given again.

    Raises:
        Refusal: As ``calling.acting``.
    """
    found = opening(book, caller, session_id, moment.now_us)
    run, session = found.run, found.session
    ended = _idle_for_good(run, session)
    if ended is not None:
        return ended
    held = found.held
    if held is not None and held.until_us > moment.now_us:
        packets, job = book.packets(lease_id=held.lease_id, limit=1), book.job(held.job_id)
        assert packets
        assert job is not None
        heard_of(book, session, moment.now_us)
        return Claimed(packets[0], held, job, again=True)
    candidates: Iterator[Candidate]
    if found.has_lapsed:
        expire_lapsed(book, run, moment)
        run = book.run(run.run_id) or run
        if run.state is not RunState.RUNNING:
            return Idle(*_RUN_IDLE[run.state])
        candidates = _candidates(book, run, session)
    else:
        candidates = _candidates_from(book, run, session, found.first)
    own = False
    for candidate in candidates:
        if candidate.job.state is not JobState.QUEUED:
            continue
        needs = () if candidate.alone else book.needs(candidate.job.job_id)
        if _made_it_itself(session, candidate.job, needs):
            own = True
            continue
        return _take(
            book,
            moment,
            run=run,
            session=session,
            candidate=candidate,
            needs=needs,
            seconds=seconds,
            repo_root=repo_root,
        )
    return _none_pending(book, run, session, own=own)


def idle_reason(book: WorkReading, run: Run, session: WorkSession) -> Idle:
    """
    Why there is nothing for a session that looked and found nothing.
    """
    return _idle_for_good(run, session) or _none_pending(book, run, session, own=False)


def _idle_for_good(run: Run, session: WorkSession) -> Idle | None:
    if run.state is not RunState.RUNNING:
        return Idle(*_RUN_IDLE[run.state])
    reason = _SESSION_IDLE.get(session.state)
    if reason is None:
        return None
    return Idle(
        reason,
        IdleBehavior.EXIT_SESSION,
        "end this agent; the operator registers a new session with session.register",
    )


def _candidates(book: WorkBook, run: Run, session: WorkSession) -> Iterator[Candidate]:
    """
    What waits for the session's role, in its order; the rest is read only where none of the first is for it.
    """
    first = book.pending(run.run_id, session.role, CANDIDATES)
    yield from _with_jobs(book, first)
    if len(first) == CANDIDATES:
        yield from _with_jobs(book, book.pending(run.run_id, session.role, JOBS_PER_RUN)[CANDIDATES:])


def _candidates_from(
    book: WorkBook, run: Run, session: WorkSession, first: Candidate | None
) -> Iterator[Candidate]:
    """
    The same, where the first of them has been read.
    """
    if first is not None:
        yield first
        yield from (
            each
            for each in _candidates(book, run, session)
            if each.message.message_id != first.message.message_id
        )


def _with_jobs(book: WorkBook, messages: Sequence[Message]) -> Iterator[Candidate]:
    for message in messages:
        job = book.job(message.job_id)
        if job is not None:
            yield Candidate(message, job, alone=False)


def _made_it_itself(session: WorkSession, job: Job, needs: Sequence[Job]) -> bool:
    """
    Whether it would review its own work.
    """
    return job.type is JobType.REVIEW and any(
        needed.author_session_id == session.session_id for needed in needs
    )


def _take(
    book: WorkBook,
    moment: Moment,
    *,
    run: Run,
    session: WorkSession,
    candidate: Candidate,
    needs: Sequence[Job],
    seconds: int,
    repo_root: str,
) -> Claimed:
    now_us, job, message = moment.now_us, candidate.job, candidate.message
    claimed = book.replace(
        job,
        replace(
            job,
            state=JOB_LIFE.after(job.state, JobInputs.claim),
            fencing=job.fencing + 1,
            claims=job.claims + 1,
            changed_at_us=now_us,
        ),
    )
    book.replace(
        message,
        replace(message, state=MESSAGE_LIFE.after(message.state, MessageInputs.claim), changed_at_us=now_us),
    )
    lease = WorkLease(
        lease_id=WorkLeaseId(moment.mint("lease_")),
        run_id=run.run_id,
        job_id=job.job_id,
        message_id=message.message_id,
        session_id=session.session_id,
        attempt=claimed.attempt,
        fencing=claimed.fencing,
        seconds=seconds,
        state=LeaseState.ACTIVE,
        claimed_at_us=now_us,
        until_us=now_us + seconds * 1_000_000,
    )
    packet = make_packet(
        book, moment, run=run, session=session, job=claimed, needs=needs, lease=lease, repo_root=repo_root
    )
    event = moment.event(
        run,
        WorkEventKind.JOB_CLAIMED,
        job_id=job.job_id,
        session_id=session.session_id,
        lease_id=lease.lease_id,
        attempt=claimed.attempt,
        fencing=claimed.fencing,
    )
    book.add(lease, packet, event)
    heard_of(book, session, now_us, claimed_at_us=now_us)
    return Claimed(packet, lease, claimed)


def _none_pending(book: WorkReading, run: Run, session: WorkSession, *, own: bool) -> Idle:
    if own:
        return Idle(
            NoWork.OWN_WORK,
            IdleBehavior.KEEP_WAITING,
            "what waits is a review of this session's own work; another session must take it",
        )
    of_role = [
        state
        for state in (JobState.CLAIMED, JobState.RUNNING, JobState.BLOCKED, JobState.QUEUED)
        if book.jobs(run.run_id, role=session.role, state=state, limit=1)
    ]
    lapse = book.next_lapse_us(run.run_id)
    if JobState.BLOCKED in of_role:
        return Idle(
            NoWork.WAITING_FOR_JOBS,
            IdleBehavior.KEEP_WAITING,
            "jobs of this role wait for others; call work.await_packet again",
            lapse,
        )
    if of_role:
        return Idle(
            NoWork.ALL_CLAIMED,
            IdleBehavior.KEEP_WAITING,
            "others hold the packets of this role; call work.await_packet again, one may come back",
            lapse,
        )
    return Idle(
        NoWork.NOTHING_FOR_ROLE,
        IdleBehavior.KEEP_WAITING,
        "no job of this role is left, but a reviewer may ask for a revision; call work.await_packet again",
        lapse,
    )
