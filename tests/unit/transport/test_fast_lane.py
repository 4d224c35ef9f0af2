"""
The fast lane answers what it takes exactly as the ordinary road does, and takes what it is made for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from twisted.web.http import HTTPChannel
from twisted.web.http_headers import Headers

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import notification_message
from reticle.model.limits import HTTP_IDLE_SECONDS
from reticle.model.mcp import Agreed, ClientCapabilities
from reticle.testing.conversations import FakeConversation
from reticle.transport.fast_lane import FastLaneChannel, choose_channel
from reticle.transport.fast_lane_request import SPELLED, PlainRequest

Serve = Callable[..., Any]

SESSION = "{old}"
"""Stands for the id of the open stream, and ``{new}`` for that of the Streamable session."""


class Twin:
    """
    One daemon with an open stream and a Streamable session, and a connection to it that a test drives.
    """

    def __init__(
        self, serve: Serve, channel: Callable[[], HTTPChannel], *, serving: bool, token: str | None
    ) -> None:
        self.pending: list[Callable[[], None]] = []
        self.served = serve(script=self.script, exchange_script=self.exchange_script, token=token)
        self.served.site.protocol = channel
        self.stream, path = self.served.open_stream()
        self.old = path.partition("=")[2]
        opened = self.served.post("/mcp", body("initialize", {"protocolVersion": "2025-11-25"}))
        self.new = opened.headers["mcp-session-id"]
        del self.served.records[:]
        if not serving:
            self.served.life.drain()
        self.wire = self.served.connect()
        self.gone = False

    def script(self, conversation: FakeConversation, raw: bytes) -> None:
        """
        Answer at once, later, after something else, never, or fail.
        """
        try:
            message = json.loads(raw)
            method, number = message["method"], message.get("id")
        except (ValueError, TypeError, KeyError):
            raise PeerFault("malformed_body", "no message", -32700) from None
        replies = conversation.replies
        if method == "initialize":
            conversation.agreed = Agreed(message["params"]["protocolVersion"], ClientCapabilities())
        if method == "bug":
            raise RuntimeError("broken")
        reply = json.dumps({"jsonrpc": "2.0", "id": number, "result": message.get("params")}).encode()

        def answer() -> None:
            if replies is None:
                conversation.sink.send(reply)
                return
            if number is not None:
                replies.answer(reply)
            replies.done()

        if method.startswith("tell") and replies is not None:
            replies.tell(notification_message("notifications/message", {"data": "x"}))
        if method.endswith("later"):
            self.pending.append(answer)
        else:
            answer()

    def exchange_script(self, exchange: Any) -> None:
        """
        A request of 2026-07-28: answered at once.
        """
        exchange.replies.answer(b'{"jsonrpc":"2.0","id":1,"result":{}}')
        exchange.replies.done()

    def do(self, step: object) -> None:
        """
        One step: bytes from the client, seconds that pass, ``answer``, ``hang up``.
        """
        if isinstance(step, bytes):
            if not self.gone:
                self.wire.send(step.replace(b"{old}", self.old.encode()).replace(b"{new}", self.new.encode()))
        elif isinstance(step, int):
            self.served.clock.advance(step)
        elif step == "answer":
            while self.pending:
                self.pending.pop(0)()
        elif step == "hang up":
            self.hang_up()
        if self.wire.transport.disconnecting:
            self.hang_up()

    def hang_up(self) -> None:
        """
        The connection is gone, by whoever's wish.
        """
        if not self.gone:
            self.gone = True
            self.wire.hang_up()

    def seen(self) -> tuple[object, ...]:
        """
        All that anybody outside can see of what happened, without what no two daemons share.
        """
        return (
            self.plain(self.wire.received()),
            self.plain(self.stream.received()),
            self.wire.transport.disconnecting,
            self.served.records,
            sorted(self.served.metrics.exposition().splitlines()),
            self.served.streams.session_count,
        )

    def plain(self, raw: bytes) -> bytes:
        """
        Bytes without dates, ids and incident numbers.
        """
        raw = raw.replace(self.old.encode(), b"OLD").replace(self.new.encode(), b"NEW")
        raw = re.sub(rb"Date: [^\r]+", b"Date: D", raw)
        raw = re.sub(rb"Mcp-Session-Id: [^\r]+", b"Mcp-Session-Id: S", raw)
        raw = re.sub(rb"session_id=[0-9a-f-]{36}", b"session_id=S", raw)
        return re.sub(rb"incident[\" :]+[0-9a-f]{12}|incident [0-9a-f]{12}", b"INCIDENT", raw)


def body(method: str, params: object = None, number: object = 1) -> bytes:
    """
    A message.
    """
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


def request(target: str, raw: bytes, *headers: str, length: str | None = "", method: str = "POST") -> bytes:
    """
    A request; ``length`` is the value of Content-Length instead of the right one, None for no such header.
    """
    lines = [f"{method} {target} HTTP/1.1", *headers]
    if length is not None:
        lines.append(f"Content-Length: {length or len(raw)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + raw


HOST = "Host: localhost:4400"
JSON = "Content-Type: application/json"
BOTH = "Accept: application/json, text/event-stream"
IN_SESSION = (HOST, JSON, BOTH, "Mcp-Session-Id: {new}", "MCP-Protocol-Version: 2025-11-25")
OLD = "/mcp/message?sessionId={old}"

ODD_HEADERS = (
    "Connection: close",
    "Connection: keep-alive",
    "connection: Keep-Alive",
    "Connection: Upgrade, keep-alive",
    "Expect: 100-continue",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked",
    "Upgrade: websocket",
    "Host: localhost",
    "Host: evil.example",
    "Origin: http://localhost:3000",
    "Origin: http://evil.example",
    "Referer: http://127.0.0.1/x",
    "Authorization: Bearer secret-token",
    "Authorization: Bearer wrong",
    "Cookie: a=b; c",
    "Accept: text/html",
    "Accept: */*",
    "Accept: application/json",
    "Content-Type: text/plain",
    "Content-Type:application/json",
    "CONTENT-TYPE:   application/json;charset=utf-8  ",
    "X-Empty:",
    "X-A: b\tc",
    "X-Tab:\tvalue",
    "X-Latin: caf\xe9",
    "X-Folded: a\r\n b",
    "NoColon",
    "Bad Name: x",
    "Mcp-Session-Id: {new}",
    "Mcp-Session-Id: nobody",
    "MCP-Protocol-Version: 2026-07-28",
    "MCP-Protocol-Version: 1999-01-01",
    "mcp-method: tools/call",
    "X-Long: " + "y" * 5000,
    "Content-Length: 3",
    "TE: trailers",
)
TARGETS = (
    "/mcp",
    "/mcp/",
    "/mcp/sse",
    "/mcp//",
    "/MCP",
    "/mcp?x=1",
    "/mcp?token=secret-token",
    "/mcp?token=wrong",
    OLD,
    "/mcp/messages?session_id={old}",
    "/mcp/message/?sessionId={old}",
    "/mcp/message",
    "/mcp/message?sessionId=x",
    "/mcp/message?sessionId={old}&session_id=y",
    "/mcp/message?sessionId=%41&a=;&b",
    "/mcp/%6dessage?sessionId={old}",
    "/mcp/message?sessionId={old}&sessionId=",
    "/mcp/nothing",
    "/status",
    "http://localhost/mcp",
    "/mcp/message?a?b#c",
)
BODIES = (
    body("echo", {"a": "ü"}),
    body("echo", number=None),
    body("later"),
    body("tell"),
    body("tell later"),
    b"{",
    body("bug"),
    b"[]",
    body("initialize", {"protocolVersion": "2025-11-25"}),
    body("echo", "x" * 3000),
    b" ",
)

plain_requests = st.builds(
    lambda target, raw, headers: request(target, raw, *headers),
    st.sampled_from(["/mcp", OLD, "/mcp/messages?session_id={old}", "/mcp/sse"]),
    st.sampled_from(BODIES),
    st.sampled_from([IN_SESSION, (HOST, JSON, BOTH), (HOST, JSON)]),
)
odd_requests = st.builds(
    lambda target, raw, headers, length, method: request(target, raw, *headers, length=length, method=method),
    st.sampled_from(TARGETS),
    st.sampled_from([*BODIES, b"", b"3\r\n{}\n\r\n0\r\n\r\n"]),
    st.builds(
        lambda usual, odd: [*usual, *odd],
        st.sampled_from([IN_SESSION, (HOST, JSON), (JSON, HOST, BOTH), ()]),
        st.lists(st.sampled_from(ODD_HEADERS), max_size=2),
    ),
    st.sampled_from(["", "", "", None, "0", "1", "9", "+5", " 4 ", "99999999", "4, 4"]),
    st.sampled_from(["POST", "POST", "POST", "GET", "DELETE", "HEAD", "OPTIONS", "post", "P@ST"]),
)
requests = st.one_of(plain_requests, plain_requests, odd_requests)


@st.composite
def conversations(draw: st.DrawFn) -> list[object]:
    """
    Requests, some of them cut into pieces or joined, with time and answers between them.
    """
    steps: list[object] = []
    for raw in draw(st.lists(requests, min_size=1, max_size=5)):
        cuts = draw(st.lists(st.integers(0, len(raw)), max_size=2).map(sorted))
        edges = [0, *cuts, len(raw)]
        pieces: list[bytes] = [raw[a:b] for a, b in pairwise(edges) if a < b]
        if steps and isinstance(steps[-1], bytes) and draw(st.booleans()):
            steps[-1] += pieces.pop(0)
        for piece in pieces:
            steps.append(piece)
            steps += draw(st.lists(st.sampled_from(["answer", 1, 30, 70]), max_size=1))
    return [*steps, *draw(st.lists(st.sampled_from(["answer", "hang up", 70]), max_size=2, unique=True))]


LATER = request("/mcp", body("later"), *IN_SESSION)


@given(conversations(), st.sampled_from(["serving", "draining"]), st.sampled_from([None, "secret-token"]))
@example([LATER, request("/mcp", body("echo"), *IN_SESSION), "answer"], "serving", None)
@example([LATER, request("/mcp", body("echo"), *IN_SESSION)[:30], "answer", "hang up"], "serving", None)
@example([LATER, 70, "answer", request(OLD, body("echo"), HOST, JSON), 30, 70], "serving", None)
@example([LATER, "hang up"], "serving", None)
@example([request("/mcp", b"", HOST, JSON, length="", method="GET")], "serving", None)
@example([request("/mcp", body("tell later"), *IN_SESSION), "answer", LATER, "answer"], "serving", None)
@example([request("/mcp", body("bug"), *IN_SESSION), request(OLD, body("bug"), HOST, JSON)], "serving", None)
def test_nobody_can_tell_which_road_a_request_took(
    serve_twins: Callable[..., tuple[Twin, Twin]], steps: list[object], state: str, token: str | None
) -> None:
    """
    Responses, streams, access records and counts are the same with the lane and without, byte for byte, for
    whatever a client sends in whatever pieces.
    """
    fast, ordinary = serve_twins(serving=state == "serving", token=token)
    for step in steps:
        fast.do(step)
        ordinary.do(step)
        assert fast.seen() == ordinary.seen()


@pytest.fixture(autouse=True)
def _bugs_are_expected(logged_failures: Any) -> Iterator[None]:
    """
    The script's own, which the incident's line tells.
    """
    yield
    logged_failures.flush(RuntimeError)


@pytest.fixture(scope="session")
def serve_twins() -> Callable[..., tuple[Twin, Twin]]:
    """
    The same daemon twice, with the lane and without.
    """
    from tests.unit.transport.conftest import Served

    def make(*, serving: bool, token: str | None) -> tuple[Twin, Twin]:
        def serve(**arguments: Any) -> Served:
            served = Served(mount=b"", **arguments)
            served.life.attached()
            return served

        return (
            Twin(serve, FastLaneChannel, serving=serving, token=token),
            Twin(serve, HTTPChannel, serving=serving, token=token),
        )

    return make


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """
    What was answered in the lane, and what became a whole request.
    """
    seen: list[str] = []
    finish, become_whole = PlainRequest.finish, PlainRequest.become_whole

    def finished(plain: PlainRequest) -> None:
        finish(plain)
        if plain.whole is None:
            seen.append("answered")

    def whole(plain: PlainRequest) -> Any:
        if plain.whole is None:
            seen.append("handed over")
        return become_whole(plain)

    monkeypatch.setattr(PlainRequest, "finish", finished)
    monkeypatch.setattr(PlainRequest, "become_whole", whole)
    return seen


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (request(OLD, body("echo"), HOST, JSON), ["answered"]),
        (request("/mcp", body("echo"), *IN_SESSION), ["answered"]),
        (LATER, ["answered"]),
        (request("/mcp", body("tell later"), *IN_SESSION), ["handed over"]),
        (request("/mcp", body("bug"), *IN_SESSION), ["handed over"]),
        (request("/mcp/message?sessionId=x", body("echo"), HOST, JSON), ["answered"]),
        (request("/mcp", body("echo"), "Host: evil.example", JSON), ["answered"]),
        (request("/mcp", body("echo"), HOST, JSON, "Connection: close"), []),
        (request("/mcp", body("echo"), HOST, JSON, "Expect: 100-continue"), []),
        (request("/mcp", body("echo"), HOST, JSON) * 2, []),
        (request("/status", body("echo"), HOST, JSON), []),
    ],
)
def test_what_the_lane_takes(
    serve_twins: Callable[..., tuple[Twin, Twin]], taken: list[str], raw: bytes, expected: list[str]
) -> None:
    """
    Calls are fast on both carriers, also those that are answered later; what is not plain goes the other way.
    """
    fast, _ = serve_twins(serving=True, token=None)
    del taken[:]
    fast.do(raw)
    fast.do("answer")
    assert taken == expected


def test_a_connection_stays_open_while_its_call_runs(serve_twins: Callable[..., tuple[Twin, Twin]]) -> None:
    """
    A call that takes long is not cut by the idle timeout, which begins anew with its answer.
    """
    fast, _ = serve_twins(serving=True, token=None)
    for step in (LATER, 3 * int(HTTP_IDLE_SECONDS), "answer", int(HTTP_IDLE_SECONDS) - 1):
        fast.do(step)
        assert not fast.wire.transport.disconnecting
    fast.do(2)
    assert fast.wire.transport.disconnecting


def test_an_idle_connection_is_closed_in_time(serve_twins: Callable[..., tuple[Twin, Twin]]) -> None:
    """
    Each request puts the idle timeout off, by no more and no less than on the ordinary road.
    """
    for twin in serve_twins(serving=True, token=None):
        for step in (request("/mcp", body("echo"), *IN_SESSION), int(HTTP_IDLE_SECONDS) - 1) * 3:
            twin.do(step)
            assert not twin.wire.transport.disconnecting
        twin.do(1)
        assert twin.wire.transport.disconnecting


def test_who_asks_is_judged_by_each_head(serve_twins: Callable[..., tuple[Twin, Twin]]) -> None:
    """
    A trusted request before it lets no other one in, and a credential is looked at each time.
    """
    fast, _ = serve_twins(serving=True, token="secret-token")
    good, wrong, foreign = (
        "Authorization: Bearer secret-token",
        "Authorization: Bearer wrong",
        "Host: evil.example",
    )
    for head in ([HOST], [HOST, wrong], [HOST, good], [foreign], [foreign, good], [HOST], [HOST, wrong]):
        fast.do(request(OLD, body("echo"), JSON, *head))
    assert [record.status for record in fast.served.records] == [202, 401, 202, 401, 202, 202, 401]
    assert [record.principal for record in fast.served.records][4:] == ["pairing", "local", "-"]


def test_the_lane_can_be_switched_off() -> None:
    """
    Who suspects it can do without.
    """
    assert choose_channel() is FastLaneChannel
    assert choose_channel(fast_lane=False) is HTTPChannel


def test_an_unknown_twisted_turns_the_lane_off(
    monkeypatch: pytest.MonkeyPatch, log_events: list[dict[str, object]]
) -> None:
    """
    With a Twisted that works otherwise inside, the daemon serves all the same; its log says why it is slower.
    """
    monkeypatch.setattr(HTTPChannel, "_HTTPChannel__first_line", 7)
    assert choose_channel() is HTTPChannel
    assert any("fast lane stays off" in str(event.get("log_format")) for event in log_events)


def test_header_names_are_spelled_as_twisted_web_spells_them() -> None:
    """
    A name that only the ordinary road would respell makes a whole request of a plain one.
    """
    for name in SPELLED:
        headers = Headers()
        headers.addRawHeader(name, b"")
        assert list(headers.getAllRawHeaders()) == [(name, [b""])]
