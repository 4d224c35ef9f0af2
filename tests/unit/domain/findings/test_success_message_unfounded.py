"""
``success-message-unfounded``: a success that the app tells its user and that there was not.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.success_message_unfounded import KIND
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep

OBSERVED, ABSENCE = FindingTier.OBSERVED, FindingTier.ABSENCE


def found(builder: WindowBuilder, claim: Mapping[str, object] | None = None) -> list[Finding]:
    told = find_all(builder.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind == KIND]


def noted_failure() -> WindowBuilder:
    """
    A write failed; the app's store knows, its user is not told.
    """
    builder = WindowBuilder().click().net("POST", "/api/orders", 500)
    return builder.state_change("orders.error", "request failed", None)


def test_a_success_that_is_told_over_a_failure_the_store_knows_of_is_found() -> None:
    """
    An error in the store helps nobody who reads "Order placed": the verdict is no, though the claim holds.
    """
    builder = noted_failure().shown("status", "Order placed!")
    (finding,) = found(builder)
    assert (finding.tier, finding.counter) == (OBSERVED, "POST /api/orders 500")
    assert finding.claim == 'the app says "Order placed!"'
    claim = {"kind": "text", "contains": "Order placed"}
    window = builder.text("Order placed", there=False, before=True).text("Order placed").build()
    decision = decide(parse(claim), window)
    assert (decision.reason, decision.findings[0].kind) == (VerifiedReason.CONTRADICTED, KIND)


@pytest.mark.parametrize(
    "tell",
    [
        lambda b: b.shown("status", "Order placed!").shown("alert", "Could not be sent"),
        lambda b: b.shown("status", "Saved as a draft"),
        lambda b: b.shown("status", "Saved offline"),
        lambda b: b.shown("status", "Working"),
        lambda b: b.dom_added("listitem", "Order placed on Monday"),
        lambda b: b.event("dom.attr", {"attr": "aria-invalid", "value": "true", "old": None}).shown(
            "status", "Saved"
        ),
        lambda b: b.net("POST", "/api/orders", 201, responseBody="{}").shown("status", "Order placed"),
        lambda b: b.net("PUT", "/api/draft", 200, responseBody="{}").shown("status", "Saved"),
    ],
)
def test_a_user_who_is_told_or_a_success_of_another_write_is_no_lie(tell: WindowStep) -> None:
    """
    A failure that is shown too, a draft, a text of the page, a retry: none of them deceives.
    """
    assert found(tell(noted_failure())) == []


def test_a_failed_read_and_a_declared_failure_are_let_be() -> None:
    """
    The message is about the write; who claims that it fails expects no other.
    """
    read = WindowBuilder().click().net("GET", "/api/hints", 500).state_change("hints.error", "failed", None)
    assert found(read.shown("status", "Saved")) == []
    assert found(noted_failure().shown("status", "Saved"), {"kind": "net", "ok": False}) == []


def second_save(*, before: str = "Saved 1 item", wrote: int = 1_200) -> WindowBuilder:
    """
    A page on which the same button wrote before, and told of it.
    """
    builder = WindowBuilder().click("Save").answered_before("PUT", "/api/items/1", 200, age_ms=wrote)
    return builder.changed_before("visible.shown", {"role": "status", "text": before}, age_ms=1_000)


def test_a_success_without_the_write_that_used_to_come_before_it_is_in_doubt() -> None:
    """
    The handler forgot to send: the same toast, and nothing went out.
    """
    (finding,) = found(second_save().shown("status", "Saved 2 items").shown("status", "Saved 2 item"))
    assert (finding.tier, finding.detail["before"]) == (ABSENCE, "PUT /api/items/1")
    assert finding.counter == "nothing was sent; PUT /api/items/1 went before the same message"


@pytest.mark.parametrize(
    "builder",
    [
        second_save().net("PUT", "/api/items/1", 200).shown("status", "Saved 2 item"),
        second_save().pending("GET", "/api/items").shown("status", "Saved 2 item"),
        second_save()
        .event("storage.change", {"area": "local", "key": "items", "old": None, "new": "[]"})
        .shown("status", "Saved 2 item"),
        second_save().state_change("items", [1], []).shown("status", "Saved 2 item"),
        second_save()
        .event("net.stream", {"transport": "ws", "direction": "out", "id": "w1", "url": "/ws"})
        .shown("status", "Saved 2 item"),
        second_save().blind_spot("worker").shown("status", "Saved 2 item"),
        second_save().new_document().shown("status", "Saved 2 item"),
        second_save(before="Welcome").shown("status", "Saved 2 item"),
        second_save(wrote=9_000).shown("status", "Saved 2 item"),
        WindowBuilder().click().shown("status", "Saved 2 item"),
    ],
)
def test_what_may_have_been_kept_otherwise_or_never_was_sent_is_no_lie(builder: WindowBuilder) -> None:
    """
    Storage, a store, a socket, a worker, an app that never writes: nothing is held against them.
    """
    assert found(builder) == []
