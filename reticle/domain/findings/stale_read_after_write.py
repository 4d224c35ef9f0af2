"""
A write succeeded, and what was read of the same thing after it still has the value from before.

Claim: the write, with the value that it was sent. Counter-evidence: the last answer to a read that was begun
after the write, with the same thing and in that field the value that it is known to have had before: a cached
answer, a list that was asked for too early, a server that does not keep what it says.
Tier: a doubt; where copies are brought up to date later, a later read may still have it.
Guards: another resource, fields that are the server's own, values that mean the same in another spelling, a
write that failed or was only accepted (202), several writes of the thing, polls, an old value never seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from reticle.domain.echoes import body_of, identity_of, ids_in, objects
from reticle.domain.facts import brief, url_parts
from reticle.domain.findings.written import is_another, means_the_same, written_fields
from reticle.domain.own_traffic import own_requests, own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request, answered_request
from reticle.model.finding_limits import ANSWERS_COMPARED
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "stale-read-after-write"

_ACCEPTED: Final = 202
_DEPTH: Final = 4


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per write of one thing that a later read does not know of.
    """
    writes = [one for one in own_writes(window) if one.status != _ACCEPTED and _thing_written(one)]
    if not writes:
        return ()
    reads = [one for one in own_requests(window) if one.method == "GET" and one.ok][-ANSWERS_COMPARED:]
    things = [_thing_written(one) for one in writes]
    found = []
    for one, thing in zip(writes, things, strict=True):
        if things.count(thing) == 1:
            finding = _stale(one, thing, reads, window)
            if finding is not None:
                found.append(finding)
    return tuple(found)


def _stale(write: Request, thing: str, reads: list[Request], window: Window) -> Finding | None:
    sent = written_fields(body_of(write.answer, "requestBody"))
    known = [*_before(window), *(one for one in reads if one.seq < write.seq)]
    later = [one for one in reads if one.seq > write.seq]
    for name, value in sent.items():
        now = [(one, kept) for one in later for kept in _values(one, write, thing, name)]
        if not now:
            continue
        read, kept = now[-1]
        old = [each for one in known for each in _values(one, write, thing, name)]
        if not old or not is_another(value, kept) or not means_the_same(old[-1], kept):
            continue
        claim = f"{write} was sent {name} {brief(repr(value), 60)}"
        counter = f"{read} after it still has {name} {brief(repr(kept), 60)}"
        detail = {"method": write.method, "url": write.url, "field": name, "sent": value, "read": read.url}
        return Finding(KIND, FindingTier.ABSENCE, claim, counter, detail)
    return None


def _thing_written(write: Request) -> str:
    """
    The id of the one thing that a write is about, "" where it names none or several.
    """
    ids = ids_in(write.url)
    if len(ids) > 1:
        return ""
    own = identity_of(body_of(write.answer, "requestBody"))
    return next(iter(ids)) if ids else own or ""


def _before(window: Window) -> Iterator[Request]:
    for event in window.answers_before:
        one = answered_request(event)
        if one.ok:
            yield one


def _values(read: Request, write: Request, thing: str, name: str) -> Iterator[object]:
    """
    What an answer about the same resource has in a field of a thing; nothing where that is no scalar.
    """
    if not _is_of_one_resource(read.url, write.url, thing) or read.answer.get("bodyTruncated"):
        return
    for each in _things(read):
        value = each.get(name)
        if identity_of(each) == thing and isinstance(value, str | int | float):
            yield value


def _things(read: Request) -> Iterator[Mapping[str, object]]:
    return objects(body_of(read.answer, "responseBody"), _DEPTH)


def _is_of_one_resource(read: str, write: str, thing: str) -> bool:
    """
    Whether a read is of the thing's own address, or of the collection that it lies in.
    """
    asked, wrote = url_parts(read), url_parts(write)
    if asked.netloc and wrote.netloc and asked.netloc != wrote.netloc:
        return False
    own, written = asked.path.rstrip("/"), wrote.path.rstrip("/")
    collection = written.split(f"/{thing}", 1)[0] if f"/{thing}" in written else written
    return bool(collection) and own in (collection, f"{collection}/{thing}")
