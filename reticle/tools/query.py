"""
``reticle_query``: find elements by role, text, label, test id and the like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from reticle.model.codes import Capability, CommandName
from reticle.model.limits import QUERY_ELEMENTS
from reticle.ports import CallContext, Page
from reticle.tools.arguments import Name, PageArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import (
    lines_that_fit,
    list_of,
    newest_that_fit,
    object_of,
    one_line,
    quoted,
    text_of,
    told,
)
from reticle.tools.hints import brief_hint
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.targets import By, parse_query, refs_of_scope

ATTRIBUTES = 12
"""Extra attributes in one query; more would make each line longer than the element."""

TEXT_SHOWN_CHARS = 120
"""An element's text in a line of the outline; the field has what the page sent."""

_PLAIN: Final = re.compile(r'[^\s"=]+')
"""What needs no quotes: it cannot be taken for more than one word."""

_NOT_OF_THE_QUERY = {"sessionId", "limit", "count_only", "attrs"}


class QueryArguments(PageArguments, frozen=True, kw_only=True):
    """
    An element query, and how much of the answer is wanted.
    """

    by: Annotated[By | None, Meta(description="How value finds.")] = None
    value: Annotated[str | None, Meta(description="With by: what to find; else the value.")] = None
    role: Annotated[Name | None, Meta(description="Exact role.")] = None
    name: Annotated[str | None, Meta(description="Exact name.")] = None
    text: Annotated[Name | None, Meta(description="Part of its text.")] = None
    label: Annotated[Name | None, Meta(description="Part of its label.")] = None
    placeholder: Annotated[Name | None, Meta(description="Part of its placeholder.")] = None
    testid: Annotated[Name | None, Meta(description="Exact data-testid.")] = None
    alt: Annotated[Name | None, Meta(description="Part of its alt text.")] = None
    component: Annotated[Name | None, Meta(description="Component name.")] = None
    source: Annotated[
        dict[str, object] | None, Meta(description='{"file": …, "line": …}, column optional.')
    ] = None
    scope: Annotated[Name | None, Meta(description="Ref or CSS selector.")] = None
    self_: Annotated[bool, Meta(description="The scope element itself.")] = msgspec.field(
        default=False, name="self"
    )
    attrs: Annotated[
        Annotated[list[str], Meta(max_length=ATTRIBUTES)] | None, Meta(description="Attributes to report.")
    ] = None
    limit: Annotated[Annotated[int, Meta(ge=1, le=QUERY_ELEMENTS)], Meta(description="Most described.")] = (
        QUERY_ELEMENTS
    )
    count_only: Annotated[bool, Meta(description="Only the exact count.")] = False


async def query(context: CallContext, arguments: QueryArguments) -> ToolAnswer:
    """
    Ask the page; zero matches come with a hint of what is there instead.

    Raises:
        Refusal: ``bad_arguments`` when nothing locates an element; what the page port raises.
    """
    wanted = {
        name: value
        for name, value in msgspec.to_builtins(arguments).items()
        if name not in _NOT_OF_THE_QUERY and _means_something(name, value)
    }
    asked: dict[str, object] = parse_query(wanted, "The query")
    asked.update(told(attrs=arguments.attrs, count_only=arguments.count_only))
    asked["limit"] = arguments.limit
    page = await present_page(context, arguments.sessionId, refs_of_scope(arguments.scope))
    result = object_of(await page.ask(CommandName.QUERY, asked))
    return _answer(page, result, arguments)


def _means_something(name: str, value: object) -> bool:
    """
    Whether an argument asks for anything; only a name or value can be meant to be empty.
    """
    return value is not None and (value != "" or name in {"name", "value"})


def _answer(page: Page, result: Mapping[str, object], arguments: QueryArguments) -> ToolAnswer:
    described = [object_of(element) for element in list_of(result.get("elements"))]
    elements = list(reversed(newest_that_fit(described[::-1], arguments.limit)))
    count = result.get("count")
    if not isinstance(count, int):
        count = len(described)
    cut = not arguments.count_only and count > len(elements)
    fields: dict[str, object] = {
        **({} if arguments.count_only else {"elements": elements}),
        "count": count,
        **told(
            truncated=cut or result.get("truncated") is True,
            note=f"{count - len(elements)} more match: narrow with scope or name, or use count_only."
            if cut
            else None,
            scopeMissing=result.get("scopeMissing"),
            hint=brief_hint(result.get("hint")),
        ),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _text(fields: Mapping[str, object]) -> str:
    lines, _ = lines_that_fit(element_line(object_of(entry)) for entry in list_of(fields.get("elements")))
    lines.append(f"count {fields['count']}")
    if fields.get("scopeMissing"):
        lines.append("scope matches nothing: the page was not searched")
    if "note" in fields:
        lines.append(f"note: {fields['note']}")
    if "hint" in fields:
        lines.append(f"hint: {msgspec.json.encode(fields['hint']).decode()}")
    if "session" in fields:
        lines.append(f"page: {object_of(fields['session']).get('recommendation')}")
    return "\n".join(lines)


def element_line(element: Mapping[str, object]) -> str:
    """
    A described element as one line in the manner of a snapshot.
    """
    line = f"- {text_of(element.get('role')) or 'element'}"
    if element.get("name"):
        line += f" {quoted(element['name'])}"
    line += f" (ref={element.get('ref')})"
    if isinstance(element.get("level"), int):
        line += f" level={element['level']}"
    if isinstance(element.get("value"), str):
        line += f" value={quoted(element['value'])}"
    states = [str(state) for state in list_of(element.get("states")) if state not in {"present", "enabled"}]
    if states:
        line += f" [{','.join(states)}]"
    text = one_line(text_of(element.get("text")))
    if text and text != element.get("name"):
        line += f" text={quoted(text[:TEXT_SHOWN_CHARS])}"
    for name in ("testid", "source"):
        if element.get(name):
            shown = text_of(element[name])
            line += f" {name}={shown if _PLAIN.fullmatch(shown) else quoted(shown)}"
    faults = [text_of(object_of(fault).get("kind")) for fault in list_of(element.get("chart"))]
    if faults:
        line += f" chart faults: {', '.join(faults)}"
    if element.get("attrs"):
        line += f" attrs={msgspec.json.encode(element['attrs']).decode()}"
    return line


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_query",
        title="Find elements",
        summary="Finds elements by role, name, text, label or testid and describes them, each with its ref.",
        arguments=QueryArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, idempotent=True, open_world=True),
        run=query,
        example={"role": "button", "name": "Save"},
    ),
)
