"""
A write succeeded and the page did not react.
"""

from __future__ import annotations

from reticle.domain.ambient import last_of_the_page
from reticle.domain.capture import lost
from reticle.domain.changes import MOVES
from reticle.domain.findings.judged import call_of, polled_writes
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.model.limits import REACTION_GRACE_MS
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "response-ignored"

_REACTIONS = MOVES | {"signal"}


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding when nothing on the page, no state, route or signal, moved since a successful write began.

    The page has ``REACTION_GRACE_MS`` to react; what it does by itself is no reaction. A document request
    is its own.
    """
    if lost(window, _REACTIONS):
        return ()
    polled = polled_writes(window)
    last = last_of_the_page(window, _REACTIONS)
    reacted = -1 if last is None else last.seq
    for one in own_requests(window):
        if call_of(one) in polled or not one.mutating or not one.ok or one.initiator == "document":
            continue
        if _ignored(one, window, reacted):
            detail = {"method": one.method, "url": one.url, "status": one.status}
            return (Finding(KIND, FindingTier.ABSENCE, str(one), "the page did not react", detail),)
    return ()


def _ignored(one: Request, window: Window, reacted: int) -> bool:
    ended = one.ended
    if ended is None or window.closed_t_ms - ended.t_ms < REACTION_GRACE_MS:
        return False
    if window.document_id is not None and one.document_id not in (None, window.document_id):
        return False
    return reacted <= one.seq
