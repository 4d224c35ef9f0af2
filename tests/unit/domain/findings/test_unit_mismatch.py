"""
Sums that are a hundred times off.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from reticle.domain.findings import unit_mismatch
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

OBSERVED, ABSENCE = FindingTier.OBSERVED, FindingTier.ABSENCE


def found(
    read: object,
    sent: object,
    *,
    url: str = "/api/orders/7/refund",
    at: str = "/api/orders/7",
    before: bool = True,
) -> tuple[Finding, ...]:
    builder = WindowBuilder().click()
    if before:
        builder.answered_before("GET", at, responseBody=json.dumps(read))
    else:
        builder.net("GET", at, responseBody=json.dumps(read))
    builder.net("POST", url, 201, requestBody=json.dumps(sent), responseBody="{}")
    return unit_mismatch.find(builder.dom_added().build(), None)


@pytest.mark.parametrize("before", [True, False])
def test_euros_sent_where_cents_were_read_are_found(before: bool) -> None:  # noqa: FBT001 -- a table column
    """
    A refund of 42 on an order of 4200 is a hundredth of it, wherever the order was read.
    """
    [finding] = found({"id": 7, "total": 4200}, {"amount": 42}, before=before)
    assert (finding.kind, finding.tier) == ("unit-mismatch", OBSERVED)
    assert finding.claim == "POST /api/orders/7/refund 201 was sent amount 42"
    assert finding.counter == "the same thing was read with total 4200, 100 times off"


@pytest.mark.parametrize(
    ("read", "sent", "tier"),
    [
        ({"id": 7, "price": 19.99}, {"price": 1999}, OBSERVED),
        ({"id": 7, "price": 12345}, {"price": 12.345}, OBSERVED),
        ({"id": 7, "price": 1299}, {"price": 13}, ABSENCE),
        ({"id": 7, "price": 100}, {"price": 1}, ABSENCE),
        ([{"id": 6, "fee": 3}, {"id": 7, "fee": "2550"}], {"fee": "25.5"}, OBSERVED),
        ({"order": {"id": 7, "unitPrice": 2550}}, {"unit_price": 25.5}, OBSERVED),
    ],
)
def test_the_more_digits_agree_the_surer_it_is(read: object, sent: object, tier: FindingTier) -> None:
    """
    Exact and telling digits contradict; a rounded or round one only casts doubt.
    """
    assert [finding.tier for finding in found(read, sent)] == [tier]


@pytest.mark.parametrize(
    ("read", "sent", "options"),
    [
        ({"id": 7, "total": 4200}, {"amount": 4200}, {}),
        ({"id": 7, "total": 4200, "price": 42}, {"amount": 42}, {}),
        ({"id": 7, "total": 4200}, {"amount": 21}, {}),
        ({"id": 8, "total": 4200}, {"amount": 42}, {}),
        ({"id": 7, "balance": 100}, {"amount": 1}, {}),
        ({"id": 7, "amount_cents": 4200}, {"amount": 42}, {}),
        ({"id": 7, "value": 4200}, {"value": 42}, {"url": "/api/sliders/7", "at": "/api/sliders/7"}),
        ({"id": 7, "quantity": 4200}, {"quantity": 42}, {}),
        ({"id": 7, "total": 0}, {"amount": 0}, {}),
        ({"id": 7, "total": True}, {"amount": 42}, {}),
    ],
)
def test_sums_that_agree_or_are_of_something_else_are_let_be(
    read: object, sent: object, options: dict[str, Any]
) -> None:
    """
    Another thing, another unit by name, a part of what is owed, a slider: nobody is accused.
    """
    assert found(read, sent, **options) == ()


def test_what_is_read_after_the_write_is_not_what_it_was_made_from() -> None:
    """
    Only what the app knew can have been mistaken.
    """
    builder = WindowBuilder().click().net("POST", "/orders/7/refund", requestBody='{"amount": 42}')
    builder.net("GET", "/orders/7", responseBody='{"id": 7, "total": 4200}')
    assert unit_mismatch.find(builder.build(), None) == ()


def test_failed_reads_and_huge_numbers_tell_nothing() -> None:
    """
    An error body is no reading, and nonsense does not break the judge.
    """
    builder = (
        WindowBuilder()
        .click()
        .answered_before("GET", "/orders/7", 500, responseBody='{"id": 7, "total": 4200}')
    )
    builder.net("POST", "/orders/7", requestBody='{"amount": 42, "price": 1e400, "fee": "x"}')
    assert unit_mismatch.find(builder.build(), None) == ()
