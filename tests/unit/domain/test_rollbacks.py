"""
Writes that were rolled back, in claims about statements.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.model.verdict import Held
from reticle.testing.windows import WindowBuilder

A = "a" * 32
INSERT = {"verb": "INSERT", "table": "orders"}


def wrote(window: WindowBuilder, tx: str, outcome: str | None = None) -> WindowBuilder:
    """
    One row in a transaction, and how that ended where it did.
    """
    fields: dict[str, Any] = {"statement": "INSERT INTO orders VALUES (?)", "tables": ["orders"], "rows": 1}
    window.fact("sql", A, verb="INSERT", tx=tx, file="shop/views.py", line=20, **fields)
    return window if outcome is None else window.fact("transaction", A, tx=tx, outcome=outcome)


def posted(status: int, *ends: str) -> WindowBuilder:
    """
    A request that wrote the same row in one transaction after another.
    """
    window = WindowBuilder().probe().click().served(A, status=status)
    for number, end in enumerate(ends):
        wrote(window, f"t{number}", end)
    return window.net("POST", "/api/orders", status, rid=A)


def held(window: WindowBuilder, **claim: Any) -> Held:
    """
    How a claim about inserted orders comes out.
    """
    return evaluate(parse({"kind": "sql", **INSERT, **claim}), window.build()).held


@pytest.mark.parametrize("status", [400, 500])
def test_a_row_of_a_request_that_failed_is_not_there(status: int) -> None:
    """
    The request said that it failed, and its write was rolled back: nothing was inserted.
    """
    assert held(posted(status, "rolled_back")) is Held.NO
    assert held(posted(status, "committed")) is Held.YES


@pytest.mark.parametrize("status", [400, 500])
def test_a_row_that_a_failed_request_left_open_is_neither_there_nor_not(status: int) -> None:
    """
    Where requests share a connection the next one commits it, so "no order was written" holds by nothing.
    """
    assert held(posted(status, "open")) is Held.UNKNOWN
    assert held(posted(status, "open"), count=0) is Held.UNKNOWN
    assert held(posted(status, "rolled_back"), count=0) is not Held.NO


def test_a_retry_inserts_once() -> None:
    """
    Two attempts that were rolled back are no second and third order.
    """
    assert held(posted(201, "rolled_back", "rolled_back", "committed"), count=1).name in {"YES", "UNKNOWN"}
    outcome = evaluate(
        parse({"kind": "sql", **INSERT, "count": 2}), posted(201, "rolled_back", "committed").build()
    )
    assert outcome.observed == 1


def test_a_lost_row_of_a_success_was_inserted_and_lost() -> None:
    """
    That is what the finding says, with the line of the statement.
    """
    assert held(posted(201, "rolled_back")) is Held.YES


def test_while_the_request_runs_nobody_knows() -> None:
    """
    A row in a transaction that is open may yet be taken back.
    """
    window = WindowBuilder().probe().click()
    window.fact("request.started", A, method="POST", path="/api/orders", link="header")
    wrote(window, "t1")
    window.net("POST", "/api/orders", 200, rid=A)
    assert held(window) is Held.UNKNOWN
    window.fact("transaction", A, tx="t1", outcome="committed")
    assert held(window) is Held.YES


def test_what_a_fallback_made_up_for_was_not_done() -> None:
    """
    The order was paid already: no second one was made, whatever was tried before.
    """
    window = wrote(WindowBuilder().probe().click().served(A, status=200), "t2")
    ended: dict[str, Any] = {"within": "t1", "refused": ["payments"], "conflict": True}
    window.fact("transaction", A, tx="t2", outcome="rolled_back", **ended)
    read: dict[str, Any] = {"statement": "SELECT 1 FROM payments, orders", "tables": ["payments", "orders"]}
    window.fact("sql", A, verb="SELECT", tx="t1", file="shop/views.py", line=24, **read)
    window.net("POST", "/api/orders", 200, rid=A)
    assert held(window) is Held.NO
    assert held(window, count=0) is not Held.NO
