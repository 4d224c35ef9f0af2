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

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    times = Counter(things)
    earlier, answers = _by_path(_before(window)), _by_path(reads)
    found = []
    for one, thing in zip(writes, things, strict=True):
        if times[thing] == 1:
            before, inside = _of_one_resource(one, thing, earlier), _of_one_resource(one, thing, answers)
            finding = _stale(one, thing, before, inside)
            if finding is not None:
                found.append(finding)
    return tuple(found)


def _stale(
    write: Request, thing: str, before: Sequence[Request], inside: Sequence[Request]
) -> Finding | None:
    known = [*before, *(one for one in inside if one.seq < write.seq)]
    later = [one for one in inside if one.seq > write.seq]
    if not known or not later:
        return None
    for name, value in written_fields(body_of(write.answer, "requestBody")).items():
        now = [(one, kept) for one in later for kept in _values(one, thing, name)]
        if not now:
            continue
        read, kept = now[-1]
        old = [each for one in known for each in _values(one, thing, name)]
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


def _values(read: Request, thing: str, name: str) -> Iterator[object]:
    """
    What an answer has in a field of a thing; nothing where that is no scalar.
    """
    if read.answer.get("bodyTruncated"):
        return
    for each in _things(read):
        value = each.get(name)
        if identity_of(each) == thing and isinstance(value, str | int | float):
            yield value


def _things(read: Request) -> Iterator[Mapping[str, object]]:
    return objects(body_of(read.answer, "responseBody"), _DEPTH)


def _by_path(reads: Iterable[Request]) -> Mapping[str, Sequence[tuple[int, Request]]]:
    """
    The answers by the path that was asked for, each with its place among all.
    """
    found: dict[str, list[tuple[int, Request]]] = {}
    for place, one in enumerate(reads):
        found.setdefault(url_parts(one.url).path.rstrip("/"), []).append((place, one))
    return found


def _of_one_resource(
    write: Request, thing: str, answers: Mapping[str, Sequence[tuple[int, Request]]]
) -> Sequence[Request]:
    """
    The answers of the thing's own address, and of the collection that it lies in, in their order.
    """
    wrote = url_parts(write.url)
    written = wrote.path.rstrip("/")
    collection = written.split(f"/{thing}", 1)[0] if f"/{thing}" in written else written
    if not collection:
        return ()
    asked = sorted(
        (*answers.get(collection, ()), *answers.get(f"{collection}/{thing}", ())), key=lambda found: found[0]
    )
    return [one for _, one in asked if _may_be_of_one_site(url_parts(one.url).netloc, wrote.netloc)]


def _may_be_of_one_site(asked: str, wrote: str) -> bool:
    return not asked or not wrote or asked == wrote
