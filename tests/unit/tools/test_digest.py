"""
The story of a window in a few lines.
"""

from __future__ import annotations

from reticle.model.codes import EventType
from reticle.testing.pages import FakePage
from reticle.tools.digest import brief_digest, digest


def test_a_quiet_window_has_nothing_to_tell() -> None:
    """
    Nothing happened, nothing is said.
    """
    assert digest(FakePage().window(0)) == {}  # type: ignore[arg-type]  # a cursor


def test_failures_and_writes_come_first() -> None:
    """
    Among many calls the failed one and the write are seen; tooling is not the app's.
    """
    page = FakePage()
    for number, (method, url, status) in enumerate(
        [("GET", "/a", 200), ("POST", "/b", 201), ("GET", "/c", 404), ("GET", "/@vite/client", 200)]
    ):
        page.record(
            EventType.NET_REQUEST,
            {"id": f"n{number}", "method": method, "url": url, "status": status, "ok": status < 400},
        )
    page.record(EventType.NET_PENDING, {"id": "n9", "method": "GET", "url": "/slow"})
    net = digest(page.window(0))["net"]  # type: ignore[arg-type]  # a cursor
    assert net == {
        "total": 4,
        "errors": 1,
        "open": 1,
        "headline": ["GET /c 404", "POST /b 201", "GET /a 200", "GET /slow still in flight"],
    }


def test_beside_a_pass_only_what_is_no_evidence_is_told() -> None:
    """
    The request that proved the claim is named once; another one, an error and a way within the site are news.
    """
    page = FakePage()
    for number, url in enumerate(["/orders", "/log"], 1):
        answer = {"id": f"n{number}", "method": "POST", "url": url, "status": 201, "ok": True}
        page.record(EventType.NET_REQUEST, answer)
    page.record(EventType.ROUTE_CHANGE, {"from": "http://a.test/cart?x=1", "to": "http://a.test/done"})
    page.record(EventType.STATE_CHANGE, {"store": "cart", "path": "items", "old": 1, "value": 0})
    window = page.window(0)  # type: ignore[arg-type]  # a cursor
    assert brief_digest(window, {1}) == {
        "net": {"headline": ["POST /log 201"]},
        "route": "/cart?x=1 -> /done",
    }
    assert "net" not in brief_digest(window, {1, 2})
    assert "net" not in brief_digest(window, {1}, ["let be: POST /log 201, which the claim does not hang on"])
    assert "net" in brief_digest(window, {1}, ["not counted: 1 more POST /log"])


def test_beside_a_pass_requests_are_counted_where_not_all_are_named() -> None:
    """
    Two are named, and how many there were in all and how many failed is told where that is more.
    """
    page = FakePage()
    for number in range(3):
        answer = {"id": f"n{number}", "method": "GET", "url": f"/{number}", "status": 500, "ok": False}
        page.record(EventType.NET_REQUEST, answer)
    told = brief_digest(page.window(0))["net"]  # type: ignore[arg-type]  # a cursor
    assert told == {"total": 3, "errors": 3, "headline": ["GET /0 500", "GET /1 500", "1 more"]}


def test_beside_a_pass_the_same_request_is_named_once() -> None:
    """
    A call that was made three times is one line.
    """
    page = FakePage()
    for number, url in enumerate(["/ahead", "/list", "/ahead", "/ahead"]):
        page.record(
            EventType.NET_REQUEST,
            {"id": f"n{number}", "method": "GET", "url": url, "status": 200, "ok": True},
        )
    told = brief_digest(page.window(0))["net"]  # type: ignore[arg-type]  # a cursor
    assert told == {"headline": ["GET /ahead 200 (3 times)", "GET /list 200"]}


def test_long_lists_and_values_are_cut_in_sight() -> None:
    """
    A hundred state changes cost twenty lines and a count.
    """
    page = FakePage()
    for number in range(100):
        page.record(
            EventType.STATE_CHANGE,
            {"store": "cart", "path": f"items.{number}", "old": None, "value": "x" * 500},
        )
    changes = digest(page.window(0))["stateChanges"]  # type: ignore[arg-type]  # a cursor
    assert isinstance(changes, list)
    assert len(changes) == 21
    assert changes[-1] == "80 more"
    assert changes[0] == "cart.items.0: null -> " + "x" * 70 + "…(+430 chars)"
