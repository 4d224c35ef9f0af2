"""
``reticle_assert``: is it so, now or within a moment? A verdict without an act.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.model.codes import Capability, TaskSupport
from reticle.model.limits import ASSERT_MS
from reticle.model.verdict import MinGrade
from reticle.ports import CallContext
from reticle.tools.arguments import SinceClaimArguments, WaitMs
from reticle.tools.attendance import present_page
from reticle.tools.claims import parse_claim
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import claim_since
from reticle.tools.verdict_fields import OUTPUT
from reticle.tools.verdicts import Trial, judge_state

NAME = "reticle_assert"


class AssertArguments(SinceClaimArguments, frozen=True, kw_only=True):
    """
    A claim about the page as it is and what happened since the last action.
    """

    timeout_ms: Annotated[WaitMs, Meta(description="How long it may take; 0 looks once.")] = ASSERT_MS
    min_grade: Annotated[MinGrade | None, Meta(description="Weakest evidence that may pass.")] = None


async def assert_claim(context: CallContext, arguments: AssertArguments) -> ToolAnswer:
    """
    Judge a claim and answer with a recorded verdict.

    Raises:
        Refusal: ``bad_arguments`` and ``bad_predicate``; what the directory raises; ``storage_failed``.
    """
    claim = parse_claim(arguments.until, arguments.predicate)
    page = await present_page(context, arguments.sessionId, claim.refs)
    trial = Trial(NAME, page, claim, arguments.timeout_ms / 1000, arguments.min_grade)
    return await judge_state(context, trial, claim_since(page, arguments.since))


TOOLS: tuple[Tool, ...] = (
    Tool(
        name=NAME,
        title="Prove a claim",
        summary="Judges a claim about the page and its last action's events; only verified: yes passes.",
        arguments=AssertArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, open_world=True),
        task_support=TaskSupport.OPTIONAL,
        run=assert_claim,
        example={"predicate": {"kind": "text", "contains": "Order placed", "visible": True}},
        bears_verdict=True,
        output=OUTPUT,
    ),
)
