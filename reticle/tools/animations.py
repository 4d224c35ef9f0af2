"""
``reticle_animations``: which of the browser's animations run now, on which element, and when they end.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticle.model.codes import Capability, CommandName
from reticle.ports import CallContext
from reticle.tools.arguments import PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import lines_that_fit, list_of, object_of, one_line, quoted, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer

SHOWN = (
    "kind", "name", "state", "target", "pseudo", "driver", "currentMs", "durationMs", "delayMs", "iterations",
    "endless", "endsInMs", "playbackRate",
)  # fmt: skip
"""The fields of an animation (page-wire, ``animations``)."""

REDUCED = "This browser asks for reduced motion: the app may leave animations out."


class AnimationsArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which page.
    """


async def animations(context: CallContext, arguments: AnimationsArguments) -> ToolAnswer:
    """
    The animations of the page and of what it has open inside it.

    Raises:
        Refusal: ``unsupported_surface`` for a page of the published packages, which do not tell on what they
            run; what the directory and the page port raise.
    """
    page = await present_page(context, arguments.sessionId)
    result = object_of(await page.ask(CommandName.ANIMATIONS, {}))
    listed = [_fields(object_of(each)) for each in list_of(result.get("animations"))]
    count = result.get("count")
    fields: dict[str, object] = {
        "animations": listed,
        "count": max(count, len(listed)) if isinstance(count, int) else len(listed),
        **told(truncated=result.get("truncated"), note=REDUCED if result.get("reducedMotion") else None),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _fields(animation: Mapping[str, object]) -> dict[str, object]:
    return told(**{name: animation.get(name) for name in SHOWN})


def _text(fields: Mapping[str, object]) -> str:
    lines, left = lines_that_fit(_line(object_of(each)) for each in list_of(fields["animations"]))
    lines.append(f"count {fields['count']}")
    if left:
        lines.append(f"{left} lines left out")
    if "note" in fields:
        lines.append(f"note: {fields['note']}")
    return "\n".join(lines)


def _line(animation: Mapping[str, object]) -> str:
    target = object_of(animation.get("target"))
    name = f" {quoted(target['name'])}" if target.get("name") else ""
    where = f"{text_of(target.get('role')) or 'element'}{name} (ref={target.get('ref')})"
    parts = [f"- {animation.get('kind')} {one_line(animation.get('name'))}: {animation.get('state')}"]
    if "driver" in animation:
        parts.append(f"driven by {animation['driver']}")
    elif animation.get("endless"):
        parts.append(f"endless, {animation.get('durationMs')} ms each")
    elif "endsInMs" in animation:
        parts.append(f"ends in {animation['endsInMs']} ms")
    return f"{', '.join(parts)}, on {where}{text_of(animation.get('pseudo'))}"


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_animations",
        title="List running animations",
        summary="Lists the browser's animations and transitions with element, state, times and end.",
        arguments=AnimationsArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=animations,
        advertised=False,
    ),
)
