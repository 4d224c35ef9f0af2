"""
Where in the server's code a verdict says to look.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from reticle.domain.findings import every_keystroke, uncaught_error
from reticle.domain.ladder import decide
from reticle.domain.predicate import parse
from reticle.domain.server_places import asked_first, is_sent_again
from reticle.model.codes import Verified
from reticle.model.runs import Place, Why
from reticle.model.verdict import Finding, FindingTier
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


SHOWN = {"kind": "text", "contains": "3 replies"}


def statement(line: int, *via: tuple[str, int], verb: str = "SELECT") -> dict[str, Any]:
    """
    What was told of one, sent by the function that all of the app's go through.
    """
    frames = [{"file": file, "line": number} for file, number in via]
    return {"verb": verb, "file": "shop/database.py", "line": line, "via": frames}


def made() -> WindowBuilder:
    """
    A page that the server made, on which a text is missing after a form was sent.
    """
    window = WindowBuilder().probe().click(source="shop/form.html:9").served(A)
    window.fact("sql", A, **statement(5, ("shop/views.py", 14), verb="INSERT"))
    window.fact("sql", A, **statement(7, ("shop/views.py", 40), ("shop/views.py", 20)))
    window.fact("template", A, name="thread.html", file="shop/thread.html", line=1)
    return window.net("POST", "/api/orders", 200, rid=A).text("3 replies", there=False)


def places(window: WindowBuilder, claim: dict[str, Any] = SHOWN, *found: Place) -> list[str]:
    """
    The places that a verdict names, as ``found`` was when it was made.
    """
    decision = decide(parse(claim), attrs.evolve(window.build(), places=found))
    assert decision.verified is not Verified.YES
    return [place.where for place in decision.places]


def test_what_a_server_made_is_looked_for_in_the_server() -> None:
    """
    The view, the function that read what it shows, the template; the page's scripts have least to do with it.
    """
    named = places(made(), SHOWN, Place("/desk.js:12:3", Why.RAN))
    assert named == ["shop/views.py:12", "shop/views.py:40", "shop/thread.html:1"]


def test_an_element_that_is_there_and_wrong_names_where_it_is_written() -> None:
    """
    Before the template that was rendered and the function that read; a rule that hides it comes first.
    """
    stamp = Place("shop/queue.html:1", Why.WRITTEN)
    assert places(made(), SHOWN, stamp) == ["shop/views.py:12", "shop/queue.html:1", "shop/thread.html:1"]
    same = Place("shop/thread.html:4", Why.WRITTEN)
    assert places(made(), SHOWN, same) == ["shop/views.py:12", "shop/thread.html:4", "shop/views.py:40"]
    rule = Place("/style.css:5", Why.HIDES)
    assert places(made(), SHOWN, rule, stamp)[0] == "/style.css:5"


def test_what_was_asked_too_often_is_looked_for_in_the_page_too() -> None:
    """
    The view did as it was told, twice: who sent it, and the element that was used, are named beside it.
    """
    claim = {"kind": "net", "method": "POST", "urlContains": "/api/orders", "count": 1}
    twice = made().net("POST", "/api/orders", 200)
    named = places(twice, claim, Place("/desk.js:44:38", Why.SENT), Place("/desk.js:12:3", Why.RAN))
    assert named == ["shop/views.py:12", "/desk.js:44:38", "shop/form.html:9"]


def test_what_a_page_keeps_by_itself_is_looked_for_in_the_page() -> None:
    """
    Also where the server made it.
    """
    claim = {"kind": "storage", "area": "session", "key": "draft", "removed": True}
    named = places(made(), claim, Place("/desk.js:12:3", Why.RAN))
    assert named[:2] == ["/desk.js:12:3", "shop/views.py:12"]


def test_the_view_of_the_page_that_a_write_led_to_is_named_too() -> None:
    """
    What is shown in the end is that view's doing.
    """
    window = WindowBuilder().probe().click()
    window.served(A, "POST", "/login", view="shop/account.py:41")
    window.served(B, "GET", "/tickets", view="shop/tickets.py:60")
    window.fact("template", B, name="tickets.html", file="shop/tickets.html", line=1)
    window.net("POST", "/login", 200, rid=A).net("GET", "/tickets", 200, rid=B, initiator="document")
    named = places(window.text("3 replies", there=False))
    assert named == ["shop/account.py:41", "shop/tickets.py:60", "shop/tickets.html:1"]


def test_a_request_that_is_still_at_work_names_the_line_that_it_came_to() -> None:
    """
    No view is known before it is done: the outermost line of its last statement lies in it.
    """
    window = WindowBuilder().probe().click().served(A, action="p.a1", ended=False)
    window.fact("sql", A, action="p.a1", **statement(7, ("shop/views.py", 40), ("shop/views.py", 20)))
    claim = {"kind": "net", "method": "POST", "status": 200}
    assert places(window, claim)[:1] == ["shop/views.py:20"]


def test_a_reading_that_is_still_waited_for_names_the_line_that_it_came_to() -> None:
    """
    It has no id before it is answered; method, path and time are enough for a place, and decide nothing.
    """
    window = WindowBuilder().probe().click().pending("GET", "/report", initiator="fetch")
    window.served(A, "GET", "/report", ended=False)
    window.fact("sql", A, **statement(7, ("shop/views.py", 30)))
    window.text("Turnover", there=False)
    claim = {"kind": "text", "contains": "Turnover"}
    assert places(window, claim)[:1] == ["shop/views.py:30"]
    elsewhere = WindowBuilder().probe().click().pending("GET", "/report", initiator="fetch")
    elsewhere.served(A, "GET", "/other", ended=False)
    elsewhere.fact("sql", A, **statement(7, ("shop/views.py", 30)))
    assert places(elsewhere.text("Turnover", there=False), claim) == []


@pytest.mark.parametrize(("kind", "again"), [(every_keystroke.KIND, True), (uncaught_error.KIND, False)])
def test_each_letter_that_asks_is_a_request_too_many(kind: str, again: bool) -> None:  # noqa: FBT001 - a table
    """
    Who typed and who sent is looked at first, as where more was sent than was claimed.
    """
    assert is_sent_again(None, [Finding(kind, FindingTier.ABSENCE, "", "", {})]) is again


def test_a_request_that_takes_long_names_the_line_that_it_stands_on() -> None:
    """
    The last one that was told; of a request that is over nothing is told.
    """
    claim = {"kind": "net", "method": "POST", "status": 200}
    named = []
    for ended in (False, True):
        window = WindowBuilder().probe().click().served(A, action="p.a1", ended=ended)
        for line in (75, 79):
            at = [{"file": "shop/cart.py", "line": line}]
            window.fact("calls", A, action="p.a1", functions=[], constants=[], at=at)
        named.append(places(window, claim)[:1])
    assert named[0] == ["shop/cart.py:79"]
    assert named[1] != ["shop/cart.py:79"]


def test_the_form_that_was_posted_comes_before_what_was_asked_beside_it() -> None:
    """
    Leaving a field may have it looked at; the page that is shown is of the form.
    """
    window = WindowBuilder().probe().click()
    window.served(A, "POST", "/tickets/subject", view="shop/tickets.py:107")
    window.served(B, "POST", "/tickets", view="shop/tickets.py:116").fact("template", B, name="new.html")
    window.net("POST", "/tickets/subject", 200, rid=A)
    window.net("POST", "/tickets", 200, rid=B, initiator="document")
    assert [str(one) for one in asked_first(window.build())][:1] == ["POST /tickets 200"]
