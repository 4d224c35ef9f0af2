"""
What is taken back from those who are gone, and what a person decides about work that nobody could do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reticle.domain.work.calling import WorkCaller, locked_run, not_found
from reticle.domain.work.ending import after_a_move, cancel_run, end_lease, lose, settle, settle_moot
from reticle.domain.work.lives import JobInputs, LeaseInputs
from reticle.domain.work.queue import Moment, cancel_job, make_claimable
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import BlockerId, JobId, RunId, WorkLeaseId
from reticle.model.work import Blocker, Job, Run, WorkLease
from reticle.model.work_limits import SWEEP_RUNS
from reticle.model.work_words import BlockerState, EscalationAction, JobState, LeaseState

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading


def lapsed_runs(book: WorkReading, now_us: int) -> Sequence[RunId]:
    """
    The runs in which a lease's time is over, each once.
    """
    return list(dict.fromkeys(lease.run_id for lease in book.lapsed(now_us, limit=SWEEP_RUNS)))


def sweep_run(book: WorkBook, run_id: RunId, moment: Moment) -> Sequence[WorkLease]:
    """
    Take back what lapsed in a run; gives those leases.
    """
    run = book.locked(run_id)
    return () if run is None else expire_lapsed(book, run, moment)


def expire_lapsed(book: WorkBook, run: Run, moment: Moment) -> Sequence[WorkLease]:
    """
    Take back what lapsed in a run that is locked.
    """
    lapsed = book.lapsed(moment.now_us, run_id=run.run_id, limit=SWEEP_RUNS)
    for lease in lapsed:
        lose(book, run, lease, LeaseInputs.expire, moment, reason="the time of its lease was over")
    if lapsed:
        after_a_move(book, run.run_id, moment)
    return lapsed


def give_back_unheard(book: WorkBook, lease_id: WorkLeaseId, moment: Moment) -> bool:
    """
    Take a packet back from a peer that went away before it was told of it; False when it is not its own any
    more. Without an attempt: it never began.
    """
    known = book.lease(lease_id)
    run = None if known is None else book.locked(known.run_id)
    lease = book.lease(lease_id)
    if run is None or lease is None or lease.state is not LeaseState.ACTIVE or lease.acked_at_us is not None:
        return False
    lose(book, run, lease, LeaseInputs.revoke, moment, reason="its holder was gone before it got the packet")
    after_a_move(book, run.run_id, moment)
    return True


def requeue_stale(
    book: WorkBook, caller: WorkCaller, run_id: RunId, job_id: JobId | None, moment: Moment, *, force: str
) -> Sequence[Job]:
    """
    Take back what lapsed; with ``force``, a justification, also what one job's holder has time for.

    Raises:
        Refusal: ``not_found``; ``conflict`` when the named job's holder has time left and force is not said.
    """
    run = locked_run(book, caller, run_id)
    found = list(expire_lapsed(book, run, moment))
    if job_id is None:
        return _jobs(book, found)
    job = book.job(job_id)
    if job is None or job.run_id != run_id:
        raise not_found("job", "list.jobs shows the jobs.")
    lease = book.active_lease(job_id=job_id)
    if lease is not None and not force:
        raise Refusal(
            RefusalCode.CONFLICT,
            f"the holder of {job.name} has time left, and may be working",
            "Wait for its lease to end, or pass force with a justification.",
            {"lease_id": lease.lease_id, "session_id": lease.session_id},
        )
    if lease is not None:
        lose(book, run, lease, LeaseInputs.revoke, moment, reason=f"an operator took it back: {force}")
        after_a_move(book, run_id, moment)
        found.append(lease)
    return _jobs(book, [each for each in found if each.job_id == job_id])


def resolve(
    book: WorkBook,
    caller: WorkCaller,
    blocker_id: BlockerId,
    moment: Moment,
    *,
    action: EscalationAction,
    resolution: str,
) -> tuple[Blocker, bool]:
    """
    Do what a person decided; gives the blocker, and whether it was resolved before.

    Raises:
        Refusal: ``not_found``.
    """
    known = book.blocker(blocker_id)
    if known is None:
        raise not_found("escalation", "escalation.list shows them.")
    run = locked_run(book, caller, known.run_id)
    blocker = book.blocker(blocker_id)
    assert blocker is not None
    if blocker.state is BlockerState.RESOLVED:
        return blocker, True
    is_question = blocker.job_id is None and action is EscalationAction.RETRY
    done = "answered" if is_question else action.value
    resolved = settle(book, run, blocker, moment, action=done, resolution=resolution)
    if action is EscalationAction.CANCEL_RUN:
        cancel_run(book, run, moment, resolution or "a person gave it up")
        return resolved, False
    job = None if blocker.job_id is None else book.job(blocker.job_id)
    if job is not None and action is EscalationAction.CANCEL_JOB:
        _cancel(book, run, job, moment, resolution)
    elif job is not None and job.state is JobState.WAITING_HUMAN:
        make_claimable(
            book,
            run,
            job,
            JobInputs.retry,
            moment,
            attempt=job.attempt + 1,
            max_attempts=max(job.max_attempts, job.attempt + 1),
            claims=0,
            fencing=job.fencing + 1,
            reason=f"a person wants it tried again: {resolution}" if resolution else "",
        )
    after_a_move(book, run.run_id, moment)
    return resolved, False


def _cancel(book: WorkBook, run: Run, job: Job, moment: Moment, reason: str) -> None:
    for canceled in cancel_job(book, run, job, moment, reason or "a person gave it up"):
        lease = book.active_lease(job_id=canceled.job_id)
        if lease is not None:
            end_lease(book, lease, LeaseInputs.revoke, moment, reason="the job was canceled")
        settle_moot(book, run, moment, "the job was canceled", job_id=canceled.job_id)


def _jobs(book: WorkReading, leases: Sequence[WorkLease]) -> Sequence[Job]:
    return [job for lease in leases if (job := book.job(lease.job_id)) is not None]
