"""
A write that failed took with it what somebody had written.

Claim: what was sent was not kept, so that it has to be sent again. Counter-evidence: the field that had its
words when the action began is empty at the end, and the page says them nowhere. Tier: a doubt.
Guards (the page's and ours): words of another write that succeeded, short texts, credentials, a field that
went with its document, requests of others than the action, and a claim that the field has no value.
"""

from __future__ import annotations

from typing import Final

from reticle.domain.findings.judged import asserted
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Element
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "words-lost"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per field.
    """
    emptied = () if window.pending is None else window.pending.emptied
    if not emptied or window.action is None or _is_claimed_empty(predicate):
        return ()
    failed = {
        str(one.answer.get("id")): one
        for one in own_requests(window)
        if one.failed and one.mutating and one.document_id == window.document_id
    }
    found: dict[str, Finding] = {}
    for each in emptied:
        one = failed.get(each.request)
        if one is not None:
            claim = f"{one}, so that its words have to be sent again"
            detail = {"method": one.method, "url": one.url, "field": each.field}
            counter = f"{each.field} is empty, and they stand nowhere else"
            found.setdefault(each.field, Finding(KIND, FindingTier.ABSENCE, claim, counter, detail))
    return tuple(found.values())


def _is_claimed_empty(predicate: Predicate | None) -> bool:
    return any(isinstance(leaf, Element) and leaf.query.get("value") == "" for leaf in asserted(predicate))
