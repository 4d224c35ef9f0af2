"""
What the server did behind a healthy screen, and what of it is nobody's fault.
"""

from __future__ import annotations

from typing import Any

import pytest

from reticle.domain.findings import find_all
from reticle.domain.predicate import parse
from reticle.model.server_limits import STATEMENT_REPEATS
from reticle.model.verdict import Finding, FindingTier
from reticle.testing.windows import WindowBuilder

A, B = "a" * 32, "b" * 32
FRAMES = [{"file": "shop/views.py", "line": 31, "function": "order", "app": True}]
KINDS = {
    "server-exception", "server-exception-swallowed", "transaction-rolled-back", "write-without-effect",
    "query-per-row", "slow-statement", "request-handled-twice",
}  # fmt: skip


def found(window: WindowBuilder, claim: dict[str, Any] | None = None) -> list[Finding]:
    """
    What these detectors find.
    """
    told = find_all(window.build(), None if claim is None else parse(claim))
    return [finding for finding in told if finding.kind in KINDS]


def begun(method: str = "POST", status: int = 200, *, rid: str = A) -> WindowBuilder:
    """
    A click whose request the server handled; facts of it may follow.
    """
    return WindowBuilder().probe().click().served(rid, method, "/api/orders", status)


def seen(window: WindowBuilder, method: str = "POST", status: int = 200, *, rid: str = A) -> WindowBuilder:
    """
    The page has the answer and shows a success.
    """
    window.net(method, "/api/orders", status, rid=rid)
    return window.event("dom.added", {"role": "status", "name": "", "text": "Thank you"}, ref="e7")


def threw(window: WindowBuilder, handled: str = "unhandled", rid: str | None = A) -> WindowBuilder:
    """
    An exception.
    """
    return window.fact("exception", rid, type="KeyError", message="'price'", handled=handled, frames=FRAMES)


def wrote(window: WindowBuilder, rid: str | None = A, **more: object) -> WindowBuilder:
    """
    A statement that writes.
    """
    fields: dict[str, Any] = {
        "statement": "UPDATE orders SET state = ? WHERE id = ?", "verb": "UPDATE", "tables": ["orders"],
        "rows": 1, "ms": 0.4, "file": "shop/views.py", "line": 20, "tx": "t1", **more,
    }  # fmt: skip
    return window.fact("sql", rid, **fields)


def test_an_exception_behind_a_healthy_screen_contradicts_it() -> None:
    """
    The page shows a success, the server threw: the line of the app is named.
    """
    [finding] = found(seen(threw(begun())))
    assert (finding.kind, finding.tier) == ("server-exception", FindingTier.OBSERVED)
    assert finding.source == "shop/views.py:31"
    assert "KeyError: 'price'" in finding.counter


def test_an_exception_that_was_declared_is_none() -> None:
    """
    Whoever claims the failure is not told of it.
    """
    window = seen(threw(begun(status=500)), status=500)
    assert not found(window, {"kind": "server", "exception": "KeyError"})
    assert not found(window, {"kind": "net", "ok": False})
    assert found(window)


def test_an_exception_that_the_page_owns_up_to_is_none() -> None:
    """
    An alert that says so is what a user needs.
    """
    window = threw(begun(status=500)).net("POST", "/api/orders", 500, rid=A)
    window.event("visible.shown", {"role": "alert", "name": "", "text": "Saving failed, try again"}, ref="e9")
    assert not found(window)


@pytest.mark.parametrize("rid", [None, B])
def test_what_is_not_the_actions_is_never_blamed(rid: str | None) -> None:
    """
    Another visitor's request, or a thread, makes no finding of any kind.
    """
    window = threw(begun(), rid=rid)
    threw(window, "logged", rid)
    wrote(window, rid, rows=0, ms=9_000.0)
    window.fact("transaction", rid, tx="t1", outcome="rolled_back")
    for _ in range(STATEMENT_REPEATS):
        wrote(window, rid, verb="SELECT", statement="SELECT 1 FROM a")
    assert not found(seen(window))


def test_what_is_only_near_in_time_makes_no_finding() -> None:
    """
    Without an id nobody knows whose exception it was.
    """
    assert not found(threw(begun()).net("POST", "/api/orders", 200))


def logged(window: WindowBuilder, level: str) -> WindowBuilder:
    """
    A log record with an exception.
    """
    exception = {"type": "SMTPError", "message": "refused", "handled": "logged", "frames": FRAMES}
    return window.fact(
        "log",
        A,
        level=level,
        logger="shop",
        message="mail failed",
        file="shop/mail.py",
        line=3,
        exception=exception,
    )


def test_an_exception_that_was_logged_and_swallowed_contradicts_a_write() -> None:
    """
    The user was told that it was done.
    """
    [finding] = found(seen(logged(begun(), "ERROR")))
    assert (finding.kind, finding.tier) == ("server-exception-swallowed", FindingTier.OBSERVED)
    assert finding.source == "shop/views.py:31"


@pytest.mark.parametrize(
    ("said", "body", "status"),
    [
        ("Your order is on its way", '{"message": "Your order is on its way"}', 200),
        ("Order 201 is in", '{"number": 201}', 201),
    ],
)
def test_a_page_that_shows_the_answer_of_a_success_owns_up_to_nothing(
    said: str, body: str, status: int
) -> None:
    """
    The server's own words for "done", and the number of an order that happens to be the status, are no
    confession.
    """
    window = logged(begun(), "ERROR").net("POST", "/api/orders", status, rid=A, responseBody=body)
    window.event("visible.shown", {"role": "status", "name": "", "text": said}, ref="e9")
    [finding] = found(window)
    assert (finding.kind, finding.tier) == ("server-exception-swallowed", FindingTier.OBSERVED)


def test_a_page_that_shows_what_the_answer_reports_has_owned_up_to_what_was_logged() -> None:
    """
    The body says in its error field what failed, in whatever language, and the user reads it.
    """
    body = '{"ok": false, "error": "Lager nicht erreicht"}'
    window = logged(begun(), "ERROR").net("POST", "/api/orders", 200, rid=A, responseBody=body)
    window.event("visible.shown", {"role": "status", "name": "", "text": "Lager nicht erreicht"}, ref="e9")
    assert not found(window)


def test_behind_an_alert_in_unknown_words_it_is_a_doubt() -> None:
    """
    Whether it tells of the failure cannot be read from it.
    """
    window = seen(logged(begun(), "ERROR"))
    window.event("visible.shown", {"role": "alert", "name": "", "text": "Lager"}, ref="e9")
    [finding] = found(window)
    assert finding.tier is FindingTier.ABSENCE


def test_behind_a_read_it_is_a_doubt_and_at_warning_nothing() -> None:
    """
    What the app calls harmless is left alone.
    """
    [finding] = found(seen(logged(begun("GET"), "ERROR"), "GET"))
    assert finding.tier is FindingTier.ABSENCE
    assert not found(seen(logged(begun(), "WARNING")))
    assert not found(seen(logged(begun(), "ERROR")), {"kind": "log", "contains": "mail"})


@pytest.mark.parametrize(
    ("statement", "lost"),
    [("COPY orders FROM STDIN", 1), ("copy orders (id) from stdin", 1), ("COPY orders TO STDOUT", 0)],
)
def test_rows_that_came_by_copy_can_be_lost_too(statement: str, lost: int) -> None:
    """
    PostgreSQL takes many rows by it, and what it reads out is no loss.
    """
    window = wrote(begun(), verb="COPY", statement=statement)
    window.fact("transaction", A, tx="t1", outcome="rolled_back", file="shop/db.py", line=2)
    assert len(found(seen(window))) == lost


def test_a_success_whose_transaction_was_rolled_back() -> None:
    """
    The answer said 200, and nothing is in the database.
    """
    window = wrote(begun()).fact("transaction", A, tx="t1", outcome="rolled_back", file="shop/db.py", line=2)
    [finding] = found(seen(window))
    assert (finding.kind, finding.tier) == ("transaction-rolled-back", FindingTier.OBSERVED)
    assert finding.source == "shop/views.py:20"
    assert not found(window, {"kind": "sql", "verb": "ROLLBACK"})


def test_a_retry_that_was_committed_is_none() -> None:
    """
    The first try failed, the second one wrote the same.
    """
    window = wrote(begun()).fact("transaction", A, tx="t1", outcome="rolled_back")
    wrote(window, tx="t2").fact("transaction", A, tx="t2", outcome="committed")
    assert not found(seen(window))


def test_a_success_over_writes_that_nobody_committed() -> None:
    """
    The request is over and its transaction still open: nobody else sees what it wrote.
    """
    window = wrote(begun()).fact("transaction", A, tx="t1", outcome="open", file="shop/views.py", line=20)
    [finding] = found(seen(window))
    assert (finding.kind, finding.tier) == ("transaction-rolled-back", FindingTier.OBSERVED)
    assert "never committed" in finding.counter
    window.fact("transaction", A, tx="t1", outcome="committed")
    assert not found(window)


def test_a_connection_that_went_without_a_commit_is_no_rollback() -> None:
    """
    Whoever reads it looks for a forgotten commit, and not for a rollback that nobody wrote.
    """
    window = wrote(begun()).fact("transaction", A, tx="t1", outcome="rolled_back", dropped=True)
    [finding] = found(seen(window))
    assert "was never committed" in finding.counter


@pytest.mark.parametrize("more", [{"failed": "IntegrityError", "tx": None}, {"tx": "t3"}])
def test_what_did_not_last_is_no_retry(more: dict[str, Any]) -> None:
    """
    A second try that failed too, or that nobody committed, does not make up for the first.
    """
    window = wrote(begun()).fact("transaction", A, tx="t1", outcome="rolled_back")
    assert found(seen(wrote(window, **more)))


def test_what_was_committed_before_is_no_retry() -> None:
    """
    Of two lines of an order the second was rolled back: the first does not stand for it.
    """
    window = wrote(begun(), tx="t0").fact("transaction", A, tx="t0", outcome="committed")
    wrote(window).fact("transaction", A, tx="t1", outcome="rolled_back")
    assert found(seen(window))


def test_a_read_that_is_rolled_back_is_none() -> None:
    """
    Many frameworks end every transaction without a write so.
    """
    window = wrote(begun(), verb="SELECT").fact("transaction", A, tx="t1", outcome="rolled_back")
    assert not found(seen(window))


def in_part(window: WindowBuilder, **end: Any) -> WindowBuilder:
    """
    A write in a part of the transaction ``t1`` that was rolled back by itself.
    """
    return wrote(window, tx="t2").fact("transaction", A, tx="t2", outcome="rolled_back", within="t1", **end)


INSERT = {"verb": "INSERT", "statement": "INSERT INTO orders VALUES (?)"}
REFUSED = {"refused": ["payments"]}
CONFLICT = {**REFUSED, "conflict": True}
READ = {"verb": "SELECT", "statement": "SELECT 1 FROM t", "rows": None}


def test_a_part_that_is_lost_is_lost_though_the_rest_is_committed() -> None:
    """
    A swallowed error in an inner block: what stands behind it does not make up for it.
    """
    window = in_part(begun())
    wrote(window, tables=["visits"], **INSERT).fact("transaction", A, tx="t1", outcome="committed")
    [finding] = found(seen(window))
    assert finding.tier is FindingTier.OBSERVED
    assert finding.counter == "a part of its transaction was rolled back, with 1 write to orders"


@pytest.mark.parametrize(
    ("end", "later", "outcome", "tier"),
    [
        (REFUSED, INSERT, "committed", None),
        (REFUSED, {**INSERT, "rows": None}, "committed", None),
        (REFUSED, {**INSERT, "rows": 0}, "committed", FindingTier.OBSERVED),
        (REFUSED, {**INSERT, "failed": "IntegrityError"}, "committed", FindingTier.OBSERVED),
        (REFUSED, INSERT, "open", FindingTier.OBSERVED),
        (REFUSED, {**INSERT, "tables": ["visits", "orders"]}, "committed", FindingTier.OBSERVED),
        (REFUSED, READ, "committed", FindingTier.OBSERVED),
        ({}, INSERT, "committed", FindingTier.ABSENCE),
        (CONFLICT, INSERT, "committed", None),
        (CONFLICT, READ, "committed", FindingTier.ABSENCE),
        (CONFLICT, {**READ, "tables": ["payments", "orders"]}, "committed", None),
        (CONFLICT, {**READ, "tables": ["visits"]}, "committed", FindingTier.ABSENCE),
        ({**CONFLICT, "dropped": True}, INSERT, "committed", FindingTier.OBSERVED),
    ],
)
def test_a_part_that_the_rest_made_up_for(
    end: dict[str, Any], later: dict[str, Any], outcome: str, tier: FindingTier | None
) -> None:
    """
    Where the database refused something and the app went on with it, it was given up by design.
    """
    window = wrote(in_part(begun(), **end), **later).fact("transaction", A, tx="t1", outcome=outcome)
    tiers = {finding.tier for finding in found(seen(window)) if "a part" in finding.counter}
    assert tiers == ({tier} if tier else set())


def test_what_was_read_or_written_before_makes_up_for_nothing() -> None:
    """
    A table that the request had looked at already.
    """
    window = wrote(wrote(begun(), **INSERT), **READ, tables=["orders", "payments"])
    in_part(window, **CONFLICT).fact("transaction", A, tx="t1", outcome="committed")
    [finding] = found(seen(window))
    assert finding.tier is FindingTier.ABSENCE


def test_another_transaction_makes_up_for_no_part() -> None:
    """
    A row of the same table that was written apart from it may be anything.
    """
    window = in_part(begun(), **REFUSED)
    wrote(window, tx="t9", **INSERT).fact("transaction", A, tx="t9", outcome="committed")
    [finding] = found(seen(window))
    assert finding.tier is FindingTier.OBSERVED


def test_a_write_that_touched_no_row_is_a_doubt() -> None:
    """
    The condition was wrong, or there was nothing to change.
    """
    [finding] = found(seen(wrote(begun(), rows=0)))
    assert (finding.kind, finding.tier) == ("write-without-effect", FindingTier.ABSENCE)
    assert finding.source == "shop/views.py:20"
    assert not found(seen(wrote(begun(), rows=0)), {"kind": "sql", "verb": "UPDATE"})


def test_a_write_beside_another_one_is_none() -> None:
    """
    Update, and insert where there was nothing to update.
    """
    window = wrote(wrote(begun(), rows=0), verb="INSERT", statement="INSERT INTO orders VALUES (?)")
    assert not found(seen(window))


@pytest.mark.parametrize(("times", "expected"), [(STATEMENT_REPEATS - 1, 0), (STATEMENT_REPEATS, 1)])
def test_a_query_per_row_is_a_doubt(times: int, expected: int) -> None:
    """
    Ten reads of one shape from one line; with literals or a longer list it is the same shape.
    """
    window = begun("GET")
    for number in range(times):
        wrote(window, verb="SELECT", statement=f"SELECT name FROM users WHERE id = {number}", line=44)
    told = found(seen(window, "GET"))
    assert [(one.kind, one.source) for one in told] == [("query-per-row", "shop/views.py:44")] * expected


def test_a_slow_statement_is_a_doubt() -> None:
    """
    A second over a few rows.
    """
    [finding] = found(seen(wrote(begun(), ms=1_500.0)))
    assert (finding.kind, finding.source) == ("slow-statement", "shop/views.py:20")


def test_a_request_that_the_server_handled_twice() -> None:
    """
    A proxy or a middleware ran it again: both sides are known.
    """
    builder = WindowBuilder().probe().click()
    action = builder.build().action
    assert action is not None
    mine = f"s1.{action.action_id}"
    window = builder.served(A, action=mine).served(B, action=mine).net("POST", "/api/orders", 200, rid=A)
    [finding] = found(window)
    assert (finding.kind, finding.tier) == ("request-handled-twice", FindingTier.OBSERVED)
    assert "the page sent POST /api/orders once" in finding.claim
    assert not found(window.loss("net"))


def test_what_the_page_sent_twice_is_not_the_servers() -> None:
    """
    Two requests are handled two times.
    """
    window = begun().served(B, "POST", "/api/orders")
    window.net("POST", "/api/orders", 200, rid=A).net("POST", "/api/orders", 200, rid=B)
    assert not found(window)
