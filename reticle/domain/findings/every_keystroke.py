"""
What was counted as done once was done for every letter before, too.

Claim: so many requests, or so many writes of a stored value, with the whole of a text that the action typed.
Counter-evidence: the same call, or the same key, with several beginnings of that very text: "l", "la", "lam".
The app does not wait until the typing stops. The count holds all the same, where it names the whole text.
Tier: a doubt; an app may mean to ask at every letter.
Guards: a claim that counts nothing, other actions than typing, one beginning alone (a pause in the midst),
anything else that differs, calls of others than the app's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl

from reticle.domain.channels import of_types
from reticle.domain.echoes import body_of, scalars
from reticle.domain.facts import brief, text_of, url_parts
from reticle.domain.findings.judged import asserted
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net, Storage
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.codes import EventType
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "every-keystroke"

_TYPES: Final = "type"
"""The action that gives a text letter by letter; every other one changes it at once."""

_BEGINNINGS: Final = 2
"""One may come of a pause while a slow page is typed into."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding for each count that holds of the whole text alone.
    """
    if window.action is None or window.action.action != _TYPES:
        return ()
    found: list[Finding] = []
    for leaf in asserted(predicate):
        if isinstance(leaf, Net) and leaf.count:
            found += _asked(leaf, window)
        elif isinstance(leaf, Storage) and leaf.count and isinstance(leaf.equals, str):
            found += _stored(leaf, leaf.equals, window)
    return tuple(found)


def _asked(leaf: Net, window: Window) -> Iterator[Finding]:
    requests = [one for one in own_requests(window) if not one.before]
    for whole in requests:
        if not fits_request(leaf, whole):
            continue
        begun = {
            part
            for one in requests
            if one.seq < whole.seq and not fits_request(leaf, one) and (part := _beginning(one, whole))
        }
        if len(begun) >= _BEGINNINGS:
            detail = {"method": whole.method, "url": whole.url, "times": len(begun)}
            yield _finding(f"{whole.method} {whole.url}", leaf.count, begun, detail)
            return


def _beginning(one: Request, whole: Request) -> str:
    """
    The beginning of a text that a call was made with, where nothing else tells it from the other; else "".
    """
    if one.method != whole.method or url_parts(one.url).path != url_parts(whole.url).path:
        return ""
    sent, counted = _fields(one), _fields(whole)
    if sent.keys() != counted.keys():
        return ""
    other = [(sent[name], text) for name, text in counted.items() if sent[name] != text]
    return other[0][0] if len(other) == 1 and _begins(*other[0]) else ""


def _fields(one: Request) -> Mapping[tuple[str, str], str]:
    """
    What a call was made with: of its address, and of its body.
    """
    asked = parse_qsl(url_parts(one.url).query, keep_blank_values=True)
    body = scalars(body_of(one.answer, "requestBody"))
    return {("query", name): value for name, value in asked} | {
        ("body", name): str(value) for name, value in body
    }


def _stored(leaf: Storage, whole: str, window: Window) -> Iterator[Finding]:
    begun = set()
    for event in of_types(window, EventType.STORAGE_CHANGE):
        data = event.data
        asked = {"area": leaf.area, "key": leaf.key, "store": leaf.store}
        if all(value is None or data.get(name) == value for name, value in asked.items()):
            new = text_of(data, "new") or ""
            if _begins(new, whole):
                begun.add(new)
    if len(begun) >= _BEGINNINGS:
        detail = {"area": leaf.area, "key": leaf.key, "times": len(begun)}
        yield _finding(f"a write of {leaf.key or 'a value'}", leaf.count, begun, detail)


def _begins(part: str, whole: str) -> bool:
    return bool(part) and part != whole and whole.startswith(part)


def _finding(what: str, count: int | None, begun: set[str], detail: Mapping[str, object]) -> Finding:
    shown = ", ".join(f'"{brief(part, 20)}"' for part in sorted(begun, key=len)[:3])
    claim = f"{what}, counted as {count}"
    counter = f"the same was done for {len(begun)} beginnings of the text that was typed: {shown}"
    return Finding(
        KIND, FindingTier.ABSENCE, claim, f"{counter}; if that is meant, claim it without count", detail
    )
