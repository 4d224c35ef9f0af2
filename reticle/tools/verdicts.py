"""
The road to a verdict, for every tool that gives one.

Watch until it is decided, let the requests of the window end, give a successful write a moment to show,
judge the whole window by ``domain.ladder``, keep the verdict, and only then answer with its id.
A claim that was given is always what is judged; only ``yes`` is a pass (DESIGN §6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import attrs

from reticle._version import __version__
from reticle.domain.invariants import asked_of_page
from reticle.domain.places import NOBODYS_FAULT
from reticle.domain.rejudging import judge
from reticle.domain.secrets import without_secrets
from reticle.errors import Refusal
from reticle.model.browser import Attestation
from reticle.model.codes import LogLevel, RefusalCode, Verified
from reticle.model.ids import ActionId, Cursor
from reticle.model.verdict import Decision, Held, MinGrade, Verdict
from reticle.model.window import ActionRecord, Invariant, Question, Reading, Window
from reticle.ports import CallContext, Page
from reticle.tools.acting import Action, carry_out_and_leave
from reticle.tools.arrival import waited_for_rest, when_there
from reticle.tools.attendance import refuse_if_paused, session_note
from reticle.tools.claims import Claim
from reticle.tools.declared_invariants import invariants_of
from reticle.tools.fields import object_of
from reticle.tools.found_places import found_places
from reticle.tools.places import places_at_fault, with_places
from reticle.tools.provenance import Beginning, beginning, opened_since, provenance_of
from reticle.tools.spec import ToolAnswer
from reticle.tools.stretch import buffer_fields
from reticle.tools.verdict_fields import verdict_fields, verdict_text
from reticle.tools.waiting import Sight, Watch

_GRAVITY: Final = {
    Verified.YES: LogLevel.INFO,
    Verified.UNKNOWN: LogLevel.NOTICE,
    Verified.NO: LogLevel.WARNING,
}


@attrs.frozen
class Trial:
    """
    What is to be judged: a claim about a page, how long it may take, how strong it must be.
    """

    tool: str
    page: Page
    claim: Claim
    budget_seconds: float
    min_grade: MinGrade | None = None


async def judge_action(context: CallContext, trial: Trial, action: Action) -> ToolAnswer:
    """
    Act once and judge what came of it.

    An act that the page refuses leaves no verdict. A page that went away under the act, as a form post
    makes it, is waited for within the budget.

    Raises:
        Refusal: the page's refusal of the act; ``command_timeout`` when nobody knows whether it happened;
            ``storage_failed`` when the verdict could not be kept.
    """
    page = trial.page
    begun = await beginning(context, page)
    invariants = await invariants_of(context, page)

    async def attempt() -> Sight:
        before = await _readings(context, trial, invariants, action)
        since = page.cursor()
        action_id = page.begin_action()
        try:
            record = await _acted(context, page, action, action_id)
            watch = _watch(context, trial, since, invariants)
            watch.action, watch.before = record, before
            sight = await watch.decided()
            return await watch.reaction(sight) if sight.outcome.held is Held.YES else sight
        finally:
            page.end_action(action_id)

    sight = await when_there(page, context.clock, attempt, by_ref=bool(action.refs))
    return await _recorded(context, trial, sight, begun)


async def judge_state(context: CallContext, trial: Trial, since: Cursor) -> ToolAnswer:
    """
    Judge a claim over what happened since a cursor, without acting; and by what must always hold, where
    somebody acted since then.

    Raises:
        Refusal: ``storage_failed`` when the verdict could not be kept.
    """
    begun = await beginning(context, trial.page)
    watch = _watch(context, trial, since, await invariants_of(context, trial.page))
    watch.first_document = trial.page.identity.document_id
    return await _recorded(context, trial, await watch.decided(), begun)


def _watch(context: CallContext, trial: Trial, since: Cursor, invariants: Sequence[Invariant] = ()) -> Watch:
    return Watch(
        trial.page,
        context.clock,
        trial.claim.predicate,
        since,
        trial.budget_seconds,
        context.progress,
        detection=context.detection,
        invariants=invariants,
    )


async def _readings(
    context: CallContext, trial: Trial, invariants: Sequence[Invariant], action: Action
) -> list[Reading]:
    """
    What was so before the act, of a page that has what is acted on: one that still fetches it would be read
    too early, and what it loads meanwhile would be taken for what the act changed.
    """
    questions = asked_of_page(trial.claim.predicate, invariants)
    target = action.target.get("target")
    if not questions or target is None:
        return list(await trial.page.read(questions)) if questions else []
    there = Question("match", {"query": target})
    *before, seen = await trial.page.read((*questions, there))
    if seen.answer is None or object_of(seen.answer).get("matched") is not False:
        return before
    await waited_for_rest(trial.page, context.clock)
    return list(await trial.page.read(questions))


async def _acted(context: CallContext, page: Page, action: Action, action_id: ActionId) -> ActionRecord:
    """
    The action as the page reported it, or unreported when the page left while it acted.
    """
    if not page.health().connected:
        raise Refusal(
            RefusalCode.SESSION_GONE,
            f"Page {page.identity.page_id} went away before it was asked to act; nothing was done.",
            "Open the app again, then call reticle_sessions.",
        )
    refuse_if_paused(context, page)
    return await carry_out_and_leave(context, page, action, action_id)


async def _recorded(context: CallContext, trial: Trial, sight: Sight, begun: Beginning | None) -> ToolAnswer:
    window = context.detection.consult(sight.window, trial.claim.canonical)
    decision, window = await _decided(context, trial, Sight(window, sight.outcome))
    verdict = Verdict(
        verdict_id=context.new_verdict_id(),
        at=context.clock.now(),
        tool=trial.tool,
        principal=context.principal.name,
        page_id=trial.page.identity.page_id,
        url=trial.page.identity.url,
        claim=trial.claim.canonical,
        decision=decision,
        versions=_versions(window),
        attested=_attested(context, trial.page),
        min_grade=trial.min_grade,
        provenance=await provenance_of(context, begun, trial.page, window),
    )
    await context.mutate(partial(context.verdicts.put, verdict, window=window))
    _tell_people(context, verdict)
    fields = {
        **verdict_fields(verdict, window),
        **buffer_fields(trial.page),
        **session_note(trial.page),
    }
    return ToolAnswer(fields, text=verdict_text(verdict, fields), verdict_id=verdict.verdict_id)


async def _decided(context: CallContext, trial: Trial, sight: Sight) -> tuple[Decision, Window]:
    """
    The decision, and the window that it was taken from: with the places that people wrote, because what is to
    be mended stands there. Only a verdict that names a fault waits for them.
    """
    predicate, least = trial.claim.predicate, trial.min_grade
    decision = judge(predicate, sight.window, least, outcome=sight.outcome)
    to_mend = decision.verified is Verified.NO or bool(decision.findings)
    placed = await with_places(trial.page, predicate, sight, waits=to_mend)
    if decision.reason not in NOBODYS_FAULT:
        places = await found_places(trial.page, decision, sight.window) or await places_at_fault(
            context, trial.page, trial.claim.canonical, decision, sight.window
        )
        if places:
            placed = Sight(attrs.evolve(placed.window, places=places), placed.outcome)
    if placed is not sight:
        decision = judge(predicate, placed.window, least, outcome=placed.outcome)
    return decision, placed.window


def _attested(context: CallContext, page: Page) -> Attestation | None:
    """
    What is kept of a page that the daemon opened, by the time of day as it is set now; a secret in the
    address that it was opened at is not.
    """
    attested = page.identity.attested
    if attested is None:
        return None
    return attrs.evolve(
        attested,
        opened_url=without_secrets(attested.opened_url).text,
        since=opened_since(context.clock, attested),
        since_monotonic=None,
    )


def _tell_people(context: CallContext, verdict: Verdict) -> None:
    """
    A client's log is where its person looks: the verdict stands there as it was given, whatever the agent
    says.
    """
    decision = verdict.decision
    told = {
        "verdict_id": verdict.verdict_id,
        "verified": decision.verified,
        "reason": decision.reason,
        "url": verdict.url,
    }
    context.log(_GRAVITY[decision.verified], told, "reticle.verdict")


def _versions(window: Window) -> Mapping[str, str]:
    script = window.page.script_version
    return {"reticle": __version__, **({} if script is None else {"script": script})}
