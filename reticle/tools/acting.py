"""
One action on one element: checked before the page is asked, carried out once, reported briefly.

What ``reticle_act`` and ``reticle_act_and_wait`` share. An action is never asked twice: it may have
happened although its answer was lost.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from reticle.errors import Refusal
from reticle.model.codes import ActionName, CommandName, RefusalCode
from reticle.model.ids import ActionId
from reticle.model.window import ActionRecord, Effect
from reticle.ports import Page
from reticle.tools.arguments import ActArguments
from reticle.tools.fields import object_of, told, without_defaults
from reticle.tools.hints import brief_hint
from reticle.tools.targets import parse_address

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

_ALLOWED: Mapping[ActionName, frozenset[str]] = {
    ActionName.CLICK: frozenset({"confirmDangerous", "modifiers", "holdMs", "force"}),
    ActionName.DBLCLICK: frozenset({"confirmDangerous", "modifiers", "force"}),
    ActionName.HOVER: frozenset({"modifiers", "holdMs", "force"}),
    ActionName.FILL: frozenset({"value", "force"}),
    ActionName.TYPE: frozenset({"text", "force"}),
    ActionName.CLEAR: frozenset({"force"}),
    ActionName.PRESS: frozenset({"key", "text", "modifiers", "confirmDangerous"}),
    ActionName.SELECT: frozenset({"value", "force"}),
    ActionName.CHECK: frozenset({"confirmDangerous", "force"}),
    ActionName.UNCHECK: frozenset({"confirmDangerous", "force"}),
    ActionName.SUBMIT: frozenset({"confirmDangerous"}),
    ActionName.FOCUS: frozenset(),
    ActionName.BLUR: frozenset(),
    ActionName.SCROLL_INTO_VIEW: frozenset({"block"}),
    ActionName.UPLOAD: frozenset({"name", "content", "type", "encoding", "force"}),
    ActionName.DRAG: frozenset({"toRef", "target", "data", "modifiers", "confirmDangerous", "force"}),
}
_EXAMPLES: Mapping[ActionName, str] = {
    ActionName.FILL: '{"action": "fill", "ref": "e4", "args": {"value": "Ada"}}',
    ActionName.SELECT: '{"action": "select", "ref": "e4", "args": {"value": "de"}}',
    ActionName.PRESS: '{"action": "press", "ref": "e4", "args": {"key": "Enter"}}',
}


@attrs.frozen
class Action:
    """
    What is to be done to which element, checked; ``asked`` is the page's ``act`` command.
    """

    name: ActionName
    asked: Mapping[str, object]
    target: Mapping[str, object]


def parse_action(arguments: ActArguments) -> Action:
    """
    The action of a call, before anything is done.

    Raises:
        Refusal: ``bad_arguments`` with an example; a retry makes sense with the arguments mended.
    """
    address = parse_address(arguments)
    _check_args(arguments.action, arguments.args or {})
    asked: dict[str, object] = {**address, "action": arguments.action.value}
    if arguments.args:
        asked["args"] = arguments.args
    return Action(arguments.action, asked, address)


async def carry_out(page: Page, action: Action, action_id: ActionId) -> ActionRecord:
    """
    Ask the page to act, once, and keep what it said it did.

    Raises:
        Refusal: the page's own, with its code; ``session_gone`` and ``command_timeout`` when nobody knows
            whether it happened.
    """
    try:
        report = object_of(await page.ask(CommandName.ACT, action.asked))
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
    return {
        **told(**said),
        "effect": effect,
        **({"settled": settled} if isinstance(settled, bool) else {}),
        **told(settleReason=report.get("settleReason") if settled is False else None),
    }


def _check_args(action: ActionName, args: Mapping[str, object]) -> None:
    strange = sorted(args.keys() - _ALLOWED[action])
    if strange:
        known = ", ".join(sorted(_ALLOWED[action])) or "no args"
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"args of {action.value} has {', '.join(strange)}, which it does not know. Nothing ran.",
            f"It knows {known}." + _example(action),
        )
    if action in {ActionName.FILL, ActionName.SELECT} and not isinstance(args.get("value"), str):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"{action.value} needs args.value, a string. Nothing ran.",
            _example(action).strip(),
        )
    if action is ActionName.PRESS and not _named_key(args):
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "press needs args.key (such as Enter) or args.text, a string. Nothing ran.",
            _example(action).strip(),
        )


def _named_key(args: Mapping[str, object]) -> bool:
    keys = [args[name] for name in ("key", "text") if name in args]
    return bool(keys) and all(isinstance(key, str) and key for key in keys)


def _example(action: ActionName) -> str:
    return f" For example {_EXAMPLES[action]}." if action in _EXAMPLES else ""
