"""
What servers told, in lines for people.
"""

from __future__ import annotations

from reticle.domain.server_words import served_lines
from reticle.model.server_facts import Strength
from reticle.testing.windows import WindowBuilder

A, B = "a" * 32, "b" * 32


def test_a_line_for_each_request() -> None:
    """
    With its view, how it is tied, what it did and what it ended with; other visitors' only on demand.
    """
    window = (
        WindowBuilder().probe().click().served(A, status=500).served(B, "GET", "/other")
        .fact("sql", A, verb="SELECT").fact("sql", A, verb="SELECT").fact("log", A, level="ERROR")
        .fact("exception", A, type="KeyError", message="'price'", handled="unhandled")
        .net("POST", "/api/orders", 500, rid=A).build()
    )  # fmt: skip
    assert served_lines(window) == [
        "POST /api/orders 500 (shop/views.py:12), by id; 2 sql, 1 log; KeyError: 'price'"
    ]
    assert len(served_lines(window, least=Strength.AMBIENT)) == 2
