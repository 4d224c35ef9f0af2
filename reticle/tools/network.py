"""
``reticle_network``: the calls that the page made, answered or still open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from reticle.domain.capture import NET_BLIND_SPOTS
from reticle.domain.requests import Request, requests
from reticle.model.codes import Capability
from reticle.model.limits import LIST_ENTRIES, LISTED_BODY_CHARS, NET_BODY_CHARS
from reticle.model.source_limits import SOURCE_WAIT_SECONDS
from reticle.model.window import Window
from reticle.ports import CallContext
from reticle.tools.arguments import Name, StretchArguments
from reticle.tools.attendance import present_page, session_note
from reticle.tools.cost import cost_fields
from reticle.tools.fields import cut, lines_that_fit, newest_that_fit, one_line, told
from reticle.tools.spec import Tool, ToolAnnotations, ToolAnswer
from reticle.tools.stretch import (
    buffer_fields,
    empty_fields,
    footer,
    loss_fields,
    rest_fields,
    span_fields,
    stretch_of,
)

CHANNELS = frozenset({"net"})

PRESENT_SHOWN = 5
"""Calls named when a filter matched none."""

URL_CHARS = 500
"""Characters of one address."""


class NetworkArguments(StretchArguments, frozen=True, kw_only=True):
    """
    Which calls.
    """

    method: Annotated[Name | None, Meta(description="HTTP method.")] = None
    urlContains: Annotated[Name | None, Meta(description="Part of the URL.")] = None
    status: Annotated[int | None, Meta(description="Exact status.")] = None
    ok: Annotated[bool | None, Meta(description="Whether it succeeded; false: failed.")] = None
    limit: Annotated[Annotated[int, Meta(ge=1, le=LIST_ENTRIES)], Meta(description="Keep the newest N.")] = (
        LIST_ENTRIES
    )
    bodies: Annotated[bool, Meta(description="Include captured bodies.")] = True


async def network(context: CallContext, arguments: NetworkArguments) -> ToolAnswer:
    """
    The newest matching calls, oldest first; requests without an answer have status ``pending``.

    Raises:
        Refusal: ``bad_arguments`` for cursors that make no stretch; what the directory raises.
    """
    page = await present_page(context, arguments.sessionId)
    window = await page.placed(stretch_of(page, arguments), SOURCE_WAIT_SECONDS)
    seen = [one for one in requests(window) if _is_of(one, arguments.actionId)]
    matching = [one for one in seen if _matches(one, arguments)]
    body_chars = _body_chars(len(matching), arguments)
    shown = newest_that_fit([_entry(one, body_chars) for one in matching], arguments.limit)
    fields: dict[str, object] = {
        "calls": shown,
        **rest_fields(shown, len(matching), "narrow with urlContains or since, or pass bodies: false"),
        **(
            _nothing(window, seen, connected=page.health().connected)
            if not matching
            else loss_fields(window, CHANNELS)
        ),
        **told(bodiesNotCaptured=_bodies_missing(matching) if arguments.bodies else None),
        **span_fields(window),
        **buffer_fields(page),
        **session_note(page),
    }
    text = _text(fields)
    return ToolAnswer({**fields, **cost_fields(text)}, text=text)


def _is_of(one: Request, action_id: str | None) -> bool:
    """
    Whether an action began the request; it may be answered long after the action.
    """
    first = one.begun or one.ended
    return not action_id or (first is not None and first.action_id == action_id)


def _matches(one: Request, arguments: NetworkArguments) -> bool:
    return (
        (not arguments.method or one.method == arguments.method.upper())
        and (not arguments.urlContains or arguments.urlContains in one.url)
        and (arguments.status is None or one.status == arguments.status)
        and (arguments.ok is None or one.ok is arguments.ok)
    )


def _body_chars(matching: int, arguments: NetworkArguments) -> int:
    if not arguments.bodies:
        return 0
    return NET_BODY_CHARS if min(matching, arguments.limit) == 1 else LISTED_BODY_CHARS


def _entry(one: Request, body_chars: int) -> dict[str, object]:
    answer = one.answer
    entry: dict[str, object] = {"method": one.method, "url": cut(one.url, URL_CHARS), "status": _status(one)}
    entry.update(
        told(
            statusText=answer.get("statusText"),
            ms=answer.get("durationMs"),
            contentType=answer.get("contentType"),
            responseSize=answer.get("responseSize"),
            initiator=one.initiator if one.initiator not in {"fetch", "xhr"} else None,
            error=answer.get("error"),
            aborted=answer.get("aborted"),
            source=answer.get("source"),
            cached=answer.get("cached"),
            **{"from": answer.get("from")},
            startedBefore=one.before,
            bodyTruncated=answer.get("bodyTruncated"),
        )
    )
    for name in ("requestBody", "responseBody"):
        body = answer.get(name)
        if body_chars and body not in (None, ""):
            text = body if isinstance(body, str) else msgspec.json.encode(body).decode()
            entry[name] = cut(text, body_chars)
    entry["seq"] = one.seq
    return entry


def _status(one: Request) -> int | str:
    if one.open:
        return "pending"
    if one.unseen:
        return "unseen: its document ended first"
    if one.status:
        return one.status
    return "failed" if one.failed else "unreadable"


def _bodies_missing(matching: Sequence[Request]) -> str | None:
    """
    That writes succeeded whose words are unknown; a form post's answer is the page itself.
    """
    bare = [
        one
        for one in matching
        if one.mutating
        and one.ok
        and one.initiator != "document"
        and one.answer.get("responseSize")
        and "responseBody" not in one.answer
    ]
    if not bare:
        return None
    return f"not captured for {len(bare)} of the successful writes: what they were answered is not known."


def _nothing(window: Window, seen: Sequence[Request], *, connected: bool) -> dict[str, object]:
    what = "call that matches" if seen else "call"
    fields = empty_fields(window, CHANNELS, NET_BLIND_SPOTS, what, connected=connected)
    if seen:
        fields["hint"] = {"totalInWindow": len(seen), "present": [str(one) for one in seen[-PRESENT_SHOWN:]]}
    return fields


def _text(fields: Mapping[str, object]) -> str:
    calls = fields["calls"]
    assert isinstance(calls, list)
    lines, _ = lines_that_fit(line for call in calls for line in _lines(call))
    if "hint" in fields:
        lines.append(f"hint: {msgspec.json.encode(fields['hint']).decode()}")
    if "bodiesNotCaptured" in fields:
        lines.append(f"bodies: {fields['bodiesNotCaptured']}")
    return "\n".join([*lines, *footer(fields)])


def _lines(call: Mapping[str, object]) -> list[str]:
    ms = f" {call['ms']}ms" if "ms" in call else ""
    error = f" ({one_line(call['error'])})" if "error" in call else ""
    lines = [f"{call['seq']} {call['method']} {call['url']} {call['status']}{ms}{error}"]
    for name, mark in (("requestBody", ">"), ("responseBody", "<")):
        if name in call:
            lines.append(f"  {mark} {one_line(call[name])}")
    return lines


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="reticle_network",
        title="List network calls",
        summary="Lists the page's HTTP calls with status, time and captured bodies, pending ones included.",
        arguments=NetworkArguments,
        capability=Capability.OBSERVE,
        annotations=ToolAnnotations(read_only=True, open_world=True),
        run=network,
        example={"method": "POST", "urlContains": "/api/"},
    ),
)
