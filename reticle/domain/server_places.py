"""
Where in the server's code to look: where it threw, what a doubt about it names, and the views that handled
what failed or what the claim is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from reticle.domain.requests import MUTATING
from reticle.domain.served import own_served, place_of
from reticle.model.runs import Place, Why
from reticle.model.server_facts import ExceptionEnd, FactKind
from reticle.model.verdict import Finding, FindingTier, Held, Outcome
from reticle.model.window import Window

_ABOUT_SERVER: Final = ("server.", "sql.", "log.", "mail.", "net.")
_FAILURES: Final = 400


def server_places(findings: Sequence[Finding], window: Window, outcome: Outcome | None) -> Iterator[Place]:
    """
    The places of the servers behind the page, the likeliest first; of facts that are tied by id alone.
    """
    served = own_served(window)
    for one in served:
        for fact in one.of(FactKind.EXCEPTION):
            thrown_at = place_of(fact)
            if thrown_at is not None and fact.data.get("handled") == ExceptionEnd.UNHANDLED:
                yield Place(thrown_at, Why.THREW)
    mine = {str(one) for one in served}
    for finding in findings:
        doubt = finding.tier is FindingTier.ABSENCE and finding.detail.get("request") in mine
        if doubt and finding.source:
            yield Place(finding.source, Why.HANDLED)
    failed = [one for one in served if (one.status or 0) >= _FAILURES]
    asked = served if outcome is not None and _is_about_server(outcome) else ()
    writes_first = sorted(asked, key=lambda one: one.method in ("GET", "HEAD"))
    for one in (*failed, *writes_first):
        if one.view:
            yield Place(one.view, Why.HANDLED)


def _is_about_server(outcome: Outcome) -> bool:
    """
    Whether a part that does not hold is about what the server was asked or did.
    """
    if outcome.children:
        return any(_is_about_server(child) for child in outcome.children)
    return outcome.held is not Held.YES and outcome.assertion.startswith(_ABOUT_SERVER)


def likely_views(window: Window) -> Iterator[Place]:
    """
    The view that handled the action's write, or what it read: where what the page then shows may come from.
    """
    asked = [one for one in own_served(window) if one.view and one.page is not None]
    own = [one for one in asked if one.page is not None and one.page.initiator != "document"] or asked
    writes = [one for one in own if one.method in MUTATING]
    for one in (writes or own)[:1]:
        if one.view:
            yield Place(one.view, Why.HANDLED)
