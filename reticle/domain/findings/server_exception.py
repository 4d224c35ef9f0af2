"""
The app's server threw while it handled a request of the action, and nobody caught it.

Claim: the page is as it should be. Counter-evidence: the exception, with the innermost line of the app.
Observed, since the fact is tied by id. Not where the failure was declared, where the page owned up to it,
or where the claim does not hang on the call (``side_calls``); a doubt where the page does not know of the
request.
"""

from __future__ import annotations

from reticle.domain.facts import brief, text_of
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import asserted, undeclared_failures
from reticle.domain.predicate import Predicate
from reticle.domain.predicate.kinds import Server
from reticle.domain.served import Served, own_served, place_of
from reticle.model.server_facts import ExceptionEnd, FactKind, ServerFact
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "server-exception"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per exception that ended a request of the action.
    """
    found: list[Finding] = []
    minded = undeclared_failures(window, predicate)
    for one in own_served(window):
        for fact in one.of(FactKind.EXCEPTION):
            if fact.data.get("handled") != ExceptionEnd.UNHANDLED or _is_declared(one, fact, predicate):
                continue
            page = one.page
            if page is not None and page.failed and page not in minded:
                continue
            owned_up = Held.NO
            if page is not None and page.initiator != "document":
                owned_up = acknowledged(page, window)
            if owned_up is Held.YES:
                continue
            doubtful = page is None or owned_up is Held.UNKNOWN
            found.append(_finding(one, fact, FindingTier.ABSENCE if doubtful else FindingTier.OBSERVED))
    return tuple(found)


def _finding(one: Served, fact: ServerFact, tier: FindingTier) -> Finding:
    kind = text_of(fact.data, "type") or "exception"
    counter = f"{one} ended with {kind}: {brief(text_of(fact.data, 'message') or '')}"
    detail = {"request": str(one), "type": kind, "message": text_of(fact.data, "message")}
    return Finding(KIND, tier, "the page is as it should be", counter, detail, place_of(fact) or one.view)


def _is_declared(one: Served, fact: ServerFact, predicate: Predicate | None) -> bool:
    told = f"{text_of(fact.data, 'type')}: {text_of(fact.data, 'message')}"
    return any(
        isinstance(leaf, Server)
        and ((leaf.exception is not None and leaf.exception in told) or leaf.status == (one.status or 500))
        for leaf in asserted(predicate)
    )
