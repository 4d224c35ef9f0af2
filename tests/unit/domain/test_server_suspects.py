"""
The function of a server that a failed claim speaks of is named, not only its view.
"""

from __future__ import annotations

from typing import Any

from reticle.domain.claim_words import ClaimWords
from reticle.domain.served import own_served
from reticle.domain.server_suspects import server_suspects
from reticle.model.runs import Place, Why
from reticle.testing.windows import WindowBuilder

A = "a" * 32
VIEW = "shop/views.py:12"


def function(
    name: str, line: int, *words: str, last: int = 0, before: int = 0, **more: Any
) -> dict[str, Any]:
    """
    A function of the shop as a probe tells it.
    """
    return {
        "file": "shop/tax.py", "line": line, "last": last or line + 3, "left": last or line + 2,
        "function": name, "before": before, "words": list(words), "uses": [], **more,
    }  # fmt: skip


def named(
    window: WindowBuilder,
    *spoken: str,
    constants: Any = (),
    functions: Any = (),
    by_status: bool = False,
    **more: Any,
) -> list[Place]:
    """
    The places for a claim that speaks of those words.
    """
    said = ClaimWords()
    for text in spoken:
        said.add(text, 1.0)
    window.fact("calls", A, functions=list(functions), constants=list(constants), **more)
    return [*server_suspects(said, own_served(window.build()), by_status=by_status)]


def asked(route: str | None = None) -> WindowBuilder:
    """
    A write that the server answered; without a route by a server that has no router.
    """
    window = WindowBuilder().probe().click()
    if route is None:
        window.fact("request.started", A, method="POST", path="/api/orders")
        window.fact("request.handled", A, method="POST", path="/api/orders", status=200, view=VIEW)
    else:
        window.served(A, path=route)
    return window.net("POST", "/api/orders", 200, rid=A)


def test_the_function_that_the_claim_speaks_of_comes_first() -> None:
    """
    Of what ran, whose name or code has a word of the claim.
    """
    ran = [function("answer", 1, "request"), function("vat", 8, "net"), function("ship", 20, "carrier")]
    found = named(asked(), "vat", functions=ran)
    assert found[0] == Place("shop/tax.py:8", Why.RAN_FOR)
    assert {place.where for place in found[1:]} == {"shop/tax.py:1", "shop/tax.py:20"}


def test_what_runs_for_every_request_comes_later() -> None:
    """
    It speaks of the same, and says little of this action.
    """
    ran = [function("total", 1, before=20), function("total", 8)]
    assert named(asked(), "total", functions=ran)[0].where == "shop/tax.py:8"


def test_a_constant_is_named_by_the_line_that_is_spoken_of() -> None:
    """
    A wrong word in a table of texts is mended on its line.
    """
    table = {
        "file": "shop/words.py", "line": 3, "name": "WORDS",
        "words": ["tickets", "Anfragen"], "lines": [5, 14],
    }  # fmt: skip
    ran = [function("translate", 30, uses=["WORDS"])]
    found = named(asked(), "24 Anfragen", functions=ran, constants=[table])
    assert found[0] == Place("shop/words.py:14", Why.RAN_FOR)


def test_a_long_function_is_named_by_where_it_was_left() -> None:
    """
    Of one that decides among many routes the branch that ran.
    """
    found = named(asked(), "orders", functions=[function("answer", 1, "orders", last=60)])
    assert [place.where for place in found] == ["shop/tax.py:60"]


def test_the_view_that_a_router_chose_comes_first() -> None:
    """
    And is named once.
    """
    ran = [{**function("order", 12, "vat"), "file": "shop/views.py"}, function("vat", 8)]
    found = named(asked("/api/orders"), "vat", functions=ran)
    assert found == [Place(VIEW, Why.HANDLED), Place("shop/tax.py:8", Why.RAN_FOR)]


def test_what_the_view_of_a_router_uses_of_its_own_module_is_named() -> None:
    """
    The view is named already; a table beside it, which it only looks into, is not. One of another module that
    has the same word may be anything.
    """
    sorts = {"file": "shop/views.py", "line": 3, "name": "SORTS", "words": ["subject"], "lines": [4]}
    users = {"file": "shop/users.py", "line": 9, "name": "USERS", "words": ["subject"], "lines": [9]}
    ran = [{**function("listed", 12, uses=["SORTS", "USERS"]), "file": "shop/views.py"}]
    found = named(asked("/api/orders"), "sort by subject", functions=ran, constants=[sorts, users])
    assert found == [Place(VIEW, Why.HANDLED), Place("shop/views.py:4", Why.RAN_FOR)]


def test_beside_the_line_that_threw_its_constants_are_named() -> None:
    """
    The line is named already; a key that is missing is missing in the table.
    """
    frames = [{"file": "shop/tax.py", "line": 9, "function": "hours", "app": True}]
    window = asked()
    window.fact("exception", A, type="KeyError", message="'low'", handled="unhandled", frames=frames)
    hours = {"file": "shop/tax.py", "line": 2, "name": "HOURS", "words": [], "lines": []}
    ran = [function("hours", 8, uses=["HOURS"]), function("order", 20, "orders")]
    found = named(window, "orders", functions=ran, constants=[hours])
    assert [place.where for place in found] == ["shop/tax.py:2", "shop/tax.py:20"]


def test_without_a_probe_that_tells_nothing_is_named() -> None:
    """
    As of a server whose requests nobody followed.
    """
    assert [*server_suspects(ClaimWords(), own_served(asked("/api/orders").build()))] == []


def test_a_function_that_is_run_later_is_named_for_the_one_around_it() -> None:
    """
    As what a timer is given: where it has much of what speaks for both; else the outer one.
    """
    later = {**function("taken", 12, "reviewer", "ben", last=14)}
    ran = [function("ask", 8, "reviewer", "ben", last=20)]
    found = named(asked(), "In review by ben", functions=ran, unrun=[later])
    assert [place.where for place in found] == ["shop/tax.py:12"]
    found = named(asked(), "In review by ben", functions=ran, unrun=[function("log", 12, "size", last=14)])
    assert [place.where for place in found] == ["shop/tax.py:8"]


def test_a_function_whose_result_was_kept_is_named_too() -> None:
    """
    It did not run, for its result is remembered: what it says may be old.
    """
    kept = function("open_count", 40, "ticket")
    found = named(asked(), "19 open", functions=[function("answer", 1)], unrun=[kept])
    assert found[0] == Place("shop/tax.py:40", Why.RAN_FOR)


def test_the_line_that_chose_another_success_comes_first() -> None:
    """
    Where the claim is of another one; else it says nothing.
    """
    at = [{"file": "shop/routes.py", "line": 49}]
    ran = [function("note", 8, "notes")]
    found = named(asked(), "notes", functions=ran, answered=at, by_status=True)
    assert [place.where for place in found] == ["shop/routes.py:49", "shop/tax.py:8"]
    assert [place.where for place in named(asked(), "notes", functions=ran, answered=at)] == ["shop/tax.py:8"]
