"""
What each action takes in ``args``, and what it must have: checked before the page is asked.

A ``fill`` without its value would wipe a field, a misspelt ``confirmDangerous`` would be no confirmation.
The list is that of the page wire ("The act report").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from reticle.errors import Refusal
from reticle.model.codes import ActionName, RefusalCode
from reticle.tools.spelling import refuse_strange
from reticle.tools.targets import is_ref, parse_query

_GUARD = "confirmDangerous"

ACTION_ARGS: Mapping[ActionName, Sequence[str]] = {
    ActionName.CLICK: (_GUARD, "modifiers", "holdMs", "force"),
    ActionName.DBLCLICK: (_GUARD, "modifiers", "force"),
    ActionName.HOVER: ("modifiers", "holdMs", "force"),
    ActionName.FILL: ("value", "force"),
    ActionName.TYPE: ("text", "force"),
    ActionName.CLEAR: ("force",),
    ActionName.PRESS: ("key", "text", "modifiers", _GUARD),
    ActionName.SELECT: ("value", "force"),
    ActionName.CHECK: (_GUARD, "force"),
    ActionName.UNCHECK: (_GUARD, "force"),
    ActionName.SUBMIT: (_GUARD,),
    ActionName.FOCUS: (),
    ActionName.BLUR: (),
    ActionName.SCROLL_INTO_VIEW: ("block",),
    ActionName.UPLOAD: ("content", "name", "type", "encoding", "force"),
    ActionName.DRAG: ("toRef", "target", "data", "modifiers", _GUARD, "force"),
}
"""The names that each action takes."""

_NEEDED: Mapping[ActionName, str] = {
    ActionName.FILL: "value",
    ActionName.TYPE: "text",
    ActionName.UPLOAD: "content",
}

_EXAMPLE_ARGS: Mapping[ActionName, Mapping[str, object]] = {
    ActionName.FILL: {"value": "Ada"},
    ActionName.SELECT: {"value": "de"},
    ActionName.TYPE: {"text": "Ada"},
    ActionName.PRESS: {"key": "Enter"},
    ActionName.UPLOAD: {"content": "a,b", "name": "list.csv", "type": "text/csv"},
    ActionName.DRAG: {"toRef": "e9"},
}


def check_args(action: ActionName, args: Mapping[str, object]) -> None:
    """
    Let pass what the action can be done with.

    Raises:
        Refusal: ``bad_arguments`` with an example of this action.
    """
    refuse_strange(list(args), ACTION_ARGS[action], f"args of {action.value}", example(action))
    needed = _NEEDED.get(action)
    if action is ActionName.SELECT:
        if not _names_options(args.get("value")):
            raise _missing(action, "args.value, a string, or a list of strings for a list that takes several")
    elif needed is not None and not isinstance(args.get(needed), str):
        raise _missing(action, f"args.{needed}, a string")
    if action is ActionName.PRESS and not _names_a_key(args):
        raise _missing(action, "args.key (such as Enter) or args.text, a string")
    if action is ActionName.DRAG:
        _check_destination(args)


def example(action: ActionName) -> str:
    """
    A valid call of the action, as JSON.
    """
    args = _EXAMPLE_ARGS.get(action)
    call = {"action": action.value, "ref": "e4", **({"args": args} if args is not None else {})}
    return msgspec.json.encode(call).decode()


def _names_options(value: object) -> bool:
    several = isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    return several or isinstance(value, str)


def _names_a_key(args: Mapping[str, object]) -> bool:
    keys = [args[name] for name in ("key", "text") if name in args]
    return bool(keys) and all(isinstance(key, str) and key for key in keys)


def _check_destination(args: Mapping[str, object]) -> None:
    to_ref, target = args.get("toRef"), args.get("target")
    if (to_ref is None) is (target is None):
        raise _missing(ActionName.DRAG, "either args.toRef, a ref, or args.target, an element query")
    if target is not None:
        if not isinstance(target, Mapping):
            raise _missing(ActionName.DRAG, "args.target as an element query object")
        parse_query(target, "args.target")
    elif not isinstance(to_ref, str) or not is_ref(to_ref):
        raise _missing(ActionName.DRAG, "args.toRef as a ref, such as e9")


def _missing(action: ActionName, what: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_ARGUMENTS,
        f"{action.value} needs {what}. Nothing ran.",
        f"For example {example(action)}.",
    )
