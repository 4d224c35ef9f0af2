"""
Answers that do not say how it went: accepted for later, or with a body that nobody kept.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.answers_unread import pending_outcomes, unread_outcomes
from reticle.domain.predicate import parse
from reticle.testing.windows import WindowBuilder, WindowStep

TELEMETRY = "https://www.google-analytics.com/g/collect"


def closing(request: str, **fields: object) -> dict[str, object]:
    return {"transport": "fetch", "id": "f1", "request": request, "direction": "close", **fields}


def test_accepted_is_not_done() -> None:
    """
    A 202 leaves the outcome open, unless the claim is about just that 202; telemetry never counts.
    """
    window = (
        WindowBuilder().net("POST", "/jobs", 202).net("POST", TELEMETRY, 202).net("GET", "/a", 200).build()
    )
    assert [one.url for one in pending_outcomes(window, None)] == ["/jobs"]
    other = parse({"allOf": [{"kind": "net", "status": 201}, {"kind": "text", "contains": "x"}]})
    assert [one.url for one in pending_outcomes(window, other)] == ["/jobs"]
    named = parse({"allOf": [{"kind": "settled"}, {"kind": "net", "status": 202}]})
    assert pending_outcomes(window, named) == ()


def test_a_write_from_before_a_look_without_action_is_waited_for() -> None:
    """
    Who looks at a page while its save is under way is not told that all is well; an action is not to blame.
    """
    looked = WindowBuilder().open_before("POST", "/save")
    assert [one.url for one in pending_outcomes(looked.build(), None)] == ["/save"]
    assert pending_outcomes(looked.click().build(), None) == ()


@pytest.mark.parametrize(
    ("method", "status", "fields", "unread"),
    [
        ("POST", 200, {"responseSize": 9}, True),
        ("PATCH", 201, {"responseSize": 1, "contentType": "application/problem+JSON"}, True),
        ("POST", 200, {"responseSize": 9, "contentType": "text/html"}, True),
        ("POST", 200, {"responseSize": 0}, False),
        ("POST", 200, {}, False),
        ("POST", 200, {"responseSize": 9, "responseBody": ""}, False),
        ("POST", 200, {"responseSize": 9, "contentType": "image/png"}, False),
        ("POST", 200, {"responseSize": 9, "initiator": "document"}, False),
        ("POST", 200, {"responseSize": 9, "initiator": "beacon"}, False),
        ("POST", 500, {"responseSize": 9}, False),
        ("GET", 200, {"responseSize": 9}, False),
    ],
)
def test_a_write_whose_answer_was_not_read(
    method: str, status: int, fields: dict[str, object], *, unread: bool
) -> None:
    """
    Only a successful write with an unrecorded body of text may hide a failure in it.
    """
    window = WindowBuilder().net(method, "/api", status, **fields).build()
    assert [one.url for one in unread_outcomes(window)] == (["/api"] if unread else [])


@pytest.mark.parametrize(
    ("step", "unread"),
    [
        (lambda b: b.net("POST", "https://api.other/orders", None), True),
        (lambda b: b.net("POST", "/api", 0, aborted=True, error="AbortError"), True),
        (lambda b: b.pending("POST", "/api").new_document().dom_added(), True),
        (lambda b: b.pending("POST", "/api").new_document().net("POST", "/api", 200), True),
        (lambda b: b.net("POST", "https://stats.other/collect", None), False),
        (lambda b: b.net("POST", "/track", None), True),
        (lambda b: b.pending("POST", "/track").new_document().dom_added(), False),
        (lambda b: b.net("POST", "https://api.other/orders", None, initiator="beacon"), False),
        (lambda b: b.net("GET", "https://api.other/orders", None), False),
        (lambda b: b.net("POST", "/api", 0, aborted=True).net("POST", "/api", 200), False),
        (lambda b: b.net("POST", "/api", responseBody="{", bodyTruncated=True, bodyBroken=True), True),
        (lambda b: b.net("POST", "/api", bodyBroken=True).net("POST", "/api", 200), False),
        (lambda b: b.net("POST", "/api", bodyBroken=True).net("POST", "/api", bodyBroken=True), True),
        (lambda b: b.net("GET", "/api", bodyBroken=True), False),
        (lambda b: b.net("POST", "/api").event("net.stream", closing("n1", broken=True)), True),
        (lambda b: b.net("POST", "/api").event("net.stream", closing("n1")), False),
        (lambda b: b.net("POST", "/api").event("net.stream", closing("n9", broken=True)), False),
        (lambda b: b.pending("POST", "/login", initiator="document").new_document(), False),
        (lambda b: b.net("POST", "/api", 0, error="Failed to fetch"), False),
        (lambda b: b.click().open_before("POST", "/api").answered("old1", "POST", "/api", None), False),
    ],
)
def test_a_write_that_nobody_knows_the_outcome_of(step: WindowStep, *, unread: bool) -> None:
    """
    Opaque, cut off, left behind: unread. Counting, reading, and what was made again are not.

    A write left behind with its document is not made again by the next document's: it may have been answered.
    """
    assert bool(unread_outcomes(step(WindowBuilder()).build())) is unread


def test_a_claim_that_reads_back_what_was_written_proves_it() -> None:
    """
    Whoever asks the server afterwards, and names what it says, needs no answer to the write.
    """
    window = WindowBuilder().net("GET", "/orders", responseBody='["A"]')
    window.net("POST", "https://api.other/orders", None).net("GET", "/orders", responseBody='["A", "B"]')
    unread = window.build()
    assert unread_outcomes(unread, parse({"kind": "net", "bodyContains": "B"})) == ()
    for weaker in ({"bodyContains": "C"}, {"method": "POST"}, {"urlContains": "/orders", "ok": True}):
        assert len(unread_outcomes(unread, parse({"kind": "net", **weaker}))) == 1
    assert len(unread_outcomes(unread, parse({"not": {"kind": "net", "bodyContains": "B"}}))) == 1


PAGE = {"redirected": True, "contentType": "text/html; charset=utf-8"}
LOGIN = {**PAGE, "requestBody": '{"a": 1}', "responseBody": "<h1>Log in</h1><p hidden>Order placed</p>"}
SAVED = {**PAGE, "requestBody": "a=1", "responseBody": "<p>All&nbsp;changes\n <b>Saved</b></p>"}


@pytest.mark.parametrize(
    ("fields", "unread"),
    [
        (LOGIN, True),
        ({**LOGIN, "initiator": "xhr"}, True),
        ({**LOGIN, "initiator": "document"}, False),
        ({**LOGIN, "redirected": False}, False),
        ({**LOGIN, "contentType": "application/json"}, False),
    ],
)
def test_a_write_of_a_script_that_ends_at_a_page(fields: dict[str, Any], *, unread: bool) -> None:
    """
    A session that ran out sends the order to the login page, whose 200 is no order.
    """
    window = WindowBuilder().click().net("POST", "/api/orders", 200, **fields).text("Order placed").build()
    assert bool(unread_outcomes(window, parse({"kind": "text", "contains": "Order placed"}))) is unread
    assert bool(unread_outcomes(window)) is unread


@pytest.mark.parametrize(
    ("fields", "claim", "unread"),
    [
        (SAVED, {"kind": "text", "contains": "all changes saved"}, False),
        (SAVED, {"kind": "element", "query": {"role": "status", "name": "Saved"}}, False),
        (SAVED, {"kind": "text", "contains": "Order placed"}, True),
        (SAVED, {"kind": "text", "contains": "Saved", "absent": True}, True),
        (SAVED, {"kind": "net", "method": "POST", "status": 200}, True),
        (SAVED, {"kind": "net", "method": "POST", "bodyContains": "Saved"}, False),
        (LOGIN, {"kind": "net", "method": "POST", "bodyContains": "Order placed"}, False),
        (LOGIN, {"kind": "text", "contains": "Log in"}, True),
    ],
)
def test_a_claim_may_name_what_that_page_says(
    fields: dict[str, Any], claim: dict[str, object], *, unread: bool
) -> None:
    """
    Libraries that post forms by script show the page they are sent on to, so it proves what it says.
    """
    window = WindowBuilder().click().net("POST", "/profile", 200, **fields).build()
    assert bool(unread_outcomes(window, parse(claim))) is unread
