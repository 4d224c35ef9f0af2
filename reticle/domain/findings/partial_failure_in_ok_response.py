"""
The status says that it went well; the body says that it did not.
"""

from __future__ import annotations

from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.failure_signs import failure_sign
from reticle.domain.findings.judged import asserted, contradiction
from reticle.domain.findings.shown_claims import claimed_words
from reticle.domain.findings.undone_signs import undone
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "partial-failure-in-ok-response"

_DECLARE = 'if the failure is meant, join {"kind": "net", "bodyContains": …} to the claim'


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per 2xx answer whose JSON object reports a failure that nobody declared or owned up to.

    Single items of a list, a ``status`` in words (JSend) and the ``userErrors`` of a GraphQL mutation are
    judged only for a write: in what was merely read they may be history. That a write was not done
    (``undone_signs``) is a doubt where the same words may be a record's.
    """
    found: list[Finding] = []
    claimed = claimed_words(predicate)
    for one in own_requests(window):
        if not _succeeded(one) or one.answer.get("bodyTruncated"):
            continue
        sign = failure_sign(one)
        off = undone(one, claimed) if sign is None and one.mutating else None
        told = sign if off is None else off.sign
        if told is None or _declared(one, predicate, off.field if off else None):
            continue
        detail = {"method": one.method, "url": one.url, "status": one.status, "body": told}
        owned_up = acknowledged(one, window)
        if off is not None and not off.certain and owned_up is not Held.YES:
            why = f"its body says {told}; {_DECLARE}"
            found.append(Finding(KIND, FindingTier.ABSENCE, str(one), why, detail))
            continue
        found += contradiction(KIND, str(one), f"its body says {told}", detail, owned_up, way_out=_DECLARE)
    return tuple(found)


def _succeeded(one: Request) -> bool:
    return one.status is not None and 200 <= one.status < 300


def _declared(one: Request, predicate: Predicate | None, field: str | None) -> bool:
    return any(
        isinstance(leaf, Net) and _names(leaf, field) and fits_request(leaf, one)
        for leaf in asserted(predicate)
    )


def _names(leaf: Net, field: str | None) -> bool:
    """
    Whether a claim speaks of what the body says, or of the very field that says that it was not done.
    """
    return leaf.body_contains is not None or any(path.rpartition(".")[2] == field for path in leaf.body or ())
