"""
The questions of ``read``, asked of a published package one after the other: it has no such command.

Answers are as of slightly different instants; a question that cannot be answered truly is an error,
never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from reticle.bridge.dialect import Answered, Send
from reticle.bridge.identity import without_identity
from reticle.bridge.published.elements import CUT, Found, Query, find, parse_query
from reticle.bridge.published.refusals import published_refusal
from reticle.bridge.published.state import read_state, whole_state
from reticle.bridge.published.unseen import unseen_parts
from reticle.errors import Refusal
from reticle.model.codes import RefusalCode
from reticle.model.page import PageIdentity
from reticle.model.window import Question

ELEMENTS_SHOWN = 20
SAMPLES_SHOWN = 5

TOLD_STATES = frozenset(
    {"present", "visible", "hidden", "enabled", "disabled", "checked", "expanded", "focused", "inViewport"}
)
"""States that the packages know. That they do not tell another one is no sign that it does not hold."""

UNTOLD = (
    "the published @reticlehq package does not tell an element's whole text or one stored value; use this "
    "daemon's own page script"
)

UNTOLD_STYLE = (
    "the published @reticlehq package does not tell computed styles; use this daemon's own page script"
)

UNREACHED = frozenset({RefusalCode.SESSION_GONE, RefusalCode.COMMAND_TIMEOUT})
"""Refusals that tell that the page was not reached, or did not answer."""


async def answer_question(send: Send, identity: PageIdentity, question: Question) -> Answered:
    """
    One answer; the page's refusal is the answer's error. Raises ``Refusal`` only when it was not reached.
    """
    fields = question.fields
    untold = _untold(question)
    if untold is not None:
        return Answered(error=untold)
    try:
        match question.kind:
            case "match":
                query = fields.get("query")
                found = await match(send, query if isinstance(query, Mapping) else {}, fields.get("state"))
                return await _or_unseen(send, found)
            case "text":
                return await _or_unseen(send, await _text(send, fields))
            case "state":
                return await _state(send, fields)
            case _:  # a route: the other kinds are not told
                return await _route(send, identity)
    except Refusal as refusal:
        if refusal.code in UNREACHED:
            raise
        return Answered(error=refusal.message)


def _untold(question: Question) -> str | None:
    """
    Why a question is none that the packages can answer; None for one that they can.
    """
    if question.kind == "match" and "style" in question.fields:
        return UNTOLD_STYLE
    whole = question.kind == "text" and question.fields.get("exact")
    return UNTOLD if whole or question.kind in ("content", "stored") else None


async def _or_unseen(send: Send, answer: Mapping[str, object]) -> Answered:
    """
    Nothing found proves nothing where a part of the page cannot be looked into.
    """
    if answer.get("count") == 0 and not answer.get("candidates") and await unseen_parts(send):
        return Answered(
            error="the page has frames or elements of its own kind, into which the published @reticlehq "
            "package does not look"
        )
    return Answered(answer)


async def match(send: Send, query: Mapping[str, object], state: object) -> dict[str, object]:
    """
    The answer to ``match``. Raises ``Refusal``.
    """
    parsed = parse_query(query)
    found = await find(send, parsed)
    if found.scope_missing:
        return {"matched": False, "count": 0, "candidates": 0, "elements": [], "scopeMissing": True}
    if parsed.filters and not found.complete:
        raise _incomplete()
    count = found.count
    if isinstance(state, str) and state != "attached" and count > 0:
        if state not in TOLD_STATES:
            raise _unknown_state(state)
        count = await _count_in_state(send, parsed, found, state)
    return {
        "matched": count > 0,
        "count": count,
        "candidates": found.count,
        "elements": list(found.elements[:ELEMENTS_SHOWN]),
    }


async def _count_in_state(send: Send, query: Query, found: Found, state: str) -> int:
    if found.complete and state != "inViewport":  # that one is answered when asked for, and never listed
        return sum(state in _states(element) for element in found.elements)
    return (await find(send, query, state=state)).count


async def _text(send: Send, fields: Mapping[str, object]) -> dict[str, object]:
    wanted = fields.get("contains")
    asked = {"text": wanted, "scope": fields.get("scope")}
    found = await find(send, parse_query({name: value for name, value in asked.items() if value is not None}))
    if found.scope_missing:
        return {"matched": False, "count": 0, "visibleCount": 0, "samples": [], "scopeMissing": True}
    if not found.complete:
        raise _incomplete()
    # The packages compare without case; what we can read must have the very words.
    elements = [element for element in found.elements if _says(element, str(wanted))]
    cut = [element for element in found.elements if element not in elements and _is_elided(element)]
    if cut and not (any(map(_shows, elements)) if fields.get("visible") is True else elements):
        raise _unreadable()
    visible = [element for element in elements if _shows(element)]
    shown = visible if fields.get("visible") is True else elements
    return {
        "matched": bool(shown),
        "count": len(elements),
        "visibleCount": len(visible),
        "samples": [
            {
                "ref": element["ref"],
                "text": element.get("text") or element.get("name"),
                "visible": _shows(element),
            }
            for element in shown[:SAMPLES_SHOWN]
        ],
    }


def _unknown_state(state: str) -> Refusal:
    return Refusal(
        RefusalCode.UNSUPPORTED_SURFACE,
        f"The published @reticlehq package does not know whether an element is {state}.",
        "Ask for the element's attributes, or use this daemon's own page script.",
    )


def _incomplete() -> Refusal:
    return Refusal(
        RefusalCode.PAGE_ERROR,
        "Too many elements match for the published @reticlehq package to describe.",
        "Narrow the query, for example with scope.",
    )


def _unreadable() -> Refusal:
    return Refusal(
        RefusalCode.PAGE_ERROR,
        "The published @reticlehq package found such words without regard to case, and shows only the first "
        "80 characters of a text.",
        "Look for words at the beginning of the text, or use this daemon's own page script.",
    )


def _says(element: Mapping[str, object], words: str) -> bool:
    folded = " ".join(words.split())
    said = [element.get("text"), element.get("name")]
    return any(folded in " ".join(text.split()) for text in said if isinstance(text, str))


def _is_elided(element: Mapping[str, object]) -> bool:
    return any(str(element.get(part, "")).endswith(("…", CUT)) for part in ("text", "name"))


def _shows(element: Mapping[str, object]) -> bool:
    return element.get("visible") is True


async def _state(send: Send, fields: Mapping[str, object]) -> Answered:
    path, store = fields.get("path"), fields.get("store")
    if isinstance(store, str):
        return Answered(await whole_state(send, store, path))
    unscoped = await read_state(send, {})
    names = unscoped.get("storeNames")
    stores = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    answers = [(name, await whole_state(send, name, path)) for name in stores]
    having = [(name, answer) for name, answer in answers if answer.get("found") is True]
    if len(having) > 1:
        return Answered({**having[0][1], "ambiguous": [name for name, _ in having]})
    if having:
        return Answered({**having[0][1], "store": having[0][0]})
    return Answered({"found": False, "value": None, "path": path, "storeNames": stores})


async def _route(send: Send, identity: PageIdentity) -> Answered:
    result = await send("snapshot", {"mode": "status"})
    if not result.ok:
        raise published_refusal(result)
    status = result.result.get("status") if isinstance(result.result, Mapping) else None
    route = status.get("route") if isinstance(status, Mapping) else None
    if not isinstance(route, str):
        return Answered(error="the page did not tell its route")
    url = without_identity(urljoin(identity.url, route))
    parts = urlsplit(url)
    return Answered(
        {
            "url": url,
            "pathname": parts.path,
            "search": f"?{parts.query}" if parts.query else "",
            "hash": f"#{parts.fragment}" if parts.fragment else "",
        }
    )


def _states(element: Mapping[str, object]) -> list[object]:
    states = element.get("states")
    return states if isinstance(states, list) else []
