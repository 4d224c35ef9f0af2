"""
``reticle_wait_for``: wait until a predicate holds, as a step on the way; no verdict.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.model.codes import Capability, TaskSupport
from reticle.model.limits import WAIT_FOR_MS
from reticle.model.verdict import Held
from reticle.ports import CallContext, Page
from reticle.tools.arguments import SinceClaimArguments, WaitMs
from reticle.tools.attendance import present_page, session_note
from reticle.tools.claims import parse_claim
from reticle.tools.fields import told
from reticle.tools.places import with_places
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import buffer_fields, claim_since
from reticle.tools.verdict_fields import outcome_fields
from reticle.tools.waiting import Sight, Watch


class WaitForArguments(SinceClaimArguments, frozen=True, kw_only=True):
    """
    A predicate to wait for.
    """

    timeout_ms: Annotated[WaitMs, Meta(description="How long to wait; 0 looks once.")] = WAIT_FOR_MS


async def wait_for(context: CallContext, arguments: WaitForArguments) -> ToolAnswer:
    """
    Wait until a predicate holds; ``pass`` is True only when it does.

    Raises:
        Refusal: ``bad_arguments`` (also for a cursor that is not of this page) and ``bad_predicate``; what
            the directory raises.
    """
    claim = parse_claim(arguments.until, arguments.predicate)
    page = await present_page(context, arguments.sessionId, claim.refs)
    watch = Watch(
        page,
        context.clock,
        claim.predicate,
        claim_since(page, arguments.since),
        arguments.timeout_ms / 1000,
        context.progress,
        first_document=page.identity.document_id,
        waits_for_quiet=False,
    )
    sight = await watch.decided()
    return _answer(page, await with_places(page, claim.predicate, sight, waits=False))


def _answer(page: Page, sight: Sight) -> ToolAnswer:
    lost = sight.window.connection_lost
    held = sight.outcome.held
    return ToolAnswer(
        {
            "pass": held is Held.YES and not lost,
            **told(inconclusive=held is Held.UNKNOWN, observationLost=lost),
            **outcome_fields(sight.outcome),
            "since": sight.window.since,
            "until": sight.window.until,
            **buffer_fields(page),
            **session_note(page),
        }
    )


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_wait_for",
        title="Wait for something",
        summary="Waits until a predicate holds and says whether it came to; no verdict.",
        arguments=WaitForArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, open_world=True),
        task_support=TaskSupport.OPTIONAL,
        run=wait_for,
        example={"predicate": {"kind": "settled"}},
    ),
)
