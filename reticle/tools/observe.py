"""
``reticle_observe``: what the page reported, event by event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import attrs
import msgspec
from msgspec import Meta

from reticle.domain.capture import EVERY
from reticle.domain.server_words import served_lines
from reticle.errors import Refusal
from reticle.model.codes import Capability, EventType, RefusalCode
from reticle.model.limits import (
    EVENT_TEXT_CHARS,
    OBSERVE_COSTLY_BYTES,
    OBSERVE_COSTLY_EVENTS,
    OBSERVE_EVENTS,
)
from reticle.model.page import PageEvent
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Window
from reticle.ports import CallContext
from reticle.tools.arguments import StretchArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.digest import digest
from reticle.tools.fields import cut_values, lines_that_fit, list_of, newest_that_fit, object_of, told
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

SERVER_LINES = 8
"""Requests of the app's server beside the events; ``reticle_server`` has all."""

WINDOW_MS = 2_000
"""How far back a look without cursors goes."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "dom": ("dom.", "visible."),
    "net": ("net.", "worker."),
    "route": ("route.", "page.opened"),
    "console": ("console.", "error."),
    "signal": ("signal",),
    "state": ("state.",),
    "storage": ("storage.",),
    "animation": ("anim.",),
    "perf": ("perf", "render."),
    "focus": ("focus.",),
    "scroll": ("scroll.", "reveal."),
    "dialog": ("dialog",),
    "download": ("download",),
    "edit": ("edit.",),
    "human": ("human.",),
    "health": ("page.health", "blind-spot", "truncated", "transport.", "sdk."),
}
"""Filter names and how the types they stand for begin."""

QUIET_TYPES = frozenset({EventType.PAGE_HEALTH, EventType.SCROLL_POSITION, EventType.RENDER_COMMIT})
"""Heartbeats, scrolling and render counts: shown only when they are asked for."""


class ObserveArguments(StretchArguments, frozen=True, kw_only=True):
    """
    Which events.
    """

    window_ms: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="Without since: how far back; default 2000.")
    ] = None
    filters: Annotated[
        list[str] | None,
        Meta(description=f"Groups {', '.join(GROUPS)}, or event types."),
    ] = None
    max_events: Annotated[
        Annotated[int, Meta(ge=1, le=OBSERVE_EVENTS)], Meta(description="Keep the newest N.")
    ] = OBSERVE_EVENTS


async def observe(context: CallContext, arguments: ObserveArguments) -> ToolAnswer:
    """
    The newest events of a stretch, oldest first, and a digest of the whole stretch.

    Raises:
        Refusal: ``bad_arguments`` for an unknown filter or cursors that make no stretch.
    """
    filters = arguments.filters or []
    _check_filters(filters)
    page = await present_page(context, arguments.sessionId)
    stretch = await page.placed(stretch_of(page, arguments), SOURCE_WAIT_SECONDS)
    window = of_action(stretch, arguments.actionId)
    if arguments.since is None and not arguments.actionId:
        window = _recent(window, WINDOW_MS if arguments.window_ms is None else arguments.window_ms)
    listed = [event for event in window.events if _wanted(event, filters)]
    shown = newest_that_fit([_entry(event) for event in listed], arguments.max_events)
    channels = _channels(filters)
    fields: dict[str, object] = {
        "events": shown,
        **rest_fields(shown, len(listed), "narrow with filters, or look from since to an earlier until"),
        **(
            _nothing(window, channels, filters, connected=page.health().connected)
            if not listed
            else loss_fields(window, channels)
        ),
        **told(summary=digest(window), server=[] if filters else list(served_lines(window))[-SERVER_LINES:]),
        **span_fields(window),
        **buffer_fields(page),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **_cost(text, fields)}, text=text)


def _cost(text: str, fields: Mapping[str, object]) -> dict[str, object]:
    """
    What the events cost, and from when on it would pay to ask for less.
    """
    cost, shown = object_of(cost_fields(text).get("cost")), len(list_of(fields["events"]))
    costly = shown >= OBSERVE_COSTLY_EVENTS or len(text) >= OBSERVE_COSTLY_BYTES
    if not cost and not costly:
        return {}
    advice = "Ask for less: filters, max_events, actionId or a later since." if costly else None
    return {"cost": {"events": shown, **cost, **told(recommendation=advice)}}


def _check_filters(filters: Sequence[str]) -> None:
    unknown = [name for name in filters if name not in GROUPS and name not in set(EventType)]
    if unknown:
        raise Refusal(
            RefusalCode.BAD_ARGUMENTS,
            f"filters has {', '.join(unknown)}, which is no group and no event type.",
            f"Groups are {', '.join(GROUPS)}; types are such as net.request and dom.added.",
        )


def _recent(window: Window, window_ms: int) -> Window:
    """
    The end of a stretch, by time instead of by cursor.
    """
    opened = max(window.closed_t_ms - window_ms, 0)
    events = [event for event in window.events if event.t_ms >= opened]
    since = type(window.until)(events[0].seq - 1) if events else window.until
    losses = [loss for loss in window.losses if loss.since >= since]
    return attrs.evolve(window, events=events, losses=losses, since=since, opened_t_ms=opened)


def _wanted(event: PageEvent, filters: Sequence[str]) -> bool:
    if not filters:
        return event.type not in QUIET_TYPES
    return any(event.type == name or event.type.startswith(GROUPS.get(name, ("\0",))) for name in filters)


def _channels(filters: Sequence[str]) -> set[str]:
    """
    The loss channels behind the filters; any loss matters to a look at everything.
    """
    if not filters:
        return {EVERY, *(prefix.split(".", 1)[0] for group in GROUPS.values() for prefix in group)}
    prefixes = {prefix for name in filters for prefix in GROUPS.get(name, (name,))}
    return {prefix.split(".", 1)[0] for prefix in prefixes}


def _nothing(
    window: Window, channels: set[str], filters: Sequence[str], *, connected: bool
) -> dict[str, object]:
    fields = empty_fields(window, channels, (), "such event" if filters else "event", connected=connected)
    others: dict[str, int] = {}
    for event in window.events:
        others[event.type] = others.get(event.type, 0) + 1
    if filters and others:
        fields["hint"] = {"totalInWindow": len(window.events), "byType": others}
    return fields


def _entry(event: PageEvent) -> dict[str, object]:
    return {
        "seq": event.seq,
        "t": event.t_ms,
        "type": event.type,
        **told(ref=event.ref, actionId=event.action_id),
        "data": cut_values(dict(event.data), EVENT_TEXT_CHARS),
    }


def _text(fields: Mapping[str, object]) -> str:
    events = fields["events"]
    assert isinstance(events, list)
    lines, _ = lines_that_fit(_line(event) for event in events)
    if "summary" in fields:
        lines.append(f"summary: {msgspec.json.encode(fields['summary']).decode()}")
    if "hint" in fields:
        lines.append(f"hint: {msgspec.json.encode(fields['hint']).decode()}")
    lines += [f"server: {one}" for one in list_of(fields.get("server"))]
    return "\n".join([*lines, *footer(fields)])


def _line(event: Mapping[str, object]) -> str:
    ref = f" {event['ref']}" if "ref" in event else ""
    return f"{event['seq']} {event['t']}ms {event['type']}{ref} {msgspec.json.encode(event['data']).decode()}"


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_observe",
        title="Watch events",
        summary="Lists what the page reported lately or since a cursor: DOM, network, routes, console.",
        arguments=ObserveArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, open_world=True),
        run=observe,
        example={"since": 120, "filters": ["net", "console"]},
    ),
)
