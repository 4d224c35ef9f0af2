"""
Failures that the action's own work does not hang on contradict nothing; all others do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import attrs
import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified
from reticle.model.verdict import Decision
from reticle.testing.windows import WindowBuilder

WRITE = {"kind": "net", "method": "POST", "urlContains": "/api/comments", "status": 201}
READ = {"kind": "net", "method": "GET", "urlContains": "/api/tasks", "status": 200}
TEXT = {"kind": "text", "contains": "Saved"}
USED = json.dumps({"used": "comment"})
KEPT = json.dumps({"id": "c-771"})
WORDS = json.dumps({"text": "Call the printer"})


def judged(builder: WindowBuilder, claim: Mapping[str, object] = WRITE) -> Decision:
    """
    The decision beside a comment that was kept and a list that was read.
    """
    builder.net("POST", "/api/comments", 201, requestBody=WORDS, responseBody=KEPT)
    builder.net("GET", "/api/tasks", 200, responseBody="[]").dom_added("listitem", "Call the printer")
    builder.text("Saved", there=False, before=True).text("Saved")
    return decide(parse(claim), builder.quiet(2_000).build())


@pytest.mark.parametrize("claim", [WRITE, READ])
@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("url", ["/api/avatar/9", "/v2/hints", "/rest/api/features?name=a"])
def test_something_optional_that_is_not_there_is_let_be(
    url: str, status: int, claim: Mapping[str, object]
) -> None:
    """
    An app that asks for what most users do not have is not accused; the answer names the call all the same.
    """
    decision = judged(WindowBuilder().click().net("GET", url, status), claim)
    assert decision.verified is Verified.YES
    assert f"let be: GET {url} {status}, which the claim does not hang on" in decision.honesty.notes


@pytest.mark.parametrize("status", [404, 405, 410, 501])
def test_figures_of_use_that_nobody_takes_are_let_be(status: int) -> None:
    """
    A button whose use is counted at an address that is not served works all the same.
    """
    builder = WindowBuilder().click().net("POST", "/api/figures", status, requestBody=USED)
    assert judged(builder).verified is Verified.YES


def test_a_read_that_always_fails_alike_is_let_be() -> None:
    """
    What was broken before, more than once, and is not what the action is about says nothing of the action.
    """
    builder = WindowBuilder().click()
    for age_ms in (9_000, 4_500):
        builder.answered_before("GET", "/api/offers", 503, age_ms=age_ms)
    assert judged(builder.net("GET", "/api/offers", 503)).verified is Verified.YES


def test_a_visit_that_is_counted_elsewhere_is_let_be() -> None:
    """
    Another origin that counts visits may fail as it likes, whatever was claimed.
    """
    builder = WindowBuilder().click().net("POST", "https://stats.test/collect", 500, requestBody=USED)
    assert judged(builder, TEXT).verified is Verified.YES


@pytest.mark.parametrize(
    ("method", "url", "status", "fields"),
    [
        ("GET", "/api/comments/9", 404, {}),
        ("GET", "/api/comment", 404, {}),
        ("GET", "/api/avatar/9", 500, {}),
        ("GET", "/api/avatar/9", 403, {}),
        ("GET", "/", 404, {}),
        ("POST", "/api/figures", 500, {"requestBody": USED}),
        ("POST", "/api/figures", 422, {"requestBody": USED}),
        ("POST", "/api/figures", 404, {"requestBody": WORDS}),
        ("POST", "/api/figures", 404, {}),
        ("POST", "/api/figures", 404, {"requestBody": json.dumps({"about": "c-771"})}),
        ("POST", "/api/payments", 404, {"requestBody": json.dumps({"amount": 1995})}),
        ("POST", "/api/shipping", 404, {"requestBody": USED}),
        ("POST", "/api/events", 404, {"requestBody": USED}),
        ("POST", "/api/lines", 405, {"requestBody": json.dumps({"sku": "mug-blue", "quantity": 2})}),
        ("POST", "/api/attachments", 501, {"requestBody": json.dumps({"file": "plan.pdf"})}),
        ("PUT", "/api/figures", 404, {"requestBody": USED}),
        ("DELETE", "/api/figures/1", 404, {}),
        ("POST", "https://stats.test/orders", 500, {"requestBody": USED}),
    ],
)
def test_a_failure_that_may_be_the_actions_own_contradicts(
    method: str, url: str, status: int, fields: Mapping[str, str]
) -> None:
    """
    Near misses: the same resource, what the page is about, the user's words, a server that fell over.
    """
    builder = WindowBuilder().click().net(method, url, status, **fields)
    assert judged(builder).verified is Verified.NO


def test_what_the_page_is_about_is_never_let_be() -> None:
    """
    On the page of an order, a call about orders is no side matter.
    """
    builder = WindowBuilder().click().net("GET", "/api/orders/7/avatar", 404)
    builder.net("POST", "/api/comments", 201, responseBody="{}").dom_added()
    window = builder.quiet(2_000).build()
    assert decide(parse(WRITE), window).verified is Verified.YES
    page = attrs.evolve(window.page, url="http://localhost:8000/orders/7")
    assert decide(parse(WRITE), attrs.evolve(window, page=page)).verified is Verified.NO


def test_without_a_claimed_request_that_succeeded_nothing_is_let_be() -> None:
    """
    Where only the screen was claimed nobody knows which request it hangs on.
    """
    builder = WindowBuilder().click().net("GET", "/api/avatar/9", 404)
    assert judged(builder, TEXT).verified is Verified.NO


def test_what_the_page_once_got_or_asks_for_again_is_minded() -> None:
    """
    An address that answered well before, or is tried again, is no mere probe.
    """
    once = WindowBuilder().click().answered_before("GET", "/api/avatar/9").net("GET", "/api/avatar/9", 404)
    again = WindowBuilder().click().net("GET", "/api/avatar/9", 404).net("GET", "/api/avatar/9", 404)
    assert judged(once).verified is Verified.NO
    assert judged(again).verified is Verified.NO


def test_beside_a_claim_that_fails_such_a_call_is_named() -> None:
    """
    Where the feature does not work, what failed beside it may be why.
    """
    builder = WindowBuilder().click().net("GET", "/api/avatar/9", 404)
    decision = judged(builder, {"allOf": [WRITE, {"kind": "text", "contains": "Saved", "absent": True}]})
    assert decision.verified is Verified.NO
    assert "GET /api/avatar/9 404" in decision.because
