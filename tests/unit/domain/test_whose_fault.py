"""
Whether to look into the page or its server first follows from what was asked, answered and shown.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.domain.whose_fault import Lean, leaning
from reticle.testing.windows import WindowBuilder


def lean(claim: dict[str, Any], window: WindowBuilder, *found: str) -> Lean:
    """
    Against whom a claim speaks over a window, where ``found`` stands instead.
    """
    built = window.build()
    return leaning(claim, evaluate(parse(claim), built), built, found)


def answered(body: str, status: int = 200, sent: str | None = None) -> WindowBuilder:
    """
    A write that was answered so.
    """
    more = {"responseBody": body, **({} if sent is None else {"requestBody": sent})}
    return WindowBuilder().click().net("POST", "/api/orders", status, **more)


def element(text: str) -> dict[str, Any]:
    """
    A claim of what an element shows.
    """
    return {"kind": "element", "query": {"testid": "total", "text": text}}


def test_a_request_that_was_never_sent_is_the_pages() -> None:
    """
    The server was not asked.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/pay"}
    assert lean(claim, answered("{}")) is Lean.PAGE


def test_another_status_is_the_servers() -> None:
    """
    It was asked as it should be.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "status": 201}
    assert lean(claim, answered("{}")) is Lean.SERVER


def test_a_wrong_request_body_is_the_pages() -> None:
    """
    Whatever the server makes of it.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "requestBody": {"count": 2}}
    assert lean(claim, answered("{}", sent='{"count": 1}')) is Lean.PAGE


@pytest.mark.parametrize(
    ("body", "found", "whose"),
    [
        ('{"cents": 740}', "$740", Lean.PAGE),  # told as claimed
        ('{"cents": 370}', "$3.70", Lean.SERVER),  # shown as told
        ('{"net": 100}', "$3.70", Lean.OPEN),  # neither was told: either may have worked it out
        ('{"net": 100}', "€7.40", Lean.PAGE),  # the same number, told otherwise
        ("", "$3.70", Lean.OPEN),
    ],
)
def test_a_value_is_looked_for_in_what_was_answered(body: str, found: str, whose: Lean) -> None:
    """
    What was told and is not shown is the page's fault, what was told wrongly the server's.
    """
    window = answered(body) if body else WindowBuilder().click().net("POST", "/api/orders", 200)
    window.element({"testid": "total", "text": "$7.40"}, there=False)
    assert lean(element("$7.40"), window, found) is whose


def test_focus_is_the_pages() -> None:
    """
    No server moves it.
    """
    claim = {"kind": "element", "query": {"testid": "total"}, "state": "focused"}
    window = answered("{}")
    window.element({"testid": "total"}, there=False)
    assert lean(claim, window) is Lean.PAGE


def test_a_single_digit_in_an_answer_says_nothing() -> None:
    """
    Digits stand in every answer: that of another number is no word of what is claimed.
    """
    window = answered('{"page": 1, "total": 11}').element(
        {"testid": "total", "text": "1 product"}, there=False
    )
    assert lean(element("1 product"), window, "11 products") is Lean.SERVER


def test_a_number_that_is_shown_as_it_was_claimed_to_be_sent_is_the_pages() -> None:
    """
    What is right elsewhere in the claim was answered rightly, and is to be shown otherwise.
    """
    window = answered('{"minutes": 390}', sent='{"minutes": 390}')
    window.element({"testid": "total", "text": "6.5"}, there=False).state("minutes", 390, store="tasks")
    state = {"kind": "state", "store": "tasks", "path": "minutes", "equals": 390}
    claim = {"kind": "allOf", "predicates": [element("6.5"), state]}
    assert lean(claim, window, "390") is Lean.PAGE
