"""
``session.*`` and ``list.sessions``: agents come into a run, say how they are, and leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from reticle.domain.lifetimes import moment_of
from reticle.domain.tokens import Minted, mint, without_tokens
from reticle.domain.work.calling import run_meant
from reticle.domain.work.sessions import (
    Wanted,
    capabilities_of,
    close,
    register,
    report,
    role_of,
)
from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode
from reticle.model.ids import RepositoryId, TokenId, WorkSessionId
from reticle.model.tokens import SESSION_KIND
from reticle.model.work_limits import LISTED, REPORT_CHARS, SESSION_TOKEN_SECONDS, SLOTS_PER_ROLE
from reticle.model.work_plan import RolePlan
from reticle.model.work_words import ReportKind, ReportObstacle, ReportPhase, WorkSessionState
from reticle.ports import CallContext, WorkBook, WorkReading
from reticle.tools.fields import told
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    READING,
    Name,
    RunArguments,
    SessionArguments,
    Text,
    caller_of,
    changed,
    moment_of_call,
    run_id_of,
    seen_of,
    session_id_of,
)
from reticle.tools.work.list_pages import After, behind, part_of
from reticle.tools.work.shown import session_fields

_ONCE = "Give the token to that agent alone, in a file that only it can read: it is shown this once."


class RegisterArguments(RunArguments, frozen=True, kw_only=True):
    """
    In which role and slot.
    """

    role: Annotated[Name, Meta(description="The role; run.detail shows the roles of the jobs.")]
    slot: Annotated[
        Annotated[int, Meta(ge=1, le=SLOTS_PER_ROLE)] | None,
        Meta(description="Which of the role's slots. Without it the first free one."),
    ] = None
    label: Annotated[Name | None, Meta(description="What people call this agent.")] = None
    replace: Annotated[
        bool, Meta(description="Displace the session in that slot, or the longest silent one.")
    ] = False
    force_live: Annotated[bool, Meta(description="Displace it even if it lives; needs a reason.")] = False
    reason: Annotated[Text, Meta(description="Why it is displaced.")] = ""


class CloseArguments(SessionArguments, frozen=True, kw_only=True):
    """
    Which session, and why.
    """

    reason: Annotated[
        Annotated[str, Meta(min_length=1, max_length=2_000)], Meta(description="Why, for people.")
    ]


class ReportArguments(SessionArguments, frozen=True, kw_only=True):
    """
    How an agent is.
    """

    report_kind: Annotated[
        ReportKind, Meta(description="ready, heartbeat, or question and escalate for a person.")
    ]
    phase: Annotated[ReportPhase | None, Meta(description="Where in its loop the agent is.")] = None
    message: Annotated[
        Annotated[str, Meta(max_length=REPORT_CHARS)], Meta(description="One line for people.")
    ] = ""
    blocker_kind: Annotated[
        ReportObstacle | None, Meta(description="What is in the way; with question and escalate.")
    ] = None


class ListSessionsArguments(RunArguments, frozen=True, kw_only=True):
    """
    Which sessions.
    """

    state: Annotated[WorkSessionState | None, Meta(description="Only those in this state.")] = None
    role: Annotated[Name | None, Meta(description="Only those of this role.")] = None
    after: After = None
    limit: Annotated[
        Annotated[int, Meta(ge=1, le=LISTED)], Meta(description="How many at most, the oldest first.")
    ] = 50


async def register_session(context: CallContext, arguments: RegisterArguments) -> ToolAnswer:
    """
    Register an agent, with a token of its own that may act as this session and no other.

    Raises:
        Refusal: ``not_found``, ``invalid_transition``, ``conflict``; ``displaced_session_live``;
            ``capability_denied`` for another session's token.
    """
    caller, moment = caller_of(context, arguments), moment_of_call(context)
    if caller.bound:
        raise Refusal(
            RefusalCode.CAPABILITY_DENIED,
            "a session's own token registers no other session; nothing was done",
            "The operator registers sessions.",
        )
    run_id, wanted = run_id_of(arguments), _wanted(context, arguments)
    plan = await context.work.read(lambda book: role_of(book, caller, run_id, wanted.role))
    minted = _minted(context, arguments, plan)

    def rule(book: WorkBook) -> Mapping[str, object]:
        session, displaced = register(book, caller, run_id, moment, wanted=wanted, minted=minted)
        return {
            "session_id": session.session_id,
            "run_id": run_id,
            "role": session.role,
            "slot": session.slot,
            **told(displaced_session_id=None if displaced is None else displaced.session_id),
        }

    fields = await changed(context, rule)
    token = minted.sealed.token
    return ToolAnswer(
        {
            **fields,
            "session_capability_token": {
                "token": minted.text.reveal(),
                "token_id": token.token_id,
                "session_id": fields["session_id"],
                "capabilities": [grant.capability.value for grant in token.grants],
                "expires_at": moment_of(token.expires_at),
            },
            "note": _ONCE,
            "next_action": "session.report ready, then work.await_packet, both with session_id",
        }
    )


def _wanted(context: CallContext, arguments: RegisterArguments) -> Wanted:
    def used_us(token_id: TokenId | None) -> int:
        sealed = None if token_id is None else context.tokens.find(token_id)
        return 0 if sealed is None else round((sealed.token.last_used_at or 0.0) * 1_000_000)

    return Wanted(
        arguments.role,
        arguments.slot,
        without_tokens(arguments.label or ""),
        arguments.replace,
        arguments.force_live,
        without_tokens(arguments.reason),
        used_us,
    )


def _minted(context: CallContext, arguments: RegisterArguments, plan: RolePlan) -> Minted:
    now = context.clock.now()
    repository_id = RepositoryId(arguments.repository_id)
    return mint(
        [(capability, repository_id) for capability in capabilities_of(plan)],
        display_name=without_tokens(arguments.label or f"{arguments.role} of {arguments.run_id[:12]}"),
        kind=SESSION_KIND,
        now=now,
        expires_at=now + SESSION_TOKEN_SECONDS,
        random=context.random,
    )


async def close_session(context: CallContext, arguments: CloseArguments) -> ToolAnswer:
    """
    End a session; a packet that it holds goes to the next one. May be called twice.

    Raises:
        Refusal: ``not_found``; ``capability_denied``, ``session_token_stale``.
    """
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        session, already = close(
            book, caller, session_id_of(arguments), moment, reason=without_tokens(arguments.reason)
        )
        return {
            **session_fields(session, None, moment.now_us),
            "already_closed": already,
            "next_action": "end this agent",
        }

    return ToolAnswer(await changed(context, rule))


async def report_session(context: CallContext, arguments: ReportArguments) -> ToolAnswer:
    """
    Say how an agent is; it acknowledges no packet.

    Raises:
        Refusal: ``bad_arguments`` for a blocker_kind without a question; ``session_inactive``, and as
            ``close_session``.
    """
    asks = arguments.report_kind in (ReportKind.QUESTION, ReportKind.ESCALATE)
    if arguments.blocker_kind is not None and not asks:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "blocker_kind goes with question and escalate only. Nothing ran.",
            "Leave blocker_kind out.",
        )
    caller, moment = caller_of(context, arguments), moment_of_call(context)

    def rule(book: WorkBook) -> Mapping[str, object]:
        return report(
            book,
            caller,
            session_id_of(arguments),
            moment,
            kind=arguments.report_kind,
            phase=arguments.phase,
            message=without_tokens(arguments.message),
            obstacle=arguments.blocker_kind,
        )

    return ToolAnswer(await changed(context, rule))


async def list_sessions(context: CallContext, arguments: ListSessionsArguments) -> ToolAnswer:
    """
    The sessions of a run.

    Raises:
        Refusal: ``not_found``.
    """
    caller, now_us = caller_of(context, arguments), moment_of_call(context).now_us
    seen = seen_of(context)

    def rule(book: WorkReading) -> Mapping[str, object]:
        run = run_meant(book, caller, run_id_of(arguments))
        found = book.sessions(
            run.run_id,
            state=arguments.state,
            role=arguments.role,
            after=behind(book, caller, arguments.after, lambda text: book.session(WorkSessionId(text))),
            limit=arguments.limit + 1,
        )
        shown, going_on = part_of(found, arguments.limit, lambda session: session.session_id)
        return {
            "sessions": [
                session_fields(each, book.active_lease(session_id=each.session_id), now_us, seen(each))
                for each in shown
            ],
            **going_on,
        }

    return ToolAnswer(await context.work.read(rule))


_RUN = {"repository_id": "repo_0123456789abcdef", "run_id": f"run_{ID}"}
_SESSION = {"repository_id": "repo_0123456789abcdef", "session_id": f"sess_{ID}"}

TOOLS = (
    OF_WORK(
        name="session.register",
        title="Register a session",
        summary="Registers an agent in a role of a run, with a token that may act as this session alone.",
        arguments=RegisterArguments,
        capability=Capability.CLAIM,
        annotations=ToolAnnotations(read_only=False),
        run=register_session,
        example={**_RUN, "role": "coder"},
        mutates=True,
    ),
    OF_WORK(
        name="session.close",
        title="Close a session",
        summary="Ends a session; a packet that it holds goes to the next one; may be called twice.",
        arguments=CloseArguments,
        capability=Capability.CLAIM,
        annotations=ToolAnnotations(read_only=False, destructive=True, idempotent=True),
        run=close_session,
        example={**_SESSION, "reason": "done for today"},
        mutates=True,
    ),
    OF_WORK(
        name="session.report",
        title="Report how you are",
        summary="Tells that an agent is ready, lives, or asks a person; it acknowledges no packet.",
        arguments=ReportArguments,
        capability=Capability.CLAIM,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=report_session,
        example={**_SESSION, "report_kind": "ready", "phase": "await_packet"},
        mutates=True,
    ),
    READING(
        name="list.sessions",
        title="List sessions",
        summary="Lists the sessions of a run: roles, what they hold, and what they are late with.",
        arguments=ListSessionsArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=list_sessions,
        example=_RUN,
    ),
)
