"""
How claims, sessions and runs end, and what of the work goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from reticle.domain.work.lives import (
    BLOCKER_LIFE,
    JOB_LIFE,
    LEASE_LIFE,
    MESSAGE_LIFE,
    SESSION_LIFE,
    BlockerInputs,
    JobInputs,
    LeaseInputs,
    MessageInputs,
    RunInputs,
    SessionInputs,
)
from reticle.domain.work.queue import Moment, cancel_job, in_step, requeue, run_after
from reticle.model.codes import Capability
from reticle.model.ids import JobId, RunId
from reticle.model.work import Blocker, Run, WorkLease, WorkSession
from reticle.model.work_limits import FAREWELL_SECONDS, LISTED
from reticle.model.work_words import BlockerState, RunState, WorkEventKind, WorkSessionState

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook

LOOKING: Final = (Capability.READ, Capability.OBSERVE, Capability.DRIVE)
"""
What a session's token may do no more once the session ended. The rest is refused by the session's state, and
stays for a while so that a call that ended it can come twice and an agent is told why it shall go.
"""

_ENDED = (RunState.COMPLETED, RunState.FAILED, RunState.CANCELED)


def end_lease(
    book: WorkBook,
    lease: WorkLease,
    happening: Callable[[Any], None],
    moment: Moment,
    *,
    reason: str,
    outcome: Mapping[str, Any] | None = None,
) -> WorkLease:
    """
    End a lease, and its message with it unless that has been canceled.
    """
    message = book.message(lease.message_id)
    done = MessageInputs.complete if happening is LeaseInputs.complete else MessageInputs.give_back
    if message is not None and MESSAGE_LIFE.may(message.state, done):
        state = MESSAGE_LIFE.after(message.state, done)
        book.replace(message, replace(message, state=state, changed_at_us=moment.now_us))
    return book.replace(
        lease,
        replace(
            lease,
            state=LEASE_LIFE.after(lease.state, happening),
            ended_at_us=moment.now_us,
            reason=reason,
            outcome=outcome,
        ),
    )


def lose(
    book: WorkBook,
    run: Run,
    lease: WorkLease,
    happening: Callable[[Any], None],
    moment: Moment,
    *,
    reason: str,
) -> None:
    """
    Take a claim from its holder, and give the job to the next one; late calls of the old holder get
    ``lease_error``.
    """
    end_lease(book, lease, happening, moment, reason=reason)
    kind = WorkEventKind.LEASE_EXPIRED if happening is LeaseInputs.expire else WorkEventKind.LEASE_REVOKED
    book.add(
        moment.event(
            run,
            kind,
            job_id=lease.job_id,
            session_id=lease.session_id,
            lease_id=lease.lease_id,
            reason=reason,
        )
    )
    job = book.job(lease.job_id)
    if job is not None and JOB_LIFE.may(job.state, JobInputs.requeue):
        requeue(book, run, job, moment, worked=lease.acked_at_us is not None, reason=reason)


def end_session(
    book: WorkBook,
    run: Run,
    session: WorkSession,
    happening: Callable[[Any], None],
    moment: Moment,
    *,
    reason: str,
) -> WorkSession:
    """
    End a session: its claim goes to the next one. Its token may look at nothing more, is told why for a while
    and then counts no more.
    """
    lease = book.active_lease(session_id=session.session_id)
    if lease is not None:
        lose(book, run, lease, LeaseInputs.revoke, moment, reason=f"its holder's session ended: {reason}")
    state = SESSION_LIFE.after(session.state, happening)
    if session.token_id is not None:
        book.end_grants(session.token_id, LOOKING, moment.now_us)
        book.expire(session.token_id, moment.now_us + FAREWELL_SECONDS * 1_000_000)
    kind = (
        WorkEventKind.SESSION_DISPLACED
        if state is WorkSessionState.DISPLACED
        else WorkEventKind.SESSION_CLOSED
    )
    book.add(moment.event(run, kind, session_id=session.session_id))
    book.tell(run.run_id, None)
    return book.replace(session, replace(session, state=state, reason=reason, ended_at_us=moment.now_us))


def after_a_move(book: WorkBook, run_id: RunId, moment: Moment) -> Run | None:
    """
    Bring a run in step with its jobs, and send its agents home when it is over; gives the run when its state
    changed. The last thing of every change of a job.
    """
    run = in_step(book, run_id, moment)
    if run is not None and run.state in _ENDED:
        _send_home(book, run, moment)
    return run


def stop_run(book: WorkBook, run: Run, happening: Callable[[Any], None], moment: Moment, reason: str) -> Run:
    """
    End a run before its jobs are done: failed or canceled. Every claim ends with it.
    """
    stopped = run_after(book, run, happening, moment, reason)
    for job in book.jobs(run.run_id):
        if JOB_LIFE.may(job.state, JobInputs.cancel):
            lease = book.active_lease(job_id=job.job_id)
            if lease is not None:
                end_lease(book, lease, LeaseInputs.revoke, moment, reason=reason)
            cancel_job(book, stopped, job, moment, reason)
    _send_home(book, stopped, moment)
    return stopped


def cancel_run(book: WorkBook, run: Run, moment: Moment, reason: str) -> Run:
    """
    Give a run up. Raises ``Refusal`` ``invalid_transition`` when it has ended.
    """
    return stop_run(book, run, RunInputs.cancel, moment, reason)


def settle(
    book: WorkBook, run: Run, blocker: Blocker, moment: Moment, *, action: str, resolution: str
) -> Blocker:
    """
    End a blocker: ``action`` is what is done about it, in a word, ``resolution`` what people read.
    """
    book.add(
        moment.event(
            run,
            WorkEventKind.ESCALATION_RESOLVED,
            job_id=blocker.job_id,
            subject=blocker.blocker_id,
            action=action,
        )
    )
    return book.replace(
        blocker,
        replace(
            blocker,
            state=BLOCKER_LIFE.after(blocker.state, BlockerInputs.resolve),
            resolution=f"{action}: {resolution}",
            resolved_by=moment.principal,
            resolved_at_us=moment.now_us,
        ),
    )


def settle_moot(
    book: WorkBook, run: Run, moment: Moment, reason: str, *, job_id: JobId | None = None
) -> None:
    """
    End what waits for a person about a run, or about one job of it, where nothing is left to decide.
    """
    while found := book.blockers(run_id=run.run_id, job_id=job_id, state=BlockerState.OPEN, limit=LISTED):
        for blocker in found:
            settle(book, run, blocker, moment, action="moot", resolution=reason)


def _send_home(book: WorkBook, run: Run, moment: Moment) -> None:
    reason = f"the run is {run.state.value}"
    settle_moot(book, run, moment, reason)
    for session in book.sessions(run.run_id, state=WorkSessionState.ACTIVE):
        end_session(book, run, session, SessionInputs.end, moment, reason=reason)
