"""
Whatever arrives over HTTP, the daemon stays the same process and others do not notice (field reports TR, AU).
"""

from __future__ import annotations

import contextlib
import json
import socket

import pytest

from examples.journeys.children import Daemon
from reticle.client import connect
from tests.system.starting import StartDaemon
from tests.system.wire import (
    dialled,
    eventually,
    exchange,
    open_stream,
    post,
    read_to_end,
    read_until,
    request,
    reset,
    status_of,
)

pytestmark = pytest.mark.usefixtures("bystanders")

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
JSON = "Content-Type: application/json"


def _sessions(daemon: Daemon) -> int:
    answer = exchange(daemon.port, request("GET", "/status", "Connection: close", "Accept: application/json"))
    status = json.loads(answer.split(b"\r\n\r\n", 1)[1])
    return int(status["mcp_sessions"])


@pytest.mark.parametrize(
    "payload",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 100,
        b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"POST /mcp/message HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"\x00" * 10_000,
    ],
    ids=["tls", "version", "empty lines", "length", "long header", "chunk", "two lengths", "zeros"],
)
def test_garbage_instead_of_http(daemon: Daemon, payload: bytes) -> None:
    """
    Bytes that are no request are answered with 4xx or cut, never with a stream.
    """
    with dialled(daemon.port) as connected:
        try:
            connected.sendall(payload)
            with contextlib.suppress(OSError):  # ENOTCONN: it was cut already
                connected.shutdown(socket.SHUT_WR)
            answer = read_to_end(connected)
        except ConnectionError:
            answer = b""
    assert answer == b"" or 400 <= status_of(answer) < 600, answer[:200]


@pytest.mark.parametrize(
    ("payload", "status", "words"),
    [
        (post("/mcp/message", PING), 400, b"missing sessionId"),
        (post("/mcp/message?sessionId=", PING), 400, b"missing sessionId"),
        (post("/mcp/message?sessionId=nobody", PING), 404, b"session not found"),
        (post("/mcp/message?sessionId=a&session_id=b", PING), 400, b""),
        (request("PUT", "/mcp/message?sessionId=x", JSON, "Connection: close", body=b"{}"), 405, b""),
    ],
)
def test_misdirected_messages(daemon: Daemon, payload: bytes, status: int, words: bytes) -> None:
    """
    A message without an open session is told apart by status and words.
    """
    answer = exchange(daemon.port, payload)
    assert status_of(answer) == status, answer[:300]
    assert words in answer


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"jsonrpc":"1.0"}', b"null", b'""', b"{}", b"[]"]
)
def test_bad_json_in_a_session(daemon: Daemon, body: bytes) -> None:
    """
    A broken message is refused or answered with an error, and the session goes on.
    """
    with connect(daemon.mcp_url) as client:
        answer = exchange(daemon.port, post(client.endpoint, body))
        assert status_of(answer) in {202, 400}, answer[:300]
        assert client.request("ping") == {}


def test_only_json_is_taken(daemon: Daemon) -> None:
    """
    A form that another site's page could send without a preflight is 415, whatever it holds.
    """
    with connect(daemon.mcp_url) as client:
        body = json.dumps(PING).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp"):
            plain = request("POST", client.endpoint, f"Content-Type: {kind}", "Connection: close", body=body)
            assert status_of(exchange(daemon.port, plain)) == 415


def test_oversized_body_is_refused_early(daemon: Daemon) -> None:
    """
    A body over the cap gets 413 although it is never sent.
    """
    with connect(daemon.mcp_url) as client, dialled(daemon.port) as connected:
        head = request("POST", client.endpoint, JSON, f"Content-Length: {9 * 1024 * 1024}")
        connected.sendall(head)
        assert status_of(read_until(connected, b"\r\n\r\n")) == 413


def test_call_without_handshake(daemon: Daemon) -> None:
    """
    A client that reconnects and calls at once is served, and a late handshake still works (TR-07).
    """
    with connect(daemon.mcp_url) as client:
        assert client.call("reticle_sessions").ok
        assert len(client.list_tools()) > 5
        assert client.initialize()["serverInfo"]["name"] == "reticle"  # type: ignore[index]  # JSON


def test_strange_text_stays_in_its_frame(daemon: Daemon) -> None:
    """
    Line breaks and NUL in an answer reach also a client that splits the stream at blank lines (TR-12).
    """
    name = "a\r\nb\rc\u2028d\u2029e\0f\n\ndata: g"
    with dialled(daemon.port) as stream:
        path = open_stream(stream)
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}}
        assert status_of(exchange(daemon.port, post(path, message))) == 202
        frame = read_until(stream, b"\n\n").split(b"\n\n")[0].partition(b"event: ")[2]
    data = [line for line in frame.split(b"\n") if line.startswith(b"data: ")]
    assert len(data) == 1
    assert b"\r" not in frame
    assert b"\0" not in frame
    assert json.loads(data[0].removeprefix(b"data: "))["id"] == 1


def test_aborted_streams_leave_nothing_behind(daemon: Daemon) -> None:
    """
    Streams that end in every rude way are forgotten, and their ids are 404 (TR-01, TR-02).
    """
    before = _sessions(daemon)
    paths = []
    for number in range(60):
        with dialled(daemon.port) as stream:
            paths.append(open_stream(stream))
            if number % 2:
                reset(stream)
    for _ in range(60):
        with dialled(daemon.port) as stream:
            stream.sendall(request("GET", "/mcp/sse"))
            reset(stream)
    eventually(lambda: _sessions(daemon) == before, "the dead sessions are gone", 2)
    assert [status_of(exchange(daemon.port, post(path, PING))) for path in paths[:10]] == [404] * 10


def test_pipelining_behind_a_stream_is_not_waited_for(daemon: Daemon) -> None:
    """
    A POST on the stream's own connection does not hang for ever, nor do 40 KB behind it (TR-11).
    """
    before = _sessions(daemon)
    for extra in (b"", b"x" * 40_000):
        with dialled(daemon.port) as stream:
            path = open_stream(stream)
            stream.sendall(post(path, PING) + extra)
    eventually(lambda: _sessions(daemon) == before, "both streams are gone", 5)


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:4400", "localhost.", "127.0.0.1", "127.0.0.2:4400", "[::1]", "[::1]:4400"],
)
def test_true_loopback_names_pass(daemon: Daemon, host: str) -> None:
    """
    Every true spelling of this machine is trusted, with and without a port (AU-01).
    """
    answer = exchange(daemon.port, request("GET", "/status", "Connection: close", host=host))
    assert status_of(answer) == 200


@pytest.mark.parametrize(
    ("fields", "host", "status"),
    [
        ((), "evil.example", 403),
        ((), "127.0.0.1.evil.example", 403),
        (("Host: localhost",), "localhost", 400),
        (("Origin: http://evil.example",), "localhost", 403),
        (("Origin: null",), "localhost", 403),
        (("Referer: http://evil.example/x",), "localhost", 403),
        (("Authorization: Bearer wrong",), "localhost", 401),
    ],
)
@pytest.mark.parametrize("target", ["/mcp/sse", "/status", "/mcp/message?sessionId=x"])
def test_strangers_are_refused_everywhere(
    daemon: Daemon, target: str, fields: tuple[str, ...], host: str, status: int
) -> None:
    """
    A rebound page, a foreign origin or a wrong token gets the same refusal on every path (AU-05).
    """
    method = "POST" if "message" in target else "GET"
    extra = (*fields, JSON) if method == "POST" else fields
    body = json.dumps(PING).encode() if method == "POST" else b""
    with dialled(daemon.port) as connected:
        connected.sendall(request(method, target, "Connection: close", *extra, body=body, host=host))
        answer = connected.recv(65_536)
    assert status_of(answer) == status, answer[:300]


def test_token_appears_nowhere(start: StartDaemon) -> None:
    """
    A token that was sent, right or wrong, is in no log, error or status (AU-03).
    """
    secret, wrong = "SECRET123right", "SECRET123wrong"
    daemon = start(extra={"RETICLE_TOKEN": secret})
    answers = [
        exchange(daemon.port, request("GET", f"/mcp/sse?token={wrong}", "Connection: close")),
        exchange(daemon.port, request("GET", f"/status?token={secret}", "Connection: close")),
        exchange(
            daemon.port, request("GET", "/status", f"Authorization: Bearer {wrong}", "Connection: close")
        ),
    ]
    with connect(daemon.mcp_url, token=secret) as client:
        assert client.call("reticle_sessions").ok
    with dialled(daemon.port) as stream:
        stream.sendall(request("GET", f"/mcp/sse?token={secret}"))
        read_until(stream, b"endpoint")
    seen = [*answers, daemon.child.printed().encode()]
    seen += [path.read_bytes() for path in daemon.state_dir.rglob("*") if path.is_file()]
    assert [where for where in seen if b"SECRET123" in where] == []
