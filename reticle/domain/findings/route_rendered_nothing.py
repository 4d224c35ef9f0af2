"""
The address changed and the page did not.
"""

from __future__ import annotations

from reticle.domain.ambient import news
from reticle.domain.calm import calm_in_ms
from reticle.domain.capture import DOM_BLIND_SPOTS, blind, lost
from reticle.domain.channels import of_types
from reticle.domain.facts import text_of, url_parts
from reticle.domain.predicate import Predicate
from reticle.model.codes import EventType
from reticle.model.limits import REACTION_GRACE_MS
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "route-rendered-nothing"

_RENDERING = frozenset({"dom", "visible", "net"})


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    A finding when the path changed and neither the page changed nor anything was asked of a server.

    Polls and live texts that were there before are no rendering.
    A change of query or fragment alone needs no rendering. The page has ``REACTION_GRACE_MS`` for it, or
    until it is known that nothing is left to come, and none is missed where it may lie in a place that cannot
    be looked into.
    """
    if window.new_document or lost(window, _RENDERING) or blind(window, DOM_BLIND_SPOTS):
        return ()
    if any(news(window, _RENDERING)):
        return ()
    grace_ms = 0 if calm_in_ms(window, strictly=True) == 0 else REACTION_GRACE_MS
    for event in of_types(window, EventType.ROUTE_CHANGE):
        path = _path_after(event)
        if path is not None and window.closed_t_ms - event.t_ms >= grace_ms:
            claim = f"the route changed to {path}"
            return (Finding(KIND, FindingTier.ABSENCE, claim, "nothing was rendered", {"path": path}),)
    return ()


def _path_after(event: PageEvent) -> str | None:
    """
    The new path, or None where it is the old one.
    """
    before = url_parts(text_of(event.data, "from") or "").path
    after = text_of(event.data, "pathname") or url_parts(text_of(event.data, "to") or "").path
    return after if after != before else None
