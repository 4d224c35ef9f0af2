"""
The same write was sent more than once.
"""

from __future__ import annotations

import itertools

from reticle.domain.findings.judged import Call, asserted, call_of, polled_writes
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "duplicate-request"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per write (method, URL and body) that was begun again while nothing had gone wrong.

    Other bodies are other writes; a repeat after a failure is a retry; a count that was declared is no
    surprise; a query that the page polled by POST before the action is none of it.
    Only looked for after an action: without one nobody knows how often was meant.
    """
    if window.action is None:
        return ()
    same: dict[Call, list[Request]] = {}
    polled = polled_writes(window)
    for one in own_requests(window):
        if one.mutating and call_of(one) not in polled:
            same.setdefault(call_of(one), []).append(one)
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
            counter = f"{method} {url} sent {len(calls)} times" + (" with the same body" if body else "")
            found.append(Finding(KIND, FindingTier.ABSENCE, claim, counter, detail))
    return tuple(found)


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
