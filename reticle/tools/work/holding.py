"""
``work.ack``, ``heartbeat``, ``release``, ``block``, ``complete``: what the holder of a packet does with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec import Meta

from reticle.domain.tokens import without_tokens
from reticle.domain.work.claimed import Gate, ack, block, complete, heartbeat, release
from reticle.domain.work.completion import EvidenceWanted, bare_gate
from reticle.model.codes import Capability
from reticle.model.ids import TokenId, VerdictId
from reticle.model.work_limits import LEASE_SECONDS_MAX, VERDICTS_PER_COMPLETION
from reticle.model.work_words import Severity
from reticle.ports import CallContext, WorkBook
from reticle.tools.spec import ToolAnnotations, ToolAnswer
from reticle.tools.work.calls import (
    ID,
    OF_WORK,
    LeaseArguments,
    Name,
    Text,
    caller_of,
    changed,
    job_id_of,
    lease_id_of,
    message_id_of,
    moment_of_call,
    session_id_of,
)
from reticle.tools.work.evidence import gathered


class AckArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    Which packet.
    """

    message_id: Annotated[Name | None, Meta(description="The packet's lease.message_id.")] = None


class HeartbeatArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    For how long.
    """

    extend_seconds: Annotated[
        Annotated[int, Meta(ge=1, le=LEASE_SECONDS_MAX)] | None,
        Meta(description="From now on; without it the lease's own length. Never shortens it."),
    ] = None
    local_work: Annotated[
        bool, Meta(description="That you get on without any tool, such as with a long build.")
    ] = False


class ReleaseArguments(AckArguments, frozen=True, kw_only=True):
    """
    And why.
    """

    reason: Annotated[Text, Meta(description="Why; the next one reads it.")] = ""


class BlockArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    What is in the way.
    """

    job_id: Annotated[Name | None, Meta(description="The packet's job.job_id.")] = None
    kind: Annotated[
        Annotated[str, Meta(pattern=r"^[a-z0-9._-]{1,64}$")],
        Meta(description="In a word, such as ambiguous_goal or missing_authority."),
    ]
    severity: Annotated[
        Severity, Meta(description="blocked, or human_checkpoint when a person must decide.")
    ] = Severity.BLOCKED
    description: Annotated[
        Annotated[str, Meta(min_length=1, max_length=2_000)], Meta(description="What must be decided.")
    ]


class CompleteArguments(LeaseArguments, frozen=True, kw_only=True):
    """
    What was done.
    """

    job_id: Annotated[Name | None, Meta(description="The packet's job.job_id.")] = None
    summary: Annotated[Text, Meta(description="What was done, for people.")] = ""
    verdict_ids: Annotated[
        Annotated[list[Name], Meta(max_length=VERDICTS_PER_COMPLETION)] | None,
        Meta(description="The verdicts that show what the packet's requires_verdict demands."),
    ] = None


async def _holding(
    context: CallContext, arguments: LeaseArguments, rule: Callable[..., Mapping[str, Any]], **more: object
) -> ToolAnswer:
    caller, moment = caller_of(context, arguments), moment_of_call(context)
    session_id, lease_id = session_id_of(arguments), lease_id_of(arguments)

    def change(book: WorkBook) -> Mapping[str, Any]:
        return rule(book, caller, session_id, lease_id, moment, **more)

    return ToolAnswer(await changed(context, change))


async def ack_packet(context: CallContext, arguments: AckArguments) -> ToolAnswer:
    """
    Say that the packet is there and is worked on; may be called twice.

    Raises:
        Refusal: ``lease_error``; ``session_inactive``, ``capability_denied``, ``session_token_stale``,
            ``not_found``.
    """
    return await _holding(context, arguments, ack, message_id=message_id_of(arguments.message_id))


async def beat(context: CallContext, arguments: HeartbeatArguments) -> ToolAnswer:
    """
    Keep the packet. Raises ``Refusal`` as ``ack_packet``.
    """
    token_id = context.principal.token_id
    if arguments.local_work and token_id is not None:
        context.tokens.acted(TokenId(token_id), context.clock.now())
    return await _holding(context, arguments, heartbeat, extend_seconds=arguments.extend_seconds)


async def release_packet(context: CallContext, arguments: ReleaseArguments) -> ToolAnswer:
    """
    Give the packet back to the queue; may be called twice. Raises ``Refusal`` as ``ack_packet``.
    """
    return await _holding(context, arguments, release, reason=without_tokens(arguments.reason))


async def block_packet(context: CallContext, arguments: BlockArguments) -> ToolAnswer:
    """
    Let the job wait for somebody; may be called twice. Raises ``Refusal`` as ``ack_packet``.
    """
    return await _holding(
        context,
        arguments,
        block,
        job_id=job_id_of(arguments.job_id),
        kind=arguments.kind,
        severity=arguments.severity,
        description=without_tokens(arguments.description),
    )


async def complete_packet(context: CallContext, arguments: CompleteArguments) -> ToolAnswer:
    """
    Be done, if the job's gate lets it through; may be called twice.

    Raises:
        Refusal: As ``ack_packet``; ``invalid_transition``, and what the gate finds missing.
    """
    try:
        return await _completed(context, arguments, bare_gate)
    except EvidenceWanted:
        evidence = await gathered(context, arguments, map(VerdictId, arguments.verdict_ids or ()))
    answer = await _completed(context, arguments, evidence.gate)
    return ToolAnswer(evidence.told(answer.fields))


async def _completed(context: CallContext, arguments: CompleteArguments, gate: Gate) -> ToolAnswer:
    return await _holding(
        context,
        arguments,
        complete,
        job_id=job_id_of(arguments.job_id),
        summary=without_tokens(arguments.summary),
        gate=gate,
    )


_PACKET = {
    "repository_id": "repo_0123456789abcdef",
    "session_id": f"sess_{ID}",
    "lease_id": f"lease_{ID}",
}
_CLAIMING = partial(OF_WORK, capability=Capability.CLAIM, mutates=True)
_WRITING = partial(OF_WORK, capability=Capability.WRITE, mutates=True)

TOOLS = (
    _CLAIMING(
        name="work.ack",
        title="Acknowledge a packet",
        summary="Says that the claimed packet is there and is worked on; may be called twice.",
        arguments=AckArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=ack_packet,
        example=_PACKET,
    ),
    _CLAIMING(
        name="work.heartbeat",
        title="Keep a packet",
        summary="Extends a claim by its own length, or as named, from now on; never shortens it.",
        arguments=HeartbeatArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=beat,
        example=_PACKET,
    ),
    _CLAIMING(
        name="work.release",
        title="Give a packet back",
        summary="Gives a packet back to the queue, for the next one; may be called twice.",
        arguments=ReleaseArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=release_packet,
        example={**_PACKET, "reason": "the tests need a tool that I do not have"},
    ),
    _WRITING(
        name="work.block",
        title="Say that you are stuck",
        summary="Ends a claim because its job waits for somebody's decision; may be called twice.",
        arguments=BlockArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=block_packet,
        example={**_PACKET, "kind": "ambiguous_goal", "description": "Two prices are right: which one?"},
    ),
    _WRITING(
        name="work.complete",
        title="Complete a packet",
        summary="Completes a job whose gate is passed: artifacts, scope, verdicts; may be called twice.",
        arguments=CompleteArguments,
        annotations=ToolAnnotations(read_only=False, idempotent=True),
        run=complete_packet,
        example={**_PACKET, "summary": "The cart counts right."},
    ),
)
