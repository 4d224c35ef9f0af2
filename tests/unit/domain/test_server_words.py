"""
What servers told, in lines for people.
"""

from __future__ import annotations

import attrs

from reticle.domain.server_words import served_lines, server_notes
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


def test_what_limits_a_verdict_beside_a_probe() -> None:
    """
    A reload of the server in between, and requests that are only guessed; a sound capture has no note.
    """
    window = WindowBuilder().probe().click().served(A).net("POST", "/api/orders", 200, rid=A).build()
    assert server_notes(window) == []
    again = attrs.evolve(window.server.probes[0], restarted=True)
    restarted = attrs.evolve(window, server=attrs.evolve(window.server, probes=(again,)))
    assert server_notes(restarted) == [
        "flask 3.1 (pid 42) was restarted meanwhile: what it did before may be of other code"
    ]
    guessed = WindowBuilder().probe().click().served(A).net("POST", "/api/orders", 200).build()
    assert [note.split(" ", 1)[0] for note in server_notes(guessed)] == ["1"]
