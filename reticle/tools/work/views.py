"""
``status``, ``why`` and ``supervise.status``: how the work is, and why a thing is as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from msgspec import Meta

from reticle.domain.work.calling import not_found, run_meant
from reticle.domain.work.liveness import Seen, stalled
from reticle.domain.work.packet import time_of
from reticle.model.ids import (
    RepositoryId,
    RunId,
)
from reticle.model.work import Run, WorkSession
from reticle.model.work_limits import LINE_CHARS, RUNS_KEPT, SESSIONS_PER_RUN
from reticle.model.work_words import BlockerState, JobState, RunState, WorkSessionState
from reticle.ports import CallContext, WorkReading
from reticle.tools.fields import told
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    READING,
    Name,
    SessionArguments,
    WorkArguments,
    caller_of,
    moment_of_call,
    seen_of,
    session_id_of,
)
from reticle.tools.work.shown import (
    blocker_fields,
    counts,
    job_fields,
    run_fields,
    session_fields,
)
from reticle.tools.work.stories import story_of

_SHOWN_RUNS = 10
_SHOWN = 20
"""Of each kind; an agent reads all of it (striatum §15: 353 KB swamped it)."""
_SHOWN_EACH = 5
"""The same where several runs are shown."""


class StatusArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Of what.
    """

    run_id: Annotated[Name | None, Meta(description="One run. Without it those that go on.")] = None


class WhyArguments(WorkArguments, frozen=True, kw_only=True):
    """
    Of what.
    """

    target_id: Annotated[
        Name,
        Meta(
            description="A run, job, session, lease, packet, artifact, message or escalation, by its id; "
            "a job by its id in the plan too, run_…/ID in one run."
        ),
    ]


async def status(context: CallContext, arguments: StatusArguments) -> ToolAnswer:
    """
    How the runs that go on are: what moves, what is late, what waits for a person.

    Raises:
        Refusal: ``not_found`` for a run that is not there.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us
    seen = seen_of(context)

    def rule(book: WorkReading) -> Mapping[str, object]:
        if arguments.run_id is not None:
            runs = [run_meant(book, caller, RunId(arguments.run_id))]
        else:
            known = book.runs(RepositoryId(arguments.repository_id), limit=RUNS_KEPT)
            runs = [run for run in known if run.ended_at_us is None] or list(known[:1])
        shown = runs[:_SHOWN_RUNS]
        open_ones = [
            blocker
            for run in shown
            for blocker in book.blockers(run_id=run.run_id, state=BlockerState.OPEN, limit=_SHOWN + 1)
        ]
        return {
            "runs": [
                _run_status(book, run, now_us, seen, most=_SHOWN if len(shown) == 1 else _SHOWN_EACH)
                for run in shown
            ],
            "escalations": [blocker_fields(each, now_us, LINE_CHARS) for each in open_ones[:_SHOWN]],
            "next_actions": _next_actions(shown, bool(open_ones)),
            **told(truncated=len(runs) > len(shown) or len(open_ones) > _SHOWN),
        }

    return ToolAnswer(await context.work.read(rule))


def _run_status(
    book: WorkReading, run: Run, now_us: int, seen: Callable[[WorkSession], Seen], *, most: int
) -> Mapping[str, object]:
    sessions = book.sessions(run.run_id, state=WorkSessionState.ACTIVE, limit=SESSIONS_PER_RUN)
    leases = {each.session_id: book.active_lease(session_id=each.session_id) for each in sessions}
    late = [
        {"session_id": each.session_id, "role": each.role, "stalled": stall.value}
        for each in sessions
        if (stall := stalled(each, leases[each.session_id], now_us, seen(each))) is not None
    ]
    claimable = book.jobs(run.run_id, state=JobState.QUEUED, limit=most + 1)
    waiting = book.jobs(run.run_id, state=JobState.WAITING_HUMAN, limit=most + 1)
    working = [
        {
            "session_id": session_id,
            "job_id": lease.job_id,
            "acked": lease.acked_at_us is not None,
            "seconds_left": max(0, (lease.until_us - now_us) // 1_000_000),
        }
        for session_id, lease in leases.items()
        if lease is not None
    ]
    return {
        **run_fields(run),
        "jobs_by_state": counts(book.job_states(run.run_id)),
        "active_sessions": len(sessions),
        **told(
            working=working[:most],
            late=late[:most],
            claimable_jobs=[
                _brief(job.job_id, job.name, job.role, now_us - job.changed_at_us) for job in claimable[:most]
            ],
            waiting_for_people=[job_fields(job, LINE_CHARS) for job in waiting[:most]],
            truncated=any(len(each) > most for each in (working, late, claimable, waiting)),
        ),
    }


def _brief(job_id: str, name: str, role: str, waited_us: int) -> Mapping[str, object]:
    return {"job_id": job_id, "id": name, "role": role, "waiting_seconds": max(0, waited_us // 1_000_000)}


def _next_actions(runs: list[Run], escalations: bool) -> list[str]:  # noqa: FBT001 - one call, beside it
    actions = []
    if not runs:
        actions.append("run.prepare: there is no run")
    if any(run.state is RunState.READY for run in runs):
        actions.append("run.start: a run is prepared and not started")
    if escalations:
        actions.append("escalation.resolve: a person must decide")
    return actions


async def why(context: CallContext, arguments: WhyArguments) -> ToolAnswer:
    """
    What happened to one thing, in its order, and how it is now.

    Raises:
        Refusal: ``not_found``.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us

    def rule(book: WorkReading) -> Mapping[str, object]:
        return story_of(book, caller, arguments.target_id, now_us)

    return ToolAnswer(await context.work.read(rule))


async def supervise_status(context: CallContext, arguments: SessionArguments) -> ToolAnswer:
    """
    Whether a session's agent gets on, told by its calls.

    Raises:
        Refusal: ``not_found``.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us

    def rule(book: WorkReading) -> Mapping[str, object]:
        session = book.session(session_id_of(arguments))
        if session is None:
            raise not_found("session", "list.sessions shows the sessions.")
        run_meant(book, caller, session.run_id)
        lease = book.active_lease(session_id=session.session_id)
        return {
            **session_fields(session, lease, now_us, seen_of(context)(session)),
            "run_id": session.run_id,
            "protocol_liveness": _stamps(session),
        }

    return ToolAnswer(await context.work.read(rule))


def _stamps(session: WorkSession) -> Mapping[str, object]:
    return told(
        last_call_at=time_of(session.called_at_us),
        last_await_at=time_of(session.awaited_at_us),
        last_claim_at=time_of(session.claimed_at_us),
        last_ack_at=time_of(session.acked_at_us),
        last_heartbeat_at=time_of(session.heartbeat_at_us),
        last_report_at=time_of(session.reported_at_us),
    )


_REPOSITORY = {"repository_id": "repo_0123456789abcdef"}
_LOOKS = ToolAnnotations(read_only=True, idempotent=True)

TOOLS = (
    READING(
        name="status",
        title="Show how the work is",
        summary="Shows the runs that go on: what moves, what is late, what waits for a person.",
        arguments=StatusArguments,
        annotations=_LOOKS,
        run=status,
        example=_REPOSITORY,
    ),
    READING(
        name="why",
        title="Say why",
        summary="Shows how a run, job, session, packet, artifact or escalation is, and what happened to it.",
        arguments=WhyArguments,
        annotations=_LOOKS,
        run=why,
        example={**_REPOSITORY, "target_id": f"job_{ID}"},
    ),
    READING(
        name="supervise.status",
        title="Show an agent's life",
        summary="Shows whether a session's agent gets on, told by its calls and what it is late with.",
        arguments=SessionArguments,
        annotations=_LOOKS,
        run=supervise_status,
        example={**_REPOSITORY, "session_id": f"sess_{ID}"},
    ),
)
