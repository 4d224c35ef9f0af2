"""
The page went on as if all were well, but a request behind it failed.
"""

from __future__ import annotations

from reticle.domain.changes import moved
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import undeclared_failures
from reticle.domain.predicate import Predicate
from reticle.model.ids import Cursor
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "ui-advanced-request-failed"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per failed request that nobody declared and nothing owned up to, if the page moved.

    Movement that was taken back is none. Movement from the window's start on counts: an optimistic row
    comes before its request.
    """
    if not moved(window, Cursor(window.since)):
        return ()
    return tuple(
        Finding(
            KIND,
            FindingTier.OBSERVED,
            "the page went on",
            str(one),
            {"method": one.method, "url": one.url, "status": one.status},
        )
        for one in undeclared_failures(window, predicate)
        if one.initiator == "document" or not acknowledged(one, window)
    )
