"""
Agents come into a run, say how they are, and leave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from msgspec.structs import replace

from reticle.domain.tokens import Minted
from reticle.domain.work.calling import WorkCaller, acting, heard_of, inactive, locked_run
from reticle.domain.work.claimed import GO_ON
from reticle.domain.work.ending import after_a_move, end_session
from reticle.domain.work.lives import SessionInputs
from reticle.domain.work.queue import Moment, open_blocker
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RunId, TokenId, WorkSessionId
from reticle.model.work import Run, WorkLease, WorkSession
from reticle.model.work_limits import (
    REASON_CHARS,
    SESSION_LIVE_SECONDS,
    SESSION_TOKEN_SECONDS,
    SESSIONS_PER_RUN,
)
from reticle.model.work_plan import RolePlan
from reticle.model.work_words import (
    BlockerState,
    ReportKind,
    ReportObstacle,
    ReportPhase,
    Severity,
    WorkEventKind,
    WorkSessionState,
)

if TYPE_CHECKING:
    from reticle.ports.work import WorkBook, WorkReading

_WORKING: Final = (
    Capability.CLAIM,
    Capability.WRITE,
    Capability.READ,
    Capability.OBSERVE,
    Capability.DRIVE,
)


@attrs.frozen
class Wanted:
    """
    How a session is to be registered. ``slot`` None: the first free one. ``used_us`` tells when a token was
    last used for anything: an agent that looks at pages lives too.
    """

    role: str
    slot: int | None = None
    label: str = ""
    replace: bool = False
    force_live: bool = False
    reason: str = ""
    used_us: Callable[[TokenId | None], int] = attrs.field(default=lambda _: 0, eq=False)


def capabilities_of(role: RolePlan) -> Sequence[Capability]:
    """
    What a session's own token may do, in its repository.
    """
    return (*_WORKING, Capability.REVIEW) if role.reviewer else _WORKING


def role_of(book: WorkReading, caller: WorkCaller, run_id: RunId, role: str) -> RolePlan:
    """
    A role of a run of the caller's. Raises ``Refusal`` ``not_found``.
    """
    run = book.run(run_id)
    if run is None or run.repository_id != caller.repository_id:
        raise Refusal(
            RefusalCode.NOT_FOUND, "there is no such run in this repository", "list.runs shows them."
        )
    found = run.roles.get(role)
    if found is None:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"the run has no role {role[:64]!r}",
            f"Its roles: {', '.join(sorted(run.roles))}.",
        )
    return found


def register(
    book: WorkBook, caller: WorkCaller, run_id: RunId, moment: Moment, *, wanted: Wanted, minted: Minted
) -> tuple[WorkSession, WorkSession | None]:
    """
    Register an agent with a token of its own; gives its session, and the one that it displaced.

    Raises:
        Refusal: ``not_found``; ``invalid_transition`` once the run has ended; ``conflict`` when no slot is
            free; ``displaced_session_live`` when the one to be displaced called something lately.
    """
    run = locked_run(book, caller, run_id)
    plan = role_of(book, caller, run_id, wanted.role)
    if run.ended_at_us is not None:
        raise Refusal(
            RefusalCode.INVALID_TRANSITION,
            f"the run is {run.state.value}",
            "list.runs shows the runs that go on.",
        )
    if len(book.sessions(run_id, limit=SESSIONS_PER_RUN)) >= SESSIONS_PER_RUN:
        raise Refusal(
            RefusalCode.CONFLICT, f"{SESSIONS_PER_RUN} sessions of one run are the most", "Prepare a new run."
        )
    slot, before = _slot(book, run, plan, wanted, moment.now_us)
    if before is not None:
        _check_displaced(before, wanted, moment.now_us)
        end_session(
            book,
            run,
            before,
            SessionInputs.displace,
            moment,
            reason=wanted.reason or "a successor took its slot",
        )
    token = minted.sealed.token
    session = WorkSession(
        session_id=WorkSessionId(moment.mint("sess_")),
        run_id=run_id,
        role=wanted.role,
        slot=slot,
        label=wanted.label,
        state=WorkSessionState.ACTIVE,
        token_id=token.token_id,
        registered_by=moment.principal,
        reason="",
        registered_at_us=moment.now_us,
        called_at_us=moment.now_us,
    )
    book.issue(minted.sealed)
    book.add(
        session,
        moment.event(
            run, WorkEventKind.SESSION_REGISTERED, session_id=session.session_id, role=wanted.role, slot=slot
        ),
    )
    after_a_move(book, run_id, moment)
    return session, before


def close(
    book: WorkBook, caller: WorkCaller, session_id: WorkSessionId, moment: Moment, *, reason: str
) -> tuple[WorkSession, bool]:
    """
    End a session; its packet goes to the next one. Gives it, and whether it had ended before.
    """
    run, session = acting(book, caller, session_id)
    if session.state is not WorkSessionState.ACTIVE:
        return session, True
    closed = end_session(book, run, session, SessionInputs.close, moment, reason=reason)
    after_a_move(book, run.run_id, moment)
    return closed, False


def report(
    book: WorkBook,
    caller: WorkCaller,
    session_id: WorkSessionId,
    moment: Moment,
    *,
    kind: ReportKind,
    phase: ReportPhase | None,
    message: str,
    obstacle: ReportObstacle | None,
) -> Mapping[str, Any]:
    """
    Note how an agent is. A question and an escalation are shown to whoever runs the work; an acknowledgement
    of a packet this is not.

    Raises:
        Refusal: As ``calling.acting``; ``session_inactive``.
    """
    run, session = acting(book, caller, session_id)
    if session.state is not WorkSessionState.ACTIVE:
        raise inactive(session)
    heard_of(
        book,
        session,
        moment.now_us,
        reported_at_us=moment.now_us,
        report_kind=kind.value,
        report_phase="" if phase is None else phase.value,
        report_obstacle="" if obstacle is None else obstacle.value,
        report_message=message,
    )
    book.add(moment.event(run, WorkEventKind.SESSION_REPORTED, session_id=session_id, report_kind=kind.value))
    said = f"{'' if obstacle is None else obstacle.value + ': '}{message}"
    asks = kind in (ReportKind.QUESTION, ReportKind.ESCALATE)
    escalation = _asked_of_a_person(book, run, session, moment, kind=kind, said=said) if asks else None
    lease = book.active_lease(session_id=session_id)
    unacked = lease is not None and lease.acked_at_us is None and lease.until_us > moment.now_us
    return {
        "status": "reported",
        "session_id": session_id,
        "run_id": run.run_id,
        "report_kind": kind.value,
        **({} if phase is None else {"phase": phase.value}),
        **({} if escalation is None else {"blocker_id": escalation}),
        **({"unacked_packet": True} if unacked else {}),
        "next_action": _after_report(escalation, lease, unacked=unacked),
    }


def _after_report(escalation: str | None, lease: WorkLease | None, *, unacked: bool) -> str:
    if unacked:
        return "work.ack"
    if escalation is not None:
        return f"why with target_id {escalation} has the answer, once a person gave it, as its resolution"
    return "work.await_packet" if lease is None else GO_ON


def _asked_of_a_person(
    book: WorkBook,
    run: Run,
    session: WorkSession,
    moment: Moment,
    *,
    kind: ReportKind,
    said: str,
) -> str:
    what = f"session.{kind.value}"
    for known in book.blockers(run_id=run.run_id, state=BlockerState.OPEN, limit=SESSIONS_PER_RUN):
        if (known.session_id, known.kind, known.job_id) == (session.session_id, what, None):
            if said not in known.description.split("\n"):
                both = f"{known.description}\n{said}"[-REASON_CHARS:]
                book.replace(known, replace(known, description=both))
            return known.blocker_id
    return open_blocker(
        book,
        run,
        moment,
        kind=what,
        severity=Severity.HUMAN_CHECKPOINT if kind is ReportKind.ESCALATE else Severity.BLOCKED,
        description=said,
        session_id=session.session_id,
    ).blocker_id


def _slot(
    book: WorkBook, run: Run, plan: RolePlan, wanted: Wanted, now_us: int
) -> tuple[int, WorkSession | None]:
    """
    The slot to take, and who has it now. One that was silent for as long as its token lives is dead: whoever
    started it could not say so, and needs no permission to be followed.
    """
    active = {
        each.slot: each for each in book.sessions(run.run_id, state=WorkSessionState.ACTIVE, role=wanted.role)
    }
    if wanted.slot is not None and wanted.slot > plan.slots:
        raise Refusal(
            RefusalCode.NOT_FOUND,
            f"the role {wanted.role} has the slots 1 to {plan.slots}",
            "Name one of them, or none.",
        )
    slot = wanted.slot or next((each for each in range(1, plan.slots + 1) if each not in active), None)
    if slot is None:
        slot = min(active, key=lambda each: (active[each].called_at_us, each))
        slot = slot if wanted.replace or _is_dead(active[slot], wanted, now_us) else None
    if slot is not None and (slot not in active or wanted.replace or _is_dead(active[slot], wanted, now_us)):
        return slot, active.get(slot)
    raise Refusal(
        RefusalCode.CONFLICT,
        f"the role {wanted.role} has its {plan.slots} slot(s) taken"
        if slot is None
        else f"slot {slot} of the role {wanted.role} is taken",
        "Close a session, or pass replace to displace one.",
        {"sessions": [each.session_id for each in active.values()][:50]},
    )


def _silent_seconds(session: WorkSession, wanted: Wanted, now_us: int) -> float:
    return (now_us - max(session.called_at_us, wanted.used_us(session.token_id))) / 1e6


def _is_dead(session: WorkSession, wanted: Wanted, now_us: int) -> bool:
    return _silent_seconds(session, wanted, now_us) > SESSION_TOKEN_SECONDS


def _check_displaced(before: WorkSession, wanted: Wanted, now_us: int) -> None:
    silent = _silent_seconds(before, wanted, now_us)
    if wanted.force_live and not wanted.reason:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "force_live needs a reason. Nothing ran.",
            "Say in reason why a session that lives is displaced.",
        )
    if silent < SESSION_LIVE_SECONDS and not wanted.force_live:
        raise Refusal(
            RefusalCode.DISPLACED_SESSION_LIVE,
            f"the session {before.session_id} called something {max(0, round(silent))} s ago, so it lives",
            f"Wait until it was silent for {SESSION_LIVE_SECONDS} s, or pass force_live and a reason.",
            {"session_id": before.session_id},
        )
