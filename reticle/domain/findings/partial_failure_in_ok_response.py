"""
The status says that it went well; the body says that it did not.
"""

from __future__ import annotations

from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.failure_signs import failure_sign
from reticle.domain.findings.judged import asserted, contradiction
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Net
from reticle.domain.predicate.network import fits_request
from reticle.domain.requests import Request
from reticle.model.verdict import Finding
from reticle.model.window import Window

KIND = "partial-failure-in-ok-response"

_DECLARE = 'if the failure is meant, join {"kind": "net", "bodyContains": …} to the claim'


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per 2xx answer whose JSON object reports a failure that nobody declared or owned up to.

    Single items of a list, a ``status`` in words (JSend) and the ``userErrors`` of a GraphQL mutation are
    judged only for a write: in what was merely read they may be history.
    """
    found: list[Finding] = []
    for one in own_requests(window):
        if not _succeeded(one) or one.answer.get("bodyTruncated"):
            continue
        sign = failure_sign(one)
        if sign is None or _declared(one, predicate):
            continue
        detail = {"method": one.method, "url": one.url, "status": one.status, "body": sign}
        owned_up = acknowledged(one, window)
        found += contradiction(KIND, str(one), f"its body says {sign}", detail, owned_up, way_out=_DECLARE)
    return tuple(found)


def _succeeded(one: Request) -> bool:
    return one.status is not None and 200 <= one.status < 300


def _declared(one: Request, predicate: Predicate | None) -> bool:
    return any(
        isinstance(leaf, Net) and leaf.body_contains is not None and fits_request(leaf, one)
        for leaf in asserted(predicate)
    )
