"""
The same write was sent more than once.

Claim: one action. Counter-evidence: a second call of the same method and address with the same body; of two
POSTs also where the bodies differ by nothing but blanks, or by what only tells calls apart (a nonce, the time
of sending): a second listener, a timer that should have been given up. Tier: a doubt.
Guards: other bodies, retries after a failure, a count that was declared, polls by POST; while somebody types,
words that differ by a blank are two states of a draft.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Final

from reticle.domain.echoes import body_of
from reticle.domain.findings.judged import Call, asserted, call_of, polled_writes
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "duplicate-request"

_TYPING: Final = frozenset({"type", "press", "fill"})
_WORDS: Final = 4
"""The characters of a text that two different things do not share by chance."""

_OF_THE_CALL: Final = frozenset(
    {"nonce", "requestid", "callid", "idempotencykey", "clientmutationid", "timestamp", "ts", "sentat"}
)
"""Fields, folded, that tell one call from another, and nothing of what is written."""


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per write (method, URL and body) that was begun again while nothing had gone wrong.

    Only looked for after an action: without one nobody knows how often was meant.
    """
    if window.action is None:
        return ()
    same: dict[Call, list[Request]] = {}
    polled = polled_writes(window)
    typing = window.action.action in _TYPING
    for one in own_requests(window):
        if one.mutating and call_of(one) not in polled:
            same.setdefault(call_of(one) if typing else _gist(one), []).append(one)
    found = []
    for (method, url, body), calls in same.items():
        again = [
            later
            for earlier, later in itertools.pairwise(calls)
            if not _retries(earlier, later) and not _count_declared(later, predicate)
        ]
        if again:
            detail = {"method": method, "url": url, "times": len(calls), "sameBody": body is not None}
            claim = "one action"
            alike = len({call_of(one) for one in calls}) == 1
            how = " with the same body" if alike else " with bodies that differ by next to nothing"
            counter = f"{method} {url} sent {len(calls)} times" + (how if body else "")
            found.append(Finding(KIND, FindingTier.ABSENCE, claim, counter, detail))
    return tuple(found)


def _gist(one: Request) -> Call:
    """
    The call, without what of a POST's body tells nothing of what is written.

    Only where words are left: numbers and switches are alike by chance.
    """
    body = body_of(one.answer, "requestBody")
    if one.method != "POST" or not isinstance(body, Mapping):
        return call_of(one)
    left = {
        str(name): " ".join(value.split()) if isinstance(value, str) else value
        for name, value in body.items()
        if _folded(str(name)) not in _OF_THE_CALL
    }
    if not any(isinstance(value, str) and len(value) >= _WORDS for value in left.values()):
        return call_of(one)
    return one.method, one.url, json.dumps(left, sort_keys=True, ensure_ascii=False, default=repr)


def _folded(name: str) -> str:
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _retries(earlier: Request, later: Request) -> bool:
    """
    Whether the later call began after the earlier one was known to have failed.
    """
    return earlier.ended is not None and earlier.ok is not True and earlier.ended.seq < later.seq


def _count_declared(one: Request, predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, Net) and leaf.count is not None and leaf.count > 1 and fits_request(leaf, one)
        for leaf in asserted(predicate)
    )
