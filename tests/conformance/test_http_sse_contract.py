"""
Each row of ``docs/protocol/http-sse.md``, over raw sockets and without any client library.

A test names the rows that it pins; the last test compares the names with the page, so a row without a
test and a test without a row both fail.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from reticle.mcp.sse_frames import KEEPALIVE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol" / "http-sse.md"
JSON = "Content-Type: application/json"
ID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

Test = TypeVar("Test", bound=Callable[..., None])
PINNED: set[str] = set()


def pins(*rows: str) -> Callable[[Test], Test]:
    """
    Say which rows of the page a test pins.
    """
    PINNED.update(rows)
    return lambda test: test


def call(number: object, params: object = None, method: str = "echo") -> str:
    """
    A request that the scripted conversation answers with its params.
    """
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def get(daemon: Any, target: str, *headers: str) -> int:
    """
    The status of a GET, which may open a stream.
    """
    raw = daemon.ask("GET", target, *headers)
    status, _ = raw.head()
    return int(status)


def wait_for(condition: Callable[[], bool], *, seconds: float) -> None:
    """
    Until the condition holds; fails after the bound.
    """
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "the condition did not come true in time"
        time.sleep(0.01)


@pins("E1", "F1", "O1", "H1", "H2", "H3", "H4", "H5")
@pytest.mark.parametrize("target", ["/mcp/sse", "/mcp/sse/"])
def test_opening_a_session(open_stream: Any, target: str) -> None:
    """
    The first bytes of an open stream are the announcement, under headers that keep proxies from buffering.
    """
    stream = open_stream(target)
    assert stream.status == 200
    assert re.fullmatch(rf"event: endpoint\ndata: /mcp/message\?sessionId={ID}\n\n", stream.first.decode())
    wanted = {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        "connection": "close",
        "transfer-encoding": "chunked",
    }
    assert {name: stream.headers.get(name) for name in wanted} == wanted


@pins("H5")
def test_an_http_1_0_stream_is_bare(daemon: Any) -> None:
    """
    A client of HTTP/1.0 needs no Host and reads frames without chunks.
    """
    raw = daemon.connect()
    raw.send(b"GET /mcp/sse HTTP/1.0\r\n\r\n")
    status, headers = raw.head()
    assert (status, headers.get("transfer-encoding")) == (200, None)
    assert raw.until(b"\n\n").startswith(b"event: endpoint\ndata: /mcp/message?sessionId=")


@pins("E1")
def test_mcp_sse_streams_whatever_the_headers(daemon: Any) -> None:
    """
    Reconnecting clients add headers of their own; the old endpoint streams all the same.
    """
    assert get(daemon, "/mcp/sse", "Accept: application/json") == 200
    assert get(daemon, "/mcp/sse", "MCP-Protocol-Version: 2026-07-28") == 200


@pins("E2")
def test_get_mcp_in_its_old_role(open_stream: Any, daemon: Any) -> None:
    """
    ``GET /mcp`` announces the other spelling.
    """
    stream = open_stream("/mcp")
    assert re.fullmatch(rf"/mcp/messages\?session_id={ID}", stream.path)
    assert stream.post(call(1))[0] == 202
    for headers in (["Accept: */*"], ["Accept: application/json, text/event-stream"],
                    ["Accept: text/event-stream", "MCP-Protocol-Version: 2025-03-26"]):  # fmt: skip
        assert get(daemon, "/mcp", *headers) == 200


@pins("E3", "E4", "E5")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Accept: */*", "MCP-Protocol-Version: 2024-11-05"], 406),
        (["MCP-Protocol-Version: 2025-11-25"], 406),
        (["Accept: application/json"], 406),
        (["Accept: text/event-stream", "MCP-Protocol-Version: 2026-07-28"], 405),
        (["Accept: text/event-stream", "Mcp-Session-Id: x"], 404),
    ],
)
def test_who_probes_is_answered_at_once(daemon: Any, headers: list[str], status: int) -> None:
    """
    A GET that is not meant as an old stream ends with its answer instead of stalling.
    """
    raw = daemon.ask("GET", "/mcp", *headers)
    assert raw.response()[0] == status


@pins("E6")
@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT"])
def test_other_methods_are_refused(daemon: Any, target: str, method: str) -> None:
    """
    Another method learns which ones are taken.
    """
    raw = daemon.ask(method, target, JSON)
    status, headers = raw.head()
    assert (status, headers["allow"]) == (405, "GET, POST, DELETE")


@pins("E9")
@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
@pytest.mark.parametrize(
    "rest", [b"Content-Length: 2\r\n\r\n{}", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
)
def test_a_stream_is_not_opened_by_a_body(daemon: Any, target: str, rest: bytes) -> None:
    """
    A GET with a body is refused, and what follows it on the connection is answered.
    """
    raw = daemon.connect()
    head = f"GET {target} HTTP/1.1\r\nHost: localhost\r\n".encode()
    raw.send(head + rest + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert raw.response()[::2] == (400, "the GET of a stream has no body")
    assert raw.response()[::2] == (200, "ok")


@pins("E7", "F2", "O2")
@pytest.mark.parametrize("path", ["/mcp/message", "/mcp/message/", "/mcp/messages", "/mcp/messages/"])
@pytest.mark.parametrize("parameter", ["sessionId", "session_id"])
def test_a_reply_comes_on_the_stream(open_stream: Any, path: str, parameter: str) -> None:
    """
    The POST says ``Accepted`` and no more; the reply is one frame.
    """
    stream = open_stream()
    stream.path = f"{path}?{parameter}={stream.path.partition('=')[2]}"
    status, headers, body = stream.post(call(7, {"a": 1}))
    assert (status, body) == (202, "Accepted")
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert stream.raw.chunk() == (
        b'event: message\ndata: {"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}\n\n'
    )


@pins("E8")
@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "PUT"])
@pytest.mark.parametrize("target", ["/mcp/message", "/mcp/messages/"])
def test_messages_take_post_alone(daemon: Any, target: str, method: str) -> None:
    """
    Another method learns which one is taken.
    """
    raw = daemon.ask(method, f"{target}?sessionId=x")
    status, headers = raw.head()
    assert (status, headers["allow"]) == (405, "POST")


@pins("O2", "O3")
def test_twenty_clients_with_the_same_id(open_stream: Any) -> None:
    """
    Each client's request 1 is answered on its own stream (TR-04).
    """
    streams = [open_stream() for _ in range(20)]
    for number, stream in enumerate(streams):
        assert stream.post(call(1, number))[0] == 202
    for number, stream in enumerate(streams):
        body = stream.raw.chunk().decode().removeprefix("event: message\ndata: ")
        assert json.loads(body) == {"jsonrpc": "2.0", "id": 1, "result": number}


def is_gone(stream: Any) -> bool:
    """
    Whether the daemon has forgotten the session of a stream.
    """
    return bool(stream.post(call(1))[0] == 404)


@pins("O4", "S2")
@pytest.mark.parametrize("manner", ["fin", "reset"])
def test_a_session_ends_with_its_stream(daemon: Any, open_stream: Any, manner: str) -> None:
    """
    Whether the client closes or resets, its id is 404 within a second and counted down (TR-01, TR-02).
    """
    streams = [open_stream() for _ in range(30)]
    for stream in streams:
        if manner == "reset":
            linger = struct.pack("ii", 1, 0)
            stream.raw.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        stream.raw.connection.close()
    for stream in streams:
        wait_for(partial(is_gone, stream), seconds=1.0)
    raw = daemon.ask("GET", "/status")
    assert json.loads(raw.response()[2])["mcp_sessions"] == 0


@pins("O4")
def test_streams_that_are_aborted_before_their_first_frame(daemon: Any, open_stream: Any) -> None:
    """
    Three hundred clients that reset at once cost no place (TR-02).
    """
    for _ in range(300):
        raw = daemon.connect()
        raw.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.send(b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
        raw.connection.close()

    def sessions() -> int:
        raw = daemon.ask("GET", "/status")
        count = json.loads(raw.response()[2])["mcp_sessions"]
        return int(count)

    wait_for(lambda: sessions() == 0, seconds=2.0)
    assert open_stream().status == 200


@pins("O5")
def test_a_new_stream_needs_no_handshake(open_stream: Any) -> None:
    """
    A client that reconnects may call at once (TR-07).
    """
    stream = open_stream()
    assert stream.post(call(7))[0] == 202
    assert b'"id": 7' in stream.raw.chunk()


@pins("F3")
def test_the_keepalive(start_daemon: Any, stream_of: Any) -> None:
    """
    An idle stream gets comment lines with a single line break, and the next frame is still whole.
    """
    daemon = start_daemon(KEEPALIVE_SECONDS="0.05")
    stream = stream_of(daemon)
    assert stream.raw.frames(3) == [b": keepalive\n"] * 3
    stream.post(call(1))
    seen = b""
    while b"\n\n" not in seen:
        seen += stream.raw.chunk()
    blocks = seen.decode().split("\n\n")
    assert re.search(r"^event: message$", blocks[0], re.MULTILINE)
    assert json.loads(re.search(r"^data: (.*)$", blocks[0], re.MULTILINE)[1])["id"] == 1  # type: ignore[index]


def stick(daemon: Any) -> None:
    """
    One client that does not read what waits for it.
    """
    stuck = daemon.connect(receive_buffer=4096)
    stuck.send(b"GET /mcp/sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
    stuck.head()
    path = re.search(rb"data: (\S+)", stuck.chunk())[1].decode()  # type: ignore[index]
    body = call(1, method="big 8000000").encode()
    assert daemon.ask("POST", path, JSON, body=body).response()[0] == 202


@pins("F4", "H5", "B3", "B5", "S3")
def test_a_planned_stop(start_daemon: Any, stream_of: Any) -> None:
    """
    A call in flight is answered, then the farewell comes, then a clean end; the port is free (TR-10).
    """
    daemon = start_daemon()
    streams = [stream_of(daemon) for _ in range(10)]
    assert streams[0].post(call(9, method="hang"))[0] == 202
    stick(daemon)  # without it the end might come before the request
    assert daemon.order("drain") == "draining"
    refused = daemon.ask("GET", "/mcp/sse").response()
    assert (refused[0], refused[2]) == (503, "MCP server not ready")
    assert streams[0].raw.chunk() == b'event: message\ndata: {"id": 9, "error": "shutting_down"}\n\n'
    for stream in streams:
        assert stream.raw.chunk() == b'event: reticle-shutdown\ndata: {"reason":"test"}\n\n'
        assert stream.raw.chunk() == b""
        assert stream.raw.at_end()
    daemon.process.wait(10)
    assert daemon.process.returncode == 0
    again = socket.socket()
    again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    again.bind(("127.0.0.1", daemon.port))
    again.close()


@pins("B4", "B5")
def test_a_stop_with_readers_that_do_not_read(start_daemon: Any, stream_of: Any) -> None:
    """
    Three full sockets hold the stop back for two seconds at most, and the others get their farewell.
    """
    daemon = start_daemon()
    readers = [stream_of(daemon) for _ in range(7)]
    for _ in range(3):
        stick(daemon)
    began = time.monotonic()
    daemon.order("drain")
    for stream in readers:
        assert stream.raw.chunk().startswith(b"event: reticle-shutdown\n")
    assert time.monotonic() - began < 1.0
    daemon.process.wait(4)
    assert daemon.process.returncode == 0


@pins("F5", "B1")
def test_a_slow_reader_and_a_quick_one(open_stream: Any) -> None:
    """
    One client lets 20 MB wait; another does fifty calls meanwhile at its usual pace, and the slow one
    still gets everything; above the cap its stream ends with the reason (TR-08).
    """
    slow, quick = open_stream(), open_stream()
    assert slow.post(call(1, method="big 20000000"))[0] == 202
    took = []
    for number in range(50):
        began = time.monotonic()
        quick.post(call(number))
        assert f'"id": {number}'.encode() in quick.raw.chunk()
        took.append(time.monotonic() - began)
    # The median, because a machine that runs several test suites stalls now and then by itself.
    assert sorted(took)[25] < 0.05
    told = (chunk for chunk in iter(slow.raw.chunk, b"") if chunk != KEEPALIVE)
    whole = next(told)
    assert len(whole) > 20_000_000
    assert whole.endswith(b'"}\n\n')
    assert slow.post(call(2, method="big 40000000"))[0] == 202
    assert next(told) == b'event: reticle-stream-ended\ndata: {"reason":"outbox_overflow"}\n\n'
    assert slow.raw.chunk() == b""
    assert quick.post(call(99))[0] == 202


@pins("F6")
@pytest.mark.parametrize("text", ["a\r\nb\rc\nd", "\u2028\u2029\x85", "nul\x00", "\U0001f600 ä", "\\u2028"])
def test_text_that_could_break_a_frame(open_stream: Any, text: str) -> None:
    """
    Any text arrives as it was, on one line for every kind of line reader (TR-12).
    """
    stream = open_stream()
    stream.post(call(1, text))
    frame = stream.raw.chunk()
    assert frame.count(b"\n") == 3
    assert b"\r" not in frame
    assert b"\x00" not in frame
    assert len(frame.decode().splitlines()) == 3
    assert json.loads(frame.decode().splitlines()[1].removeprefix("data: "))["result"] == text


@pins("S1", "S2", "S4")
@pytest.mark.parametrize(
    ("query", "status", "body"),
    [
        ("", 400, "missing sessionId"),
        ("?sessionId=", 400, "missing sessionId"),
        ("?sessionId=6f1c2b7e-1f4a-4a8e-9d5f-3f7a1b2c3d4e", 404, "session not found"),
        ("?sessionId=a&session_id=b", 400, "conflicting sessionId"),
    ],
)
@pytest.mark.parametrize("headers", [[], [JSON], ["Content-Type: text/plain"]])
def test_the_words_of_a_lost_session(
    daemon: Any, query: str, status: int, body: str, headers: list[str]
) -> None:
    """
    400 and 404 are kept apart by exactly these words, whatever else is wrong with the request.
    """
    raw = daemon.ask("POST", f"/mcp/message{query}", *headers, body=b"{}")
    got, answered, text = raw.response()
    assert (got, text, answered["content-type"]) == (status, body, "text/plain; charset=utf-8")


@pins("S3", "N1", "N2", "N3")
def test_before_the_daemon_is_attached(start_daemon: Any, stream_of: Any) -> None:
    """
    The open port says 503 until the rest is there, then serves: a state, not a constant.
    """
    daemon = start_daemon(attached=False)
    for method, target in (("GET", "/mcp/sse"), ("GET", "/mcp"), ("POST", "/mcp/message?sessionId=x")):
        status, headers, body = daemon.ask(method, target, JSON).response()
        assert (status, body, headers["retry-after"]) == (503, "MCP server not ready", "1")
    health = [daemon.ask("GET", path).response() for path in ("/healthz", "/readyz", "/status")]
    assert [(status, body) for status, _, body in health[:2]] == [(200, "ok"), (503, "not ready")]
    assert json.loads(health[2][2])["state"] == "starting"
    assert daemon.order("attach") == "attached"
    assert daemon.ask("GET", "/readyz").response()[::2] == (200, "ready")
    stream = stream_of(daemon)
    assert stream.post(call(1))[0] == 202


@pins("S5")
@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_what_is_not_json_by_its_type(daemon: Any, open_stream: Any, content_type: str | None) -> None:
    """
    A form that a foreign page could send is refused.
    """
    headers = [] if content_type is None else [f"Content-Type: {content_type}"]
    answer = daemon.ask("POST", open_stream().path, *headers, body=b"{}").response()
    assert answer[::2] == (415, "Content-Type must be application/json")


@pins("S5")
def test_json_with_a_charset(daemon: Any, open_stream: Any) -> None:
    """
    Parameters of the type are fine.
    """
    body = call(1).encode()
    header = "Content-Type: application/json; charset=utf-8"
    assert daemon.ask("POST", open_stream().path, header, body=body).response()[0] == 202


@pins("S6")
def test_a_body_that_is_announced_too_large(daemon: Any, open_stream: Any) -> None:
    """
    The answer comes before the body, and the daemon closes though the client still writes.
    """
    raw = daemon.connect()
    head = (
        f"POST {open_stream().path} HTTP/1.1\r\nHost: localhost\r\n{JSON}\r\nContent-Length: 9000000\r\n\r\n"
    )
    raw.send(head.encode())
    status, headers, body = raw.response()
    assert (status, body, headers["connection"]) == (413, "request body too large", "close")
    raw.send(b"x" * 1_000_000)
    assert raw.at_end()


@pins("S6")
def test_a_chunked_body_that_grows_too_large(daemon: Any, open_stream: Any) -> None:
    """
    Without an announced length the answer comes at the first byte too many and survives the rest.
    """
    raw = daemon.connect()
    head = f"POST {open_stream().path} HTTP/1.1\r\nHost: localhost\r\n{JSON}\r\n"
    raw.send(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(12):
        raw.send(b"100000\r\n" + b"x" * 0x100000 + b"\r\n")
    status, _, body = raw.response()
    assert (status, body) == (413, "request body too large")


@pins("S6")
def test_a_large_body_below_the_cap(open_stream: Any) -> None:
    """
    Seven megabytes are a message.
    """
    stream = open_stream()
    assert stream.post(call(1, "x" * 7_000_000))[0] == 202
    assert len(stream.raw.chunk()) > 7_000_000


@pins("S7")
def test_a_body_that_is_no_message(open_stream: Any) -> None:
    """
    The fault is named, and the stream goes on.
    """
    stream = open_stream()
    status, _, body = stream.post("{")
    assert (status, body) == (400, "malformed_body: The body is not JSON.")
    assert stream.post(call(1))[0] == 202
    assert b'"id": 1' in stream.raw.chunk()


@pins("S8")
def test_the_cap_on_sessions_is_documented() -> None:
    """
    The number on the page is the number in the code; the unit tests fill a smaller one.
    """
    from reticle.model.limits import MCP_SESSIONS

    assert f"{MCP_SESSIONS:,} streams are open" in PAGE.read_text()


@pins("T1", "T3", "T4", "T6", "T7", "T8")
@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        (["Host: localhost"], 200, None),
        (["Host: LOCALHOST:4400"], 200, None),
        (["Host: localhost."], 200, None),
        (["Host: 127.0.0.2:4400"], 200, None),
        (["Host: [::1]"], 200, None),
        (["Host: [0:0:0:0:0:0:0:1]:4400"], 200, None),
        (["Host: [::ffff:127.0.0.1]:4400"], 200, None),
        (["Host: reticle.localhost:4400"], 200, None),
        (["Host: localhost", "Origin: http://localhost:3000", "Referer: http://127.0.0.1/"], 200, None),
        (["Host: evil.example"], 403, "bad_host"),
        (["Host: localhost", "Origin: http://evil.example"], 403, "bad_origin"),
        (["Host: localhost", "Origin: null"], 403, "bad_origin"),
        (["Host: localhost", "Referer: http://evil.example/"], 403, "bad_origin"),
        (["Host: localhost", "Authorization: Bearer wrong"], 401, "token_invalid"),
        (["Host: localhost", "Authorization: Basic eDp5"], 401, "token_malformed"),
        (["Host: localhost", "Authorization: Bearer a", "Authorization: Bearer a"], 401, "token_malformed"),
        ([], 400, "bad_host"),
        (["Host:"], 400, "bad_host"),
        (["Host: localhost", "Host: localhost"], 400, "bad_host"),
    ],
)
def test_who_is_trusted(daemon: Any, headers: list[str], status: int, code: str | None) -> None:
    """
    True spellings of this machine pass; anything else is refused with its code on every face (AU-01).
    """
    for request, refused_in_text in (
        ("GET /mcp/sse", False), ("GET /mcp", False), ("GET /status", False),
        ("POST /mcp/message", True), ("POST /mcp/messages", True),
    ):  # fmt: skip
        raw = daemon.connect()
        raw.send("\r\n".join([f"{request} HTTP/1.1", *headers, "Content-Length: 0", "", ""]).encode())
        if code is None:
            assert raw.head()[0] == (400 if refused_in_text else 200)
        else:
            got, answered, body = raw.response()
            assert got == status
            assert answered.get("www-authenticate") == ("Bearer" if status == 401 else None)
            if refused_in_text:
                assert body.startswith(f"{code}: ")
            else:
                error = json.loads(body)["error"]
                number = -31001 if status == 401 else -31003
                assert (error["code"], error["data"]["code"]) == (number, code)


@pins("T2", "T5", "T6", "T7")
def test_the_pairing_token(start_daemon: Any) -> None:
    """
    With the token a foreign Host may speak, as a header or in the query; it appears in no answer (AU-03).
    """
    daemon = start_daemon(PAIRING_TOKEN="SECRET123")
    right = "Authorization: Bearer SECRET123"

    def status(target: str, *headers: str, host: str | None = "box.lan:4400") -> tuple[int, str]:
        raw = daemon.ask("GET", target, *headers, host=host)
        code, answered = raw.head()
        body = raw.chunk().decode() if "transfer-encoding" in answered else ""
        if not body:
            size = int(answered["content-length"])
            while len(raw.unread) < size:
                raw.unread += raw.connection.recv(65_536)
            body = raw.unread.decode()
            assert "SECRET123" not in body + repr(answered)
        return code, body

    assert status("/mcp/sse", right)[0] == 200
    assert status("/mcp/sse?token=SECRET123")[0] == 200
    assert status("/mcp/sse?token=SECRET123", "Origin: https://evil.example")[0] == 200
    for target, code in (
        ("/mcp/sse", "token_missing"),
        ("/mcp/sse?token=SECRET1234", "token_invalid"),
        ("/mcp/sse?token=", "token_malformed"),
        ("/mcp/sse?token=dtok_1.SECRET123", "token_malformed"),
        ("/status?token=SECRET123", "token_missing"),
    ):
        got, body = status(target)
        assert (got, json.loads(body)["error"]["data"]["code"]) == (401, code)
    assert status("/mcp/sse?token=wrong", host=None)[0] == 401
    assert status("/mcp/sse", host=None)[0] == 200


@pins("F5", "B2")
@pytest.mark.parametrize("behind", [b"POST /mcp/message HTTP/1.1\r\nHost: localhost\r\n\r\n", b"x" * 40_000])
def test_a_request_behind_a_stream(open_stream: Any, behind: bytes) -> None:
    """
    A client that reuses the stream's connection is told and closed instead of left waiting (TR-11).
    """
    stream = open_stream()
    stream.raw.send(behind)
    assert stream.raw.chunk() == b'event: reticle-stream-ended\ndata: {"reason":"pipelined_request"}\n\n'
    assert stream.raw.chunk() == b""
    assert stream.post(call(1))[0] == 404


@pins("N3", "N4", "N5", "N6")
def test_the_pages_beside_the_transport(daemon: Any) -> None:
    """
    Status, metrics, page script and the probes for an authorisation server answer as documented.
    """
    status = json.loads(daemon.ask("GET", "/status").response()[2])
    assert set(status) == {
        "running", "name", "version", "pid", "started_at", "uptime_seconds", "port", "state",
        "mcp_sessions", "pages", "browser_leases", "secrets_redacted", "refused_dials", "calls", "storage",
        "audit", "journal", "probes", "skipped_insertions",
    }  # fmt: skip
    assert (status["name"], status["port"], status["pid"]) == ("reticle", daemon.port, daemon.process.pid)
    metrics = daemon.ask("GET", "/metrics").response()[2]
    for name in re.findall(r"`(reticle_[a-z_]+)[`{]", PAGE.read_text().split("Metrics:")[1]):
        assert f"# HELP {name} " in metrics
    _, headers, script = daemon.ask("GET", "/sdk.js").response()
    assert (headers["etag"], headers["cache-control"], script) == ('"00"', "no-store", "/* script */")
    assert daemon.ask("GET", "/sdk.js", host="box.lan").response()[0] == 403
    for target in ("/.well-known/oauth-protected-resource/mcp", "/mcp/.well-known/x", "/register"):
        assert daemon.ask("GET", target, host="box.lan").response()[::2] == (404, "not found")


def test_every_row_of_the_page_is_pinned() -> None:
    """
    The contract page and this file name the same rows.
    """
    assert set(re.findall(r"^\| ([A-Z][0-9]+) \|", PAGE.read_text(), re.MULTILINE)) == PINNED
