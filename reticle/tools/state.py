"""
``reticle_state``: what the app's registered stores hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.model.codes import Capability, CommandName
from reticle.model.limits import ANSWER_CHARS
from reticle.ports import CallContext
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import list_of, object_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

DEPTH_MAX = 8
"""Levels of nesting; pages send no more."""

KEYS_SHOWN = 50
"""Keys named in place of a value that is too large."""

NO_STORES = (
    "The app has registered no store, so its state cannot be read: "
    'let it call reticle.registerStore("cart", store), where window.reticle exists.'
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


async def state(context: CallContext, arguments: StateArguments) -> ToolAnswer:
    """
    The value at a path, or all stores; a miss names what is there.

    Raises:
        Refusal: what the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId)
    asked = told(store=arguments.store, path=arguments.path, depth=arguments.depth)
    result = object_of(await page.ask(CommandName.STATE_READ, asked))
    scoped = bool(arguments.store or arguments.path)
    fields = _scoped(result) if scoped else _unscoped(result)
    return ToolAnswer({**fields, **session_note(page)})


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
    fields.update(told(truncation=result.get("truncation")))
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
        summary="Reads the stores that the app registered, whole or one value by its path.",
        arguments=StateArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True),
        run=state,
        example={"store": "cart", "path": "items.length"},
    ),
)
