"""
The page went on as if all were well, but a request behind it failed.
"""

from __future__ import annotations

from collections.abc import Iterator

from reticle.domain.already_true import already_true
from reticle.domain.changes import moved
from reticle.domain.findings.acknowledgement import acknowledged
from reticle.domain.findings.judged import (
    DECLARE,
    asserted,
    contradiction,
    refused_documents,
    undeclared_failures,
)
from reticle.domain.own_traffic import failed_before
from reticle.domain.predicate import Predicate, evaluate
from reticle.domain.predicate.kinds import Element, Route, Same, State, Text
from reticle.model.verdict import Finding, FindingTier, Held
from reticle.model.window import Window

KIND = "ui-advanced-request-failed"


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    One finding per failed request that nobody declared and nothing owned up to, if the page moved.

    A read that had failed before the action too is only a doubt. Movement that was taken back is none.
    Movement from the window's start on counts: an optimistic row comes before its request.
    """
    failures = undeclared_failures(window, predicate)
    if not failures:
        return _error_page(window, predicate)
    if not moved(window) and not _came_true(window, predicate):
        return _unnoticed(window, predicate)
    found: list[Finding] = []
    for one in failures:
        detail = {"method": one.method, "url": one.url, "status": one.status}
        owned_up = Held.NO if one.initiator == "document" else acknowledged(one, window)
        if window.action is not None and failed_before(one, window):
            counter = f"{one}, as before the action already"
            found.append(Finding(KIND, FindingTier.ABSENCE, "the page went on", counter, detail))
            continue
        found += contradiction(KIND, "the page went on", str(one), detail, owned_up)
    return tuple(found)


def _error_page(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    A doubt where a claim is met at an address that answered 4xx, and says nothing of what is shown there.
    """
    if not window.new_document or not any(isinstance(leaf, Route) for leaf in asserted(predicate)):
        return ()
    if any(isinstance(leaf, Same) for leaf in asserted(predicate)) or any(_shown(predicate)):
        return ()
    return tuple(
        Finding(
            KIND,
            FindingTier.ABSENCE,
            "the page went on",
            f"{one}: it may show an error; claim what it shows, or {DECLARE}",
            {"method": one.method, "url": one.url, "status": one.status},
        )
        for one in refused_documents(window, predicate)
    )


def _came_true(window: Window, predicate: Predicate | None) -> bool:
    """
    Whether something that was claimed to be on the page is new: a box that is checked, a field that is filled
    changes no node, and no event tells of it.
    """
    if window.action is None or not window.before:
        return False
    shown = ((leaf, evaluate(leaf, window)) for leaf in _shown(predicate))
    return any(
        outcome.held is Held.YES and already_true(leaf, outcome, window) is Held.NO for leaf, outcome in shown
    )


def _shown(predicate: Predicate | None) -> Iterator[Element | Text | State]:
    """
    What is claimed to be on the page.
    """
    for leaf in asserted(predicate):
        if isinstance(leaf, State) or (isinstance(leaf, Element | Text) and not leaf.absent):
            yield leaf


def _unnoticed(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    A write that failed under a page that is only looked at: what it shows may have come of that write.
    """
    if window.action is not None or not any(
        evaluate(leaf, window).held is Held.YES for leaf in _shown(predicate)
    ):
        return ()
    return tuple(
        Finding(
            KIND,
            FindingTier.ABSENCE,
            "the page shows what was claimed",
            f"{one}, and nothing on the page tells of it; {DECLARE}",
            {"method": one.method, "url": one.url, "status": one.status},
        )
        for one in undeclared_failures(window, predicate)
        if one.mutating and acknowledged(one, window) is not Held.YES
    )
