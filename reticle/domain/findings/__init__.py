"""
Detectors: each compares two channels of a window and says where they disagree.

A detector is a pure function ``find(window, predicate)`` in a module of its own; adding one is adding its
module and its name to ``DETECTORS``. How a finding weighs is its tier; which the ladder waives is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reticle.domain.findings import (
    action_had_no_effect,
    cookie_unread,
    drawn_otherwise,
    duplicate_request,
    error_shown,
    every_keystroke,
    evidence_predates_edit,
    evidence_superseded,
    exception_swallowed,
    failure_misattributed,
    focus_lost,
    framework_complaint,
    handled_twice,
    invariant_broken,
    number_contradicts_response,
    optimistic_update_rolled_back,
    partial_failure_in_ok_response,
    query_per_row,
    request_never_settled,
    response_ignored,
    route_rendered_nothing,
    row_missing,
    rows_mixed_up,
    screen_contradicts_response,
    server_exception,
    signal_contradicted,
    slow_statement,
    stale_read_after_write,
    stale_response_applied,
    store_changed_unasked,
    stream_stopped,
    success_message_unfounded,
    theme_unheeded,
    transaction_rolled_back,
    ui_advanced_request_failed,
    uncaught_error,
    unit_mismatch,
    words_lost,
    write_field_ignored,
    write_without_effect,
)
from reticle.domain.findings.judged import undeclared_failures
from reticle.domain.predicate import Predicate
from reticle.model.verdict import Finding
from reticle.model.window import Window

Detector = Callable[[Window, Predicate | None], tuple[Finding, ...]]

DETECTORS: Mapping[str, Detector] = {
    module.KIND: module.find
    for module in (
        invariant_broken,
        server_exception,
        transaction_rolled_back,
        exception_swallowed,
        handled_twice,
        cookie_unread,
        evidence_predates_edit,
        evidence_superseded,
        failure_misattributed,
        signal_contradicted,
        success_message_unfounded,
        error_shown,
        ui_advanced_request_failed,
        partial_failure_in_ok_response,
        write_field_ignored,
        unit_mismatch,
        screen_contradicts_response,
        number_contradicts_response,
        stale_response_applied,
        stale_read_after_write,
        row_missing,
        drawn_otherwise,
        uncaught_error,
        framework_complaint,
        rows_mixed_up,
        theme_unheeded,
        duplicate_request,
        every_keystroke,
        request_never_settled,
        response_ignored,
        words_lost,
        optimistic_update_rolled_back,
        store_changed_unasked,
        stream_stopped,
        route_rendered_nothing,
        focus_lost,
        action_had_no_effect,
        write_without_effect,
        query_per_row,
        slow_statement,
    )
}
"""Every detector by the kind of its findings, the ones that tell most first."""

_SAY_MORE = (failure_misattributed.KIND, signal_contradicted.KIND)

__all__ = ["DETECTORS", "Detector", "blinded", "find_all"]


def find_all(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:
    """
    What all detectors find that are not switched off, in their order, and then what the project's own found.

    A failed request that a finding which says more is about already is not told a second time.
    """
    off = window.scrutiny.off
    found = (
        *(
            finding
            for kind, detector in DETECTORS.items()
            if kind not in off
            for finding in detector(window, predicate)
        ),
        *window.scrutiny.found,
    )
    told = {_request_of(finding) for finding in found if finding.kind in _SAY_MORE}
    return tuple(
        finding
        for finding in found
        if not (finding.kind == ui_advanced_request_failed.KIND and _request_of(finding) in told)
    )


_BLINDED: Mapping[str, Callable[[Window, Predicate | None], frozenset[str]]] = {
    module.KIND: module.blinded
    for module in (
        error_shown,
        focus_lost,
        framework_complaint,
        number_contradicts_response,
        row_missing,
        screen_contradicts_response,
        stale_response_applied,
        store_changed_unasked,
        success_message_unfounded,
    )
}


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:
    """
    The channels whose loss may hide a finding in this very window, beside those that always may.

    After a failure every word of the page counts: it may own up to it, or blame the user.
    """
    off = window.scrutiny.off
    channels = frozenset[str]().union(
        *(hides(window, predicate) for kind, hides in _BLINDED.items() if kind not in off)
    )
    return channels | _WORDS if undeclared_failures(window, predicate) else channels


_WORDS = frozenset({"dom", "visible", "state"})


def _request_of(finding: Finding) -> tuple[object, object]:
    return finding.detail.get("method"), finding.detail.get("url")
