"""
What the user had done was shown at once and taken back without a word, because the server refused it.

Claim: the page showed what was sent: a row of it, a number that went up, a control that was on.
Counter-evidence: the write failed, and after that the page put back what was there before.
Tier: a doubt: the screen is right in the end, and what is missed is only a message.
Guards: an app that owns up to the failure, a failure that was declared, what merely shows that the page
waits (a spinner, a disabled button, a counter of open requests), a write that succeeded at last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.channels import of_types
from reticle.domain.echoes import body_of, scalars
from reticle.domain.facts import brief, quoted, spoken_text
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import DECLARE, undeclared_failures
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.model.codes import EventType
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "optimistic-update-rolled-back"

_TELLING_CHARS = 2
_SWITCHES = frozenset({"aria-checked", "aria-pressed", "aria-selected", "open"})
_NUMBER = re.compile(r"\D{0,3}\d[\d.,\s]*\D{0,3}")
_WAITING = re.compile(
    r"pending|loading|busy|flight|fetching|saving|submitting|progress|request", re.IGNORECASE
)


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per failed write around whose end something was taken back that it had brought.
    """
    found: list[Finding] = []
    for one in undeclared_failures(window, predicate):
        if not one.mutating or acknowledged(one, window) is Held.YES:
            continue
        taken = next(_taken_back(one, window), None)
        if taken is not None:
            detail = {"method": one.method, "url": one.url, "status": one.status, "shown": taken}
            counter = f"{one}, and it was taken back without a word; {DECLARE}"
            found.append(Finding(KIND, FindingTier.ABSENCE, f"the page showed {taken}", counter, detail))
    return tuple(found)


def _taken_back(one: Request, window: Window) -> Iterator[str]:
    yield from _rows(one, window)
    yield from _values(one, window)


def _rows(one: Request, window: Window) -> Iterator[str]:
    """
    Rows with something that was sent, put in before the answer and taken out after it.
    """
    sent = _sent(one)
    if not sent:
        return
    end = _end(one)
    gone = {_named(event) for event in of_types(window, EventType.DOM_REMOVED) if event.seq > end}
    for event in of_types(window, EventType.DOM_ADDED):
        if event.seq > end:
            return
        said = spoken_text(event)
        if _named(event) in gone and any(word in said for word in sent):
            yield quoted(said, 80)


def _values(one: Request, window: Window) -> Iterator[str]:
    """
    Numbers and switches, on the page or in a store, that changed before the answer and back after it.
    """
    end = _end(one)
    first: dict[tuple[object, ...], tuple[object, object, str]] = {}
    for event in of_types(window, EventType.DOM_TEXT, EventType.DOM_ATTR, EventType.STATE_CHANGE):
        told = _value(event)
        if told is None:
            continue
        key, old, new, words = told
        if event.seq < end:
            first.setdefault(key, (old, new, words))
        elif key in first and first[key][0] == new != first[key][1]:
            yield first[key][2]


def _value(event: PageEvent) -> tuple[tuple[object, ...], object, object, str] | None:
    """
    A value that counts and that an event told of: which, the old one, the new one, in words; else None.
    """
    data, old = event.data, event.data.get("old")
    if event.type == EventType.DOM_TEXT:
        new = data.get("text")
        counts = event.ref is not None and _is_number(old) and _is_number(new)
        return ((event.type, event.ref), old, new, quoted(str(new))) if counts else None
    if event.type == EventType.DOM_ATTR:
        attr, new = data.get("attr"), data.get("value")
        counts = event.ref is not None and attr in _SWITCHES
        return ((event.type, event.ref, attr), old, new, f"{attr} {new}") if counts else None
    path, new = str(data.get("path")), data.get("value")
    if is_bookkeeping(event) or _WAITING.search(path) or new is None or old is None:
        return None
    counts = not isinstance(new, bool) and isinstance(new, int | float | list | tuple | dict)
    return (
        ((event.type, data.get("store"), path), old, new, f"{path} {brief(repr(new), 60)}")
        if counts
        else None
    )


def _is_number(text: object) -> bool:
    return isinstance(text, str) and _NUMBER.fullmatch(text) is not None


def _sent(one: Request) -> tuple[str, ...]:
    body = body_of(one.answer, "requestBody")
    return tuple(
        value for _, value in scalars(body) if isinstance(value, str) and len(value.strip()) >= _TELLING_CHARS
    )


def _named(event: PageEvent) -> tuple[str, str]:
    return str(event.data.get("role") or ""), str(event.data.get("name") or "")


def _end(one: Request) -> int:
    return one.ended.seq if one.ended is not None else one.seq
