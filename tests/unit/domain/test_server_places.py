"""
Where in the server's code a verdict says to look.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.model.codes import Verified
from reticle.model.runs import Place, Why
from reticle.testing.windows import WindowBuilder

A, B = "a" * 32, "b" * 32
FRAMES = [{"file": "shop/views.py", "line": 31, "function": "order", "app": True}]


def judged(claim: dict[str, Any], window: WindowBuilder) -> tuple[Verified, str | None]:
    """
    The verdict, and where it says to look first.
    """
    decision = decide(parse(claim), window.build())
    return decision.verified, decision.source


def threw(window: WindowBuilder, rid: str) -> WindowBuilder:
    """
    An exception that nobody caught.
    """
    return window.fact(
        "exception", rid, type="KeyError", message="'price'", handled="unhandled", frames=FRAMES
    )


def test_a_healthy_screen_over_an_exception_is_no_with_its_line() -> None:
    """
    The page says thank you, the server threw: no, and the line of the view.
    """
    window = threw(WindowBuilder().probe().click(source="Cart.tsx:3").served(A), A)
    window.net("POST", "/api/orders", 200, rid=A).text("Thank you")
    verified, source = judged({"kind": "net", "method": "POST", "ok": True}, window)
    assert (verified, source) == (Verified.NO, "shop/views.py:31")


def test_a_claim_about_the_database_that_fails_names_the_view() -> None:
    """
    Nothing was written: the code that handled the request is where it should have been.
    """
    window = (
        WindowBuilder()
        .probe()
        .click(source="Cart.tsx:3")
        .served(B, "GET", "/api/cart", view="shop/cart.py:2")
    )
    window.served(A).net("GET", "/api/cart", 200, rid=B).net("POST", "/api/orders", 200, rid=A)
    window.event("dom.added", {"role": "status", "text": "ok"}, ref="e1")
    assert judged({"kind": "sql", "verb": "INSERT"}, window) == (Verified.NO, "shop/views.py:12")


def test_a_claim_about_the_page_that_fails_names_the_page() -> None:
    """
    A server that did its part is not accused.
    """
    window = (
        WindowBuilder().probe().click(source="Cart.tsx:3").served(A).net("POST", "/api/orders", 200, rid=A)
    )
    told = decide(parse({"kind": "signal", "name": "x"}), window.build())
    assert "shop/views.py:31" not in [place.where for place in told.places]


@pytest.mark.parametrize("rid", [None, B])
def test_nobody_elses_code_is_named(rid: str | None) -> None:
    """
    Another visitor's exception is not where to look.
    """
    window = (
        WindowBuilder().probe().click(source="Cart.tsx:3").served(A).net("POST", "/api/orders", 200, rid=A)
    )
    window.fact("exception", rid, type="E", message="m", handled="unhandled", frames=FRAMES)
    told = decide(parse({"kind": "signal", "name": "x"}), window.build())
    assert "shop/views.py:31" not in [place.where for place in told.places]


def test_what_the_page_shows_may_come_from_the_view() -> None:
    """
    Beside the page's own code the view is named that handled the write: a wrong value may be its doing.
    """
    window = (
        WindowBuilder()
        .probe()
        .click(source="Cart.tsx:3")
        .served(B, "GET", "/api/cart", view="shop/cart.py:2")
    )
    window.served(A).net("GET", "/api/cart", 200, rid=B).net("POST", "/api/orders", 200, rid=A)
    page = Place("desk.js:53:1", Why.SENT)
    built = attrs.evolve(window.build(), places=(page, Place("desk.js:6:1", Why.RAN)))
    decision = decide(parse({"kind": "signal", "name": "x"}), built)
    assert [place.where for place in decision.places] == ["desk.js:53:1", "shop/views.py:12", "desk.js:6:1"]


def test_the_control_comes_before_the_view() -> None:
    """
    Of a page that dialled in little is known; the element that was used is named first.
    """
    window = (
        WindowBuilder().probe().click(source="Cart.tsx:3").served(A).net("POST", "/api/orders", 200, rid=A)
    )
    assert judged({"kind": "signal", "name": "x"}, window) == (Verified.NO, "Cart.tsx:3")
