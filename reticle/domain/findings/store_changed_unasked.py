"""
One thing was written, and the store put the value into another one as well, or instead.

That a store changes without anybody's having said so is normal: a claim names one consequence of many. It is
a doubt where the app itself says what was to change, by a write of one thing with one value, and the same
field of another thing of the same kind takes that value too.
Claim: the write names one thing by its id. Counter-evidence: in the store the field changed in others.
Tier: a doubt: the app may mean it (a parent that completes its children) and only nothing says so.
Guards: values and fields that go together by nature (switches, ranks, selections, dates, counts of versions),
an answer or a message of a stream that names the other thing or holds the field more than once, a body of
many things, and a claim about the store's path.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping

import attrs

from reticle.domain.bookkeeping import is_bookkeeping
from reticle.domain.channels import of_types
from reticle.domain.echoes import Scalar, body_of, identity_of, ids_in, objects, scalars
from reticle.domain.facts import text_of
from reticle.domain.findings.judged import asserted
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests, own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import State
from reticle.domain.requests import Request
from reticle.model.codes import EventType
from reticle.model.finding_limits import SIBLINGS_JUDGED
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "store-changed-unasked"

_ENTRY = re.compile(r"(.*?)(?:^|\.)([^.]*\d[^.]*)\.(?:.*\.)?([^.]+)")
"""A store's path, in three: the collection, which of its things, the field."""

_TOGETHER = re.compile(
    r"rank|order|position|index|sort|select|active|default|primary|current|checked|open|expanded|date|time|_at$"
    r"|At$|version|rev|updated|modified|by$",
    re.IGNORECASE,
)
"""Fields by which things are compared, or of which one may have it: writing one changes others."""

_SHAPE = re.compile(r"[0-9a-f]*\d[0-9a-f]*", re.IGNORECASE)
"""What differs between two ids of one kind."""

_TELLING_CHARS = 2


@attrs.frozen
class _Change:
    """
    A field of one thing in a collection of a store that took a value.
    """

    seq: int
    path: str
    collection: str
    entry: str
    field: str
    value: Scalar


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per write of one thing whose value came into the same field of another.
    """
    if not _changes(window):
        return ()
    found: list[Finding] = []
    for one in own_writes(window):
        sent = _sent(one)
        if sent:
            finding = _spread(one, sent, window, predicate)
            if finding is not None:
                found.append(finding)
    return tuple(found)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide such a change.
    """
    return frozenset({"state"}) if any(_sent(one) for one in own_writes(window)) else frozenset()


def _sent(one: Request) -> Mapping[str, Scalar]:
    """
    The fields of a write of one thing that tell it from others; none where it may be about several.
    """
    body = body_of(one.answer, "requestBody")
    if not isinstance(body, Mapping) or len(ids_in(one.url)) != 1 or len(list(objects(body))) != 1:
        return {}
    return {name: value for name, value in scalars(body, 1) if _tells(name, value)}


def _tells(name: str, value: object) -> bool:
    if isinstance(value, bool) or _goes_together(name):
        return False
    return not isinstance(value, str) or len(value) >= _TELLING_CHARS


@functools.lru_cache(1_024)
def _goes_together(name: str) -> bool:
    return _TOGETHER.search(name) is not None


def _spread(
    one: Request, sent: Mapping[str, Scalar], window: Window, predicate: Predicate | None
) -> Finding | None:
    (written,) = ids_in(one.url)
    taken: dict[tuple[str, str], list[_Change]] = {}
    for change in _changes(window):
        if change.seq > one.seq and sent.get(change.field) == change.value:
            taken.setdefault((change.collection, change.field), []).append(change)
    for changes in taken.values():
        entries = {change.entry for change in changes}
        others = entries - {written}
        if not others or _may_be_the_same(entries, written) or _told(others, sent, one, window):
            continue
        stray = next(change for change in changes if change.entry in others)
        if _is_claimed(changes, predicate):
            continue
        detail = {"method": one.method, "url": one.url, "paths": [change.path for change in changes][:10]}
        claim = f"{one} was about {written}"
        where = f"in {len(entries)} of {stray.collection or 'the store'}" if len(entries) > 1 else stray.path
        counter = f"the store took its {stray.field} {stray.value!r} {where}, and nothing says so"
        return Finding(KIND, FindingTier.ABSENCE, claim, counter, detail)
    return None


def _may_be_the_same(entries: set[str], written: str) -> bool:
    """
    Whether the one thing that took the value may be the one that was written, under another name: by its
    place in a list, or by a key of another kind, nobody knows which it is.
    """
    if len(entries) > 1:
        return False
    (entry,) = entries
    return entry.isdigit() or _SHAPE.sub("#", entry) != _SHAPE.sub("#", written)


@once_per_window
def _changes(window: Window) -> tuple[_Change, ...]:
    """
    The first changes of fields of things in collections, oldest first.
    """
    found = []
    for event in itertools.islice(of_types(window, EventType.STATE_CHANGE), SIBLINGS_JUDGED):
        path, value = text_of(event.data, "path") or "", event.data.get("value")
        entry = _ENTRY.fullmatch(path)
        if entry is None or is_bookkeeping(event) or not isinstance(value, str | int | float):
            continue
        collection, which, field = entry.groups()
        found.append(_Change(event.seq, path, f"{event.data.get('store')}.{collection}", which, field, value))
    return tuple(found)


def _told(others: set[str], sent: Mapping[str, Scalar], one: Request, window: Window) -> bool:
    """
    Whether something that came in names one of the other things, or has the field for several.
    """
    for answered in own_requests(window):
        body = body_of(answered.answer, "responseBody")
        if body is None or answered.answer.get("bodyTruncated"):
            if answered.mutating or answered is one:
                continue
            return True
        things = list(objects(body))
        if any(identity_of(thing) in others for thing in things):
            return True
        if sum(bool(sent.keys() & thing.keys()) for thing in things) > 1:
            return True
    return bool(of_types(window, EventType.NET_STREAM, EventType.WORKER_MESSAGE))


def _is_claimed(changes: list[_Change], predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, State) and any(change.path.startswith(leaf.path) for change in changes)
        for leaf in asserted(predicate)
    )
