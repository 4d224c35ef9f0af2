"""
The client over scripted connections: replies by id, farewells, refusals, and their exceptions.
"""

from __future__ import annotations

import json

import pytest

from reticle.client.address import parse_address
from reticle.client.channel import Channel
from reticle.client.client import Client
from reticle.client.errors import (
    CannotConnect,
    ProtocolBroken,
    Refused,
    ReplyOverdue,
    RpcError,
    StreamEnded,
)
from reticle.testing.links import ScriptedDial, ScriptedLink

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
ENDPOINT = b"event: endpoint\ndata: /mcp/message?sessionId=s1\n\n"
ACCEPTED = b"HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted"


def frame(message: object, name: str = "message") -> bytes:
    """
    One event with a JSON message.
    """
    return f"event: {name}\ndata: {json.dumps(message)}\n\n".encode()


def result(identity: int, **fields: object) -> bytes:
    """
    One reply.
    """
    return frame({"jsonrpc": "2.0", "id": identity, "result": fields})


def opened(
    *chunks: bytes | None, posts: int = 1, token: str | None = None
) -> tuple[Client, list[ScriptedLink]]:
    """
    A client whose stream brings the endpoint and then ``chunks``; the links of its POSTs.
    """
    links = [ScriptedLink([ACCEPTED]) for _ in range(posts)]
    stream = ScriptedLink([HEAD + ENDPOINT, *chunks])
    channel = Channel(
        parse_address("http://127.0.0.1:4400/mcp/sse"), token, dial=ScriptedDial([stream, *links])
    )
    channel.open()
    return Client(channel), [stream, *links]


def body_of(link: ScriptedLink) -> object:
    """
    The JSON that was posted.
    """
    return json.loads(link.sent.partition(b"\r\n\r\n")[2])


def test_request_goes_to_the_announced_path() -> None:
    """
    A POST goes to the endpoint word for word, as JSON, with the token in the header alone.
    """
    client, links = opened(result(1, tools=[{"name": "a"}]), token="secret")
    assert client.list_tools() == [{"name": "a"}]
    assert links[0].sent.startswith(b"GET /mcp/sse HTTP/1.1\r\nHost: 127.0.0.1:4400\r\n")
    head = links[1].sent.partition(b"\r\n\r\n")[0].decode()
    assert head.splitlines() == [
        "POST /mcp/message?sessionId=s1 HTTP/1.1",
        "Host: 127.0.0.1:4400",
        "Content-Type: application/json",
        "Content-Length: 65",
        "Connection: close",
        "Authorization: Bearer secret",
    ]
    assert body_of(links[1]) == {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def test_handshake_is_request_then_notification() -> None:
    """
    ``initialize`` is answered first and then confirmed, as MCP asks.
    """
    client, links = opened(result(1, protocolVersion="2025-11-25"), posts=2)
    assert client.initialize("demo", "1") == {"protocolVersion": "2025-11-25"}
    assert body_of(links[1]) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "demo", "version": "1"},
        },
    }
    assert body_of(links[2]) == {"jsonrpc": "2.0", "method": "notifications/initialized"}


def test_replies_are_matched_by_id() -> None:
    """
    Two calls on their way get their own answers although they arrive in the other order.
    """
    client, _ = opened(result(2, n="second") + result(1, n="first"), posts=2)
    first, second = client.send("a"), client.send("b")
    assert (client.wait(first), client.wait(second)) == ({"n": "first"}, {"n": "second"})


def test_every_page_of_the_list_is_read() -> None:
    """
    A tool list in two pages comes back as one.
    """
    client, links = opened(result(1, tools=[{"name": "a"}], nextCursor="c"), result(2, tools=[]), posts=2)
    assert client.list_tools() == [{"name": "a"}]
    assert body_of(links[2]) == {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/list",
        "params": {"cursor": "c"},
    }


def test_call_gives_refusals_as_results() -> None:
    """
    A tool that refuses is a result with a code, not an exception.
    """
    refusal = {"ok": False, "error": "no_session"}
    client, _ = opened(result(1, content=[], structuredContent=refusal, isError=True))
    answer = client.call("reticle_snapshot")
    assert (answer.ok, answer.error) == (False, "no_session")


def test_rpc_error_is_raised_with_its_number() -> None:
    """
    A protocol error names number, sentence and details.
    """
    error = {"code": -32601, "message": "no such method", "data": {"code": "method_unknown"}}
    client, _ = opened(frame({"jsonrpc": "2.0", "id": 1, "error": error}))
    with pytest.raises(RpcError, match="no such method") as caught:
        client.request("x")
    assert (caught.value.code, caught.value.details) == (-32601, {"code": "method_unknown"})


@pytest.mark.parametrize(
    ("last", "planned"), [(frame({"reason": "stop"}, "reticle-shutdown"), True), (b": keepalive\n", False)]
)
def test_planned_stop_is_told_from_an_outage(last: bytes, planned: bool) -> None:  # noqa: FBT001 - a case
    """
    A call cut off by the end of the stream says whether the daemon stopped on purpose.
    """
    client, _ = opened(last)
    with pytest.raises(StreamEnded) as caught:
        client.request("x")
    assert caught.value.planned is planned


def test_farewell_can_be_waited_for() -> None:
    """
    A script that waits for the end gets the farewell's data.
    """
    client, _ = opened(None, frame({"reason": "stop"}, "reticle-shutdown"))
    with pytest.raises(ReplyOverdue):
        client.wait_for_end(1)
    assert client.wait_for_end(1) == {"reason": "stop"}
    with pytest.raises(StreamEnded):
        client.notify("x")


def test_overdue_answer_is_named_and_then_ignored() -> None:
    """
    A late reply does not answer the next request.
    """
    client, _ = opened(None, result(1, n="late") + result(2, n="mine"), posts=2)
    with pytest.raises(ReplyOverdue, match="answer to request 1"):
        client.request("slow")
    assert client.request("quick") == {"n": "mine"}
    with pytest.raises(ValueError, match="not waiting"):
        client.wait(1)


def test_refused_message_names_status_and_words() -> None:
    """
    A session that is gone is told from a daemon that is not ready.
    """
    gone = ScriptedLink([b"HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\n\r\nsession not found"])
    stream = ScriptedLink([HEAD + ENDPOINT])
    channel = Channel(parse_address("http://h:1"), dial=ScriptedDial([stream, gone]))
    channel.open()
    client = Client(channel)
    with pytest.raises(Refused, match="HTTP 404: session not found") as caught:
        client.request("ping")
    assert (caught.value.status, caught.value.code, gone.closed) == (404, None, True)


def test_refused_stream_carries_its_code() -> None:
    """
    A refused stream says which credential was wrong.
    """
    body = json.dumps({"error": {"code": -31001, "message": "no token", "data": {"code": "token_missing"}}})
    raw = f"HTTP/1.1 401 Unauthorized\r\nContent-Length: {len(body)}\r\n\r\n"
    stream = ScriptedLink([raw.encode(), body.encode()])
    channel = Channel(parse_address("http://h:1"), dial=ScriptedDial([stream]))
    with pytest.raises(Refused) as caught:
        channel.open()
    assert (caught.value.status, caught.value.text, caught.value.code) == (401, "no token", "token_missing")


@pytest.mark.parametrize(
    ("chunks", "kind"),
    [
        ([b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"], ProtocolBroken),
        ([HEAD], StreamEnded),
        ([HEAD, None], ReplyOverdue),
        ([HEAD + b"data: not json\n\n"], ProtocolBroken),
        ([HEAD + b"data: [1]\n\n"], ProtocolBroken),
    ],
)
def test_stream_that_is_not_ours(chunks: list[bytes | None], kind: type[Exception]) -> None:
    """
    A stranger on the port, a silent one and one that hangs up are told apart.
    """
    channel = Channel(parse_address("http://h:1"), dial=ScriptedDial([ScriptedLink(chunks)]))
    with pytest.raises(kind):
        channel.open()


def test_nobody_there() -> None:
    """
    A daemon that does not run is one clear exception.
    """
    with pytest.raises(CannotConnect, match="nothing answers at h:1"):
        Channel(parse_address("http://h:1"), dial=ScriptedDial([]))


def test_server_requests_are_answered() -> None:
    """
    A ping gets its answer; what we do not offer gets an error; a message with the endpoint is not lost.
    """
    links = [ScriptedLink([ACCEPTED]) for _ in range(3)]
    asked = frame({"jsonrpc": "2.0", "id": "p", "method": "ping"}) + frame(
        {"jsonrpc": "2.0", "id": 9, "method": "roots/list"}
    )
    stream = ScriptedLink([HEAD + ENDPOINT + asked, result(1)])
    channel = Channel(parse_address("http://h:1"), dial=ScriptedDial([stream, *links]))
    channel.open()
    assert Client(channel).request("x") == {}
    assert body_of(links[1]) == {"jsonrpc": "2.0", "id": "p", "result": {}}
    assert body_of(links[2]) == {
        "jsonrpc": "2.0",
        "id": 9,
        "error": {"code": -32601, "message": "this client does not offer roots/list"},
    }


def test_notifications_are_kept_up_to_a_cap() -> None:
    """
    A flood of notifications costs bounded memory, and the loss is counted.
    """
    flood = b"".join(frame({"jsonrpc": "2.0", "method": "n", "params": {"i": i}}) for i in range(1_003))
    client, _ = opened(flood + result(1))
    client.request("x")
    assert (len(client.notifications), client.notifications_dropped) == (1_000, 3)
    assert client.notifications[0]["params"] == {"i": 3}


def test_context_hangs_up() -> None:
    """
    Leaving the ``with`` block closes the stream.
    """
    client, links = opened()
    with client as same:
        assert same.endpoint == "/mcp/message?sessionId=s1"
    assert links[0].closed
