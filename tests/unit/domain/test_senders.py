"""
The places where requests were sent, where nothing else is known of what ran.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.origins import Wrong
from reticle.domain.predicate import evaluate, parse
from reticle.domain.senders import is_silent, repeated, senders, stacks, wrong_of
from reticle.model.ids import ActionId
from reticle.model.runs import Position, Why
from reticle.model.window import ActionRecord, Effect
from reticle.testing.windows import WindowBuilder

LIB, CART = "http://app.test/lib.js", "http://app.test/cart.js"
HTMX = "http://app.test/static/htmx.js"
OURS = "http://app.test/__reticle__/sdk.js?v=1"


def test_the_failed_request_comes_first_then_the_write() -> None:
    """
    What failed or was written matters more than what was read.
    """
    window = (
        WindowBuilder()
        .net("GET", "/api/rate", frames=[[LIB, 1, 1]])
        .net("PUT", "/api/cart", frames=[[LIB, 2, 1]])
        .net("GET", "/api/due", 500, frames=[[LIB, 3, 1]])
        .build()
    )
    assert stacks(window) == [[(LIB, 3, 1)], [(LIB, 2, 1)], [(LIB, 1, 1)]]


def test_a_librarys_frames_are_passed_over() -> None:
    """
    And what is no frame is none.
    """
    frames = [[OURS, 4421, 1], [HTMX, 1, 1], [LIB, 14, 20], "no frame", [CART, "x", 2], [CART, 30, 5, 900]]
    window = WindowBuilder().net("POST", "/api/cart", frames=frames).net("GET", "/x", frames="none").build()
    assert stacks(window) == [[(LIB, 14, 20), (CART, 30, 5)]]


def test_the_caller_is_named_after_the_place_itself() -> None:
    """
    Apps send through one function of their own: who called it says more, and both are named.
    """
    named = senders([[(LIB, 14, 20), (CART, 30, 5), (CART, 40, 1)], [(LIB, 14, 20)]])
    assert [one.position for one in named] == [Position(LIB, 14, 20), Position(CART, 30, 5)]
    assert {one.why for one in named} == {Why.SENT}


def test_what_was_sent_once_more_comes_first_and_what_was_sent_once_not_at_all() -> None:
    """
    Whoever sent it again is looked for, and not who read something beside it.
    """
    window = (
        WindowBuilder()
        .net("PUT", "/api/cart", frames=[[LIB, 2, 1], [CART, 5, 1]])
        .net("PUT", "/api/cart", frames=[[LIB, 2, 1], [CART, 9, 1]])
        .net("GET", "/api/rate", frames=[[LIB, 1, 1]])
        .build()
    )
    assert repeated(window) == [[(LIB, 2, 1), (CART, 9, 1)], [(LIB, 2, 1), (CART, 5, 1)]]


def test_a_page_that_answers_nothing_is_silent() -> None:
    """
    As one whose script never ends: what it sent is the last that is known of it. One that answers one
    question of two is not.
    """
    told = WindowBuilder().text("Explained", there=False).build().after[0]
    lost = attrs.evolve(told, answer=None, error="The page did not answer in time.")
    assert is_silent(attrs.evolve(WindowBuilder().build(), after=(lost, lost)))
    assert not is_silent(attrs.evolve(WindowBuilder().build(), after=(lost, told)))
    assert not is_silent(WindowBuilder().build())


NET: dict[str, Any] = {"kind": "net", "method": "PUT", "urlContains": "/api/stock"}
STATE: dict[str, Any] = {"kind": "state", "store": "stock", "path": "products.0.stock", "equals": 5}


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ({**NET, "requestBody": {"stock": 5}}, Wrong([(LIB, 2, 1)])),
        ({**NET, "urlContains": "page=2"}, Wrong([(LIB, 2, 1)])),  # sent elsewhere
        ({**NET, "method": "POST"}, Wrong(unsent=True)),
        ({**NET, "status": 201}, Wrong()),  # sent as claimed: what came back is another matter
        (STATE, Wrong(written=["products"])),
        ({"kind": "allOf", "predicates": [{**NET, "status": 201}, STATE]}, Wrong()),
        ({**STATE, "path": "0.id"}, Wrong()),
    ],
)
def test_what_is_wrong_is_the_first_thing_that_went_wrong(claim: dict[str, Any], wrong: Wrong) -> None:
    """
    What was sent or not, else the state: that follows from what was asked.
    """
    window = (
        WindowBuilder()
        .click()
        .net("PUT", "/api/stock/mug", requestBody='{"stock": "5"}', frames=[[LIB, 2, 1]])
        .state("products", [{"id": "mug", "stock": "5"}], store="stock")
        .build()
    )
    told = wrong_of(claim, evaluate(parse(claim), window), window)
    assert (list(told.sent), told.unsent, list(told.written)) == (
        list(wrong.sent),
        wrong.unsent,
        list(wrong.written),
    )


@pytest.mark.parametrize(("status", "told"), [(402, [(LIB, 2, 1)]), (200, [])])
def test_a_refusal_whose_text_is_not_shown_leads_to_who_asked(status: int, told: list[Any]) -> None:
    """
    What was answered well is another matter.
    """
    claim: dict[str, Any] = {"kind": "text", "contains": "Your card was declined"}
    body = '{"error": "Your card was declined"}'
    window = (
        WindowBuilder()
        .click()
        .net("POST", "/api/orders", status, responseBody=body, frames=[[LIB, 2, 1]])
        .text("Your card was declined", there=False)
        .build()
    )
    assert list(wrong_of(claim, evaluate(parse(claim), window), window).untold) == told


@pytest.mark.parametrize(
    ("role", "contains", "led"),
    [("link", "status=done", "Back"), ("link", "/tasks", ""), ("button", "status=done", "")],
)
def test_a_link_that_led_elsewhere_is_looked_for(role: str, contains: str, led: str) -> None:
    """
    One that led where it should is not, and what another control does is written in code.
    """
    claim: dict[str, Any] = {"kind": "route", "contains": contains}
    window = WindowBuilder().click().route("/tasks").build()
    used = ActionRecord(ActionId("a1"), "click", {"ref": "e1"}, Effect({"role": role, "name": "Back"}))
    window = attrs.evolve(window, action=used)
    assert wrong_of(claim, evaluate(parse(claim), window), window).led == led
