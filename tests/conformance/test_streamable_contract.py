"""
Each row of ``docs/protocol/streamable-http.md``, over raw sockets and without any client library.

A test names the rows that it pins; the last test compares the names with the page, so a row without a
test and a test without a row both fail. N5 and N6 need a daemon that is started again:
``tests/system/test_streamable_restart.py``.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol" / "streamable-http.md"
JSON = "Content-Type: application/json"
BOTH = "Accept: application/json, text/event-stream"
MODERN = "MCP-Protocol-Version: 2026-07-28"
PATHS = ["/mcp", "/mcp/", "/mcp/sse", "/mcp/sse/"]

Test = TypeVar("Test", bound=Callable[..., None])
PINNED: set[str] = {"N5", "N6", "S4", "S7"}
"""Rows that are pinned elsewhere: see above, and tests/unit/transport/test_streamable_sessions.py and
test_streamable.py for the two that need 20,000 sessions and a broken disk."""


def pins(*rows: str) -> Callable[[Test], Test]:
    """
    Say which rows of the page a test pins.
    """
    PINNED.update(rows)
    return lambda test: test


def message(method: str, request_id: object = 1, **params: object) -> bytes:
    """
    One request.
    """
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()


NOTIFICATION = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


def post(daemon: Any, body: bytes, *headers: str, target: str = "/mcp") -> Any:
    """
    One POST; gives the connection.
    """
    return daemon.ask("POST", target, JSON, *(headers or (BOTH,)), body=body)


def open_session(daemon: Any, revision: str = "2025-11-25", target: str = "/mcp") -> str:
    """
    The header of a fresh session.
    """
    status, headers, _ = post(
        daemon, message("initialize", protocolVersion=revision), target=target
    ).response()
    assert status == 200
    return f"Mcp-Session-Id: {headers['mcp-session-id']}"


def refusal(raw: Any) -> tuple[int, object, str]:
    """
    Status, id and code of a refusal.
    """
    status, headers, body = raw.response()
    assert headers["content-type"] == "application/json"
    parsed = json.loads(body)
    return status, parsed["id"], parsed["error"]["data"]["code"]


def listen(daemon: Any, session: str, *headers: str) -> tuple[Any, dict[str, str]]:
    """
    A stream of the session, and its head.
    """
    raw = daemon.ask("GET", "/mcp", "Accept: text/event-stream", session, *headers)
    status, head = raw.head()
    assert status == 200
    return raw, head


def event_id(frame: bytes) -> str:
    """
    The id of an event.
    """
    match = re.match(rb"id: (\S+)\n", frame)
    assert match is not None, frame
    return match[1].decode()


@pins("E1", "N1")
@pytest.mark.parametrize("target", PATHS)
def test_a_session(daemon: Any, target: str) -> None:
    """
    The handshake is answered in the POST and names the session; the next request uses the name.
    """
    session = open_session(daemon, target=target)
    assert re.fullmatch(r"Mcp-Session-Id: [\x21-\x7e]+", session)
    status, headers, body = post(daemon, message("x", "7", a=1), session, BOTH, target=target).response()
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body) == {"jsonrpc": "2.0", "id": "7", "result": {"a": 1}}
    assert int(headers["content-length"]) == len(body)


@pins("N2")
def test_a_request_alone(daemon: Any) -> None:
    """
    Without a session a request is answered all the same, and there is no session afterwards.
    """
    status, headers, body = daemon.ask("POST", "/mcp", JSON, body=message("x", 3, a=1)).response()
    assert (status, json.loads(body)["result"]) == (200, {"a": 1})
    assert "mcp-session-id" not in headers


@pins("E2", "F1", "F3", "F5", "R1", "R2")
@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
def test_the_standalone_stream(daemon: Any, target: str) -> None:
    """
    The exact bytes of a stream, from its head to a message that came before it was open and one after.
    """
    session = open_session(daemon)
    post(daemon, message("beside", early=True), session, BOTH).response()
    raw = daemon.ask("GET", target, session)
    status, head = raw.head()
    assert status == 200
    wanted = {
        "content-type": "text/event-stream", "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no", "transfer-encoding": "chunked",
    }  # fmt: skip
    assert {name: head.get(name) for name in wanted} == wanted
    early, priming = raw.frames(2)
    assert re.fullmatch(
        rb'id: [a-z0-9]+-0-1\nevent: message\ndata: \{"jsonrpc": "2.0", "method": "beside", '
        rb'"params": \{"early": true\}\}\n\n',
        early,
    )
    assert re.fullmatch(rb"id: [a-z0-9]+-0-2\nretry: 500\ndata: \n\n", priming)
    post(daemon, message("beside", late=True), session, BOTH).response()
    assert b'"late": true' in raw.chunk()


@pins("F3")
@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18"])
def test_no_empty_event_for_older_clients(daemon: Any, revision: str) -> None:
    """
    Their stream is open as soon as its head is there, without an event that they could not read.
    """
    session = open_session(daemon, revision)
    raw, _ = listen(daemon, session)
    post(daemon, message("beside"), session, BOTH).response()
    assert raw.chunk().startswith(b"id: ")


@pins("R3", "R5")
def test_one_standalone_stream(daemon: Any) -> None:
    """
    A second one is refused, unless its client shows that it is the first one's.
    """
    session = open_session(daemon)
    first, _ = listen(daemon, session)
    last = event_id(first.chunk())
    assert refusal(daemon.ask("GET", "/mcp", session)) == (409, None, "stream_taken")
    second, _ = listen(daemon, session, f"Last-Event-ID: {last}")
    assert first.chunk() == b""
    second.chunk()
    post(daemon, message("beside", a=1), session, BOTH).response()
    frame = second.chunk()
    assert b'"a": 1' in frame
    third, _ = listen(daemon, session, f"Last-Event-ID: {last}")
    assert third.chunk() == frame


@pins("E3", "E4", "N3")
@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
def test_the_end_of_a_session(daemon: Any, target: str) -> None:
    """
    After DELETE the id is unknown to every method, with the request's id; a fresh handshake works at once.
    """
    session = open_session(daemon)
    raw, _ = listen(daemon, session)
    raw.chunk()
    status, _ = daemon.ask("DELETE", target, session).head()
    assert status == 204
    assert raw.chunk() == b""
    assert refusal(post(daemon, message("x", 9), session, BOTH)) == (404, 9, "session_unknown")
    assert refusal(post(daemon, NOTIFICATION, session, BOTH)) == (404, None, "session_unknown")
    assert refusal(daemon.ask("GET", target, session)) == (404, None, "session_unknown")
    assert refusal(daemon.ask("DELETE", target, session)) == (404, None, "session_unknown")
    assert refusal(daemon.ask("DELETE", target)) == (400, None, "session_missing")
    open_session(daemon)


@pins("N3", "N4")
def test_ids_that_name_no_session(daemon: Any) -> None:
    """
    A made-up id, a changed one, an empty one and two at once are 404.
    """
    session = open_session(daemon)
    for headers in (
        ["Mcp-Session-Id: x"],
        ["Mcp-Session-Id:"],
        [session[:-1] + ("A" if session[-1] != "A" else "B")],
        [session, session],
    ):
        assert refusal(post(daemon, message("x", 5), BOTH, *headers)) == (404, 5, "session_unknown")


@pins("N4")
def test_a_session_needs_its_credential(start_daemon: Callable[..., Any]) -> None:
    """
    With a pairing token a request from a foreign Host needs it each time; the session id is no credential.
    """
    daemon = start_daemon(PAIRING_TOKEN="SECRET123")
    session = open_session(daemon)
    raw = daemon.ask("POST", "/mcp", JSON, BOTH, session, body=message("x"), host="box.lan")
    assert raw.response()[0] == 401
    bearer = "Authorization: Bearer SECRET123"
    raw = daemon.ask("POST", "/mcp", JSON, BOTH, session, bearer, body=message("x"), host="box.lan")
    assert raw.response()[0] == 200


@pins("N8")
def test_a_second_handshake(daemon: Any) -> None:
    """
    It reaches the session, which decides; no second session comes of it.
    """
    session = open_session(daemon)
    body = message("initialize", protocolVersion="2025-11-25")
    _, headers, _ = post(daemon, body, session, BOTH).response()
    assert "mcp-session-id" not in headers
    assert post(daemon, message("x"), session, BOTH).response()[0] == 200


@pins("N9")
@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05"])
def test_the_version_header_of_a_session(daemon: Any, version: str) -> None:
    """
    Real clients send another than was agreed on, or none.
    """
    session = open_session(daemon)
    raw = post(daemon, message("x", a=1), session, BOTH, f"MCP-Protocol-Version: {version}")
    assert json.loads(raw.response()[2])["result"] == {"a": 1}


@pins("N9", "M1")
@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", "x"])
def test_another_version_is_judged_as_the_newest(daemon: Any, version: str) -> None:
    """
    An exchange answers; session and event ids mean nothing to it.
    """
    raw = post(
        daemon, message("fault -32022", 4), BOTH, f"MCP-Protocol-Version: {version}",
        "Mcp-Session-Id: x", "Last-Event-ID: y",
    )  # fmt: skip
    status, headers, body = raw.response()
    assert (status, json.loads(body)["error"]["code"]) == (400, -32022)
    assert "mcp-session-id" not in headers


@pins("E5", "E6")
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_other_methods_of_the_newest_revision(daemon: Any, method: str) -> None:
    """
    It has only POST; a version that nobody knows is a fault of its own.
    """
    session = open_session(daemon)
    status, headers, _ = daemon.ask(method, "/mcp", session, MODERN).response()
    assert (status, headers["allow"]) == (405, "POST")
    raw = daemon.ask(method, "/mcp", session, "MCP-Protocol-Version: x")
    assert refusal(raw) == (400, None, "version_unsupported")


@pins("E7")
@pytest.mark.parametrize("target", PATHS)
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "PATCH"])
def test_other_methods(daemon: Any, target: str, method: str) -> None:
    """
    A preflight is granted to nobody.
    """
    raw = daemon.ask(method, target, "Origin: http://localhost:5173", "Access-Control-Request-Method: POST")
    status, headers = raw.head()
    assert (status, headers["allow"]) == (405, "GET, POST, DELETE")
    assert not [name for name in headers if name.startswith("access-control")]


@pins("A1", "A2", "A3", "A5")
@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ([], "application/json"),
        (["*/*"], "application/json"),
        (["application/*"], "application/json"),
        (["application/json"], "application/json"),
        (["application/json, text/event-stream"], "application/json"),
        (["text/event-stream,application/json"], "application/json"),
        (["Text/Event-Stream", "APPLICATION/JSON ; q=0.5"], "application/json"),
        (["text/event-stream"], "text/event-stream"),
        (["text/*"], "text/event-stream"),
        (["application/json;q=0, text/event-stream"], "text/event-stream"),
        (["application/json;q=0, */*"], "text/event-stream"),
    ],
)
def test_the_form_of_a_quick_answer(daemon: Any, accept: list[str], content_type: str) -> None:
    """
    Whatever a client of the field accepts, it gets the answer in that form (ST-03).
    """
    headers = [f"Accept: {value}" for value in accept]
    raw = daemon.ask("POST", "/mcp", JSON, *headers, body=message("x", a=1))
    status, head, body = raw.response()
    assert (status, head["content-type"]) == (200, content_type)
    text = re.sub(r"\Aevent: message\ndata: (.*)\n\n\Z", r"\1", body)
    assert json.loads(text)["result"] == {"a": 1}


@pins("A4", "A5")
@pytest.mark.parametrize("accept", ["text/html", "*/*;q=0", "application/json;q=0, text/event-stream;q=0"])
def test_a_client_that_takes_neither(daemon: Any, accept: str) -> None:
    """
    406 with the request's id.
    """
    assert refusal(post(daemon, message("x", "i"), f"Accept: {accept}")) == (406, "i", "not_acceptable")


@pins("A6")
@pytest.mark.parametrize(
    "body", [NOTIFICATION, b'{"jsonrpc":"2.0","id":1,"result":{}}'], ids=["notification", "answer"]
)
def test_what_asks_for_nothing(daemon: Any, body: bytes) -> None:
    """
    202 and not a byte of body.
    """
    raw = post(daemon, body, open_session(daemon), BOTH)
    status, headers, text = raw.response()
    assert (status, headers["content-length"], text) == (202, "0", "")


@pins("A7")
def test_a_batch(daemon: Any) -> None:
    """
    One array, or one event each; nothing when nothing was asked.
    """
    session = open_session(daemon, "2025-03-26")
    body = b"[" + message("x", 1) + b"," + NOTIFICATION + b"," + message("x", 2) + b"]"
    assert [each["id"] for each in json.loads(post(daemon, body, session, BOTH).response()[2])] == [1, 2]
    events = post(daemon, body, session, "Accept: text/event-stream").response()[2]
    assert events.count("data: {") == 2
    assert post(daemon, b"[" + NOTIFICATION + b"]", session, BOTH).response()[0] == 202


@pins("A7", "R4")
@pytest.mark.parametrize("late", [b"", message("late 0.4", 3)], ids=["at once", "late"])
@pytest.mark.parametrize("accept", [BOTH, "Accept: text/event-stream", "Accept: application/json"])
def test_a_cancelled_request_of_a_batch(daemon: Any, accept: str, late: bytes) -> None:
    """
    Each request of a batch has its one response: -32800 the one that was cancelled, the others their own.
    """
    session = open_session(daemon, "2025-03-26")
    parts = [message("x", 1), message("dropped", "2"), message("dropped", 2), NOTIFICATION]
    body = b"[" + b",".join([*parts, *([late] if late else [])]) + b"]"
    _, headers, text = post(daemon, body, session, accept).response()
    if headers["content-type"] == "text/event-stream":
        answers = [json.loads(line) for line in re.findall(r"^data: (.+)$", text, re.MULTILINE)]
    else:
        answers = json.loads(text)
    wanted = [(1, None), ("2", -32800), (2, -32800), *([(3, None)] if late else [])]
    found = [(each["id"], each.get("error", {}).get("code")) for each in answers]
    assert sorted(found, key=str) == sorted(wanted, key=str)


@pins("R4")
def test_a_batch_of_nothing_but_cancelled_requests(daemon: Any) -> None:
    """
    It ends too, as the array that a batch is owed.
    """
    session = open_session(daemon, "2025-03-26")
    body = b"[" + message("dropped", 1) + b"," + NOTIFICATION + b"]"
    status, _, text = post(daemon, body, session, BOTH).response()
    [answer] = json.loads(text)
    assert (status, answer["id"], answer["error"]["code"]) == (200, 1, -32800)


@pins("A7", "E3")
def test_a_batch_whose_session_is_ended(daemon: Any) -> None:
    """
    What was answered stands in the array, every other request has its own error.
    """
    session = open_session(daemon, "2025-03-26")
    body = b"[" + b",".join([message("x", 1), message("late 30", 2), message("late 30", "c")]) + b"]"
    raw = post(daemon, body, session, "Accept: application/json")
    time.sleep(0.2)
    assert daemon.ask("DELETE", "/mcp", session).head()[0] == 204
    answers = json.loads(raw.response()[2])
    assert [each["id"] for each in answers] == [1, 2, "c"]
    assert [each.get("error", {}).get("data") for each in answers[1:]] == [{"code": "session_unknown"}] * 2


@pins("A1", "R1", "F1", "F3")
def test_an_answer_with_something_to_tell_first(daemon: Any) -> None:
    """
    The response becomes a stream, the answer is its last event.
    """
    raw = post(daemon, message("late 0.4", a=1), open_session(daemon), BOTH)
    status, head = raw.head()
    assert (status, head["content-type"]) == (200, "text/event-stream")
    priming, answer, end = raw.frames(3)
    assert re.fullmatch(rb"id: [a-z0-9]+-1-1\nretry: 500\ndata: \n\n", priming)
    assert re.match(rb"id: [a-z0-9]+-1-2\nevent: message\ndata: \{", answer)
    assert end == b""
    told = post(daemon, message("tell 2"), open_session(daemon), BOTH).response()[2]
    assert re.findall(r'"number": (\d)', told) == ["0", "1"]
    assert told.rstrip().endswith('"result": {}}')


@pins("F2")
def test_events_outside_a_session_have_no_ids(daemon: Any) -> None:
    """
    What cannot be resumed pretends nothing.
    """
    body = post(daemon, message("tell 1"), BOTH, MODERN).response()[2]
    assert body == (
        'event: message\ndata: {"jsonrpc": "2.0", "method": "told"}\n\n'
        'event: message\ndata: {"jsonrpc": "2.0", "id": 1, "result": {}}\n\n'
    )


@pins("F4")
def test_keepalives(start_daemon: Callable[..., Any]) -> None:
    """
    A silent stream gets a comment line with a single line end.
    """
    daemon = start_daemon(KEEPALIVE_SECONDS="0.1")
    raw, _ = listen(daemon, open_session(daemon))
    assert raw.frames(3)[1:] == [b": keepalive\n"] * 2


@pins("R4", "R5")
@pytest.mark.parametrize("pause", [0.0, 1.5])
def test_a_lost_connection_loses_no_answer(daemon: Any, pause: float) -> None:
    """
    The call goes on; its answer comes once on the stream that resumes it, before or after it was there.
    """
    session = open_session(daemon)
    raw = post(daemon, message("late 1.2", "slow", a=1), session, BOTH)
    raw.head()
    last = event_id(raw.chunk())
    raw.close()
    time.sleep(pause)
    back, _ = listen(daemon, session, f"Last-Event-ID: {last}")
    frames = [back.chunk()]
    while frames[-1]:
        frames.append(back.chunk())
    answers = [frame for frame in frames if b'"id": "slow"' in frame]
    assert len(answers) == 1
    again, _ = listen(daemon, session, f"Last-Event-ID: {event_id(answers[0])}")
    assert again.chunk() == b""


@pins("R6")
def test_events_that_cannot_be_resumed(daemon: Any) -> None:
    """
    A clear refusal for what is no id, for what was never given out, and behind a gap.
    """
    session = open_session(daemon)
    raw, _ = listen(daemon, session)
    last = event_id(raw.chunk())
    raw.close()
    life = last.partition("-")[0]
    for text, status in (("x", 400), (f"{life}-9-1", 404), (f"{life}-0-99", 404)):
        raw = daemon.ask("GET", "/mcp", session, f"Last-Event-ID: {text}")
        assert refusal(raw) == (status, None, "event_unknown")
    batch = open_session(daemon, "2025-03-26")
    first, _ = listen(daemon, batch)
    post(daemon, message("beside", 0), batch, BOTH).response()
    last = event_id(first.chunk())
    for number in range(12):
        body = b"[" + b",".join(message("beside", number) for _ in range(90)) + b"]"
        assert post(daemon, body, batch, BOTH).response()[0] == 200
    raw = daemon.ask("GET", "/mcp", batch, f"Last-Event-ID: {last}")
    assert refusal(raw) == (404, None, "event_unknown")


@pins("R7")
def test_an_event_of_an_earlier_life(daemon: Any) -> None:
    """
    The stream begins afresh and says that everything may have changed.
    """
    raw, _ = listen(daemon, open_session(daemon), "Last-Event-ID: 0123abc1-0-5")
    raw.chunk()
    assert b'"method":"notifications/tools/list_changed"' in raw.chunk()


@pins("R8")
def test_a_reader_that_does_not_read(start_daemon: Callable[..., Any]) -> None:
    """
    It is cut at the bound; meanwhile others are served.
    """
    daemon = start_daemon()
    slow = open_session(daemon)
    raw = daemon.connect(receive_buffer=4096)
    raw.send(f"GET /mcp HTTP/1.1\r\nHost: localhost\r\n{slow}\r\n\r\n".encode())
    raw.head()
    text = "x" * 4_000_000
    for _ in range(12):
        body = message("beside", 1, text=text)
        assert post(daemon, body, slow, BOTH).response()[0] == 200
        assert post(daemon, message("x")).response()[0] == 200
    with pytest.raises((ConnectionResetError, AssertionError)):
        read_on(raw)


def read_on(raw: Any) -> None:
    """
    Read for ever.
    """
    while True:
        raw.chunk()


@pins("R9")
def test_requests_behind_a_response(daemon: Any) -> None:
    """
    Behind a GET they end its stream, since they could never be answered; behind a POST they wait their turn.
    """
    session = open_session(daemon)
    raw, _ = listen(daemon, session)
    raw.chunk()
    raw.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert raw.chunk() == b""
    listen(daemon, session)
    raw = post(daemon, message("late 0.1", a=1), session, BOTH)
    raw.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert json.loads(raw.response()[2])["result"] == {"a": 1}
    assert raw.response()[::2] == (200, "ok")


@pins("M2")
@pytest.mark.parametrize(
    ("number", "status"),
    [(-32700, 400), (-32600, 400), (-32601, 404), (-32602, 400), (-32603, 200), (-32020, 400), (-31001, 401)],
)
def test_a_fault_of_the_newest_revision(daemon: Any, number: int, status: int) -> None:
    """
    It shows in the status, whatever the client accepts.
    """
    for accept in (BOTH, "Accept: application/json"):
        got, headers, body = post(daemon, message(f"fault {number}", 6), MODERN, accept).response()
        assert (got, headers["content-type"]) == (status, "application/json")
        assert json.loads(body)["id"] == 6


@pins("M3", "M4", "M1")
def test_listening(daemon: Any) -> None:
    """
    A stream at once, without ids; or 406.
    """
    body = message("subscriptions/listen", "l")
    raw = post(daemon, body, MODERN, BOTH, "Mcp-Method: subscriptions/listen")
    status, headers = raw.head()
    assert (status, headers["content-type"], headers.get("mcp-session-id")) == (
        200,
        "text/event-stream",
        None,
    )
    assert raw.chunk().startswith(b"event: message\ndata: ")
    raw = post(daemon, body, MODERN, "Accept: */*", "Mcp-Method: subscriptions/listen")
    assert refusal(raw) == (406, "l", "not_acceptable")


@pins("M5")
def test_hanging_up_cancels(daemon: Any) -> None:
    """
    The daemon notices, and stops the work.
    """

    def cancelled() -> int:
        body = post(daemon, message("cancelled"), MODERN, BOTH).response()[2]
        return int(json.loads(body)["result"]["cancelled"])

    before = cancelled()
    raw = post(daemon, message("hang"), MODERN, BOTH)
    raw.close()
    ends = time.monotonic() + 10
    while cancelled() == before:
        assert time.monotonic() < ends


@pins("S1")
def test_a_body_that_is_no_message(daemon: Any) -> None:
    """
    400 in the words of JSON-RPC.
    """
    assert refusal(post(daemon, b"{", BOTH)) == (400, None, "malformed_body")


@pins("S2", "S3")
def test_before_it_is_ready(start_daemon: Callable[..., Any]) -> None:
    """
    Every method is told to wait; then the same requests are served.
    """
    daemon = start_daemon(attached=False)
    raw = post(daemon, message("x", 8))
    status, headers, body = raw.response()
    assert (status, headers["retry-after"]) == (503, "1")
    assert json.loads(body)["id"] == 8
    assert json.loads(body)["error"]["data"]["code"] == "not_ready"
    for method in ("GET", "DELETE"):
        assert refusal(daemon.ask(method, "/mcp", "Mcp-Session-Id: x")) == (503, None, "not_ready")
    assert daemon.order("attach") == "attached"
    assert post(daemon, message("x")).response()[0] == 200
    assert refusal(daemon.ask("GET", "/mcp", "Mcp-Session-Id: x")) == (404, None, "session_unknown")


@pins("S5")
@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_taken(daemon: Any, content_type: str) -> None:
    """
    415 with the id; parameters of the right type are fine.
    """
    raw = daemon.ask("POST", "/mcp", f"Content-Type: {content_type}", BOTH, body=message("x", 2))
    assert refusal(raw) == (415, 2, "unsupported_media_type")
    raw = daemon.ask("POST", "/mcp", "Content-Type: Application/JSON; charset=utf-8", BOTH, body=message("x"))
    assert raw.response()[0] == 200


@pins("S6")
def test_a_body_that_is_too_large(daemon: Any) -> None:
    """
    Said as soon as it is announced, and the connection closes.
    """
    raw = daemon.connect()
    raw.send(
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 8388609\r\n\r\n"
    )
    assert refusal(raw) == (413, None, "body_too_large")
    assert raw.at_end()


@pins("B1", "B2", "S3")
def test_a_planned_stop(start_daemon: Callable[..., Any]) -> None:
    """
    Calls in flight are answered, listeners get their last word, streams end, the unread are cut, in time.
    """
    daemon = start_daemon()
    session = open_session(daemon)
    stream, _ = listen(daemon, session)
    stream.chunk()
    call = post(daemon, message("hang", "call"), session, BOTH)
    call.head()
    call.chunk()
    listener = post(daemon, message("subscriptions/listen", "l"), MODERN, BOTH)
    listener.head()
    listener.chunk()
    unread = daemon.connect(receive_buffer=4096)
    other = open_session(daemon)
    unread.send(f"GET /mcp HTTP/1.1\r\nHost: localhost\r\n{other}\r\n\r\n".encode())
    unread.head()
    post(daemon, message("beside", 1, text="x" * 8_000_000), other, BOTH).response()
    assert daemon.order("drain") == "draining"
    began = time.monotonic()
    assert refusal(post(daemon, message("x", 1))) == (503, 1, "shutting_down")
    assert b"shutting_down" in call.chunk()
    assert [call.chunk(), stream.chunk()] == [b"", b""]
    assert b'"resultType": "complete"' in listener.chunk()
    assert listener.chunk() == b""
    assert all(raw.at_end() for raw in (call, stream, listener))
    daemon.process.wait(10)
    assert time.monotonic() - began < 8
    assert daemon.process.returncode == 0


@pins("N7")
def test_many_sessions_cost_little(daemon: Any) -> None:
    """
    Who never says DELETE leaves a name and not a connection; the first of many still works (ST-07).
    """
    first = open_session(daemon)
    for _ in range(300):
        open_session(daemon)
    assert json.loads(daemon.ask("GET", "/status").response()[2])["mcp_sessions"] >= 301
    assert post(daemon, message("x"), first, BOTH).response()[0] == 200


def test_every_row_of_the_page_is_pinned() -> None:
    """
    The contract page and this file name the same rows.
    """
    assert set(re.findall(r"^\| ([A-Z][0-9]+) \|", PAGE.read_text(), re.MULTILINE)) == PINNED
