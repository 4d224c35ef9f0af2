"""
Error messages that come up beside a claimed success.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from reticle.domain.findings import blinded
from reticle.domain.findings.error_shown import find
from reticle.domain.predicate import parse
from reticle.model.verdict import FindingTier
from reticle.testing.windows import WindowBuilder

SAVED = {"kind": "text", "contains": "Saved"}
ALERT = "Could not save the order: server error"


def saved() -> WindowBuilder:
    """
    A click after which the page says that it saved.
    """
    return (
        WindowBuilder()
        .click()
        .event("visible.shown", {"role": "status", "name": "", "text": "Saved"}, ref="e2")
    )


def said(builder: WindowBuilder, claim: Mapping[str, Any] = SAVED) -> list[str]:
    """
    The messages that are held against a claim.
    """
    findings = find(builder.build(), parse(claim))
    assert all(one.tier is FindingTier.ABSENCE for one in findings)
    return [str(one.detail["said"]) for one in findings]


@pytest.mark.parametrize("role", ["alert", "alertdialog", "status", "generic", "paragraph"])
def test_an_error_message_beside_a_claimed_success_is_doubted(role: str) -> None:
    """
    The page says "Saved" and then, in an alert or in a frame's, that it could not be: no pass.
    """
    assert said(saved().shown(role, ALERT)) == [ALERT]
    (finding,) = find(saved().shown(role, ALERT).build(), parse(SAVED))
    assert finding.claim == '"Saved" is claimed'
    assert "join" in finding.counter


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "text", "contains": "Row deleted"},
        {"kind": "element", "query": {"role": "status", "text": "Saved"}},
        {"kind": "net", "method": "POST", "ok": True},
        {"kind": "net", "method": "put", "status": 200},
        {"allOf": [{"kind": "text", "contains": "Total 5"}, SAVED]},
    ],
)
def test_a_success_is_claimed_in_words_or_by_a_write(claim: Mapping[str, Any]) -> None:
    """
    What was done is as much a success as what is said to be.
    """
    assert said(saved().shown("alert", ALERT), claim) == [ALERT]


def test_a_field_that_became_invalid_where_nothing_was_written_is_doubted() -> None:
    """
    "Saved" beside a field that is marked as wrong, with no write at all, is no pass.
    """
    wrong = saved().event("dom.attr", {"attr": "aria-invalid", "value": "true", "old": None}, ref="e3")
    (finding,) = find(wrong.build(), parse(SAVED))
    assert "a field became invalid" in finding.counter
    told = saved().event("visible.shown", {"role": "textbox", "name": "Email", "text": "required"})
    (named,) = find(told.build(), parse(SAVED))
    assert 'the field "Email" became invalid' in named.counter
    written = wrong.net("POST", "/orders", 201)
    assert find(written.build(), parse(SAVED)) == ()


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "text", "contains": "Total 5"},
        {"kind": "net", "method": "GET", "ok": True},
        {"kind": "net", "method": "POST"},
        {"allOf": [SAVED, {"kind": "text", "contains": "Could not save"}]},
        {"allOf": [SAVED, {"kind": "text", "contains": "the order: server"}]},
        {"allOf": [SAVED, {"kind": "element", "query": {"role": "alert"}}]},
        {"allOf": [SAVED, {"kind": "element", "query": {"label": "Email"}, "state": "invalid"}]},
        {"allOf": [SAVED, {"kind": "net", "ok": False}]},
        {"allOf": [SAVED, {"kind": "console", "level": "error"}]},
        {"kind": "text", "contains": "Saved", "absent": True},
        {"not": SAVED},
    ],
)
def test_who_claims_no_success_or_names_the_failure_is_let_be(claim: Mapping[str, Any]) -> None:
    """
    A claim that expects the message, or says nothing of a success, is not doubted.
    """
    assert said(saved().shown("alert", ALERT), claim) == []


@pytest.mark.parametrize(
    "text",
    [
        "Saved, 0 failed",
        "5 imported, no errors",
        "Deleted. This cannot be undone.",
        "Could not find it: delete anyway?",
        "Order 7 is ready",
        "",
    ],
)
def test_a_message_without_a_failure_is_let_be(text: str) -> None:
    """
    "0 failed" is good news.
    """
    assert said(saved().shown("alert", text)) == []


@pytest.mark.parametrize("role", ["dialog", "log", "listitem"])
def test_what_is_no_place_for_short_messages_is_let_be(role: str) -> None:
    """
    A row of a list of failed jobs is data.
    """
    assert said(saved().shown(role, ALERT)) == []
    assert said(saved().shown("generic", f"{ALERT} {'of many rows ' * 10}")) == []
    assert said(saved().dom_added("listitem", "Job 7 failed")) == []


def test_a_message_that_nobody_meets_or_that_others_bring_is_let_be() -> None:
    """
    What is hidden, what a poll or another timer brings, and what came again and again before, is no reaction.
    """
    hidden = {"role": "alert", "name": "", "text": ALERT, "sight": "none"}
    assert said(saved().event("visible.shown", hidden)) == []
    revealed = {"role": "paragraph", "name": "", "text": ALERT, "sight": "seen"}
    assert said(saved().event("visible.shown", revealed)) == []
    told = {"role": "alert", "name": "", "text": ALERT}
    before = saved().changed_before("visible.shown", told)
    assert said(before.shown("alert", ALERT)) == [ALERT]
    again = saved().changed_before("visible.shown", told).changed_before("visible.shown", told)
    assert said(again.shown("alert", ALERT)) == []
    nobody = saved().shown("alert", ALERT).build()
    assert find(attrs.evolve(nobody, action=None), parse(SAVED)) == ()
    assert find(nobody, None) == ()


def test_a_message_that_a_success_replaced_is_let_be() -> None:
    """
    A second try that went well takes the first one's error back; an error behind the success stays one.
    """
    status = {"role": "status", "name": ""}
    first = (
        WindowBuilder().click().event("visible.shown", {**status, "text": "Failed, trying again"}, ref="e2")
    )
    assert said(first.event("dom.text", {"text": "Saved", "old": "Failed, trying again"}, ref="e2")) == []
    assert said(saved().event("visible.shown", {**status, "text": "Failed to save"}, ref="e2")) == [
        "Failed to save"
    ]
    wrong = saved().event("dom.attr", {"attr": "aria-invalid", "value": "true", "old": "false"}, ref="e3")
    right = wrong.event("dom.attr", {"attr": "aria-invalid", "value": "false", "old": "true"}, ref="e3")
    assert said(right) == []


def test_a_message_that_was_gone_when_the_success_came_is_let_be() -> None:
    """
    A toast of a first try that went before the second one told of its success is over; one that stays is not.
    """
    claim = {"kind": "text", "contains": "Uploaded"}
    first = (
        WindowBuilder()
        .click("Upload")
        .event("visible.shown", {"role": "status", "name": "", "text": "Upload failed, retrying"}, ref="e2")
    )
    assert said(first.dom_removed("status", "").shown("status", "Uploaded"), claim) == []
    stands = WindowBuilder().click("Upload").shown("status", "Upload failed").shown("status", "Uploading")
    assert said(stands.dom_removed("status", "").shown("status", "Uploaded"), claim) == ["Upload failed"]
    late = WindowBuilder().click("Upload").shown("status", "Uploaded").shown("status", "Upload failed")
    assert said(late.dom_removed("status", "Upload failed"), claim) == ["Upload failed"]
    emptied = (
        WindowBuilder()
        .click("Upload")
        .event("visible.shown", {"role": "alert", "name": "", "text": "Upload failed"}, ref="e2")
    )
    emptied.event("dom.added", {"role": "alert", "name": ""}, ref="e2")
    assert said(emptied.shown("status", "Uploaded"), claim) == ["Upload failed"]
    emptied.event("dom.text", {"text": "", "old": "Upload failed"}, ref="e2")
    assert said(emptied.shown("status", "Uploaded"), claim) == []


def test_a_failure_in_the_very_message_of_success_is_doubted() -> None:
    """
    "Saved, 2 failed" has the claimed word in it and is no pass.
    """
    assert said(WindowBuilder().click().shown("status", "Saved, 2 failed")) == ["Saved, 2 failed"]


@pytest.mark.parametrize(
    ("name", "text", "doubted"),
    [
        ("Reject", "Offer rejected", False),
        ("Deny", "Request denied", False),
        ("Go offline", "You are offline", False),
        ("Add", "Added: Fix login error", False),
        ("Retry failed jobs", "Failed to retry", True),
        ("Try again", "Please try again", True),
        ("Form", "Forbidden", True),
        ("Save", "Offer rejected", True),
        ("Add", "Error: could not add Fix login error", True),
    ],
)
def test_what_the_user_did_is_told_in_the_same_words(name: str, text: str, *, doubted: bool) -> None:
    """
    Who rejects an offer reads "Offer rejected", and who adds "Fix login error" to a list reads that.
    """
    posted = (
        WindowBuilder().click(name).net("POST", "/items", 201, requestBody='{"title": "Fix login error"}')
    )
    claim = {"kind": "net", "method": "POST", "ok": True}
    assert said(posted.shown("status", text), claim) == ([text] if doubted else [])
    form = WindowBuilder().click(name).net("POST", "/items", 201, requestBody="title=Fix+login+error")
    assert said(form.shown("status", text), claim) == ([text] if doubted else [])


def test_what_another_field_lacks_is_no_error_of_a_write_that_went_well() -> None:
    """
    Pressing "Apply" leaves a field, which is checked: its message is not about the coupon.
    """
    field = {"role": "textbox", "name": "Email", "text": "Email is invalid"}
    claim = {"kind": "text", "contains": "Coupon applied"}
    left = WindowBuilder().click("Apply").event("visible.shown", field).shown("alert", "Email is invalid")
    assert said(left.shown("status", "Coupon applied"), claim) == ["Email is invalid Email"]
    assert said(left.net("POST", "/coupons", 200), claim) == []


def test_lost_messages_may_have_been_of_failure() -> None:
    """
    Where messages were lost, a claimed success is not sure.
    """
    window = saved().build()
    assert "visible" in blinded(window, parse(SAVED))
    assert "visible" not in blinded(window, parse({"kind": "text", "contains": "Total 5"}))
