"""
How Streamable HTTP stops: everybody is answered, every stream ends, nobody holds the daemon back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred

from reticle.model.limits import DRAIN_SECONDS
from reticle.testing.conversations import FakeExchange, follow_handshake
from reticle.transport.answering import ANSWERS_SHARE

Serve = Callable[..., Any]

BOTH = "Accept: application/json, text/event-stream"
JSON = "Content-Type: application/json"
INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
HANG = b'{"jsonrpc":"2.0","id":2,"method":"hang"}'


def session_of(served: Any) -> str:
    """
    The header of a fresh session.
    """
    response = served.ask("POST", "/mcp", JSON, BOTH, body=INITIALIZE).response()
    return f"Mcp-Session-Id: {response.headers['mcp-session-id']}"


def drain(served: Any) -> list[object]:
    """
    Begin to stop; the list gets an entry when it is over.
    """
    over: list[object] = []
    served.life.drain()
    served.streamable.drain("test").addCallback(over.append)
    return over


def test_calls_are_answered_and_streams_end(serve: Serve) -> None:
    """
    A call in flight gets its answer, the standalone stream a clean end, and each connection is closed.
    """
    served = serve(script=follow_handshake)
    session = session_of(served)
    stream = served.ask("GET", "/mcp", session)
    call = served.ask("POST", "/mcp", JSON, BOTH, session, body=HANG)
    conversation = served.conversations.opened[0]
    conversation.unanswered = Deferred()
    over = drain(served)
    assert conversation.drained == ["test"]
    assert served.ask("DELETE", "/mcp", session).response().status == 503
    conversation.replies.answer(b'"shutting_down"')
    conversation.replies.done()
    conversation.unanswered.callback(None)
    assert call.response().text == '"shutting_down"'
    assert stream.received().endswith(b"0\r\n\r\n")
    assert call.transport.disconnecting
    assert stream.transport.disconnecting
    assert over == []
    call.hang_up()
    stream.hang_up()
    assert over == [None]
    assert served.streamable.session_count == 0
    assert conversation.closed == 1


def test_a_listening_request_gets_its_final_result(serve: Serve) -> None:
    """
    A client of 2026-07-28 knows a planned end from a lost connection.
    """

    def listen(exchange: FakeExchange) -> None:
        exchange.replies.tell(b'"acknowledged"')

        def end() -> None:
            exchange.replies.answer(b'"final"')
            exchange.replies.done()

        exchange.on_drain = end

    served = serve(exchange_script=listen)
    wire = served.ask("POST", "/mcp", JSON, BOTH, "MCP-Protocol-Version: 2026-07-28", body=b"{}")
    over = drain(served)
    assert wire.response().text.endswith('event: message\ndata: "final"\n\n')
    assert wire.received().endswith(b"0\r\n\r\n")
    wire.hang_up()
    assert over == [None]


def test_a_request_outside_any_session_is_answered_too(serve: Serve) -> None:
    """
    A diagnostic call in flight is told that the daemon stops.
    """
    served = serve(script=follow_handshake)
    wire = served.ask("POST", "/mcp", JSON, BOTH, body=HANG)
    conversation = served.conversations.opened[0]
    over = drain(served)
    assert conversation.drained == ["test"]
    conversation.replies.answer(b'"shutting_down"')
    conversation.replies.done()
    assert conversation.closed == 1
    wire.hang_up()
    assert over == [None]


def test_a_call_that_does_not_end_holds_nothing_back(serve: Serve) -> None:
    """
    The stop goes on when its time is up, and what is not answered by then is cut.
    """
    served = serve(script=follow_handshake)
    call = served.ask("POST", "/mcp", JSON, session_of(served), body=HANG)
    served.conversations.opened[0].unanswered = Deferred()
    over = drain(served)
    served.clock.advance(DRAIN_SECONDS * ANSWERS_SHARE)
    assert not call.transport.disconnecting
    served.clock.advance(DRAIN_SECONDS * (1 - ANSWERS_SHARE))
    assert call.transport.disconnecting
    call.hang_up()
    assert over == [None]


def test_an_idle_daemon_stops_at_once(serve: Serve) -> None:
    """
    Sessions that nobody uses cost a stop nothing, and no timer stays behind.
    """
    served = serve(script=follow_handshake)
    for _ in range(3):
        session_of(served)
    before = len(served.clock.getDelayedCalls())  # idle connections
    assert drain(served) == [None]
    assert len(served.clock.getDelayedCalls()) == before
