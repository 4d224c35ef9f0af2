"""
Claims written in Python.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate.parse import parse
from reticle.pytest_plugin import claims
from reticle.pytest_plugin.claims import Claim

EVERY: list[tuple[Claim, dict[str, Any]]] = [
    (claims.text("Thank you"), {"kind": "text", "contains": "Thank you", "visible": True}),
    (claims.text("Draft", visible=None), {"kind": "text", "contains": "Draft"}),
    (
        claims.element(role="button", name="Pay", state="disabled"),
        {"kind": "element", "role": "button", "name": "Pay", "state": "disabled"},
    ),
    (
        claims.net("POST", "/orders", status=201, count=1, request_body={"items.length": 2}),
        {
            "kind": "net",
            "method": "POST",
            "urlContains": "/orders",
            "status": 201,
            "count": 1,
            "requestBody": {"items.length": 2},
        },
    ),
    (claims.route("/thanks"), {"kind": "route", "pathname": "/thanks"}),
    (claims.console("error", absent=True), {"kind": "console", "level": "error", "absent": True}),
    (claims.signal("paid", count=1), {"kind": "signal", "name": "paid", "count": 1}),
    (claims.state("cart.total", equals=0), {"kind": "state", "path": "cart.total", "equals": 0}),
    (claims.storage("cart", removed=True), {"kind": "storage", "key": "cart", "removed": True}),
    (claims.server("POST", "/orders"), {"kind": "server", "method": "POST", "route": "/orders"}),
    (
        claims.sql("INSERT", "orders", count=1),
        {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1},
    ),
    (claims.log("error", "declined"), {"kind": "log", "level": "error", "contains": "declined"}),
    (claims.no(claims.route("/")), {"kind": "not", "predicate": {"kind": "route", "pathname": "/"}}),
    (
        claims.within(500, claims.signal("paid")),
        {"kind": "within", "ms": 500, "predicate": {"kind": "signal", "name": "paid"}},
    ),
    (
        claims.any_of(claims.route("/a"), claims.route("/b")),
        {"kind": "anyOf", "predicates": [{"kind": "route", "pathname": path} for path in ("/a", "/b")]},
    ),
    (
        claims.sequence(claims.signal("a"), claims.signal("b")),
        {"kind": "sequence", "predicates": [{"kind": "signal", "name": name} for name in ("a", "b")]},
    ),
    (
        claims.never(claims.signal("failed")),
        {"kind": "never", "predicate": {"kind": "signal", "name": "failed"}},
    ),
]


@pytest.mark.parametrize(("claim", "told"), EVERY, ids=[str(told["kind"]) for _claim, told in EVERY])
def test_a_claim_is_what_the_grammar_has(claim: Claim, told: dict[str, Any]) -> None:
    """
    What a test says in Python reaches the daemon as the predicate that the reference describes.
    """
    assert claim == told
    parse(dict(claim))


def test_one_claim_alone_stays_itself() -> None:
    """
    A verdict on one claim is not told as a list of parts.
    """
    only = claims.route("/")
    assert claims.all_of(only) is only
    assert claims.all_of(only, only) == {"kind": "allOf", "predicates": [only, only]}
