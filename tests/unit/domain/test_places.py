"""
A verdict that is no ``yes`` says where to look, with the reason, and never more than a few places.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.ladder import decide
from reticle.domain.places import places_of
from reticle.domain.predicate import parse
from reticle.model.codes import Verified, VerifiedReason
from reticle.model.run_limits import PLACES_NAMED
from reticle.model.runs import Place, Why
from reticle.model.verdict import Decision, Finding, FindingTier
from reticle.testing.windows import WindowBuilder

CLAIM = parse({"kind": "text", "contains": "Saved"})
FOUND = (Place("/shop.js:50:1", Why.SENT), Place("/shop.js:60:3", Why.RAN))


def decided(builder: WindowBuilder, *found: Place) -> Decision:
    """
    What is decided over a window for which places were found.
    """
    return decide(CLAIM, attrs.evolve(builder.build(), places=found))


def test_what_was_found_is_named_before_the_element() -> None:
    """
    The code that ran says more than where the button is written.
    """
    decision = decided(WindowBuilder().click(source="src/App.jsx:3").text("Saved", there=False), *FOUND)
    assert decision.places == (*FOUND, Place("src/App.jsx:3", Why.WRITTEN))
    assert decision.source == "/shop.js:50:1"


def test_where_the_app_threw_comes_first() -> None:
    """
    An exception of the app's own is the likeliest reason.
    """
    builder = WindowBuilder().click().uncaught("x is undefined", source="/cart.js:9:4")
    decision = decided(builder.text("Saved", there=False), *FOUND)
    assert decision.places[0] == Place("/cart.js:9:4", Why.THREW)


def test_where_it_is_known_what_ran_in_the_server_the_order_is_kept() -> None:
    """
    Its views are no more than other functions then.
    """
    page = (*FOUND, Place("/shop.js:70:1", Why.NAMES))
    builder = WindowBuilder().probe().click(source="src/App.jsx:3").served("a" * 32)
    builder.net("POST", "/api/orders", 200, rid="a" * 32).text("Saved", there=False)
    assert decided(builder, *page, Place("shop/tax.py:8", Why.RAN_FOR)).places == page


def test_what_led_to_an_exception_is_named_too() -> None:
    """
    What fell over may have been given the wrong thing.
    """
    frames = (
        "put (http://app.test/cart.js:9:4)",
        "set (http://app.test/vendor/store.js:2:7)",
        "EventSource.<anonymous> (http://app.test/live.js:5:9)",
        "dispatch (http://app.test/vendor/events.js:1:1)",
    )
    stack = "TypeError: x is undefined" + "".join(f"\n    at {frame}" for frame in frames)
    builder = WindowBuilder().click().uncaught("x is undefined", source="/cart.js:9:4", stack=stack)
    decision = decided(builder.text("Saved", there=False), *FOUND)
    assert decision.places == (
        Place("/cart.js:9:4", Why.THREW), FOUND[0], Place("/live.js:5:9", Why.LED),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "why"), [("server-exception", Why.THREW), ("transaction-rolled-back", Why.FOUND)]
)
def test_only_what_threw_is_said_to_have_thrown(kind: str, why: Why) -> None:
    """
    A write that nobody committed threw nothing: who looks for an exception there looks in vain.
    """
    finding = Finding(kind, FindingTier.OBSERVED, "POST /notes 201", "lost", {}, "app.py:26")
    window = WindowBuilder().click().build()
    places = places_of(Verified.NO, VerifiedReason.CONTRADICTED, [finding], window)
    assert places[0] == Place("app.py:26", why)


def test_where_nobody_knows_what_ran_the_element_comes_first() -> None:
    """
    Who sent the request may be a function that sends all of them.
    """
    builder = WindowBuilder().click(source="src/App.jsx:3").text("Saved", there=False)
    assert [place.where for place in decided(builder, FOUND[0]).places] == ["src/App.jsx:3", "/shop.js:50:1"]


def test_a_line_is_named_once_and_few_are() -> None:
    """
    Whatever the column.
    """
    builder = WindowBuilder().click(source="/shop.js:50").text("Saved", there=False)
    more = tuple(Place(f"/more.js:{number}:1", Why.RAN) for number in range(5))
    assert decided(builder, *FOUND).places == FOUND
    assert len(decided(builder, *FOUND, *more).places) == PLACES_NAMED


def test_a_yes_and_a_lost_page_name_none() -> None:
    """
    Nothing is to be mended, or nobody knows.
    """
    assert decided(WindowBuilder().click().text("Saved"), *FOUND).places == ()
    assert decided(WindowBuilder().click().connection_lost(), *FOUND).places == ()


def test_an_element_beside_a_place_that_is_named_is_not_named_too() -> None:
    """
    Its handler stands in it: who reads one reads the other, and another place is worth more.
    """
    builder = WindowBuilder().click(source="/shop.js:49:5").text("Saved", there=False)
    assert decided(builder, *FOUND).places == FOUND


def test_an_element_whose_file_nobody_knows_comes_last() -> None:
    """
    The line of a bundle that nobody wrote says less than any other place.
    """
    served = Place("/dist/main.js:900:7 (as served)", Why.WRITTEN)
    decision = decided(WindowBuilder().click().text("Saved", there=False), served, *FOUND)
    assert decision.places == (*FOUND, served)
