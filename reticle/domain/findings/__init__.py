"""
Detectors: each compares two channels of a window and says where they disagree.

A detector is a pure function ``find(window, predicate)`` in a module of its own; adding one is adding its
module and its name to ``DETECTORS``. How a finding weighs is its tier; which the ladder waives is there.
"""

from __future__ import annotations

from collections.abc import Callable

from reticle.domain.findings import (
    action_had_no_effect,
    duplicate_request,
    partial_failure_in_ok_response,
    request_never_settled,
    response_ignored,
    signal_contradicted,
    ui_advanced_request_failed,
    uncaught_error,
)
from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding
from reticle.model.window import Window

Detector = Callable[[Window, Predicate | None], tuple[Finding, ...]]

DETECTORS: tuple[Detector, ...] = (
    signal_contradicted.find,
    ui_advanced_request_failed.find,
    partial_failure_in_ok_response.find,
    uncaught_error.find,
    duplicate_request.find,
    request_never_settled.find,
    response_ignored.find,
    action_had_no_effect.find,
)
"""Every detector, the ones that tell most first."""

__all__ = ["DETECTORS", "Detector", "find_all"]


def find_all(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    What all detectors find, in their order.

    A failed request that a success signal already contradicts is not told a second time.
    """
    found = tuple(finding for detector in DETECTORS for finding in detector(window, predicate))
    signalled = {finding.detail.get("url") for finding in found if finding.kind == signal_contradicted.KIND}
    return tuple(
        finding
        for finding in found
        if not (finding.kind == ui_advanced_request_failed.KIND and finding.detail.get("url") in signalled)
    )
