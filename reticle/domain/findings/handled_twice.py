"""
The server handled a write of the action more often than the page sent it.

Claim: one request. Counter-evidence: as many handled ones with the action's name, of one method and path.
Observed: both sides are known. Not where the page sent as many, where it may have sent some unseen (losses,
places that are not watched), and not along redirects, which ask again by themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from reticle.domain.facts import url_parts
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.watching import unseen
from reticle.domain.requests import MUTATING, requests
from reticle.domain.served import Served, own_served
from reticle.model.server_facts import FactKind, RequestLink
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "request-handled-twice"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per method and path.
    """
    del predicate
    if window.action is None or unseen(window, "net") is not None:
        return ()
    handled: dict[tuple[str, str], list[Served]] = defaultdict(list)
    for one in own_served(window):
        if one.method in MUTATING and one.ended and not _is_redirected(one):
            handled[one.method, one.text("path") or "/"].append(one)
    sent = Counter((one.method, url_parts(one.url).path or "/") for one in requests(window))
    found: list[Finding] = []
    for call, served in handled.items():
        if len(served) > max(sent[call], 1):
            times = "never" if not sent[call] else "once" if sent[call] == 1 else f"{sent[call]} times"
            method, path = call
            claim = f"the page sent {method} {path} {times}"
            counter = f"the server handled it {len(served)} times"
            detail = {"method": method, "path": path, "sent": sent[call], "handled": len(served)}
            found.append(Finding(KIND, FindingTier.OBSERVED, claim, counter, detail, served[-1].view))
    return tuple(found)


def _is_redirected(one: Served) -> bool:
    started = one.of(FactKind.REQUEST_STARTED)
    return any(fact.data.get("link") == RequestLink.COOKIE for fact in started)
