"""
All that was seen belongs to a document that is gone, and nobody knows what the new one is like.
"""

from __future__ import annotations

from reticle.domain.channels import channel_of
from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "evidence-superseded"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    A finding when a document began in the window, by no action of the call, and has told nothing yet.

    An action may well lead to a new document: then that is what it did. A heartbeat tells nothing.
    """
    if window.action is not None or not window.new_document:
        return ()
    told = [event for event in window.events if channel_of(event.type) != "page"]
    if any(event.document_id in (None, window.document_id) for event in told):
        return ()
    if not told and not window.losses:
        return ()
    detail = {"document": window.document_id, "events": len(told)}
    claim = "the page was watched"
    counter = f"all {len(told)} events are of a document that is gone"
    return (Finding(KIND, FindingTier.ABSENCE, claim, counter, detail),)
