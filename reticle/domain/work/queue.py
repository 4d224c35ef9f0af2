"""
What makes a job claimable, and what becomes of a run when one more job has moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from msgspec.structs import replace

from reticle.domain.work.lives import JOB_LIFE, MESSAGE_LIFE, RUN_LIFE, JobInputs, MessageInputs, RunInputs
from reticle.model.ids import BlockerId, JobId, MessageId, RunId, WorkLeaseId, WorkSessionId
from reticle.model.work import Blocker, Job, Message, Run, WorkEvent
from reticle.model.work_limits import CLAIMS_PER_ATTEMPT
from reticle.model.work_words import (
    BlockerState,
    JobState,
    MessageState,
    RunState,
    Severity,
    WorkEventKind,
)

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

_LIVE = (JobState.QUEUED, JobState.CLAIMED, JobState.RUNNING)
_WAITING = (JobState.WAITING_HUMAN, JobState.BLOCKED)


@attrs.frozen
class Moment:
    """
    One change of the work: when, by whom, and where new ids come from (a prefix in, an unguessable id out).
    """

    now_us: int
    principal: str
    mint: Callable[[str], str]

    def event(
        self,
        run: Run,
        kind: WorkEventKind,
        *,
        job_id: JobId | None = None,
        session_id: WorkSessionId | None = None,
        lease_id: WorkLeaseId | None = None,
        subject: str = "",
        **detail: Any,
    ) -> WorkEvent:
        """
        A row of the event log.
        """
        return WorkEvent(
            at_us=self.now_us,
            repository_id=run.repository_id,
            run_id=run.run_id,
            kind=kind,
            job_id=job_id,
            session_id=session_id,
            lease_id=lease_id,
            subject=subject,
            principal=self.principal,
            detail=detail,
        )


def new_message(job: Job, moment: Moment) -> Message:
    """
    That the job's present attempt can be claimed.
    """
    return Message(
        message_id=MessageId(moment.mint("msg_")),
        run_id=job.run_id,
        job_id=job.job_id,
        attempt=job.attempt,
        role=job.role,
        priority=job.priority,
        state=MessageState.PENDING,
        created_at_us=moment.now_us,
        changed_at_us=moment.now_us,
    )


def make_claimable(
    book: WorkBook, run: Run, job: Job, happening: Callable[[Any], None], moment: Moment, **changes: Any
) -> Job:
    """
    Put a job into the queue, and wake one who waits for work of its role.
    """
    queued = book.replace(
        job,
        replace(job, state=JOB_LIFE.after(job.state, happening), changed_at_us=moment.now_us, **changes),
    )
    event = moment.event(
        run, WorkEventKind.JOB_QUEUED, job_id=job.job_id, attempt=queued.attempt, fencing=queued.fencing
    )
    book.add(new_message(queued, moment), event)
    book.tell(run.run_id, job.role)
    return queued


def queue_ready(book: WorkBook, run: Run, done: Job, moment: Moment) -> Sequence[Job]:
    """
    Make claimable what waited for a job that is done, and for no other one any more.
    """
    return [
        make_claimable(book, run, job, JobInputs.ready, moment, reason="")
        for job in book.needed_by(done.job_id)
        if job.state is JobState.BLOCKED
        and all(needed.state is JobState.COMPLETED for needed in book.needs(job.job_id))
    ]


def requeue(
    book: WorkBook,
    run: Run,
    job: Job,
    moment: Moment,
    *,
    worked: bool,
    reason: str,
    happening: Callable[[Any], None] = JobInputs.requeue,
    **changes: Any,
) -> Job:
    """
    Let somebody else try a job whose claim ended, or ask a person when its attempts are used up.

    ``worked`` says that its holder had begun, so that this attempt is over; ``reason`` is for the next holder
    to read; ``happening`` is what that is for the job, ``changes`` further fields of it.
    """
    attempt, claims = (job.attempt + 1, 0) if worked else (job.attempt, job.claims)
    changes = {"reason": reason, **changes}
    if attempt > job.max_attempts or claims >= CLAIMS_PER_ATTEMPT:
        used = f"{job.attempt} attempts" if worked else f"{claims} claims of one attempt"
        description = f"{used} of {job.name} were lost; the last one: {reason}"
        return hold_up(
            book,
            run,
            job,
            moment,
            kind="recovery_exhausted",
            severity=Severity.HUMAN_CHECKPOINT,
            description=description,
            **{**changes, "reason": description},
        )[0]
    return make_claimable(
        book, run, job, happening, moment, attempt=attempt, claims=claims, fencing=job.fencing + 1, **changes
    )


def hold_up(
    book: WorkBook,
    run: Run,
    job: Job,
    moment: Moment,
    *,
    kind: str,
    severity: Severity,
    description: str,
    session_id: WorkSessionId | None = None,
    **changes: Any,
) -> tuple[Job, Blocker]:
    """
    Let a job wait for a person, and say why.
    """
    changes = {"reason": description, "fencing": job.fencing + 1, **changes}
    held = book.replace(
        job,
        replace(
            job,
            state=JOB_LIFE.after(job.state, JobInputs.hold_up),
            changed_at_us=moment.now_us,
            **changes,
        ),
    )
    blocker = open_blocker(
        book,
        run,
        moment,
        kind=kind,
        severity=severity,
        description=description,
        job_id=job.job_id,
        session_id=session_id,
    )
    return held, blocker


def open_blocker(
    book: WorkBook,
    run: Run,
    moment: Moment,
    *,
    kind: str,
    severity: Severity,
    description: str,
    job_id: JobId | None = None,
    session_id: WorkSessionId | None = None,
) -> Blocker:
    """
    Write down what somebody must decide.
    """
    blocker = Blocker(
        blocker_id=BlockerId(moment.mint("blk_")),
        run_id=run.run_id,
        job_id=job_id,
        session_id=session_id,
        kind=kind,
        severity=severity,
        description=description,
        state=BlockerState.OPEN,
        opened_at_us=moment.now_us,
    )
    what = WorkEventKind.ESCALATION_OPENED
    event = moment.event(
        run, what, job_id=job_id, session_id=session_id, subject=blocker.blocker_id, kind_of=kind
    )
    book.add(blocker, event)
    return blocker


def cancel_job(book: WorkBook, run: Run, job: Job, moment: Moment, reason: str) -> Sequence[Job]:
    """
    Give a job up, and with it what waits for it; gives all of them. Their claims are for the caller to end.
    """
    canceled: list[Job] = []
    waiting = [job]
    while waiting:
        # What it waits for may have canceled it already.
        each = book.job(waiting.pop().job_id)
        if each is None or not JOB_LIFE.may(each.state, JobInputs.cancel):
            continue
        waiting.extend(book.needed_by(each.job_id))
        canceled.append(
            book.replace(
                each,
                replace(
                    each,
                    state=JobState.CANCELED,
                    reason=reason,
                    fencing=each.fencing + 1,
                    changed_at_us=moment.now_us,
                ),
            )
        )
        message = book.live_message(each.job_id)
        if message is not None:
            state = MESSAGE_LIFE.after(message.state, MessageInputs.cancel)
            book.replace(message, replace(message, state=state, changed_at_us=moment.now_us))
        book.add(moment.event(run, WorkEventKind.JOB_CANCELED, job_id=each.job_id))
    return canceled


def in_step(book: WorkBook, run_id: RunId, moment: Moment) -> Run | None:
    """
    A run as its jobs are now: done when none is left, waiting for the operator when none can go on.

    Gives the run when its state changed. What ends it beside its jobs is for ``ending``.
    """
    run = book.run(run_id)
    if run is None or run.state not in (RunState.RUNNING, RunState.NEEDS_OPERATOR):
        return None
    stalled = run.state is RunState.NEEDS_OPERATOR
    if book.has_jobs(run_id, _LIVE):
        return run_after(book, run, RunInputs.resume, moment, "") if stalled else None
    if book.has_jobs(run_id, _WAITING):
        if stalled:
            return None
        return run_after(book, run, RunInputs.stall, moment, "every job that is left waits for a person")
    if stalled:
        run = run_after(book, run, RunInputs.resume, moment, "")
    return run_after(book, run, RunInputs.complete, moment, "")


_EVENTS = {
    RunState.RUNNING: WorkEventKind.RUN_RESUMED,
    RunState.NEEDS_OPERATOR: WorkEventKind.RUN_NEEDS_OPERATOR,
    RunState.COMPLETED: WorkEventKind.RUN_COMPLETED,
    RunState.FAILED: WorkEventKind.RUN_FAILED,
    RunState.CANCELED: WorkEventKind.RUN_CANCELED,
}
_ENDS = (RunState.COMPLETED, RunState.FAILED, RunState.CANCELED)


def run_after(book: WorkBook, run: Run, happening: Callable[[Any], None], moment: Moment, reason: str) -> Run:
    """
    A run to which something happened, written down and told to all who wait.
    """
    state = RUN_LIFE.after(run.state, happening)
    ended = moment.now_us if state in _ENDS else None
    book.add(moment.event(run, _EVENTS[state], subject=run.run_id))
    book.tell(run.run_id, None)
    return book.replace(run, replace(run, state=state, reason=reason, ended_at_us=ended))
