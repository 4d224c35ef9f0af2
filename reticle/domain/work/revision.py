"""
Work that a reviewer sends back: another attempt, or a person where none is left; every review of it waits.

A job may have several reviews. What one of them said of the attempt before says nothing of the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from reticle.domain.work.calling import Holding
from reticle.domain.work.claimed import AWAIT, Outcome
from reticle.domain.work.ending import end_lease
from reticle.domain.work.lives import JOB_LIFE, MESSAGE_LIFE, JobInputs, LeaseInputs, MessageInputs
from reticle.domain.work.queue import Moment, hold_up, make_claimable
from reticle.model.work import Job, Run
from reticle.model.work_words import JobState, JobType, Severity, WorkEventKind

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading


def reviewed_job(book: WorkReading, job: Job) -> Job:
    """
    The job that a review judges.
    """
    name = job.plan.reviews or job.plan.depends_on[0]
    (found,) = book.jobs(job.run_id, name=name)
    return found


def send_back(
    book: WorkBook, held: Holding, reviewed: Job, moment: Moment, *, reason: str, told: Outcome
) -> Mapping[str, Any]:
    """
    Give the reviewed job another attempt, or to a person where none is left; gives what the reviewer is told.
    The reviewer's own claim is for the caller to end.
    """
    waiting = _waits(book, held.job, reviewed, moment)
    _hold_others_back(book, held, reviewed, moment)
    more: dict[str, object] = {}
    if reviewed.attempt < reviewed.max_attempts:
        again = make_claimable(
            book,
            held.run,
            reviewed,
            JobInputs.revise,
            moment,
            attempt=reviewed.attempt + 1,
            claims=0,
            fencing=reviewed.fencing + 1,
            reason="a reviewer wants it changed",
            revision=reason,
        )
    else:
        again, blocker = hold_up(
            book,
            held.run,
            reviewed,
            moment,
            kind="revisions_exhausted",
            severity=Severity.HUMAN_CHECKPOINT,
            description=f"a reviewer still wants changes after {reviewed.attempt} attempts: {reason}",
            session_id=held.session.session_id,
            revision=reason,
        )
        more = {"blocker_id": blocker.blocker_id}
    return {
        "status": "waiting_human" if more else "completed",
        "job_id": held.job.job_id,
        "job_state": waiting.state.value,
        "reviewed_job_state": again.state.value,
        "reviewed_attempt": again.attempt,
        **told,
        **more,
        "next_action": AWAIT,
    }


def _hold_others_back(book: WorkBook, held: Holding, reviewed: Job, moment: Moment) -> None:
    """
    Let the other reviews of the job wait for its next attempt too, whatever they are at.

    One that was completed stays so where what waited for it has begun: that cannot be undone.
    """
    for job in book.needed_by(reviewed.job_id):
        if job.type is not JobType.REVIEW or job.job_id == held.job.job_id:
            continue
        if reviewed_job(book, job).job_id != reviewed.job_id or not JOB_LIFE.may(
            job.state, JobInputs.wait_again
        ):
            continue
        if job.state is JobState.COMPLETED and _let_through(book, job):
            continue
        _take_back(book, held.run, job, reviewed, moment)
        _waits(book, job, reviewed, moment)
        book.add(moment.event(held.run, WorkEventKind.JOB_BLOCKED, job_id=job.job_id, attempt=job.attempt))


def _let_through(book: WorkReading, review: Job) -> bool:
    return any(job.state is not JobState.BLOCKED for job in book.needed_by(review.job_id))


def _take_back(book: WorkBook, run: Run, job: Job, reviewed: Job, moment: Moment) -> None:
    """
    End the claim of a review, or take it out of the queue.
    """
    lease, message = book.active_lease(job_id=job.job_id), book.live_message(job.job_id)
    if lease is not None:
        reason = f"another reviewer sent {reviewed.name} back"
        end_lease(book, lease, LeaseInputs.revoke, moment, reason=reason)
        book.add(
            moment.event(
                run,
                WorkEventKind.LEASE_REVOKED,
                job_id=job.job_id,
                session_id=lease.session_id,
                lease_id=lease.lease_id,
                reason=reason,
            )
        )
    elif message is not None:
        state = MESSAGE_LIFE.after(message.state, MessageInputs.cancel)
        book.replace(message, replace(message, state=state, changed_at_us=moment.now_us))


def _waits(book: WorkBook, review: Job, reviewed: Job, moment: Moment) -> Job:
    """
    A review that looks again once the job is done again: an attempt that costs none.
    """
    return book.replace(
        review,
        replace(
            review,
            state=JOB_LIFE.after(review.state, JobInputs.wait_again),
            attempt=review.attempt + 1,
            max_attempts=max(review.max_attempts, review.attempt + 1),
            fencing=review.fencing + 1,
            claims=0,
            reason=f"waits for a revision of {reviewed.name}",
            changed_at_us=moment.now_us,
        ),
    )
