"""
The page went on while a request it had begun was still open.
"""

from __future__ import annotations

from reticle.domain.changes import moved
from reticle.domain.predicate import Predicate
from reticle.domain.settle import settle
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "request-never-settled"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per request begun in the window and still open at its end, if the page moved.
    """
    waiting = [one for one in settle(window).open_requests if not one.before]
    if not waiting or not moved(window):
        return ()
    return tuple(
        Finding(
            KIND,
            FindingTier.ABSENCE,
            "the page went on",
            str(one),
            {"method": one.method, "url": one.url, "openMs": window.closed_t_ms - one.t_ms},
        )
        for one in waiting
    )
