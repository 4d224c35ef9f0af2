"""
The order between what the page and what the server did.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.predicate import evaluate, parse
from reticle.domain.predicate.server_order import Moment, Place
from reticle.model.verdict import Held, Outcome
from reticle.testing.windows import WindowBuilder

A, B = "a" * 32, "b" * 32
POST = {"kind": "net", "method": "POST", "urlContains": "/api/orders"}
SAVED = {"kind": "signal", "name": "saved"}
FIRST = {"kind": "signal", "name": "first"}
HANDLED = {"kind": "server", "method": "POST", "status": 201}
MAIL = {"kind": "mail", "to": "ada@example.org"}
WARNING = {"kind": "log", "level": "warning"}


def sql(table: str, **more: Any) -> dict[str, Any]:
    """
    A claim about an INSERT.
    """
    return {"kind": "sql", "verb": "INSERT", "table": table, **more}


def insert(window: WindowBuilder, table: str, rid: str = A, process: str = "p1") -> None:
    """
    A statement of a request.
    """
    said: dict[str, Any] = {"statement": "INSERT", "verb": "INSERT", "tables": [table], "rows": 1, "ms": 1}
    window.fact("sql", rid, process=process, file="shop.py", line=4, **said)


def request(
    window: WindowBuilder, tables: list[str], behind: list[str], rid: str = A, process: str = "p1"
) -> None:
    """
    A request with a row of each table before its answer's head, and of others behind it.
    """
    named = {"method": "POST", "path": "/api/orders"}
    window.fact("request.started", rid, process=process, link="none", **named)
    for table in tables:
        insert(window, table, rid, process)
    head = len(window._facts)
    for table in behind:
        insert(window, table, rid, process)
    window.fact("request.handled", rid, process=process, status=201, ms=3, head=head, **named)


def ordered() -> WindowBuilder:
    """
    The page says ``first`` while the request runs and ``saved`` behind its answer; the server writes an order
    and a line before the head of the answer, and a parcel behind it.
    """
    window = WindowBuilder().probe().click().pending("POST", "/api/orders").signal("first")
    request(window, ["orders", "lines"], ["parcels"])
    return window.answered("n1", "POST", "/api/orders", 201, rid=A).signal("saved")


def told(window: WindowBuilder, *parts: object) -> Outcome:
    """
    How a sequence comes out.
    """
    claim = {"kind": "sequence", "predicates": list(parts)}
    return evaluate(parse(claim), window.quiet(1_000).build())


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([sql("orders"), SAVED], Held.YES),
        ([sql("orders"), sql("lines"), POST, SAVED], Held.YES),
        ([sql("orders"), HANDLED, SAVED], Held.YES),
        ([sql("orders", count=1), SAVED], Held.YES),
        ([sql("lines"), sql("orders")], Held.NO),
        ([sql("orders"), sql("orders")], Held.NO),
        ([POST, sql("orders")], Held.NO),
        ([HANDLED, sql("orders")], Held.NO),
        ([SAVED, HANDLED], Held.NO),
        ([sql("orders"), FIRST], Held.UNKNOWN),
        ([FIRST, sql("orders")], Held.UNKNOWN),
        ([sql("parcels"), SAVED], Held.UNKNOWN),
        ([POST, sql("parcels")], Held.UNKNOWN),
        ([sql("orders"), MAIL], Held.NO),
    ],
)
def test_an_order_is_told_where_it_is_certain(parts: list[object], expected: Held) -> None:
    """
    "It is written before the page says so" holds for what came before the answer's head, and is open where
    page and server were busy at the same time.
    """
    outcome = told(ordered(), *parts)
    assert outcome.held is expected, outcome.failure


def test_what_is_open_says_why() -> None:
    """
    Neither a yes nor a no is made of two clocks.
    """
    assert told(ordered(), sql("orders"), FIRST).failure == (
        "part 2: whether it came before or after part 1 cannot be told"
    )
    assert "whether INSERT orders, 1 row at shop.py:4 came before or after part 1 cannot be told" in str(
        told(ordered(), FIRST, sql("orders")).failure
    )
    assert told(ordered(), POST, sql("orders")).failure == "part 2: it came, but not after part 1"


@pytest.mark.parametrize(("process", "expected"), [("p1", Held.YES), ("p2", Held.UNKNOWN)])
def test_requests_of_one_process_are_in_its_order(process: str, expected: Held) -> None:
    """
    Two requests that the page sent together: of one process the count is known, of two nothing.
    """
    window = WindowBuilder().probe().probe(process="p2").click()
    window.pending("POST", "/api/orders").pending("POST", "/api/orders")
    request(window, ["orders"], [])
    request(window, ["lines"], [], B, process)
    window.answered("n1", "POST", "/api/orders", 201, rid=A).answered("n2", "POST", "/api/orders", 201, rid=B)
    assert told(window, sql("orders"), sql("lines")).held is expected


def test_a_request_behind_an_answer_is_behind_what_led_to_it() -> None:
    """
    What the page asked for after it had an answer came later, whichever process did it.
    """
    window = WindowBuilder().probe().probe(process="p2").click().pending("POST", "/api/orders")
    request(window, ["orders"], [])
    window.answered("n1", "POST", "/api/orders", 201, rid=A).signal("saved").pending("POST", "/api/orders")
    request(window, ["lines"], [], B, "p2")
    window.answered("n2", "POST", "/api/orders", 201, rid=B)
    assert told(window, sql("orders"), SAVED, sql("lines")).held is Held.YES
    assert told(window, sql("lines"), SAVED).held is Held.NO
    assert told(window, sql("lines"), sql("orders")).held is Held.NO


def test_a_probe_that_tells_no_head_leaves_it_open() -> None:
    """
    OpenTelemetry, and a probe of an earlier version, do not say when the answer's head went out.
    """
    window = WindowBuilder().probe().click().served(A, status=201)
    insert(window, "orders")
    window.net("POST", "/api/orders", 201, rid=A).signal("saved")
    assert told(window, sql("orders"), SAVED).held is Held.UNKNOWN


def test_a_count_behind_a_part_counts_what_is_behind_it() -> None:
    """
    A row of before is not counted, and one of which the order is open keeps the count open.
    """
    window = WindowBuilder().probe().click().pending("POST", "/api/orders")
    request(window, ["orders"], [])
    window.answered("n1", "POST", "/api/orders", 201, rid=A).signal("saved").pending("POST", "/api/orders")
    request(window, ["orders"], [], B)
    window.answered("n2", "POST", "/api/orders", 201, rid=B)
    assert told(window, SAVED, sql("orders", count=1)).held is Held.YES
    assert told(window, SAVED, sql("orders", count=2)).held is Held.NO
    assert told(ordered(), FIRST, sql("orders", count=1)).held is Held.UNKNOWN


def test_a_moment_is_not_before_itself() -> None:
    """
    One statement is not its own successor; of two of which nothing is known either may be first.
    """
    one = Moment(3, None, "p1", A, 4, 2, 6)
    assert not one.is_before(one)
    assert not one.may_be_before(one)
    assert Moment(3, None).may_be_before(Moment(3, None))
    assert Place((one,), (one,), 1).certain_cursor(0) is None
