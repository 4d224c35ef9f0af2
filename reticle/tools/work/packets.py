"""
``work.await_packet``, ``work.claim_next`` and ``work.packet_show``: how an agent gets its next packet.

A wait is woken by the event, looks in one transaction, and takes back what it did when nobody is there to be
told of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from reticle.domain.work.calling import WorkCaller, acting, heard_of
from reticle.domain.work.claim import Claimed, Idle, claim, idle_reason
from reticle.domain.work.packet import next_steps
from reticle.domain.work.recovery import give_back_unheard
from reticle.model.audit import own_act
from reticle.model.codes import Capability
from reticle.model.ids import WorkLeaseId, WorkSessionId
from reticle.model.work import Run, WorkSession
from reticle.model.work_limits import (
    AWAIT_PROGRESS_SECONDS,
    AWAIT_SECONDS,
    LEASE_SECONDS,
    LEASE_SECONDS_MAX,
    LEASE_SECONDS_MIN,
)
from reticle.model.work_words import IdleBehavior, NoWork, WorkSessionState
from reticle.ports import CallContext, Listening, WorkBook, WorkReading
from reticle.tools.fields import told
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.baseline import note_tree, wants_tree
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    READING,
    SessionArguments,
    caller_of,
    changed,
    moment_of_call,
    root_of,
    session_id_of,
)
from reticle.tools.work.packets_shown import ShowArguments, show_packets
from reticle.tools.work.shown import event_fields

SINCE_SHOWN: Final = 20
"""Events of a run that an answer without a packet tells, the newest; ``why`` has more."""


class ClaimArguments(SessionArguments, frozen=True, kw_only=True):
    """
    For how long.
    """

    lease_seconds: Annotated[
        Annotated[int, Meta(ge=LEASE_SECONDS_MIN, le=LEASE_SECONDS_MAX)],
        Meta(description="How long the claim lasts without a heartbeat."),
    ] = LEASE_SECONDS


class AwaitArguments(ClaimArguments, frozen=True, kw_only=True):
    """
    And how long to wait.
    """

    wait_seconds: Annotated[
        Annotated[float, Meta(ge=0, le=AWAIT_SECONDS)], Meta(description="How long to wait for a packet.")
    ] = AWAIT_SECONDS
    cursor: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="That of the last no_work, which is told then with what happened in the run since."),
    ] = None


class _NothingYet(Exception):
    """
    Undoes a look that found nothing, so that the wait goes on and nothing was written.
    """

    def __init__(self, idle: Idle) -> None:
        super().__init__()
        self.idle = idle


async def claim_next(context: CallContext, arguments: ClaimArguments) -> ToolAnswer:
    """
    Claim the next packet, or say at once why there is none.

    Raises:
        Refusal: ``not_found``; ``capability_denied``, ``session_token_stale``.
    """
    got = await changed(context, _claiming(context, arguments), _opens(context, arguments))
    return await _handed_over(context, arguments, got)


async def await_packet(context: CallContext, arguments: AwaitArguments) -> ToolAnswer:
    """
    Wait for the next packet and claim it; after a while say why there is none, so that it can be asked again.

    Raises:
        Refusal: As ``claim_next``.
    """
    caller, session_id = caller_of(context, arguments), session_id_of(arguments)
    now_us = moment_of_call(context).now_us
    run, session = await context.work.note(lambda book: _note_wait(book, caller, session_id, now_us))
    if session.state is not WorkSessionState.ACTIVE:
        idle = await context.work.read(lambda book: idle_reason(book, run, session))
        return await _with_cursor(context, arguments, run, _answer(context, idle))
    listening = context.work.news.listen(run.run_id, session.role)
    try:
        got = await _wait(context, arguments, listening)
    finally:
        listening.stop()
    answer = await _handed_over(context, arguments, got)
    return answer if isinstance(got, Claimed) else await _with_cursor(context, arguments, run, answer)


async def _with_cursor(
    context: CallContext, arguments: AwaitArguments, run: Run, answer: ToolAnswer
) -> ToolAnswer:
    """
    Where the run's events were when there was no packet, and what came since the cursor that was brought.
    """

    def rule(book: WorkReading) -> Mapping[str, object]:
        newest = book.events(run_id=run.run_id, limit=SINCE_SHOWN)
        fields: dict[str, object] = {"cursor": (newest[-1].seq or 0) if newest else 0}
        since = arguments.cursor
        if since is not None:
            fields["since"] = [event_fields(each) for each in newest if (each.seq or 0) > since]
        return fields

    return ToolAnswer({**answer.fields, **await context.work.read(rule)})


async def _wait(context: CallContext, arguments: AwaitArguments, listening: Listening) -> Claimed | Idle:
    started = context.clock.monotonic()
    woken = False
    while True:
        try:
            got = await _look(context, arguments)
        except BaseException:
            if woken:
                listening.pass_on()
            raise
        if isinstance(got, Claimed) or got.behavior is IdleBehavior.EXIT_SESSION:
            return got
        if woken and got.reason is NoWork.OWN_WORK:
            listening.pass_behind()
        spent = context.clock.monotonic() - started
        left = arguments.wait_seconds - spent
        if left <= 0:
            return got
        context.progress(spent, arguments.wait_seconds, got.next_action)
        woken = await _until_news(context, got, listening, started, left)


async def _look(context: CallContext, arguments: AwaitArguments) -> Claimed | Idle:
    """
    One look, in one transaction; what found nothing leaves nothing behind.
    """
    claimed = _claiming(context, arguments)

    def rule(book: WorkBook) -> Claimed:
        got = claimed(book)
        if isinstance(got, Idle):
            raise _NothingYet(got)
        return got

    try:
        return await changed(context, rule, _opens(context, arguments))
    except _NothingYet as nothing:
        return nothing.idle


def _claiming(context: CallContext, arguments: ClaimArguments) -> Callable[[WorkBook], Claimed | Idle]:
    """
    The rule that claims as a call asks for it, now.
    """
    return partial(
        claim,
        caller=caller_of(context, arguments),
        session_id=session_id_of(arguments),
        moment=moment_of_call(context),
        seconds=arguments.lease_seconds,
        repo_root=root_of(context, arguments),
    )


def _opens(context: CallContext, arguments: ClaimArguments) -> tuple[WorkSessionId, int]:
    return session_id_of(arguments), moment_of_call(context).now_us


async def _until_news(
    context: CallContext, idle: Idle, listening: Listening, started: float, left: float
) -> bool:
    """
    Wait for news, for the first claim that may lapse, or for the end; tell the client that it is waited for.
    """
    lapse = left
    if idle.next_lapse_us is not None:
        lapse = max(0.05, idle.next_lapse_us / 1e6 - context.clock.now())
    until = context.clock.monotonic() + min(left, lapse)
    while (rest := until - context.clock.monotonic()) > 0:
        if await listening.heard(min(rest, AWAIT_PROGRESS_SECONDS)):
            return True
        context.progress(context.clock.monotonic() - started, None, idle.next_action)
    return False


def _note_wait(
    book: WorkBook, caller: WorkCaller, session_id: WorkSessionId, now_us: int
) -> tuple[Run, WorkSession]:
    run, session = acting(book, caller, session_id)
    if session.state is WorkSessionState.ACTIVE:
        session = heard_of(book, session, now_us, awaited_at_us=now_us)
    return run, session


async def _handed_over(context: CallContext, arguments: ClaimArguments, got: Claimed | Idle) -> ToolAnswer:
    """
    The answer; before a packet goes out it is noted how the files are.
    """
    answer = _answer(context, got)
    if isinstance(got, Claimed) and wants_tree(got.job.plan):
        await note_tree(context, arguments, got.lease.lease_id, again=got.again)
    return answer


def _answer(context: CallContext, got: Claimed | Idle) -> ToolAnswer:
    if isinstance(got, Idle):
        return ToolAnswer(
            {
                "type": "none" if got.behavior is IdleBehavior.KEEP_WAITING else "session_terminal",
                "status": "no_work",
                "reason": got.reason.value,
                "idle_behavior": got.behavior.value,
                "next_action": got.next_action,
            }
        )
    packet = got.packet
    if not got.again:
        _give_back_if_unheard(context, got.lease.lease_id)
    return ToolAnswer(
        {
            "type": "work_packet",
            "status": "claimed",
            **told(held_already=got.again),
            "packet_id": packet.packet_id,
            "packet_sha256": packet.sha256,
            "job_id": packet.job_id,
            "message_id": packet.message_id,
            "lease_id": packet.lease_id,
            "packet": msgspec.json.decode(packet.document),
            "next_steps": next_steps(got.job),
            "next_action": "work.ack with session_id, message_id and lease_id",
        }
    )


def _give_back_if_unheard(context: CallContext, lease_id: WorkLeaseId) -> None:
    """
    A packet whose answer reaches nobody goes to the next one at once, and not when its time is over.
    """
    moment = moment_of_call(context)

    def undo() -> None:
        context.work.change_later(
            lambda book: give_back_unheard(book, lease_id, moment), own_act("work.release")
        )

    context.if_unheard(undo)
    if not context.wanted:
        undo()


_SESSION = {"repository_id": "repo_0123456789abcdef", "session_id": f"sess_{ID}"}

TOOLS = (
    OF_WORK(
        name="work.await_packet",
        title="Wait for a packet",
        summary="Waits for the next packet of the session's role and claims it; else says why there is none.",
        arguments=AwaitArguments,
        capability=Capability.CLAIM,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=await_packet,
        ends_with_connection=True,
        example={**_SESSION, "lease_seconds": 900},
        mutates=True,
    ),
    OF_WORK(
        name="work.claim_next",
        title="Claim a packet",
        summary="Claims the next packet of the session's role, or says at once why there is none.",
        arguments=ClaimArguments,
        capability=Capability.CLAIM,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=claim_next,
        ends_with_connection=True,
        example=_SESSION,
        mutates=True,
    ),
    READING(
        name="work.packet_show",
        title="Show packets",
        summary="Shows packets as they were handed over, by packet, job, session or run.",
        arguments=ShowArguments,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=show_packets,
        example={"repository_id": "repo_0123456789abcdef", "packet_id": f"wp_{ID}"},
    ),
)
