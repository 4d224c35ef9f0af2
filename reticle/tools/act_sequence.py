"""
``reticle_act_sequence``: several actions in one call, each optionally with what must hold before the next.

It brings an app somewhere; it proves nothing and gives no verdict, also not when its last step has ``until``:
a verdict compares the page before and after one action (``reticle_act_and_wait``), and a journey is not one.
It stops at the first step that does not do what was asked. No action is ever made twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import attrs
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, RefusalCode, TaskSupport
from reticle.model.ids import Cursor, PageId
from reticle.model.limits import SEQUENCE_STEP_MS, SEQUENCE_STEPS, WAIT_MAX_MS
from reticle.model.verdict import Held
from reticle.ports import CallContext, Page
from reticle.tools.acting import carry_out, carry_out_and_leave, effect_fields
from reticle.tools.arguments import PageArguments, WaitMs
from reticle.tools.arrival import when_there
from reticle.tools.attendance import present_page, refuse_if_paused, refuse_if_throttled, session_note
from reticle.tools.claims import Claim
from reticle.tools.fields import told
from reticle.tools.invariant_check import invariant_check
from reticle.tools.opened import opened_fields
from reticle.tools.places import with_places
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.steps import Step, parse_steps
from reticle.tools.verdict_fields import outcome_fields
from reticle.tools.waiting import Watch

Steps = Annotated[list[dict[str, object]], Meta(min_length=1, max_length=SEQUENCE_STEPS)]

BRIEF = ("ref", "role", "name", "source", "effect", "settled", "warning")
"""What an answer tells of a step that went well."""


class SequenceArguments(PageArguments, frozen=True, kw_only=True):
    """
    The steps, and how long each may take.
    """

    steps: Annotated[
        Steps, Meta(description="Each {action, ref or target, args, until, timeout_ms, trusted}.")
    ]
    timeout_ms: Annotated[WaitMs, Meta(description="Budget of one step.")] = SEQUENCE_STEP_MS
    refuseWhenThrottled: Annotated[bool, Meta(description="Refuse in a background tab.")] = False


@attrs.define
class Journey:
    """
    A sequence on its way: its page, and when the call's time is over.
    """

    context: CallContext
    page: Page
    deadline: float

    async def take(self, step: Step) -> dict[str, object]:
        """
        Do one step; gives its fields, and ``failed`` when the next one must not run.
        """
        fields: dict[str, object] = {"action": step.action.name.value}
        try:
            await self._arrive()
            fields.update(await self._do(step))
        except Refusal as refusal:
            fields.update(_why(refusal), failed=True)
        return fields

    async def _arrive(self) -> None:
        """
        Before each step: the page is there, and the person at it still lets agents act.
        """
        page_id = PageId(self.page.identity.page_id)
        if not self.page.health().connected:
            await self.context.pages.await_page(page_id, self._left())
        if self._left() <= 0:
            raise Refusal(
                RefusalCode.COMMAND_TIMEOUT,
                f"The {WAIT_MAX_MS / 1000:g} s of one call were over before this step; it did not run.",
                "Go on from this step with another call.",
            )
        self.page = self.context.pages.resolve(page_id)

    async def _do(self, step: Step) -> dict[str, object]:
        attempt = partial(self._attempt, step)
        return await when_there(self.page, self.context.clock, attempt, by_ref=bool(step.action.refs))

    async def _attempt(self, step: Step) -> dict[str, object]:
        page, clock = self.page, self.context.clock
        started, seconds = clock.monotonic(), min(step.seconds, self._left())
        since = page.cursor()
        watch = None if step.claim is None else self._watch(step.claim, since, seconds)
        if watch is not None and step.claim is not None and step.claim.questions:
            watch.before = list(await page.read(step.claim.questions))
            refuse_if_paused(self.context, page)
        check = await invariant_check(self.context, page)
        action_id = page.begin_action()
        try:
            act = carry_out if watch is None else carry_out_and_leave
            # An action that was asked with no time left would only be given up unanswered.
            record = await act(self.context, page, step.action, action_id, max(seconds, 1.0))
            fields = {name: value for name, value in effect_fields(record).items() if name in BRIEF}
            fields.update(opened_fields(page.identity, page.events(since)))
            fields.update(await check.broken(page, record))
            if watch is None:
                return fields
            watch.action = record
            watch.budget_seconds = max(seconds, clock.monotonic() - started)
            return {**fields, **await _waited(watch)}
        finally:
            page.end_action(action_id)

    def _watch(self, claim: Claim, since: Cursor, seconds: float) -> Watch:
        return Watch(
            self.page,
            self.context.clock,
            claim.predicate,
            since,
            seconds,
            self.context.progress,
            waits_for_quiet=False,
        )

    def _left(self) -> float:
        return self.deadline - self.context.clock.monotonic()


async def act_sequence(context: CallContext, arguments: SequenceArguments) -> ToolAnswer:
    """
    Take the steps in their order, until one does not succeed.

    Raises:
        Refusal: ``bad_arguments``, ``bad_predicate``, ``throttled`` and ``paused`` before anything ran. What
            a step is refused for later stands in the answer, beside what was done before.
    """
    steps = parse_steps(arguments.steps, arguments.timeout_ms)
    refs = [ref for step in steps for ref in step.refs]
    page = await present_page(context, arguments.sessionId, refs)
    if arguments.refuseWhenThrottled:
        refuse_if_throttled(page)
    since = page.cursor()
    journey = Journey(context, page, context.clock.monotonic() + WAIT_MAX_MS / 1000)
    check = await invariant_check(context, page)
    done: list[dict[str, object]] = []
    for number, step in enumerate(steps):
        context.progress(number, len(steps), f"step {number + 1}: {step.action.name.value}")
        done.append(await journey.take(step))
        if done[-1].get("failed"):
            break
    broken = await check.broken(journey.page, at_rest=bool(check.invariants))
    return _answer(journey.page, since, done, len(steps), broken)


def _answer(
    page: Page, since: Cursor, done: list[dict[str, object]], asked: int, broken: Mapping[str, object]
) -> ToolAnswer:
    failed = done[-1].pop("failed", False) is True
    completed = len(done) - failed
    dispatched = completed + ("mayHaveHappened" in done[-1] or "until" in done[-1] if failed else 0)
    left = asked - len(done)
    note = f"Stopped at steps[{completed}]; {left} after it did not run." if failed else None
    return ToolAnswer(
        {
            "since": since,
            "until": page.cursor(),
            "completed": completed,
            "dispatched": dispatched,
            **({"stalled_at": completed} if failed else {}),
            "steps": done,
            **broken,
            **told(note=note),
            **session_note(page),
        },
        actions=dispatched,
    )


async def _waited(watch: Watch) -> dict[str, object]:
    """
    What came of a step's ``until``.
    """
    seen = await watch.decided()
    sight = await with_places(watch.page, watch.predicate, seen, waits=seen.outcome.held is not Held.YES)
    lost = sight.window.connection_lost
    if sight.outcome.held is Held.YES and not lost:
        return {"until": {"pass": True}}
    return {
        "until": {
            "pass": False,
            **told(inconclusive=sight.outcome.held is Held.UNKNOWN, observationLost=lost),
            **outcome_fields(sight.outcome),
        },
        "failed": True,
    }


def _why(refusal: Refusal) -> Mapping[str, object]:
    details = {name: value for name, value in refusal.details.items() if name != "may_have_happened"}
    return {
        "error": str(refusal.code),
        "message": refusal.message,
        **told(
            recovery=refusal.recovery,
            mayHaveHappened=refusal.details.get("may_have_happened"),
            details=details,
        ),
    }


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_act_sequence",
        title="Act several times",
        summary="Takes steps, each may have until; stops at a failure; no verdict.",
        arguments=SequenceArguments,
        capability=Capability.DRIVE,
        annotations=ToolAnnotations(read_only=False, destructive=True, open_world=True),
        task_support=TaskSupport.OPTIONAL,
        run=act_sequence,
        acts=True,
        example={
            "steps": [
                {"action": "fill", "ref": "e4", "args": {"value": "Ada"}},
                {"action": "click", "ref": "e7", "until": {"kind": "text", "contains": "Hi"}},
            ]
        },
    ),
)
