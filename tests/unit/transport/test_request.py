"""
The body cap, and what a fault shows (rows B1 to B4 of the protocol page).
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from twisted.web.server import NOT_DONE_YET

from reticle.model.limits import HTTP_BODY_BYTES, REJECTED_BODY_SECONDS, REQUEST_BODY_SECONDS
from reticle.transport.resource import Leaf

Serve = Callable[..., Any]

POST = b"POST /mcp/message?sessionId=x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


def test_a_body_that_is_announced_too_large_is_refused_before_it_comes(serve: Serve) -> None:
    """
    The 413 leaves as soon as the head is read, and the connection is said to close.
    """
    served = serve()
    wire = served.connect()
    wire.send(POST + b"Content-Length: %d\r\n\r\n" % (HTTP_BODY_BYTES + 1))
    response = wire.response()
    assert (response.status, response.text) == (413, "request body too large")
    assert response.headers["connection"] == "close"
    assert [(record.method, record.path, record.status) for record in served.records] == [
        ("POST", "/mcp/message", 413)
    ]


def test_a_body_of_exactly_the_cap_is_taken(serve: Serve) -> None:
    """
    The cap itself is allowed.
    """
    served = serve()
    _, path = served.open_stream()
    assert served.post(path, b"x" * HTTP_BODY_BYTES).status == 202
    assert len(served.conversations.opened[0].received[0]) == HTTP_BODY_BYTES


def test_a_chunked_body_is_refused_when_it_grows_too_large(serve: Serve) -> None:
    """
    Without an announced length the 413 comes with the first byte too many, and no later.
    """
    served = serve()
    wire = served.connect()
    wire.send(POST + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(HTTP_BODY_BYTES // 0x10000):
        wire.send(CHUNK)
    assert wire.received() == b""
    wire.send(b"1\r\nx\r\n")
    assert wire.response().status == 413


def test_a_client_that_asks_first_is_answered_once(serve: Serve) -> None:
    """
    ``Expect: 100-continue`` with too large a body gets 413 and not 100.
    """
    wire = serve().connect()
    wire.send(POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % (HTTP_BODY_BYTES + 1))
    assert wire.response().status == 413
    assert b"100 Continue" not in wire.received()


def test_what_still_arrives_after_a_413_is_dropped_and_then_cut(serve: Serve) -> None:
    """
    The rest is read without being kept, so that the answer survives, but not for long.
    """
    served = serve()
    wire = served.connect()
    wire.send(POST + b"Content-Length: %d\r\n\r\n" % (4 * HTTP_BODY_BYTES))
    answer = wire.received()
    chunk = b"x" * 0x10000
    tracemalloc.start()
    for _ in range(3 * HTTP_BODY_BYTES // len(chunk)):
        wire.send(chunk)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < HTTP_BODY_BYTES // 8
    assert wire.received() == answer
    served.clock.advance(REJECTED_BODY_SECONDS)
    assert wire.transport.disconnected


@pytest.mark.parametrize("head", [b"Content-Length: 1000", b"Transfer-Encoding: chunked"])
def test_a_body_that_drips_is_cut(serve: Serve, head: bytes) -> None:
    """
    A client that sends a byte now and then cannot keep its connection and what it has sent for ever.
    """
    served = serve()
    wire = served.connect()
    wire.send(POST + head + b"\r\n\r\n")
    for _ in range(5):
        served.clock.advance(REQUEST_BODY_SECONDS / 6)
        wire.send(b"1\r\nx\r\n")
    assert not wire.transport.disconnected
    served.clock.advance(REQUEST_BODY_SECONDS / 6)
    assert wire.transport.disconnected


def test_a_body_that_arrives_leaves_no_deadline(serve: Serve) -> None:
    """
    A body that came in time is not cut afterwards, whatever follows on its connection.
    """
    served = serve()
    _, path = served.open_stream()
    wire = served.connect()
    wire.send(POST.replace(b"/mcp/message?sessionId=x", path.encode()) + b"Content-Length: 2\r\n\r\n{")
    served.clock.advance(REQUEST_BODY_SECONDS - 10)
    wire.send(b"}")
    assert wire.response().status == 202
    served.clock.advance(20)
    assert not wire.transport.disconnected


def test_a_rejected_body_that_completes_is_not_a_second_request(serve: Serve) -> None:
    """
    After a 413 nothing further is answered on that connection, and its end leaves no timer.
    """
    served = serve()
    wire = served.connect()
    wire.send(POST + b"Content-Length: %d\r\n\r\n" % (HTTP_BODY_BYTES + 1))
    wire.send(b"x" * (HTTP_BODY_BYTES + 1) + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    wire.hang_up()
    assert wire.received().count(b"HTTP/1.1 ") == 1
    assert len(served.records) == 1
    assert served.clock.getDelayedCalls() == []


def test_a_fault_before_the_answer_is_a_number(serve: Serve, logged_failures: Any) -> None:
    """
    What a bug was stays in the log; the peer gets a JSON-RPC error with the incident.
    """
    import json

    served = serve()
    served.root.putChild(b"bug", Leaf("bug", {b"GET": lambda _request: 1 // 0}))
    response = served.ask("GET", "/bug").response()
    [failure] = logged_failures.flush(ZeroDivisionError)
    assert failure.check(ZeroDivisionError)
    error = json.loads(response.text)["error"]
    assert (response.status, error["code"], error["data"]["code"]) == (500, -32603, "internal_error")
    assert error["message"] == f"Internal error, incident {error['data']['incident']}."
    assert "division" not in response.text


def test_a_fault_in_the_middle_of_an_answer_cuts_the_connection(serve: Serve, logged_failures: Any) -> None:
    """
    A half-written answer is not completed by an error page.
    """

    def half(request: Any) -> int:
        request.write(b"half")
        raise ZeroDivisionError

    served = serve()
    served.root.putChild(b"bug", Leaf("bug", {b"GET": half}))
    wire = served.ask("GET", "/bug")
    logged_failures.flush(ZeroDivisionError)
    assert wire.transport.disconnected
    assert wire.response().text == "half"


def test_a_peer_that_leaves_in_the_middle_is_recorded_as_aborted(serve: Serve) -> None:
    """
    The record of a request whose peer went says so.
    """
    served = serve()
    served.root.putChild(b"wait", Leaf("wait", {b"GET": lambda _request: NOT_DONE_YET}))
    wire = served.ask("GET", "/wait")
    served.clock.advance(1.5)
    wire.hang_up()
    [record] = served.records
    assert (record.route, record.aborted, record.duration_seconds) == ("wait", True, 1.5)


@pytest.mark.parametrize("split", [1, 7, 100])
def test_a_request_may_come_in_any_pieces(serve: Serve, split: int) -> None:
    """
    How TCP cuts a request does not matter.
    """
    served = serve()
    _, path = served.open_stream()
    raw = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 16\r\n\r\n".encode()
        + '{"emoji":"😀"}'.encode()
    )
    wire = served.connect()
    for start in range(0, len(raw), split):
        wire.send(raw[start : start + split])
    assert wire.response().status == 202
    assert served.conversations.opened[0].received == ['{"emoji":"😀"}'.encode()]


def test_an_open_stream_keeps_no_heads(serve: Serve) -> None:
    """
    Ten thousand streams do not hold ten thousand requests' headers; the stream and its record are as ever.
    """
    served = serve()
    wire, path = served.open_stream()
    request = wire.protocol.requests[0]
    assert list(request.requestHeaders.getAllRawHeaders()) == []
    assert list(request.responseHeaders.getAllRawHeaders()) == []
    assert served.post(path).status == 202
    wire.hang_up()
    assert [(record.route, record.status) for record in served.records] == [
        ("mcp_message", 202),
        ("mcp_sse", 200),
    ]


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        (b"http://localhost:4400/healthz", b"localhost:4400", 200),
        (b"HTTP://LocalHost:4400/healthz?x=1", b"localhost:4400", 200),
        (b"http://evil.example/healthz", b"localhost:4400", 404),
        (b"http://localhost:4400/healthz", b"localhost:4401", 404),
        (b"http://u@localhost:4400/healthz", b"localhost:4400", 404),
        (b"ftp://localhost:4400/healthz", b"localhost:4400", 404),
        (b"http://localhost:4400", b"localhost:4400", 404),
    ],
)
def test_a_target_may_name_us_in_full(serve: Serve, target: bytes, host: bytes, status: int) -> None:
    """
    A client that speaks as to a proxy is answered; one whose target and Host differ finds nothing.
    """
    wire = serve().connect()
    wire.send(b"GET %b HTTP/1.1\r\nHost: %b\r\n\r\n" % (target, host))
    assert wire.response().status == status
