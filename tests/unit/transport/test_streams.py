"""
Open streams: their end, their keepalive, the farewell to all.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from reticle.errors import LocalMisuse
from reticle.model.limits import OUTBOX_BYTES

Serve = Callable[..., Any]


def frames(wire: Any) -> list[str]:
    """
    The frames of a stream so far, as a client that splits on blank lines sees them.
    """
    return str(wire.response().text).split("\n\n")[:-1]


def test_a_closed_stream_leaves_nothing_behind(serve: Serve) -> None:
    """
    When the client goes, its session is gone at once: 404, counted down, its calls stopped (TR-01).
    """
    served = serve()
    wires = [served.open_stream() for _ in range(20)]
    assert served.streams.session_count == 20
    for wire, path in wires:
        wire.hang_up()
        assert served.post(path).status == 404
    assert (served.streams.session_count, served.streams.connection_count) == (0, 0)
    assert [conversation.closed for conversation in served.conversations.opened] == [1] * 20
    assert served.clock.getDelayedCalls() == []


def test_a_client_that_goes_in_the_middle_of_its_request_costs_nothing(serve: Serve) -> None:
    """
    A connection lost before the request was whole opens no session (TR-02).
    """
    served = serve()
    for raw in (b"", b"GET /mcp/sse HT", b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n"):
        wire = served.connect()
        wire.send(raw)
        wire.hang_up()
    assert (served.streams.connection_count, served.records) == (0, [])
    assert served.ask("GET", "/mcp/sse").response().status == 200


def test_answers_land_on_the_stream_that_asked(serve: Serve) -> None:
    """
    Twenty clients with the same JSON-RPC id each get their own answer (TR-04).
    """
    served = serve(script=lambda conversation, body: conversation.sink.send(body))
    clients = [served.open_stream() for _ in range(20)]
    for number, (_, path) in enumerate(clients):
        served.post(path, b'{"id":1,"of":%d}' % number)
    for number, (wire, _) in enumerate(clients):
        assert frames(wire)[1:] == [f'event: message\ndata: {{"id":1,"of":{number}}}']


def test_a_late_answer_to_a_lost_client_is_dropped_quietly(serve: Serve) -> None:
    """
    A conversation that answers after its peer left harms nobody (DL-08).
    """
    served = serve()
    wire, _ = served.open_stream()
    before = wire.received()
    wire.hang_up()
    served.conversations.opened[0].sink.send(b"{}")
    assert wire.received() == before


def test_the_keepalive_is_one_comment_line(serve: Serve) -> None:
    """
    Every 15 seconds each idle stream gets a comment that no client takes for a frame.
    """
    served = serve(script=lambda conversation, body: conversation.sink.send(body))
    served.streams.startService()
    wire, path = served.open_stream()
    before = len(wire.response().body)
    served.clock.advance(14.9)
    served.clock.pump([0.0, 0.0])
    assert len(wire.response().body) == before
    served.clock.advance(0.1)
    served.clock.pump([0.0, 0.0])
    assert wire.response().body[before:] == b": keepalive\n"
    served.post(path, b"{}")
    assert wire.response().body[before:] == b": keepalive\nevent: message\ndata: {}\n\n"
    assert frames(wire)[1] == ": keepalive\nevent: message\ndata: {}"


def test_a_stream_whose_reader_is_behind_gets_no_keepalive(serve: Serve) -> None:
    """
    Comments do not pile up in front of a reader that has other bytes to read.
    """
    served = serve()
    served.streams.startService()
    wire, _ = served.open_stream()
    wire.transport.producer.pauseProducing()
    before = wire.received()
    for _ in range(5):
        served.clock.advance(15)
        served.clock.pump([0.0, 0.0])
    wire.transport.producer.resumeProducing()
    assert wire.received() == before


def test_a_stopped_service_sets_no_timer(serve: Serve) -> None:
    """
    After the service has stopped nothing ticks any more.
    """
    served = serve()
    served.streams.startService()
    served.clock.advance(15)
    stopped = served.streams.stopService()
    assert stopped.called
    served.clock.pump([0.0, 0.0])
    assert served.clock.getDelayedCalls() == []


def test_a_planned_stop_says_farewell_on_every_stream(serve: Serve) -> None:
    """
    Each client gets the shutdown frame and a clean end, and the stop waits until all are gone (TR-10).
    """
    served = serve()
    wires = [served.open_stream()[0] for _ in range(3)]
    served.life.drain()
    drained = served.streams.drain("SIGTERM")
    for wire in wires:
        assert frames(wire)[-1] == 'event: reticle-shutdown\ndata: {"reason":"SIGTERM"}'
        assert json.loads(frames(wire)[-1].partition("data: ")[2]) == {"reason": "SIGTERM"}
        assert wire.received().endswith(b"\r\n0\r\n\r\n")
        assert wire.transport.disconnecting
    for wire in wires:
        assert not drained.called
        wire.hang_up()
    assert drained.called
    assert served.clock.getDelayedCalls() == []
    assert [conversation.drained for conversation in served.conversations.opened] == [["SIGTERM"]] * 3


def test_a_call_in_flight_is_answered_before_the_farewell(serve: Serve) -> None:
    """
    The answer that a drain gives comes first, the farewell behind it.
    """
    served = serve()
    wire, _ = served.open_stream()
    conversation = served.conversations.opened[0]
    conversation.unanswered = Deferred()
    drained = served.streams.drain("SIGTERM")
    assert len(frames(wire)) == 1
    conversation.sink.send(b'{"id":7,"error":"shutting_down"}')
    conversation.unanswered.callback(None)
    assert frames(wire)[1:] == [
        'event: message\ndata: {"id":7,"error":"shutting_down"}',
        'event: reticle-shutdown\ndata: {"reason":"SIGTERM"}',
    ]
    wire.hang_up()
    assert drained.called


def test_a_call_that_never_ends_does_not_hold_the_stop_back(serve: Serve) -> None:
    """
    After one second the farewell goes out whatever a conversation still does.
    """
    served = serve()
    wire, _ = served.open_stream()
    served.conversations.opened[0].unanswered = Deferred()
    drained = served.streams.drain("SIGTERM")
    served.clock.advance(0.99)
    assert len(frames(wire)) == 1
    served.clock.advance(0.01)
    assert frames(wire)[-1].startswith("event: reticle-shutdown")
    wire.hang_up()
    assert drained.called


def test_a_conversation_that_fails_to_drain_is_logged_and_the_rest_goes_on(
    serve: Serve, logged_failures: Any
) -> None:
    """
    One broken conversation costs nobody else the farewell.
    """
    served = serve()
    wires = [served.open_stream()[0] for _ in range(2)]
    served.conversations.opened[0].unanswered = Deferred()
    served.conversations.opened[0].unanswered.errback(ZeroDivisionError())
    served.streams.drain("SIGTERM")
    assert [frames(wire)[-1][:23] for wire in wires] == ["event: reticle-shutdown"] * 2
    assert len(logged_failures.flush(ZeroDivisionError)) == 1


def test_an_unread_stream_is_cut_within_the_limit(serve: Serve) -> None:
    """
    A client that does not read cannot hold a stop back longer than two seconds.
    """
    served = serve()
    wire, _ = served.open_stream()
    wire.transport.producer.pauseProducing()
    drained = served.streams.drain("SIGTERM")
    assert not wire.transport.disconnecting
    served.clock.advance(1.0)
    assert wire.transport.disconnected
    assert not drained.called
    wire.hang_up()
    assert drained.called


def test_a_second_drain_waits_for_the_same(serve: Serve) -> None:
    """
    Asking twice is harmless: one farewell, both answered when all is gone.
    """
    served = serve()
    wire, _ = served.open_stream()
    first, second = served.streams.drain("a"), served.streams.drain("b")
    assert [frame for frame in frames(wire) if "shutdown" in frame] == [
        'event: reticle-shutdown\ndata: {"reason":"a"}'
    ]
    wire.hang_up()
    assert first.called
    assert second.called


def test_an_empty_daemon_drains_at_once(serve: Serve) -> None:
    """
    Without streams there is nothing to wait for.
    """
    assert serve().streams.drain().called


def test_a_slow_reader_loses_its_stream_with_the_reason_stated(
    serve: Serve, log_events: list[dict[str, Any]]
) -> None:
    """
    Beyond the cap the stream of a reader that does not read ends, and nobody else's (TR-08).
    """
    served = serve()
    slow, slow_path = served.open_stream()
    quick, quick_path = served.open_stream()
    slow.transport.producer.pauseProducing()
    sink = served.conversations.opened[0].sink
    for _ in range(4):
        sink.send(b'"' + b"x" * (OUTBOX_BYTES // 4 - 100) + b'"')
    assert not slow.transport.disconnecting
    sink.send(b'"' + b"x" * 1000 + b'"')
    assert frames(slow)[1:] == ['event: reticle-stream-ended\ndata: {"reason":"outbox_overflow"}']
    assert slow.transport.disconnecting
    assert served.post(slow_path).status == 404
    assert served.post(quick_path).status == 202
    assert not quick.transport.disconnecting
    [warning] = [event for event in log_events if "too slow" in str(event["log_format"])]
    assert warning["frames"] == 5
    served.clock.advance(2.0)
    assert slow.transport.disconnected
    slow.hang_up()
    assert served.streams.connection_count == 1
    assert served.conversations.opened[0].closed == 1


def test_slowness_alone_costs_nothing(serve: Serve) -> None:
    """
    A reader that is slow but below the cap gets every answer, later (TR-08).
    """
    served = serve(script=lambda conversation, body: conversation.sink.send(body))
    wire, path = served.open_stream()
    wire.transport.producer.pauseProducing()
    for number in range(3):
        served.post(path, b"%d" % number)
    assert len(frames(wire)) == 1
    wire.transport.producer.resumeProducing()
    assert frames(wire)[1:] == [f"event: message\ndata: {number}" for number in range(3)]


@pytest.mark.parametrize("behind", [b"POST /mcp/message HTTP/1.1\r\n", b"x" * 40_000, b"\r\n\r\nG"])
def test_a_request_behind_a_stream_ends_it_with_the_reason(
    serve: Serve, behind: bytes, log_events: list[dict[str, Any]]
) -> None:
    """
    What could never be answered does not hang: the stream says why, closes, and a line is logged (TR-11).
    """
    served = serve()
    wire, path = served.open_stream()
    wire.send(behind)
    wire.send(behind)
    assert frames(wire)[1:] == ['event: reticle-stream-ended\ndata: {"reason":"pipelined_request"}']
    assert wire.transport.disconnecting
    assert served.post(path).status == 404
    assert len([event for event in log_events if "could never be" in str(event["log_format"])]) == 1
    wire.hang_up()
    assert served.streams.connection_count == 0


def test_a_request_in_the_same_segment_behind_a_stream_does_not_hang(serve: Serve) -> None:
    """
    Also when both requests come at once, the second one is not left waiting.
    """
    served = serve()
    wire = served.connect()
    request = b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n\r\n"
    wire.send(request + request)
    assert wire.transport.disconnecting
    assert served.conversations.opened[0].closed == 1


def test_a_stray_line_break_behind_a_request_is_nothing(serve: Serve) -> None:
    """
    Old clients end a request with one more line break; their stream goes on.
    """
    served = serve()
    wire, _ = served.open_stream()
    wire.send(b"\r\n")
    assert not wire.transport.disconnecting


def test_a_stream_on_a_connection_that_served_before(serve: Serve) -> None:
    """
    A connection that was kept alive may end as a stream.
    """
    served = serve()
    wire = served.connect()
    wire.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    wire.transport.clear()
    wire.send(b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert frames(wire)[0].startswith("event: endpoint")
    wire.hang_up()
    assert served.streams.connection_count == 0


def test_an_http_1_0_client_gets_the_bare_stream(serve: Serve) -> None:
    """
    Without chunked coding the frames follow the head as they are.
    """
    served = serve()
    wire = served.connect()
    wire.send(b"GET /mcp/sse HTTP/1.0\r\n\r\n")
    assert b"\r\n\r\nevent: endpoint\ndata: /mcp/message?sessionId=" in wire.received()


def test_opening_before_there_are_conversations_is_our_bug(serve: Serve, logged_failures: Any) -> None:
    """
    A stream that nobody could serve is a 500 with a number, never a stream that stays silent.
    """
    served = serve()
    served.streams._conversations = None
    assert served.ask("GET", "/mcp/sse").response().status == 500
    assert len(logged_failures.flush(LocalMisuse)) == 1
    assert served.streams.connection_count == 0
