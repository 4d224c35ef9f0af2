"""
The server echoed what was written, and one field is not what was sent.

Many posts are no writes of a resource, and a server may well put a value into its own form. So only an
answer that is really the same thing is compared, and only values that mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reticle.domain.echoes import Scalar, body_of, identity_of, ids_in, objects, scalars
from reticle.domain.facts import brief, url_parts
from reticle.domain.findings.judged import contradiction
from reticle.domain.findings.written import is_another, means_the_same, written_fields
from reticle.domain.own_traffic import own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.domain.voices import voices
from reticle.model.verdict import Finding, Held
from reticle.model.window import Window

KIND = "write-field-ignored"

_READS = re.compile(
    r"(?:^|[/_.:-])(?:search|query|queries|filter|find|lookup|list|graphql|gql|rpc|suggest|autocomplete"
    r"|validate|check|preview|estimate|quote|calculate|count|export|report|login|signin|token|session)s?"
    r"(?:$|[/_.:-])",
    re.IGNORECASE,
)
"""Paths of posts that ask rather than write, or whose answer is another thing than was sent."""

_ASKING = frozenset({"q", "query", "search", "filter", "filters", "page", "per_page", "perpage", "limit",
                     "offset", "cursor", "sort", "order_by", "orderby", "operationname"})  # fmt: skip
"""Keys of bodies that ask."""

_ADDING = re.compile(r"^(?:qty|quantity|count|delta|increment|by|amount_to_add)$", re.IGNORECASE)
"""Fields that a post may add to what was there, as a cart does."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per successful write whose echo holds other values only for a field that was sent.

    An app that says so (a message of failure after the answer) has owned up to it.
    """
    found: list[Finding] = []
    for one in own_writes(window):
        if one.answer.get("bodyTruncated") or _asks(one):
            continue
        changed = next(_changed(one), None)
        if changed is not None:
            name, sent, kept = changed
            detail = {"method": one.method, "url": one.url, "field": name, "sent": sent, "answered": kept}
            claim = f"{one} was sent {name} {brief(repr(sent), 60)}"
            counter = f"its answer has {name} {brief(repr(kept), 60)}"
            found += contradiction(KIND, claim, counter, detail, _owned_up(one, window), way_out="")
    return tuple(found)


def _asks(one: Request) -> bool:
    return one.initiator == "document" or bool(_READS.search(url_parts(one.url).path))


def _changed(one: Request) -> Iterator[tuple[str, Scalar, Scalar]]:
    sent = written_fields(body_of(one.answer, "requestBody"))
    answer = body_of(one.answer, "responseBody")
    if not sent or _ASKING & {name.lower() for name in sent}:
        return
    if not any(_is_same_thing(sent, each, one) for each in objects(answer)):
        return
    kept: dict[str, list[Scalar]] = {}
    for name, value in scalars(answer):
        kept.setdefault(name, []).append(value)
    for name, value in sent.items():
        others = kept.get(name, [])
        if others and all(is_another(value, other) for other in others):
            if one.method == "POST" and _ADDING.match(name):
                continue
            yield name, value, others[0]


def _is_same_thing(sent: Mapping[str, Scalar], thing: Mapping[str, object], one: Request) -> bool:
    """
    Whether an object of the answer is what was written: by the id in the path or of what was sent, or a
    new thing with an id of its own that repeats another field as it was sent.
    """
    identity = identity_of(thing)
    if identity is None or not sent.keys() & thing.keys():
        return False
    if identity in ids_in(one.url) or identity == identity_of(body_of(one.answer, "requestBody")):
        return True
    repeated = [name for name in sent if name in thing and means_the_same(sent[name], thing[name])]
    return bool(repeated) and not ids_in(one.url)


def _owned_up(one: Request, window: Window) -> Held:
    later = [voice.owns_up for voice in voices(window) if voice.seq > one.seq]
    if Held.YES in later:
        return Held.YES
    return Held.UNKNOWN if Held.UNKNOWN in later else Held.NO
