"""
``reticle_state``: what the app's registered stores hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.errors import Refusal
from reticle.model.codes import Capability, CommandName, RefusalCode
from reticle.model.limits import ANSWER_CHARS
from reticle.ports import CallContext
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import list_of, object_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import checked_ref

DEPTH_MAX = 8
"""Levels of nesting; pages send no more."""

KEYS_SHOWN = 50
"""Keys named in place of a value that is too large."""

NO_STORES = (
    "The app has registered no store, so its state cannot be read: "
    'let it call reticle.registerStore("cart", store), where window.reticle exists. '
    'A global that a script set can be read as it is: {"store": "window.NAME"}.'
)


class StateArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which part of which store.
    """

    store: Annotated[Name | None, Meta(description="Registered store.")] = None
    path: Annotated[Name | None, Meta(description="Such as items.0.price.")] = None
    depth: Annotated[
        Annotated[int, Meta(ge=1, le=DEPTH_MAX)] | None, Meta(description="Levels of a whole store.")
    ] = None
    ref: Annotated[Name | None, Meta(description="Element whose component's state is meant.")] = None


async def state(context: CallContext, arguments: StateArguments) -> ToolAnswer:
    """
    The value at a path, all stores, or a component's own state; a miss names what is there.

    Raises:
        Refusal: ``bad_arguments`` for a ref beside store or path; what the directory and the page port raise.
    """
    refs = _checked(arguments)
    page = await present_page(context, arguments.sessionId, refs)
    asked = told(store=arguments.store, path=arguments.path, depth=arguments.depth, ref=arguments.ref)
    result = object_of(await page.ask(CommandName.STATE_READ, asked))
    if refs:
        fields = _component(result)
    elif arguments.store or arguments.path:
        fields = _scoped(result)
    else:
        fields = _unscoped(result)
    return ToolAnswer({**fields, **session_note(page)})


def _checked(arguments: StateArguments) -> Sequence[str]:
    """
    The ref of a call that asks for a component, which has neither store nor path.

    Raises:
        Refusal: ``bad_arguments``.
    """
    if not arguments.ref:
        return []
    if arguments.store or arguments.path or arguments.depth is not None:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            "ref asks for a component's own state; store, path and depth do not go with it. Nothing ran.",
            'For example {"ref": "e12"}, or {"store": "cart", "path": "items.length"}.',
        )
    return [checked_ref(arguments.ref)]


def _component(result: Mapping[str, object]) -> dict[str, object]:
    """
    The state of the component around an element, or the reason why it cannot be read.
    """
    component = object_of(result.get("component"))
    found = component.get("ok") is True
    fields: dict[str, object] = {"found": found}
    if found:
        fields.update(_fitted("component", {name: part for name, part in component.items() if name != "ok"}))
    fields.update(
        told(reason=component.get("reason"), note=component.get("note"), storeNames=result.get("storeNames"))
    )
    return fields


def _scoped(result: Mapping[str, object]) -> dict[str, object]:
    found = result.get("found") is True
    fields: dict[str, object] = {"found": found}
    if found:
        fields.update(_fitted("value", result.get("value")))
    fields.update(
        told(
            store=result.get("store"),
            path=result.get("path"),
            availableKeys=None if found else result.get("availableKeys"),
            totalKeys=None if found else result.get("totalKeys"),
            storeNames=result.get("storeNames"),
            discovered=result.get("discovered"),
            ambiguous=result.get("ambiguous"),
            truncation=result.get("truncation"),
        )
    )
    if not found and not list_of(result.get("storeNames")):
        fields["note"] = NO_STORES
    return fields


def _unscoped(result: Mapping[str, object]) -> dict[str, object]:
    fields = _fitted("stores", object_of(result.get("stores")))
    fields["storeNames"] = list_of(result.get("storeNames"))
    fields.update(told(discovered=result.get("discovered"), truncation=result.get("truncation")))
    if not fields["storeNames"]:
        fields["note"] = NO_STORES
    return fields


def _fitted(name: str, value: object) -> dict[str, object]:
    """
    The value, or its keys where it is too large for an answer.
    """
    size = len(msgspec.json.encode(value))
    if size <= ANSWER_CHARS:
        return {name: value}
    keys = [str(key) for key in value] if isinstance(value, Mapping) else []
    length = len(value) if isinstance(value, list | str) else None
    return {
        "truncated": True,
        "note": f"{name} has {size} characters of JSON, too many for an answer: read a part of it with path.",
        **told(availableKeys=keys[:KEYS_SHOWN], totalKeys=len(keys) or None, length=length),
    }


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_state",
        title="Read app state",
        summary="Reads the stores that the app registered, one value by path, or a component's state by ref.",
        arguments=StateArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=state,
        example={"store": "cart", "path": "items.length"},
    ),
)
