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


def test_what_is_in_the_document_and_unseen_is_the_pages() -> None:
    """
    Whatever it was made of was there; one that is not in the document at all may not have been answered.
    """
    claim: dict[str, Any] = {"kind": "element", "query": {"testid": "bar"}}
    unseen = answered("{}").element({"testid": "bar"}, there=False, matched=True, unseen="has no size")
    assert lean(claim, unseen) is Lean.PAGE
    assert lean(claim, answered("{}").element({"testid": "bar"}, there=False)) is Lean.OPEN


@pytest.mark.parametrize(
    ("asked", "whose"),
    [
        ("/api/products?sort=price&page=2", Lean.PAGE),  # another one was asked for
        ("/api/products?sort=price&page=1", Lean.SERVER),
        ("/api/products?sort=price", Lean.SERVER),
        ("/api/products?pages=2", Lean.SERVER),  # another name
    ],
)
def test_a_number_that_was_asked_for_otherwise_is_the_pages(asked: str, whose: Lean) -> None:
    """
    The server answered what it was asked.
    """
    window = WindowBuilder().click().net("GET", asked, 200, responseBody='{"first": "Clock", "left": 14}')
    window.element({"testid": "total", "text": "Page 1 of 3, 26 left"}, there=False)
    assert lean(element("Page 1 of 3, 26 left"), window, "14 left") is whose


def test_what_a_page_offers_and_should_not_is_its_own() -> None:
    """
    Unless the data by which it does so are wrong as well.
    """
    offered: dict[str, Any] = {
        "kind": "element",
        "query": {"role": "button", "name": "Delete"},
        "absent": True,
    }
    window = answered('{"role": "clerk"}').element({"role": "button", "name": "Delete"})
    assert lean(offered, window) is Lean.PAGE
    row: dict[str, Any] = {"kind": "element", "query": {"role": "row", "name": "Mug"}, "absent": True}
    assert lean(row, answered('{"role": "clerk"}').element({"role": "row", "name": "Mug"})) is Lean.OPEN
    state = {"kind": "state", "store": "session", "path": "role", "equals": "admin"}
    window.state("role", "clerk", store="session")
    assert lean({"kind": "allOf", "predicates": [offered, state]}, window) is not Lean.PAGE


def test_an_address_that_no_document_was_asked_for_is_the_pages() -> None:
    """
    Else the server may have led elsewhere.
    """
    claim: dict[str, Any] = {"kind": "route", "contains": "status=done"}
    assert lean(claim, answered("{}").route("/tasks")) is Lean.PAGE
    window = answered("{}").net("GET", "/tasks", 200, initiator="document").route("/tasks")
    assert lean(claim, window) is Lean.OPEN


def test_a_word_that_was_told_in_another_spelling_is_of_either_side() -> None:
    """
    As the id of a person in place of the name; a word that nobody told is the page's own.
    """
    body = '{"by": "ana", "words": "Also in Firefox"}'
    claim = {"kind": "text", "contains": "Ana", "scope": "li"}
    shown = "ana Also in Firefox 1 Mar"
    told = answered(body).text("Ana", there=False, scope="li")
    assert lean(claim, told, shown) is Lean.OPEN
    untold = answered('{"by": 7, "words": "Also in Firefox"}').text("Ana", there=False, scope="li")
    assert lean(claim, untold, shown) is Lean.PAGE
