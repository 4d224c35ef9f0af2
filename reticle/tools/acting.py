"""
One action on one element: checked before the page is asked, carried out once, reported briefly.

What ``reticle_act``, ``reticle_act_and_wait`` and the steps of ``reticle_act_sequence`` share. An action is
never asked twice, for it may have happened although its answer was lost; but for one whose target was not
there yet (``tools.arrival``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from reticle.errors import Refusal
from reticle.model.codes import ActionName, CommandName, RefusalCode
from reticle.model.ids import ActionId, PageId
from reticle.model.limits import COMMAND_SECONDS
from reticle.model.window import ActionRecord, Effect
from reticle.ports import CallContext, Page
from reticle.tools.action_args import check_args
from reticle.tools.fields import object_of, told, without_defaults
from reticle.tools.hints import brief_hint
from reticle.tools.targets import is_ref, parse_address
from reticle.tools.trusted import act_by_hand, needs_hands

EXPECTED_EFFECT: Mapping[str, object] = {
    "dispatched": True,
    "targetMatched": True,
    "visible": True,
    "enabled": True,
    "defaultPrevented": False,
    "focusMoved": False,
    "valueChanged": False,
    "occluded": False,
    "scrolledIntoView": False,
    "alreadyAtValue": False,
}
"""An effect's fields at the values that tell nothing; what differs is shown."""

NO_POINTER = "not-a-pointer-action"
"""The reason that goes without saying: no mouse is needed for it."""


@attrs.frozen
class Action:
    """
    What is to be done to which element, checked; ``asked`` is the page's ``act`` command. ``trusted``: by the
    browser's own mouse and keyboard.
    """

    name: ActionName
    asked: Mapping[str, object]
    target: Mapping[str, object]
    trusted: bool = False

    @property
    def refs(self) -> Sequence[str]:
        """
        Every ref that it names; all of them must be of the page that is acted on.
        """
        args = object_of(self.asked.get("args"))
        scopes = [object_of(query).get("scope") for query in (self.target.get("target"), args.get("target"))]
        named = [self.target.get("ref"), args.get("toRef"), *scopes]
        return [ref for ref in named if isinstance(ref, str) and is_ref(ref)]

    @property
    def held_seconds(self) -> float:
        """
        How long the page keeps the mouse down before it answers.
        """
        held = object_of(self.asked.get("args")).get("holdMs")
        return held / 1000 if isinstance(held, int | float) and held > 0 else 0.0


class Wanted(Protocol):
    """
    An action as a call or a step names it.
    """

    @property
    def action(self) -> ActionName:
        """What to do."""

    @property
    def ref(self) -> str | None:
        """The element, if by ref."""

    @property
    def target(self) -> Mapping[str, object] | None:
        """The element, if by query."""

    @property
    def args(self) -> Mapping[str, object] | None:
        """What the action takes."""

    @property
    def trusted(self) -> bool:
        """Whether it is to be done by real input."""


def parse_action(arguments: Wanted) -> Action:
    """
    The action of a call, before anything is done.

    Raises:
        Refusal: ``bad_arguments`` with an example; a retry makes sense with the arguments mended.
    """
    address = parse_address(arguments.ref, arguments.target)
    check_args(arguments.action, arguments.args or {})
    asked: dict[str, object] = {**address, "action": arguments.action.value}
    if arguments.args:
        asked["args"] = arguments.args
    return Action(arguments.action, asked, address, arguments.trusted)


async def carry_out(
    context: CallContext,
    page: Page,
    action: Action,
    action_id: ActionId,
    seconds: float = COMMAND_SECONDS,
) -> ActionRecord:
    """
    Ask the page to act, once, and keep what it said it did.

    Args:
        context: The call's.
        page: The page.
        action: What to do.
        action_id: What its events are attributed to.
        seconds: How long the page may take, a held mouse not counted.

    Raises:
        Refusal: the page's own, with its code; ``session_gone`` and ``command_timeout`` when nobody knows
            whether it happened; for real input also what ``trusted.act_by_hand`` raises.
    """
    try:
        await _bring_to_front(context, page)
        context.browser.begin_runs(PageId(page.identity.page_id))
        report = await _acted(context, page, action, seconds)
    except Refusal as refusal:
        if "hint" in refusal.details:
            refusal.details = {**refusal.details, "hint": brief_hint(refusal.details["hint"])}
        raise
    source = report.get("source")
    return attrs.evolve(
        unreported(action, action_id),
        effect=Effect(report),
        source=source if isinstance(source, str) else None,
    )


async def _acted(context: CallContext, page: Page, action: Action, seconds: float) -> Mapping[str, object]:
    if action.trusted or needs_hands(context, page, action.asked):
        return await act_by_hand(context, page, action.asked, seconds)
    budget = seconds + action.held_seconds
    return object_of(await page.ask(CommandName.ACT, action.asked, timeout_seconds=budget))


async def _bring_to_front(context: CallContext, page: Page) -> None:
    """
    Of several tabs of a browser lease only the one in front draws frames; in another nothing comes to rest.
    """
    page_id = PageId(page.identity.page_id)
    lease = context.browser.of_page(page_id)
    if lease is not None and len(lease.pages) > 1:
        await context.browser.input(page_id, ())


async def carry_out_and_leave(
    context: CallContext,
    page: Page,
    action: Action,
    action_id: ActionId,
    seconds: float = COMMAND_SECONDS,
) -> ActionRecord:
    """
    As ``carry_out``, but unreported where the page went away under the action, as a form post makes it.

    Raises:
        Refusal: as ``carry_out``; ``session_gone`` only where the page was gone before it was asked to act.
    """
    try:
        return await carry_out(context, page, action, action_id, seconds)
    except Refusal as refusal:
        if refusal.code != RefusalCode.SESSION_GONE or not refusal.details.get("may_have_happened"):
            raise
        return unreported(action, action_id)


def unreported(action: Action, action_id: ActionId) -> ActionRecord:
    """
    The action before the page has said what came of it, or when it never will.
    """
    return ActionRecord(action_id, action.name.value, action.target)


def effect_fields(record: ActionRecord) -> dict[str, object]:
    """
    What the page said of the action, without what goes without saying.
    """
    if record.effect is None:
        return {}
    report = record.effect.fields
    told_effect = object_of(report.get("effect"))
    effect = without_defaults(told_effect, EXPECTED_EFFECT)
    if isinstance(told_effect.get("value"), str):
        effect["value"] = told_effect["value"]  # an emptied field is worth telling
    said = {
        name: report.get(name)
        for name in ("ref", "role", "name", "testid", "component", "source", "inputMode", "warning")
    }
    settled = report.get("settled")
    reason = report.get("inputModeReason")
    return {
        **told(**said, inputModeReason=reason if reason != NO_POINTER else None),
        "effect": effect,
        **({"settled": settled} if isinstance(settled, bool) else {}),
        **told(settleReason=report.get("settleReason") if settled is False else None),
    }
