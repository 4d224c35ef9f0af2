"""
``reticle_console``: what was written to the page's console, uncaught errors included.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from reticle.domain.findings.uncaught_error import source_of
from reticle.model.codes import Capability, EventType
from reticle.model.limits import ANSWER_CHARS, LIST_ENTRIES
from reticle.model.page import PageEvent
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Window
from reticle.ports import CallContext
from reticle.tools.arguments import StretchArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import cut, lines_that_fit, newest_that_fit, one_line, text_of, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import (
    buffer_fields,
    empty_fields,
    footer,
    loss_fields,
    of_action,
    rest_fields,
    span_fields,
    stretch_of,
)

CHANNELS = frozenset({"console", "error"})

STACK_FRAMES = 4
"""Frames of a stack trace; the first ones name the place."""

MESSAGE_CHARS = 1_000
"""One message in a list."""

Level = Literal["log", "info", "debug", "warn", "error"]

LEVELS: Mapping[str, Level] = {
    EventType.CONSOLE_LOG: "log",
    EventType.CONSOLE_INFO: "info",
    EventType.CONSOLE_DEBUG: "debug",
    EventType.CONSOLE_WARN: "warn",
    EventType.CONSOLE_ERROR: "error",
    EventType.ERROR_UNCAUGHT: "error",
}
"""Event types and the level they are listed under; an uncaught error is an error."""


class ConsoleArguments(StretchArguments, frozen=True, kw_only=True):
    """
    Which entries.
    """

    level: Annotated[Level | None, Meta(description="Only this level; error includes uncaught.")] = None
    limit: Annotated[Annotated[int, Meta(ge=1, le=LIST_ENTRIES)], Meta(description="Keep the newest N.")] = (
        LIST_ENTRIES
    )


async def console(context: CallContext, arguments: ConsoleArguments) -> ToolAnswer:
    """
    The newest entries of a level, oldest first.

    Raises:
        Refusal: ``bad_arguments`` for cursors that make no stretch; what the directory raises.
    """
    page = await present_page(context, arguments.sessionId)
    stretch = await page.placed(stretch_of(page, arguments), SOURCE_WAIT_SECONDS)
    window = of_action(stretch, arguments.actionId)
    entries = [event for event in window.events if event.type in LEVELS]
    matching = [event for event in entries if arguments.level in {None, LEVELS[event.type]}]
    shown = newest_that_fit([_entry(event) for event in matching], arguments.limit, ANSWER_CHARS)
    fields: dict[str, object] = {
        "logs": shown,
        **rest_fields(shown, len(matching), "narrow with level or since"),
        **(
            _nothing(window, entries, connected=page.health().connected)
            if not matching
            else loss_fields(window, CHANNELS)
        ),
        **span_fields(window),
        **buffer_fields(page),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _entry(event: PageEvent) -> dict[str, object]:
    stack = [line.strip() for line in text_of(event.data.get("stack")).splitlines() if line.strip()]
    return {
        "level": LEVELS[event.type],
        "text": cut(text_of(event.data.get("message")), MESSAGE_CHARS),
        **told(
            uncaught=event.type == EventType.ERROR_UNCAUGHT,
            stack=stack[:STACK_FRAMES],
            source=source_of(event),
        ),
        "t": event.t_ms,
        "seq": event.seq,
    }


def _nothing(window: Window, entries: list[PageEvent], *, connected: bool) -> dict[str, object]:
    what = "entry of this level" if entries else "console entry"
    fields = empty_fields(window, CHANNELS, (), what, connected=connected)
    if entries:
        by_level: dict[str, int] = {}
        for event in entries:
            by_level[LEVELS[event.type]] = by_level.get(LEVELS[event.type], 0) + 1
        fields["hint"] = {"totalInWindow": len(entries), "byLevel": by_level}
    return fields


def _text(fields: Mapping[str, object]) -> str:
    logs = fields["logs"]
    assert isinstance(logs, list)
    lines, _ = lines_that_fit(line for log in logs for line in _lines(log))
    if "hint" in fields:
        lines.append(f"hint: {msgspec.json.encode(fields['hint']).decode()}")
    return "\n".join([*lines, *footer(fields)])


def _lines(log: Mapping[str, object]) -> list[str]:
    level = "uncaught" if log.get("uncaught") else log["level"]
    source = f" ({log['source']})" if "source" in log else ""
    stack = log.get("stack", [])
    assert isinstance(stack, list)
    return [f"{log['seq']} {level}: {one_line(log['text'])}{source}", *(f"    {frame}" for frame in stack)]


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_console",
        title="Read the console",
        summary="Lists console entries and uncaught errors with their place in the source.",
        arguments=ConsoleArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, open_world=True),
        run=console,
        example={"level": "error"},
    ),
)
