"""
The server echoed what was written, and one field is not what was sent.

Many posts are no writes of a resource, and a server may well put a value into its own form. So only an
answer that is really the same thing is compared, and only values that mean something else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from reticle.domain.echoes import Scalar, body_of, identity_of, ids_in, objects, scalars
from reticle.domain.facts import brief, url_parts
from reticle.domain.findings.judged import contradiction
from reticle.domain.own_traffic import own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.domain.voices import voices
from reticle.model.codes import NOT_OBSERVED
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

_SERVERS_OWN = re.compile(
    r"^(?:_?id|uuid|uid|key|version|rev|revision|etag|seq|nonce|lock_?version|.*(?:token|csrf|password|secret"
    r"|hash|signature|timestamp)|(?:created|updated|modified)(?:_?(?:at|on|by))?|temp_?id|client_?id"
    r"|action|op|operation|command|event|method|type|kind)$",
    re.IGNORECASE,
)
"""Fields that a server sets or replaces by right, and those that say what to do rather than what is."""

_ADDING = re.compile(r"^(?:qty|quantity|count|delta|increment|by|amount_to_add)$", re.IGNORECASE)
"""Fields that a post may add to what was there, as a cart does."""

_CODE = re.compile(r"[A-Z0-9]+(?:[_-][A-Z0-9]+)*|[a-z]{1,2}|[a-z0-9]+(?:[_-][a-z0-9]+)+")
"""A value out of a list of codes: "GB", "en", "pending_review"; a person is not written so."""

_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_TRUTHS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_NEARLY = 0.005
"""Numbers this near, as a part of the larger, are one rounded."""


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
    sent = _written(body_of(one.answer, "requestBody"))
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
        if others and all(_is_another(value, other) for other in others):
            if one.method == "POST" and _ADDING.match(name):
                continue
            yield name, value, others[0]


def _written(body: object) -> dict[str, Scalar]:
    """
    The fields that were sent exactly once, and that a server should keep as they are.
    """
    if not isinstance(body, Mapping):
        return {}
    seen: dict[str, list[Scalar]] = {}
    for name, value in scalars(body):
        seen.setdefault(name, []).append(value)
    return {
        name: values[0]
        for name, values in seen.items()
        if len(values) == 1 and not _is_servers_own(name) and values[0] not in NOT_OBSERVED
    }


@functools.lru_cache(1_024)
def _is_servers_own(name: str) -> bool:
    return _SERVERS_OWN.match(name) is not None


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
    repeated = [name for name in sent if name in thing and _means_the_same(sent[name], thing[name])]
    return bool(repeated) and not ids_in(one.url)


def _is_another(sent: object, kept: object) -> bool:
    """
    Whether two values are of one vocabulary and mean different things.

    A code that is answered by its label ("GB", "United Kingdom") cannot be told from one that was replaced.
    """
    return _is_code(sent) is _is_code(kept) and not _means_the_same(sent, kept)


def _is_code(value: object) -> bool:
    return isinstance(value, str) and _number(value) is None and _CODE.fullmatch(value) is not None


def _means_the_same(sent: object, kept: object) -> bool:
    """
    Whether two values are one in different spelling: case, space, number formats, marks around it.

    What cannot be compared counts as the same: dates, and a number that is answered by its name.
    """
    if sent == kept or (isinstance(kept, str) and kept in NOT_OBSERVED):
        return True
    left, right = _number(sent), _number(kept)
    if left is not None and right is not None:
        return abs(left - right) <= _NEARLY * max(abs(left), abs(right))
    if left is not None or right is not None or _DATE.search(str(sent)):
        return True
    truths = _TRUTHS.get(str(sent).lower()), _TRUTHS.get(str(kept).lower())
    if None not in truths:
        return truths[0] is truths[1]
    if isinstance(sent, bool) or isinstance(kept, bool):
        return True
    one, other = _letters(sent), _letters(kept)
    return one in other or other in one


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None


def _letters(value: object) -> str:
    return "".join(sign for sign in str(value).casefold() if sign.isalnum())


def _owned_up(one: Request, window: Window) -> Held:
    later = [voice.owns_up for voice in voices(window) if voice.seq > one.seq]
    if Held.YES in later:
        return Held.YES
    return Held.UNKNOWN if Held.UNKNOWN in later else Held.NO
