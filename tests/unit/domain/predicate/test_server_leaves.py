"""
The kinds ``server``, ``sql``, ``log`` and ``mail``.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.canonical import as_json
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

A, B = "a" * 32, "b" * 32
INSERT: dict[str, Any] = {
    "statement": "INSERT INTO orders VALUES (?)", "verb": "INSERT", "tables": ["shop.orders"], "rows": 1,
    "ms": 0.4, "file": "shop/views.py", "line": 20,
}  # fmt: skip
FRAMES = [{"file": "shop/views.py", "line": 31, "function": "order", "app": True}]


def ordered() -> WindowBuilder:
    """
    A click whose request the server handled: a row, a warning, a mail, an exception that nobody caught.
    """
    return (
        WindowBuilder().probe().click()
        .served(A, status=500)
        .fact("sql", A, **INSERT)
        .fact("transaction", A, tx="t1", outcome="rolled_back")
        .fact("log", A, level="WARNING", logger="shop", message="low stock", file="shop/stock.py", line=4)
        .fact("mail", A, to=["Ada <ada@example.org>"], subject="Your order 7")
        .fact("exception", A, type="KeyError", message="'price'", handled="unhandled", frames=FRAMES)
        .net("POST", "/api/orders", 500, rid=A)
    )  # fmt: skip


def told(claim: dict[str, Any], window: WindowBuilder) -> Outcome:
    """
    How a claim comes out.
    """
    return evaluate(parse(claim), window.build())


@pytest.mark.parametrize("kind", ["server", "sql", "log", "mail"])
def test_what_the_server_does_is_unknown_without_a_probe(kind: str) -> None:
    """
    A claim about the server is understood, never a pass while nobody looks there, and says what to start.
    """
    outcome = told({"kind": kind}, WindowBuilder().click())
    assert outcome.held is Held.UNKNOWN
    assert str(outcome.failure).startswith("no probe connected: what the app's server does is not seen; ")
    assert "reticle run -- " in str(outcome.failure)


def test_a_probe_of_another_server_is_named_and_does_not_count() -> None:
    """
    Somebody else's app has a probe: that is said, and nothing is concluded from its silence.
    """
    outcome = told({"kind": "sql", "count": 0}, WindowBuilder().probe(serves=False).click())
    assert outcome.held is Held.UNKNOWN
    assert "flask 3.1 (pid 42)" in str(outcome.failure)


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "server"},
        {"kind": "server", "method": "post", "route": "/api/orders", "status": 500},
        {"kind": "server", "route": "api/orders"},
        {"kind": "server", "route": "order", "urlContains": "/orders", "exception": "KeyError"},
        {"kind": "server", "count": 1},
        {"kind": "sql", "verb": "INSERT", "table": "orders", "count": 1},
        {"kind": "sql", "table": "shop.orders"},
        {"kind": "sql", "verb": "ROLLBACK"},
        {"kind": "log", "level": "warning", "contains": "stock"},
        {"kind": "log", "level": "error", "contains": "KeyError"},
        {"kind": "mail", "to": "ADA@example.org", "subject": "order 7", "count": 1},
    ],
)
def test_what_the_server_did_for_the_action_holds(claim: dict[str, Any]) -> None:
    """
    Facts that carry the id of the action's request prove a claim.
    """
    outcome = told(claim, ordered())
    assert outcome.held is Held.YES, outcome.failure
    assert as_json(parse(claim)) == {**claim}


@pytest.mark.parametrize(
    ("claim", "failure"),
    [
        (
            {"kind": "server", "status": 201},
            "no server (status 201); seen: POST /api/orders 500 (shop/views.py:12)",
        ),
        ({"kind": "server", "method": "PUT"}, "no server (method 'PUT')"),
        ({"kind": "server", "urlContains": "/carts"}, "no server"),
        ({"kind": "server", "exception": "ValueError"}, "KeyError: 'price'"),
        ({"kind": "sql", "verb": "UPDATE"}, "seen: INSERT shop.orders, 1 row at shop/views.py:20"),
        ({"kind": "sql", "table": "rders"}, "no sql"),
        ({"kind": "sql", "verb": "COMMIT"}, "transaction rolled_back"),
        ({"kind": "sql", "verb": "INSERT", "count": 2}, "1 time, not 2"),
        ({"kind": "log", "level": "critical"}, "warning: low stock at shop/stock.py:4"),
        ({"kind": "log", "level": "warning", "absent": True}, "not 0"),
        ({"kind": "mail", "to": "bob"}, 'mail to Ada <ada@example.org> "Your order 7"'),
        ({"kind": "mail", "subject": "Invoice"}, "no mail"),
    ],
)
def test_what_it_did_not_do_is_told_with_what_it_did(claim: dict[str, Any], failure: str) -> None:
    """
    A near miss names what there was instead, with its line.
    """
    outcome = told(claim, ordered())
    assert outcome.held is Held.NO
    assert failure in str(outcome.failure)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"kind": "log", "contains": "Cost 2"}, Held.UNKNOWN),
        ({"kind": "log", "contains": "Cost 2", "absent": True}, Held.UNKNOWN),
        ({"kind": "log", "contains": "Cost 2,500"}, Held.YES),
        ({"kind": "mail", "subject": "Order 2"}, Held.UNKNOWN),
        ({"kind": "mail", "subject": "Order 25"}, Held.YES),
    ],
)
def test_a_number_of_a_log_or_a_mail_is_met_whole(claim: dict[str, Any], expected: Held) -> None:
    """
    Neither does "Cost 2,500" in a log prove "Cost 2", nor does it prove that it was not logged.
    """
    window = (
        ordered()
        .fact("log", A, level="WARNING", logger="shop", message="Cost 2,500")
        .fact("mail", A, to=["ada@example.org"], subject="Order 25")
    )
    outcome = told(claim, window)
    assert outcome.held is expected
    if expected is Held.UNKNOWN:
        assert "only as a part of another number" in str(outcome.failure)


def test_what_is_only_near_in_time_never_decides() -> None:
    """
    A request without an id may be another visitor's: neither a pass nor a fault comes of it.
    """
    window = (
        WindowBuilder().probe().click().served(A).fact("sql", A, **INSERT).net("POST", "/api/orders", 200)
    )
    for claim in ({"kind": "sql", "verb": "INSERT"}, {"kind": "sql", "verb": "INSERT", "count": 0}):
        outcome = told(claim, window)
        assert outcome.held is Held.UNKNOWN
        assert "only by its time and address" in str(outcome.failure)


def test_another_visitors_statement_is_not_blamed() -> None:
    """
    What a request of nobody's wrote does not break a claim that nothing was written.
    """
    window = ordered().served(B, "POST", "/api/carts").fact("sql", B, verb="DELETE", tables=["carts"])
    assert told({"kind": "sql", "verb": "DELETE", "count": 0}, window).held is Held.YES


def test_a_statement_outside_of_any_request_leaves_it_open() -> None:
    """
    A thread may work for the action or for nobody.
    """
    window = ordered().fact("sql", None, verb="DELETE", tables=["carts"])
    for claim in ({"kind": "sql", "verb": "DELETE"}, {"kind": "sql", "verb": "DELETE", "count": 0}):
        assert told(claim, window).held is Held.UNKNOWN


def test_statements_of_a_driver_that_nobody_looks_at_leave_it_open() -> None:
    """
    What was seen was seen; what was not may have been made all the same, and is no fault of the app's.
    """
    blind = (
        WindowBuilder().probe(unseen=("asyncpg",)).click().served(A).net("POST", "/api/orders", 200, rid=A)
    )
    for claim in ({"kind": "sql"}, {"kind": "sql", "count": 0}):
        outcome = told(claim, blind)
        assert outcome.held is Held.UNKNOWN
        assert "asyncpg is not seen" in str(outcome.failure)
    assert told({"kind": "log", "absent": True}, blind).held is not Held.UNKNOWN
    blind.fact("sql", A, **INSERT)
    assert told({"kind": "sql", "verb": "INSERT"}, blind).held is Held.YES


@pytest.mark.parametrize("kind", ["sql", "log", "mail"])
def test_silence_of_an_exporter_that_does_not_tell_such_things_means_nothing(kind: str) -> None:
    """
    OpenTelemetry without the driver's instrumentation is no proof that nothing was written.
    """
    window = WindowBuilder().probe(untold=(kind,)).click().served(A).net("POST", "/api/orders", 200, rid=A)
    for claim in ({"kind": kind}, {"kind": kind, "count": 0}):
        outcome = told(claim, window)
        assert outcome.held is Held.UNKNOWN
        assert "OpenTelemetry" in str(outcome.failure)
    assert told({"kind": "server", "count": 1}, window).held is not Held.UNKNOWN


def test_lost_facts_leave_an_absence_open_and_take_no_presence_back() -> None:
    """
    A probe that had to let facts go may have let the very one go.
    """
    window = ordered().loss("server", 3, "probe")
    assert told({"kind": "sql", "verb": "DELETE", "count": 0}, window).held is Held.UNKNOWN
    assert told({"kind": "sql", "verb": "DELETE"}, window).held is Held.UNKNOWN
    assert told({"kind": "sql", "verb": "INSERT"}, window).held is Held.YES


def test_a_request_of_which_the_probe_did_not_tell_leaves_it_open() -> None:
    """
    The page has the answer and the probe has not spoken: what the server wrote is not known.
    """
    window = WindowBuilder().probe().click().net("POST", "/api/orders", 200, rid=A)
    outcome = told({"kind": "sql", "verb": "INSERT", "count": 0}, window)
    assert outcome.held is Held.UNKNOWN
    assert "has not told how POST /api/orders ended" in str(outcome.failure)


def test_a_failed_statement_is_none() -> None:
    """
    A statement that the database refused wrote nothing.
    """
    window = (
        WindowBuilder().probe().click().served(A).fact("sql", A, **{**INSERT, "failed": "IntegrityError"})
    )
    window.net("POST", "/api/orders", 200, rid=A)
    outcome = told({"kind": "sql", "verb": "INSERT"}, window)
    assert outcome.held is Held.NO
    assert "failed with IntegrityError" in str(outcome.failure)
