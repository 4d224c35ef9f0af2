"""
A stream whose first request decides the era of its client.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.errors import PeerFault
from reticle.model.codes import FaultCode
from reticle.model.mcp import ToolsChanged
from reticle.testing.gate import GateBench
from reticle.testing.modern import modern_request

INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}},
    }
).encode()
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
PLAIN = b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'


def test_a_request_that_names_its_revision_decides() -> None:
    """
    A 2026-07-28 client is served over the old transport, all its requests on one stream.
    """
    conversation, sink = GateBench().open()
    conversation.receive(modern_request("server/discover", request_id="probe"))
    conversation.receive(modern_request("tools/list", request_id=2))
    probed, listed = sink.take()
    assert (probed["id"], probed["result"]["supportedVersions"]) == ("probe", ["2026-07-28"])
    assert (listed["id"], listed["result"]["resultType"]) == (2, "complete")
    assert conversation.agreed is None


def test_a_handshake_after_that_is_told_what_is_supported() -> None:
    """
    A client that changes its mind on one stream is told which revision the stream speaks.
    """
    conversation, sink = GateBench().open()
    conversation.receive(modern_request("server/discover"))
    conversation.receive(INITIALIZE)
    error = sink.take()[-1]["error"]
    assert error["code"] == -32022
    assert error["data"]["supported"] == ["2026-07-28"]
    assert error["data"]["requested"] == "2025-11-25"


def test_a_request_without_its_revision_after_that_is_refused() -> None:
    """
    Every request of such a client names the revision.
    """
    conversation, sink = GateBench().open()
    conversation.receive(modern_request("server/discover"))
    conversation.receive(PLAIN)
    assert sink.take()[-1]["error"]["code"] == -32602


@pytest.mark.parametrize("first", [INITIALIZE, PLAIN, b"[" + PLAIN + b"]"])
def test_a_plain_request_decides_too(first: bytes) -> None:
    """
    A client of the handshake revisions that slips in a newer request is told so, and goes on.
    """
    conversation, sink = GateBench().open()
    conversation.receive(first)
    conversation.receive(modern_request("tools/list", request_id=9))
    conversation.receive(PLAIN)
    error, listed = sink.take()[-2:]
    assert (error["id"], error["error"]["code"]) == (9, -32600)
    assert error["error"]["data"]["code"] == "wrong_era"
    assert "resultType" not in listed["result"]


def test_what_is_no_request_decides_nothing() -> None:
    """
    A notification before the first request does not bind the client.
    """
    conversation, sink = GateBench().open()
    conversation.receive(INITIALIZED)
    conversation.receive(b'{"jsonrpc":"2.0","id":5,"result":{}}')
    conversation.receive(modern_request("tools/list"))
    assert sink.take()[-1]["result"]["resultType"] == "complete"


def test_nothing_modern_on_a_stream_with_a_handshake() -> None:
    """
    An older client never sees a word that its revision does not know.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    for body in (INITIALIZE, INITIALIZED, PLAIN):
        conversation.receive(body)
    call = {"name": "test_echo", "arguments": {"text": "x"}}
    conversation.receive(
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": call}).encode()
    )
    bench.notices.publish(ToolsChanged())
    wire = b"".join(sink.sent)
    assert not [
        word for word in (b"resultType", b"ttlMs", b"cacheScope", b"io.modelcontextprotocol/") if word in wire
    ]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[" + PLAIN + b"]", FaultCode.BATCH_UNSUPPORTED),
        (b"{", FaultCode.MALFORMED_BODY),
        (b"3", FaultCode.INVALID_REQUEST),
    ],
)
def test_what_cannot_be_answered_by_id_is_the_transports(body: bytes, code: FaultCode) -> None:
    """
    A body that is no message is refused in the carrier's own manner.
    """
    conversation, _ = GateBench().open()
    conversation.receive(modern_request("server/discover"))
    with pytest.raises(PeerFault) as refused:
        conversation.receive(body)
    assert refused.value.code == code


def test_a_stray_response_is_dropped() -> None:
    """
    A response, to which this revision has no request, harms nothing.
    """
    conversation, sink = GateBench().open()
    conversation.receive(modern_request("server/discover"))
    sink.take()
    conversation.receive(b'{"jsonrpc":"2.0","id":5,"result":{}}')
    assert sink.take() == []


def test_requests_and_subscriptions_are_cancelled_by_id() -> None:
    """
    On a shared stream a client ends one of its requests and keeps the others.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(modern_request("tools/call", {"name": "test_wait"}, request_id="a"))
    listen = {"notifications": {"toolsListChanged": True}}
    conversation.receive(modern_request("subscriptions/listen", listen, request_id="b"))
    conversation.receive(modern_request("subscriptions/listen", listen, request_id="c"))
    sink.take()
    for request_id in ("a", "b", "unknown"):
        cancelled = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": request_id},
        }
        conversation.receive(json.dumps(cancelled).encode())
    assert bench.waiting.cancelled == 1
    bench.notices.publish(ToolsChanged())
    (heard,) = sink.take()
    assert heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "c"


def test_an_id_in_use_is_refused() -> None:
    """
    Two requests that could not be told apart are not both begun.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    listen = modern_request("subscriptions/listen", {"notifications": {}}, request_id="b")
    for body in (modern_request("tools/call", {"name": "test_wait"}), listen):
        conversation.receive(body)
        sink.take()
        conversation.receive(body)
        assert sink.take()[-1]["error"]["data"]["code"] == "duplicate_request"


def test_a_drain_ends_every_request() -> None:
    """
    When the daemon stops, calls are answered and subscriptions get their end.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(modern_request("tools/call", {"name": "test_wait"}, request_id="a"))
    conversation.receive(modern_request("subscriptions/listen", {"notifications": {}}, request_id="b"))
    assert conversation.busy
    conversation.drain("test")
    assert {message["id"] for message in sink.take() if "result" in message} == {"a", "b"}
    assert not conversation.busy


def test_a_closed_stream_stops_its_calls() -> None:
    """
    A client that is gone leaves nothing running.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(modern_request("tools/call", {"name": "test_wait"}, request_id="a"))
    conversation.close()
    assert bench.waiting.cancelled == 1
    assert [message for message in sink.take() if "result" in message] == []


@pytest.mark.parametrize("first", ["call", "listen"])
def test_an_id_in_use_is_refused_whatever_it_is_used_for(first: str) -> None:
    """
    A call and a subscription of the same id could not be told apart when one is cancelled or answered.
    """
    conversation, sink = GateBench().open()
    kinds = {
        "call": modern_request("tools/call", {"name": "test_wait"}, request_id=1),
        "listen": modern_request(
            "subscriptions/listen", {"notifications": {"toolsListChanged": True}}, request_id=1
        ),
        "list": modern_request("tools/list", request_id=1),
    }
    conversation.receive(kinds.pop(first))
    sink.take()
    for second in kinds.values():
        conversation.receive(second)
    assert [message["error"]["data"]["code"] for message in sink.take()] == ["duplicate_request"] * 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["call", "listen", "cancel", "finish", "publish", "drain", "close"]),
        st.integers(0, 4),
    ),
    max_size=25,
)


@given(STEPS)
def test_any_order_of_events(steps: list[tuple[str, int]]) -> None:
    """
    However requests, cancellations and ends cross each other: nothing is answered twice, nothing is told
    after its end, and nothing stays behind.
    """
    bench = GateBench()
    conversation, sink = bench.open()
    conversation.receive(modern_request("server/discover", request_id="first"))
    said = None
    for step, number in steps:
        match step:
            case "call":
                conversation.receive(modern_request("tools/call", {"name": "test_wait"}, request_id=number))
            case "listen":
                wanted = {"notifications": {"toolsListChanged": True}}
                conversation.receive(modern_request("subscriptions/listen", wanted, request_id=f"l{number}"))
            case "cancel":
                for request_id in (number, f"l{number}"):
                    params = {"requestId": request_id}
                    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
                    conversation.receive(json.dumps(cancelled).encode())
            case "finish" if number < len(bench.waiting.waits) and not bench.waiting.waits[number].called:
                bench.waiting.waits[number].callback("x")
            case "publish":
                bench.notices.publish(ToolsChanged())
            case "drain":
                conversation.drain("test")
            case "close":
                conversation.close()
                said = len(sink.sent) if said is None else said
    conversation.drain("end")
    conversation.close()
    said = len(sink.sent) if said is None else said
    bench.notices.publish(ToolsChanged())
    assert len(sink.sent) == said
    assert not conversation.busy
    assert len(bench.audit.rows) == len(bench.waiting.waits)
    shared = bench.conversations._per_request
    assert (shared.running, shared.listeners._count) == (0, 0)
    assert bench.clock.pending() == 0
    results = [message["id"] for message in sink.messages() if "result" in message]
    asked = sum(step in {"call", "listen"} for step, _ in steps) + 1
    assert len(results) <= asked
