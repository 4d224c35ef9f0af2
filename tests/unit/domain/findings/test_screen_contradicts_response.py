"""
``screen-contradicts-response``: the answer says one sum, the page another one under the same name.
"""

from __future__ import annotations

import json

import pytest

from reticle.domain.findings import find_all
from reticle.domain.findings.screen_contradicts_response import KIND
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import VerifiedReason
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder, WindowStep


def found(builder: WindowBuilder) -> list[Finding]:
    return [finding for finding in find_all(builder.build(), None) if finding.kind == KIND]


def answered(body: object) -> WindowBuilder:
    return WindowBuilder().click().net("GET", "/api/cart", 200, responseBody=json.dumps(body))


def shows(builder: WindowBuilder, text: str) -> WindowBuilder:
    return builder.event("dom.text", {"text": text, "old": ""}, ref="e9")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"total": 42.5}, "Total: €24.50"),
        ({"total": 42.5}, "Total 4250"),
        ({"total": 42.5, "currency": "EUR"}, "Total: 42,60 €"),
        ({"totalCents": 4250}, "Total: €4,250.00"),
        ({"total": 4250, "currency": "EUR"}, "Total: € 425.00"),
        ({"order": {"id": 7, "shippingFee": 4.9}}, "Shipping fee: $9.40"),
        ({"subtotal": "19.90"}, "Your order. Subtotal: $19.09"),
    ],
)
def test_another_sum_under_the_same_name_is_a_contradiction(body: object, text: str) -> None:
    """
    A wrong number, a wrong unit or another row's price: the verdict is no, whatever else was claimed.
    """
    (finding,) = found(shows(answered(body), text))
    assert finding.tier is FindingTier.OBSERVED
    assert text in finding.counter
    window = shows(answered(body), text).build()
    decision = decide(parse({"kind": "net", "urlContains": "/api/cart"}), window)
    assert decision.reason is VerifiedReason.CONTRADICTED


def test_the_number_of_an_older_answer_is_called_so() -> None:
    """
    A stale cache is told from a wrong sum.
    """
    builder = answered({"total": 42.5}).answered_before("GET", "/api/cart", responseBody='{"total": 17.0}')
    (finding,) = found(shows(builder, "Total: $17.00"))
    assert finding.counter == 'the page shows "Total: $17.00", as an earlier answer had it'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"total": 42.5}, "Total: €42.50"),
        ({"total": 42.5}, "Total: 42,50 €"),
        ({"total": 42.49}, "Total: $42"),
        ({"total": 42.5}, "Total: $43"),
        ({"totalCents": 4250}, "Total: €42.50"),
        ({"total": 4250, "currency": "EUR"}, "Total: €42.50"),
        ({"total": 4250, "currency": "EUR"}, "Total: €4,250.00"),
        ({"total": 1234.5}, "Total: 1.234,50 €"),
        ({"total": 1234.5}, "Total: CHF 1'234.50"),
        ({"total": 42.5}, "Grand total: €50.00"),
        ({"total": 42.5}, "Total: 1.2k"),
        ({"total": 42.5}, "Total: 24 %"),
        ({"total": 42.5, "tax": 8.5}, "Total: €51.00"),
        ({"total": 50, "discountPercent": 10, "currency": "EUR"}, "Total: €55.00"),
        ({"price": 9.5, "quantity": 3}, "Price: €28.50"),
        ({"price": 9.5, "oldPrice": 12.5}, "Price: €22.00"),
        ({"total": 42.5, "currency": "USD"}, "Total: €38.90"),
        ({"total": 120, "items": [1]}, "Total: 20"),
        ([{"name": "Teapot", "price": 9.5}, {"name": "Mug, blue", "price": 4.5}], "Price: €3.00"),
        ([{"name": "Teapot", "price": 9.5}], "Price: €3.00"),
        ({"items": [{"name": "Teapot", "price": 9.5}]}, "Price: €3.00"),
        ({"total": 4250}, "Total: €12.00"),
        ({"total": 42.5}, "Total"),
        ({"total": None}, "Total: €1.00"),
        ({"total": "[REDACTED]"}, "Total: €1.00"),
        ({"count": 3.5}, "Count: 4.5"),
    ],
)
def test_the_same_sum_otherwise_written_or_another_one_is_let_be(body: object, text: str) -> None:
    """
    Units, rounding, countries, taxes, quantities, other names, counts and rows of a list contradict nothing.
    """
    assert found(shows(answered(body), text)) == []


@pytest.mark.parametrize(
    "step",
    [
        lambda b: shows(shows(b, "Total: €24.50"), "Total: €42.50"),
        lambda b: shows(shows(shows(b, "Total: €10.00"), "Total: €20.00"), "Total: €30.00"),
        lambda b: shows(b, "Total: €24.50").net("PUT", "/api/x", responseBody='{"total": 24.5}'),
    ],
)
def test_what_is_put_right_counted_up_or_told_twice_is_let_be(step: WindowStep) -> None:
    """
    Only what stands there at the end, and only one sum of that name, can be compared.
    """
    builder = WindowBuilder().click()
    assert found(step(builder.net("GET", "/api/cart", 200, responseBody='{"total": 42.5}'))) == []


def test_a_sum_that_was_foreseen_and_never_put_right_casts_doubt() -> None:
    """
    The page shows a sum before the answer has another one, and nothing is drawn after it.
    """
    foreseen = shows(WindowBuilder().click().pending("GET", "/api/cart"), "Total: €24.50").wait(400)
    answered = foreseen.answered("n1", "GET", "/api/cart", 200, responseBody='{"total": 42.5}')
    (finding,) = found(answered)
    assert finding.tier is FindingTier.ABSENCE
    assert found(shows(answered, "Total: €42.50")) == []


def test_a_text_from_before_the_answer_is_none_of_it() -> None:
    """
    What the page showed while it waited is not what it made of the answer.
    """
    early = shows(WindowBuilder().click(), "Total: €24.50").wait(400)
    assert found(early.net("GET", "/api/cart", 200, responseBody='{"total": 42.5}')) == []
    failed = WindowBuilder().click().net("GET", "/api/cart", 500, responseBody='{"total": 42.5}')
    assert found(shows(failed, "Total: €24.50")) == []
