"""
Actions with the published packages, without their traps.

Before anything is sent the arguments are checked (a missing ``value`` would wipe the field), the target is
resolved to exactly one element and looked at: the packages click what is disabled or covered.
``check`` and ``uncheck`` become a click where the state differs, because React never hears theirs; after
``select`` the value is read back (page-wire §9.5, §16). What a person could only do in a field with the focus
is done after giving it the focus: else the field before would never hear that it was left, and what it checks
then would never show.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.bridge.dialect import Send
from reticle.bridge.published.elements import OWN_SCRIPT_ADVICE, find, inspect, parse_query
from reticle.bridge.published.focus import Focus
from reticle.bridge.published.refusals import REQUERY, published_refusal
from reticle.errors import Refusal
from reticle.model.codes import ActionName, RefusalCode

CANDIDATES_SHOWN = 5
_HUD_MUTATIONS = 4  # the packages' overlay alone makes as many records (page-wire §9.5)
_KNOWN_ARGS: Mapping[str, frozenset[str]] = {
    ActionName.CLICK: frozenset({"confirmDangerous"}),
    ActionName.FILL: frozenset({"value"}),
    ActionName.PRESS: frozenset({"key", "text", "confirmDangerous"}),
    ActionName.SELECT: frozenset({"value"}),
    ActionName.CHECK: frozenset({"confirmDangerous"}),
    ActionName.UNCHECK: frozenset({"confirmDangerous"}),
    ActionName.SUBMIT: frozenset({"confirmDangerous"}),
    ActionName.DBLCLICK: frozenset({"confirmDangerous"}),
    ActionName.HOVER: frozenset({"holdMs"}),
    ActionName.TYPE: frozenset({"text"}),
    ActionName.CLEAR: frozenset(),
    ActionName.FOCUS: frozenset(),
    ActionName.BLUR: frozenset(),
    ActionName.SCROLL_INTO_VIEW: frozenset(),
    ActionName.UPLOAD: frozenset({"content", "name", "type"}),
    ActionName.DRAG: frozenset({"toRef", "data", "confirmDangerous"}),
}
_NEEDED: Mapping[ActionName, str] = {
    ActionName.FILL: "value",
    ActionName.SELECT: "value",
    ActionName.TYPE: "text",
    ActionName.UPLOAD: "content",
    ActionName.DRAG: "toRef",
}
_HARMLESS = frozenset({ActionName.HOVER, ActionName.FOCUS, ActionName.BLUR, ActionName.SCROLL_INTO_VIEW})
"""Actions that also make sense on what is disabled."""

_AIMED = frozenset(
    {ActionName.CLICK, ActionName.DBLCLICK, ActionName.CHECK, ActionName.UNCHECK, ActionName.DRAG}
)
"""Actions of the mouse, which what lies on top would get instead."""

_FIELDS = frozenset({"input", "textarea"})

_IN_FOCUS = frozenset({ActionName.SELECT, ActionName.CLEAR, ActionName.PRESS})
"""Actions of a person that need the focus and that the packages do without moving it."""


async def act(send: Send, args: Mapping[str, object], focus: Focus) -> dict[str, object]:
    """
    The ``act`` command of the page wire; the act report. Raises ``Refusal``, before anything happened
    wherever the page can still be asked first. ``focus`` is the page's.
    """
    action = args.get("action")
    given = args.get("args")
    options = dict(given) if isinstance(given, Mapping) else {}
    if action not in _KNOWN_ARGS:
        raise _bad(f"{action!r} is no action.", f"Use one of {', '.join(_KNOWN_ARGS)}.")
    wire_args = _checked(ActionName(str(action)), options)
    ref = await _target(send, args)
    element = await inspect(send, ref)
    if element is None:
        raise Refusal(RefusalCode.STALE_REF, f"Ref {ref} no longer resolves to an element.", REQUERY)
    _check_reachable(ActionName(str(action)), ref, element)
    if action == ActionName.DRAG:
        await _check_destination(send, str(wire_args["toRef"]))
    if action in {ActionName.CHECK, ActionName.UNCHECK}:
        if ("checked" in _states(element)) is (action == ActionName.CHECK):
            return _already(ActionName(str(action)), ref, element)
        report = await _dispatch(send, ref, ActionName.CLICK, wire_args)
    else:
        if action in _IN_FOCUS and "focused" not in _states(element):
            focus.follow(await _dispatch(send, ref, ActionName.FOCUS, {}))
        report = await _dispatch(send, ref, ActionName(str(action)), wire_args)
    if action == ActionName.SELECT:
        await _confirm_selected(send, ref, wire_args["value"])
    warning = report.get("warning") or focus.warning(ActionName(str(action)), ref, report)
    told = {"action": action, "role": element.get("role"), "name": element.get("name")}
    return {**report, **told, "warning": warning} if warning else {**report, **told}


def _checked(action: ActionName, options: Mapping[str, object]) -> dict[str, object]:
    strange = sorted(options.keys() - _KNOWN_ARGS[action])
    if strange:
        raise _bad(
            f"The published @reticlehq package does not support {', '.join(strange)} with {action}.",
            OWN_SCRIPT_ADVICE,
        )
    needed = _NEEDED.get(action)
    if needed is not None and not isinstance(options.get(needed), str):
        raise _bad(f"{action} needs args.{needed}, a string.", f"Give {needed}.")
    if action is not ActionName.PRESS:
        return dict(options)
    key = options.get("key", options.get("text"))
    if not isinstance(key, str) or not key or ("key" not in options and len(key) != 1):
        raise _bad(
            "press needs args.key; the published @reticlehq package presses one key at a time.",
            "Give one key, such as Enter, or use fill for text.",
        )
    return {**{name: value for name, value in options.items() if name != "text"}, "key": key}


async def _target(send: Send, args: Mapping[str, object]) -> str:
    ref, target = args.get("ref"), args.get("target")
    if isinstance(ref, str) and ref:
        return ref
    if not isinstance(target, Mapping):
        raise _bad("The action has neither a ref nor a target.", "Give a ref from a snapshot, or a query.")
    found = await find(send, parse_query(target))
    visible = [element for element in found.elements if element.get("visible") is True]
    chosen = visible or list(found.elements)
    if len(chosen) == 1 and found.complete:
        return str(chosen[0]["ref"])
    details: dict[str, object] = {"candidates": chosen[:CANDIDATES_SHOWN]}
    if not chosen and found.complete:
        where = " Its scope does not exist." if found.scope_missing else ""
        raise Refusal(RefusalCode.NO_MATCH, f"Nothing matches the target.{where}", REQUERY, details)
    raise Refusal(
        RefusalCode.AMBIGUOUS_TARGET,
        f"{found.count} elements match the target.",
        "Narrow the query, or pass the ref of the one you mean.",
        details,
    )


def _check_reachable(action: ActionName, ref: str, element: Mapping[str, object]) -> None:
    states = _states(element)
    if action in {ActionName.CLEAR, ActionName.TYPE} and element.get("tag", "input") not in _FIELDS:
        raise Refusal(RefusalCode.WRONG_TARGET, f"Element {ref} is no text field.", "Choose a text field.")
    if action is ActionName.UPLOAD:
        return  # file inputs are mostly hidden behind a button
    if action is ActionName.UNCHECK and element.get("role") == "radio":
        raise Refusal(RefusalCode.WRONG_TARGET, "A radio button cannot be unchecked.", "Check another one.")
    if "hidden" in states or element.get("visible") is False:
        raise Refusal(RefusalCode.NOT_VISIBLE, f"Element {ref} is not visible.", "Make it visible first.")
    if "disabled" in states and action not in _HARMLESS:
        raise Refusal(RefusalCode.NOT_EDITABLE, f"Element {ref} is disabled.", "Do what enables it first.")
    if action in _AIMED and element.get("occluded") is True:
        raise Refusal(
            RefusalCode.OCCLUDED,
            f"Element {ref} is covered by another element.",
            "Close what covers it first.",
        )


async def _check_destination(send: Send, ref: str) -> None:
    """
    The packages drag an element onto itself where the destination does not resolve.
    """
    if await inspect(send, ref) is None:
        raise Refusal(RefusalCode.STALE_REF, f"Ref {ref} no longer resolves to an element.", REQUERY)


async def _dispatch(
    send: Send, ref: str, action: ActionName, args: Mapping[str, object]
) -> dict[str, object]:
    result = await send("act", {"ref": ref, "action": action.value, "args": dict(args)}, acts=True)
    if not result.ok:
        raise published_refusal(result)
    report = dict(result.result) if isinstance(result.result, Mapping) else {}
    effect = report.get("effect")
    if isinstance(effect, Mapping):
        mutations = effect.get("domMutatedWithin")
        if isinstance(mutations, int) and mutations <= _HUD_MUTATIONS:
            report["effect"] = {**effect, "domMutatedWithin": 0}
    return report


async def _confirm_selected(send: Send, ref: str, value: object) -> None:
    """
    Look whether the choice was taken. Whatever is refused here, the act was done before.
    """
    may_have_happened: dict[str, object] = {"may_have_happened": True}
    try:
        element = await inspect(send, ref)
    except Refusal as refusal:
        refusal.details = {**refusal.details, **may_have_happened}
        raise
    if element is None or element.get("value", "") == value:
        return
    raise Refusal(
        RefusalCode.NO_SUCH_OPTION,
        f"Element {ref} has no option {value!r}; the published @reticlehq package has emptied it instead.",
        "Select one of its option values.",
        may_have_happened,
    )


def _already(action: ActionName, ref: str, element: Mapping[str, object]) -> dict[str, object]:
    return {
        "ok": True,
        "ref": ref,
        "action": action,
        "role": element.get("role"),
        "name": element.get("name"),
        "settled": True,
        "settleReason": None,
        "effect": {
            "dispatched": False,
            "targetMatched": True,
            "visible": True,
            "enabled": True,
            "alreadyAtValue": True,
        },
    }


def _states(element: Mapping[str, object]) -> list[object]:
    states = element.get("states")
    return states if isinstance(states, list) else []


def _bad(message: str, recovery: str) -> Refusal:
    return Refusal(RefusalCode.BAD_ARGUMENTS, f"{message} Nothing ran.", recovery)
