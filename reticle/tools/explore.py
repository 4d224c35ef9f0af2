"""
``reticle_explore``: what can be operated on a page that the agent does not know yet. It clicks nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from reticle.model.codes import Capability, CommandName, EventType
from reticle.model.ids import Cursor
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import cut, lines_that_fit, list_of, object_of, one_line, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import buffer_fields, loss_fields
from reticle.tools.targets import refs_of_scope

ERRORS_SHOWN: Final = 5
"""The newest; ``reticle_console`` has all of them."""

ERROR_CHARS: Final = 200

_CHANNELS: Final = frozenset({"console", "error"})
_ERRORS: Final = frozenset({EventType.CONSOLE_ERROR, EventType.ERROR_UNCAUGHT})

TRY: Final = (
    'Nothing was clicked. Try one with a claim: reticle_act_and_wait {"action": "click", "ref": …, "until": '
    "…}."
)
NOTHING: Final = (
    "Nothing here can be operated now: the page may still be loading, or show it after a scroll or in a "
    "frame of another origin. reticle_snapshot tells what there is."
)
NO_SCOPE: Final = "Nothing matches scope: no part of the page was looked at."


class ExploreArguments(PageArguments, frozen=True, kw_only=True):
    """
    Which part of the page.
    """

    scope: Annotated[Name | None, Meta(description="Ref or CSS selector.")] = None


async def explore(context: CallContext, arguments: ExploreArguments) -> ToolAnswer:
    """
    Everything that a person could act on now, and the errors that the console has.

    Raises:
        Refusal: ``unsupported_surface`` for a page of the published packages; what the directory and the page
            port raise.
    """
    page = await present_page(context, arguments.sessionId, refs_of_scope(arguments.scope))
    result = object_of(await page.ask(CommandName.EXPLORE, told(scope=arguments.scope)))
    listed = [_fields(object_of(each)) for each in list_of(result.get("interactive"))]
    _, left = lines_that_fit(_line(each) for each in listed)
    shown = listed[: len(listed) - left]
    count = result.get("count")
    total = max(count, len(listed)) if isinstance(count, int) else len(listed)
    missing = result.get("scopeMissing") is True
    fields: dict[str, object] = {
        "interactive": shown,
        "count": total,
        **told(truncated=total > len(shown), scopeMissing=missing),
        **_errors(page),
        "hint": _hint(len(shown), total, missing=missing),
        **buffer_fields(page),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _fields(element: Mapping[str, object]) -> dict[str, object]:
    return {
        "ref": element.get("ref"),
        "desc": one_line(text_of(element.get("desc"))),
        **told(dangerous=element.get("dangerous") is True),
    }


def _errors(page: Page) -> dict[str, object]:
    """
    The newest errors of the document that is open now, as far as they are still held; what was lost is said.
    """
    window = page.window(Cursor(0))
    errors = [
        event
        for event in window.events
        if event.type in _ERRORS and event.document_id == page.identity.document_id
    ]
    newest = [
        cut(one_line(text_of(each.data.get("message"))), ERROR_CHARS) for each in errors[-ERRORS_SHOWN:]
    ]
    total = len(errors) if len(errors) > len(newest) else None
    return {"consoleErrors": newest, **told(consoleErrorsTotal=total), **loss_fields(window, _CHANNELS)}


def _hint(shown: int, total: int, *, missing: bool) -> str:
    if missing:
        return NO_SCOPE
    if not total:
        return NOTHING
    more = f" {total - shown} more are not listed: name a part with scope." if total > shown else ""
    return f"{TRY}{more}"


def _line(element: Mapping[str, object]) -> str:
    dangerous = " [asks before it acts]" if element.get("dangerous") else ""
    return f"- {element['ref']} {element['desc']}{dangerous}"


def _text(fields: Mapping[str, object]) -> str:
    lines = [_line(object_of(each)) for each in list_of(fields["interactive"])]
    lines.append(f"count {fields['count']}")
    lines += [f"console error: {each}" for each in list_of(fields["consoleErrors"])]
    if "losses" in fields:
        lines.append(f"losses: {fields['losses']}")
    return "\n".join([*lines, f"hint: {fields['hint']}"])


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_explore",
        title="List what can be operated",
        summary="Lists every control and clickable part of the page with ref, value and state, and the "
        "console's errors; clicks nothing.",
        arguments=ExploreArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=explore,
        advertised=False,
        example={"scope": "main"},
    ),
)
