"""
``reticle_act_and_wait``: act, and prove that what was named beforehand came of it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from reticle.model.codes import Capability, TaskSupport
from reticle.model.limits import ACT_AND_WAIT_MS
from reticle.model.verdict import MinGrade
from reticle.ports import CallContext
from reticle.tools.acting import parse_action
from reticle.tools.arguments import ActArguments, Expected, Predicate, WaitMs
from reticle.tools.attendance import present_page, refuse_if_throttled
from reticle.tools.claims import parse_claim
from reticle.tools.consent import asking_consent
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.verdict_fields import OUTPUT
from reticle.tools.verdicts import Trial, judge_action

NAME = "reticle_act_and_wait"

NOTHING_DECLARED = {"kind": "settled"}
"""What is waited for when nothing was named; it never makes a ``yes``."""


class ActAndWaitArguments(ActArguments, frozen=True, kw_only=True):
    """
    An action and its consequence.
    """

    until: Expected = None
    predicate: Annotated[Predicate | None, Meta(description="Same as until.")] = None
    timeout_ms: Annotated[WaitMs, Meta(description="Budget after the act; 0 looks once.")] = ACT_AND_WAIT_MS
    min_grade: Annotated[MinGrade | None, Meta(description="Weakest evidence that may pass.")] = None


async def act_and_wait(context: CallContext, arguments: ActAndWaitArguments) -> ToolAnswer:
    """
    Act once, watch the consequence, answer with a recorded verdict.

    Raises:
        Refusal: ``bad_arguments``, ``bad_predicate``, ``throttled`` and ``paused`` before anything is asked;
            then as ``verdicts.judge_action``.
    """
    action = parse_action(arguments)
    claim = parse_claim(arguments.until, arguments.predicate, NOTHING_DECLARED)
    page = await present_page(context, arguments.sessionId, [*action.refs, *claim.refs])
    if arguments.refuseWhenThrottled:
        refuse_if_throttled(page)
    trial = Trial(NAME, page, claim, arguments.timeout_ms / 1000, arguments.min_grade)
    return await judge_action(context, trial, action)


TOOLS: tuple[Tool, ...] = (
    Tool(
        name=NAME,
        title="Act and prove",
        summary="Acts, waits for the consequence named in until, gives a verdict; only verified: yes passes.",
        arguments=ActAndWaitArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, destructive=True, open_world=True),
        task_support=TaskSupport.OPTIONAL,
        run=asking_consent(act_and_wait),
        acts=True,
        example={
            "action": "click",
            "target": {"role": "button", "name": "Save"},
            "until": {"kind": "net", "method": "POST", "urlContains": "/orders", "ok": True},
        },
        bears_verdict=True,
        output=OUTPUT,
    ),
)
