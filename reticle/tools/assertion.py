"""
``reticle_assert`` and ``reticle_wait_for``: is it so, and wait until it is so. Neither acts.

Only the first gives a verdict. The second tells whether a predicate came to hold, as a step on the way.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.model.codes import Capability
from reticle.model.ids import Cursor
from reticle.model.limits import ASSERT_MS, WAIT_FOR_MS
from reticle.model.verdict import Held
from reticle.ports import CallContext, Page
from reticle.tools.arguments import ClaimArguments, CursorNumber, WaitMs
from reticle.tools.attendance import present_page, session_note
from reticle.tools.claims import MinGrade, parse_claim
from reticle.tools.fields import told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import checked_since
from reticle.tools.verdict_fields import OUTPUT, outcome_fields
from reticle.tools.verdicts import Trial, judge_state
from reticle.tools.waiting import Sight, Watch

ASSERT = "reticle_assert"
WAIT_FOR = "reticle_wait_for"


class _SinceArguments(ClaimArguments, frozen=True, kw_only=True):
    since: Annotated[
        CursorNumber | None, Meta(description="Cursor to judge from; default: the last action.")
    ] = None


class AssertArguments(_SinceArguments, frozen=True, kw_only=True):
    """
    A claim about the page as it is and what happened since the last action.
    """

    timeout_ms: Annotated[WaitMs, Meta(description="How long it may take; 0 looks once.")] = ASSERT_MS
    min_grade: Annotated[MinGrade | None, Meta(description="Weakest evidence that may pass.")] = None


class WaitForArguments(_SinceArguments, frozen=True, kw_only=True):
    """
    A predicate to wait for.
    """

    timeout_ms: Annotated[WaitMs, Meta(description="How long to wait; 0 looks once.")] = WAIT_FOR_MS


async def assert_claim(context: CallContext, arguments: AssertArguments) -> ToolAnswer:
    """
    Judge a claim and answer with a recorded verdict.

    Raises:
        Refusal: ``bad_arguments`` and ``bad_predicate``; what the directory raises; ``storage_failed``.
    """
    claim = parse_claim(arguments.until, arguments.predicate)
    page = await present_page(context, arguments.sessionId)
    trial = Trial(ASSERT, page, claim, arguments.timeout_ms / 1000, arguments.min_grade)
    return await judge_state(context, trial, _since(page, arguments.since))


async def wait_for(context: CallContext, arguments: WaitForArguments) -> ToolAnswer:
    """
    Wait until a predicate holds; ``pass`` is True only when it does.

    Raises:
        Refusal: ``bad_arguments`` (also for a cursor that is not of this page) and ``bad_predicate``; what
            the directory raises.
    """
    claim = parse_claim(arguments.until, arguments.predicate)
    page = await present_page(context, arguments.sessionId)
    watch = Watch(
        page,
        context.clock,
        claim.predicate,
        _since(page, arguments.since),
        arguments.timeout_ms / 1000,
        context.progress,
        first_document=page.identity.document_id,
        waits_for_requests=False,
    )
    return _answer(page, await watch.decided())


def _since(page: Page, since: int | None) -> Cursor:
    return page.last_action_cursor() if since is None else checked_since(page, since)


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
            **session_note(page),
        }
    )


TOOLS: tuple[Tool, ...] = (
    Tool(
        name=ASSERT,
        title="Prove a claim",
        summary="Judges a claim about the page and its last action's events; only verified: yes passes.",
        arguments=AssertArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True),
        run=assert_claim,
        example={"predicate": {"kind": "text", "contains": "Order placed", "visible": True}},
        bears_verdict=True,
        output=OUTPUT,
    ),
    Tool(
        name=WAIT_FOR,
        title="Wait for something",
        summary="Waits until a predicate holds and says whether it came to; no verdict.",
        arguments=WaitForArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True),
        run=wait_for,
        example={"predicate": {"kind": "settled"}},
    ),
)
