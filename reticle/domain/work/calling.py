"""
Who calls about which run, as which session, with which claim: the checks that every method of the work
shares, in their one order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs
from msgspec.structs import replace

from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.ids import JobId, RepositoryId, RunId, TokenId, WorkLeaseId, WorkSessionId
from reticle.model.work import Job, Message, Opening, Run, WorkLease, WorkSession
from reticle.model.work_words import LeaseState, WorkSessionState

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading


@attrs.frozen
class WorkCaller:
    """
    Who calls about the work of one repository. ``bound`` says that its token is a session's own: it may act
    as that session and no other.
    """

    principal: str
    repository_id: RepositoryId
    token_id: TokenId | None = None
    bound: bool = False


@attrs.frozen
class Holding:
    """
    A live claim, all of it as read under the run's lock.
    """

    run: Run
    session: WorkSession
    job: Job
    message: Message
    lease: WorkLease


def run_meant(book: WorkReading, caller: WorkCaller, run_id: RunId) -> Run:
    """
    A run of the caller's repository. Raises ``Refusal`` ``not_found``, also for another repository's.
    """
    return _own(caller, book.run(run_id))


def locked_run(book: WorkBook, caller: WorkCaller, run_id: RunId) -> Run:
    """
    The same, to change something of it.
    """
    return _own(caller, book.locked(run_id))


def acting(book: WorkBook, caller: WorkCaller, session_id: WorkSessionId) -> tuple[Run, WorkSession]:
    """
    The session that a caller acts as, active or not, with its run locked.

    Raises:
        Refusal: ``not_found``; ``capability_denied`` for another session than the token's own,
            ``session_token_stale`` when that one ended and the named one is its successor.
    """
    found = book.locked_as(session_id)
    if found is None:
        raise _no_session()
    run, session = found
    _check_acting(book, caller, run, session)
    return run, session


def opening(book: WorkBook, caller: WorkCaller, session_id: WorkSessionId, now_us: int) -> Opening:
    """
    The same, with what a claim looks at first. Raises as ``acting``.
    """
    found = book.opening(session_id, now_us)
    if found is None:
        raise _no_session()
    _check_acting(book, caller, found.run, found.session)
    return found


def holding(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    now_us: int,
    *,
    job_id: JobId | None = None,
) -> Holding:
    """
    The live claim that a caller names.

    Raises:
        Refusal: As ``acting``; ``session_inactive``; ``lease_error`` for a lease that is another's, has
            ended, or whose time is over. Then nothing of the work is this session's any more.
    """
    run, session = acting(book, caller, session_id)
    if session.state is not WorkSessionState.ACTIVE:
        raise inactive(session)
    lease = book.lease(lease_id)
    if lease is None or lease.session_id != session_id:
        raise _lease_error("this session has no such lease")
    if job_id is not None and lease.job_id != job_id:
        raise _lease_error(f"the lease is of the job {lease.job_id}, not of {job_id}")
    if lease.state is not LeaseState.ACTIVE:
        why = f": {lease.reason}" if lease.reason else ""
        raise _lease_error(f"the lease has ended ({lease.state.value}{why})")
    if lease.until_us <= now_us:
        raise _lease_error("the time of the lease is over")
    job, message = book.job(lease.job_id), book.message(lease.message_id)
    if job is None or message is None or job.fencing != lease.fencing:
        raise _lease_error("the job was claimed anew meanwhile")
    return Holding(run, session, job, message, lease)


def answered_before(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    lease_id: WorkLeaseId,
    ended: LeaseState,
) -> Mapping[str, Any] | None:
    """
    What the call that ended a lease so was answered, for one that comes again; None when it did not end so.
    """
    acting(book, caller, session_id)
    lease = book.lease(lease_id)
    if lease is None or lease.session_id != session_id or lease.state is not ended:
        return None
    return lease.outcome or {}


def heard_of(book: WorkBook, session: WorkSession, now_us: int, **stamps: Any) -> WorkSession:
    """
    Note that a session called, and what else is to be noted of it.
    """
    called = max(now_us, session.called_at_us)
    return book.replace(session, replace(session, called_at_us=called, **stamps))


def inactive(session: WorkSession) -> Refusal:
    """
    Why a session that ended may do nothing.
    """
    return Refusal(
        RefusalCode.SESSION_INACTIVE,
        f"the session is {session.state.value}{': ' if session.reason else ''}{session.reason}",
        "End this agent; the operator registers a new session with session.register.",
    )


def not_found(what: str, recovery: str) -> Refusal:
    """
    That there is no such thing in this repository.
    """
    return Refusal(RefusalCode.NOT_FOUND, f"there is no such {what} in this repository", recovery)


def _own(caller: WorkCaller, run: Run | None) -> Run:
    if run is None or run.repository_id != caller.repository_id:
        raise not_found("run", "list.runs shows the runs.")
    return run


def _check_acting(book: WorkBook, caller: WorkCaller, run: Run, session: WorkSession) -> None:
    _own(caller, run)
    _check_binding(book, caller, session)


def _check_binding(book: WorkBook, caller: WorkCaller, session: WorkSession) -> None:
    if not caller.bound or caller.token_id is None or session.token_id == caller.token_id:
        return
    own = book.session_of_token(caller.token_id)
    stale = own is not None and own.state is not WorkSessionState.ACTIVE
    if stale and own is not None and _slot(own) == _slot(session):
        raise Refusal(
            RefusalCode.SESSION_TOKEN_STALE,
            "this token is of a session that ended, and the named one is its successor",
            "End this agent; the successor has a token of its own.",
        )
    raise Refusal(
        RefusalCode.CAPABILITY_DENIED,
        "this token is for another session than the named one",
        "Name the session that the token was made for; RETICLE_SESSION_ID has it.",
    )


def _slot(session: WorkSession) -> tuple[str, str, int]:
    return session.run_id, session.role, session.slot


def _no_session() -> Refusal:
    return not_found("session", "list.sessions shows the sessions.")


def _lease_error(why: str) -> Refusal:
    return Refusal(
        RefusalCode.LEASE_ERROR,
        f"{why}; nothing was done",
        "Stop working on that packet and call work.await_packet for the next one.",
    )
