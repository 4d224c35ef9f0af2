"""
``optimistic-update-rolled-back``: shown at once, refused by the server, taken back without a word.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.optimistic_update_rolled_back import KIND
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified, VerifiedReason
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep

SENT = '{"title": "Buy milk"}'


def found(builder: WindowBuilder, claim: Mapping[str, object] | None = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


def row(status: int = 500) -> WindowBuilder:
    """
    An optimistic row, and the answer to its write.
    """
    builder = WindowBuilder().click().dom_added("listitem", "Buy milk")
    return builder.net("POST", "/api/todos", status, requestBody=SENT)


def likes(status: int = 500, up: str = "11", body: str = "{}") -> WindowBuilder:
    """
    A number that goes up at once.
    """
    builder = WindowBuilder().click().event("dom.text", {"text": up, "old": "10"}, ref="e3")
    return builder.net("POST", "/api/likes", status, requestBody=body)


@pytest.mark.parametrize(
    ("builder", "shown"),
    [
        (row().dom_removed("listitem", "Buy milk"), '"Buy milk"'),
        (likes().event("dom.text", {"text": "10", "old": "11"}, ref="e3"), '"11"'),
        (
            WindowBuilder()
            .click()
            .state_change("likes", 11, 10)
            .net("POST", "/api/likes", 409)
            .state_change("likes", 10, 11),
            "likes 11",
        ),
        (
            WindowBuilder()
            .click()
            .event("dom.attr", {"attr": "aria-pressed", "value": "true", "old": "false"}, ref="e3")
            .net("PUT", "/api/star", 500)
            .event("dom.attr", {"attr": "aria-pressed", "value": "false", "old": "true"}, ref="e3"),
            "aria-pressed true",
        ),
    ],
)
def test_what_was_taken_back_in_silence_is_in_doubt(builder: WindowBuilder, shown: str) -> None:
    """
    A row, a number, a store's value or a switch that was there for a moment: the user was told nothing.
    """
    (finding,) = found(builder)
    assert (finding.tier, finding.detail["shown"]) == (FindingTier.ABSENCE, shown)
    assert "taken back without a word" in finding.counter


def test_a_claim_that_only_names_the_request_does_not_pass_over_it() -> None:
    """
    "It was sent" holds; that the server refused it, and nobody was told, keeps it from being a yes.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/todos"}
    window = row().dom_removed("listitem", "Buy milk").build()
    decision = decide(parse(claim), window)
    assert (decision.verified, decision.reason) == (Verified.UNKNOWN, VerifiedReason.EVIDENCE_INCOMPLETE)


@pytest.mark.parametrize(
    "step",
    [
        lambda b: b.dom_removed("listitem", "Buy milk").shown("alert", "Could not be saved"),
        lambda b: b.dom_removed("listitem", "Buy milk").signal("todo.failed"),
        lambda b: b.net("POST", "/api/todos", 201, requestBody=SENT).dom_removed("listitem", "Buy milk"),
        lambda b: b.dom_removed("listitem", "Walk the dog"),
        lambda b: b,
    ],
)
def test_a_word_a_retry_or_another_row_is_no_silent_rollback(step: WindowStep) -> None:
    """
    Who is told, or whose second try succeeds, has lost nothing unknowingly.
    """
    assert found(step(row())) == []


@pytest.mark.parametrize(
    "builder",
    [
        row(201).dom_removed("listitem", "Buy milk"),
        likes(200).event("dom.text", {"text": "10", "old": "11"}, ref="e3"),
        likes(up="Saving…").event("dom.text", {"text": "10", "old": "Saving…"}, ref="e3"),
        likes().event("dom.text", {"text": "12", "old": "11"}, ref="e3"),
        likes().event("dom.text", {"text": "10", "old": "11"}, ref="e4"),
        WindowBuilder()
        .click()
        .dom_added("progressbar", "Loading")
        .net("POST", "/api/todos", 500, requestBody=SENT)
        .dom_removed("progressbar", "Loading"),
        WindowBuilder()
        .click()
        .state_change("pendingRequests", 1, 0)
        .net("POST", "/api/todos", 500)
        .state_change("pendingRequests", 0, 1),
        WindowBuilder()
        .click()
        .event("dom.attr", {"attr": "disabled", "value": "", "old": None}, ref="e1")
        .net("POST", "/api/todos", 500)
        .event("dom.attr", {"attr": "disabled", "value": None, "old": ""}, ref="e1"),
    ],
)
def test_success_and_signs_of_waiting_are_no_update(builder: WindowBuilder) -> None:
    """
    A spinner, a counter of requests, a disabled button, a write that went well: nothing was promised.
    """
    assert found(builder) == []


def test_a_declared_failure_may_be_rolled_back() -> None:
    """
    Who claims that the request fails tests just this.
    """
    builder = row().dom_removed("listitem", "Buy milk")
    assert found(builder, {"kind": "net", "method": "POST", "ok": False}) == []
