"""
``reticle_inspect``: one element closely: where it is, what covers it, how it looks, where its code is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from reticle.model.codes import Capability, CommandName
from reticle.ports import CallContext
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.fields import object_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import checked_ref

SHOWN = (
    "ref", "tag", "role", "name", "description", "level", "testid", "value", "text", "states", "box",
    "styles", "scroll", "theme", "chart", "attrs", "href", "formAction", "htmx", "source",
    "sourceUnavailable", "component",
)  # fmt: skip
"""The fields of a page's answer, in the order in which a reader wants them (page-wire, ``inspect``)."""


class InspectArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which element.
    """

    ref: Annotated[str, Meta(description="Element, such as e12.")]


async def inspect(context: CallContext, arguments: InspectArguments) -> ToolAnswer:
    """
    Describe one element; nothing is moved or scrolled for it.

    Raises:
        Refusal: ``bad_arguments`` for what is no ref; ``stale_ref`` and the like from the page; what the
            directory raises.
    """
    ref = checked_ref(arguments.ref)
    page = await present_page(context, arguments.sessionId, [ref])
    described = object_of(await page.ask(CommandName.INSPECT, {"ref": ref}))
    return ToolAnswer({**_fields(described), **session_note(page)})


def _fields(described: Mapping[str, object]) -> dict[str, object]:
    fields = told(**{name: described.get(name) for name in SHOWN})
    fields["visible"] = described.get("visible") is True
    for name in ("inViewport", "occluded"):  # null: nobody can tell, as the element does not show
        if name in described:
            fields[name] = described[name]
    fields.update(told(occludedBy=described.get("occludedBy")))
    return fields


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_inspect",
        title="Inspect an element",
        summary="Describes one element closely: box, cover, styles, theme, scrolling, component, source.",
        arguments=InspectArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=inspect,
        example={"ref": "e12"},
    ),
)
