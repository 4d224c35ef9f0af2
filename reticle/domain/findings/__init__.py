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
    evidence_predates_edit,
    evidence_superseded,
    failure_misattributed,
    partial_failure_in_ok_response,
    request_never_settled,
    response_ignored,
    route_rendered_nothing,
    signal_contradicted,
    stale_response_applied,
    ui_advanced_request_failed,
    uncaught_error,
    unit_mismatch,
    write_field_ignored,
)
from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding
from reticle.model.window import Window

Detector = Callable[[Window, Predicate | None], tuple[Finding, ...]]

DETECTORS: tuple[Detector, ...] = (
    evidence_predates_edit.find,
    evidence_superseded.find,
    failure_misattributed.find,
    signal_contradicted.find,
    ui_advanced_request_failed.find,
    partial_failure_in_ok_response.find,
    write_field_ignored.find,
    unit_mismatch.find,
    stale_response_applied.find,
    uncaught_error.find,
    duplicate_request.find,
    request_never_settled.find,
    response_ignored.find,
    route_rendered_nothing.find,
    action_had_no_effect.find,
)
"""Every detector, the ones that tell most first."""

_SAY_MORE = (failure_misattributed.KIND, signal_contradicted.KIND)

__all__ = ["DETECTORS", "Detector", "find_all"]


def find_all(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    What all detectors find, in their order.

    A failed request that a finding which says more is about already is not told a second time.
    """
    found = tuple(finding for detector in DETECTORS for finding in detector(window, predicate))
    told = {_request_of(finding) for finding in found if finding.kind in _SAY_MORE}
    return tuple(
        finding
        for finding in found
        if not (finding.kind == ui_advanced_request_failed.KIND and _request_of(finding) in told)
    )


def _request_of(finding: Finding) -> tuple[object, object]:
    return finding.detail.get("method"), finding.detail.get("url")
