"""
Requests of 2026-07-28 over strings: what reaches the exchange, and how its answers become responses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reticle.errors import PeerFault
from reticle.model.limits import STREAM_AFTER_SECONDS
from reticle.testing.conversations import FakeExchange

Serve = Callable[..., Any]

MODERN = "MCP-Protocol-Version: 2026-07-28"
BOTH = "Accept: application/json, text/event-stream"
JSON = "Content-Type: application/json"
BODY = b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}'


def post(served: Any, *headers: str, body: bytes = BODY) -> Any:
    """
    One request.
    """
    return served.ask("POST", "/mcp", JSON, *(headers or (MODERN, BOTH)), body=body)


def answered(message: bytes, fault: PeerFault | None = None, told: tuple[bytes, ...] = ()) -> Any:
    """
    An exchange that is over at once.
    """

    def script(exchange: FakeExchange) -> None:
        for each in told:
            exchange.replies.tell(each)
        exchange.replies.answer(message, fault)
        exchange.replies.done()

    return script


def test_headers_reach_the_exchange_as_they_came(serve: Serve) -> None:
    """
    Every value of every routing header, duplicates and odd spellings included; nothing else.
    """
    served = serve(exchange_script=answered(b"{}"))
    post(
        served, MODERN, BOTH, "mcp-method: tools/call", "Mcp-Method: tools/list",
        "MCP-NAME:   =?base64?w6Q=?=  ",
        "Mcp-Param-Region: eu", "mcp-param-REGION: us", "Mcp-Param-Limit: 1", "Mcp-Session-Id: ignored",
    )  # fmt: skip
    (exchange,) = served.conversations.exchanges
    assert exchange.body == BODY
    assert exchange.headers.version == ("2026-07-28",)
    assert exchange.headers.method == ("tools/call", "tools/list")
    assert exchange.headers.name == ("=?base64?w6Q=?=",)
    assert exchange.headers.params == {"region": ("eu", "us"), "limit": ("1",)}
    assert served.conversations.opened == []


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (None, 200),
        (-32700, 400),
        (-32600, 400),
        (-32601, 404),
        (-32602, 400),
        (-32603, 200),
        (-32020, 400),
        (-32021, 400),
        (-32022, 400),
        (-31001, 401),
    ],
)
@pytest.mark.parametrize("accept", [BOTH, "Accept: text/event-stream", "Accept: */*"])
@pytest.mark.parametrize("late", [False, True])
def test_a_fault_shows_in_the_status(
    serve: Serve,
    number: int | None,
    status: int,
    accept: str,
    late: bool,  # noqa: FBT001
) -> None:
    """
    As long as nothing was told before, and whenever the answer comes.
    """
    fault = None if number is None else PeerFault("x", "y", number)
    served = serve() if late else serve(exchange_script=answered(b'{"id":"a"}', fault))
    wire = post(served, MODERN, accept)
    if late:
        served.clock.advance(STREAM_AFTER_SECONDS - 1)
        assert wire.received() == b""
        answered(b'{"id":"a"}', fault)(served.conversations.exchanges[0])
    response = wire.response()
    assert response.status == status
    as_stream = status == 200 and accept == "Accept: text/event-stream"
    assert response.text == ('event: message\ndata: {"id":"a"}\n\n' if as_stream else '{"id":"a"}')
    assert "mcp-session-id" not in response.headers
    assert served.streamable.posts.exchanges == {}


def test_what_is_told_before_the_answer_makes_a_stream(serve: Serve) -> None:
    """
    Events without ids; the answer ends the response, whose status is 200 whatever the answer is.
    """
    fault = PeerFault("x", "y", -32602)
    served = serve(exchange_script=answered(b'"answer"', fault, told=(b'"told"',)))
    response = post(served).response()
    assert (response.status, response.headers["content-type"]) == (200, "text/event-stream")
    assert response.text == 'event: message\ndata: "told"\n\nevent: message\ndata: "answer"\n\n'


def test_a_long_request_becomes_a_stream(serve: Serve) -> None:
    """
    After 15 seconds the response begins, so that keepalives can show proxies that it lives.
    """
    served = serve()
    wire = post(served)
    served.clock.advance(STREAM_AFTER_SECONDS)
    assert wire.response().headers["content-type"] == "text/event-stream"
    assert wire.response().text == ""
    answered(b'"answer"')(served.conversations.exchanges[0])
    assert wire.response().text == 'event: message\ndata: "answer"\n\n'
    assert wire.received().endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("streaming", [False, True])
def test_hanging_up_cancels(serve: Serve, streaming: bool) -> None:  # noqa: FBT001
    """
    In this revision a lost connection says that the answer is not wanted.
    """
    served = serve()
    wire = post(served)
    (exchange,) = served.conversations.exchanges
    if streaming:
        exchange.replies.tell(b'"told"')
    wire.hang_up()
    assert exchange.cancelled == 1
    assert served.streamable.posts.exchanges == {}
    exchange.replies.tell(b'"late"')
    exchange.replies.done()


def test_an_answered_request_is_not_cancelled(serve: Serve) -> None:
    """
    A client that reads its answer and closes has cancelled nothing.
    """
    served = serve()
    wire = post(served)
    (exchange,) = served.conversations.exchanges
    answered(b"1")(exchange)
    wire.hang_up()
    assert exchange.cancelled == 0


def test_listening_needs_a_stream(serve: Serve) -> None:
    """
    Who cannot read a stream is told at once; who can hears the acknowledgement at once.
    """

    def acknowledge(exchange: FakeExchange) -> None:
        exchange.replies.tell(b'"acknowledged"')

    served = serve(exchange_script=acknowledge)
    response = post(served, MODERN, "Accept: application/json", "Mcp-Method: subscriptions/listen").response()
    error = json.loads(response.body)
    assert (response.status, error["id"], error["error"]["data"]["code"]) == (406, "a", "not_acceptable")
    assert served.conversations.exchanges == []
    wire = post(served, MODERN, BOTH, "Mcp-Method: subscriptions/listen")
    assert wire.response().text == 'event: message\ndata: "acknowledged"\n\n'
    assert not wire.received().endswith(b"0\r\n\r\n")


def test_who_reads_json_misses_what_is_told(serve: Serve) -> None:
    """
    Progress has no place in one JSON body; the answer comes all the same.
    """
    served = serve(exchange_script=answered(b'"answer"', told=(b'"told"',)))
    response = post(served, MODERN, "Accept: application/json").response()
    assert (response.headers["content-type"], response.text) == ("application/json", '"answer"')


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (["MCP-Protocol-Version: 1999-01-01"], BODY),
        (["MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2025-11-25"], BODY),
        ([], b'{"id":1,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'),
    ],
)
def test_whatever_is_of_no_handshake_goes_to_the_exchange(
    serve: Serve, headers: list[str], body: bytes
) -> None:
    """
    An unknown revision, two of them, and one that stands only in the body are judged by the newest rules.
    """
    served = serve(exchange_script=answered(b"{}"))
    post(served, BOTH, *headers, body=body)
    assert len(served.conversations.exchanges) == 1
    assert served.conversations.opened == []


def test_a_notification_is_accepted(serve: Serve) -> None:
    """
    202 without a body, as in any revision.
    """
    served = serve(exchange_script=lambda exchange: exchange.replies.done())
    response = post(served).response()
    assert (response.status, response.body) == (202, b"")
