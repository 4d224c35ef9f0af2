"""
Streamable HTTP end to end over strings: sessions, forms of the answer, streams, refusals.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from reticle.errors import PeerFault, Refusal
from reticle.model.codes import Carrier, RefusalCode
from reticle.testing.conversations import FakeConversation, follow_handshake

Serve = Callable[..., Any]

BOTH = "Accept: application/json, text/event-stream"
JSON = "Content-Type: application/json"


def request(method: str, request_id: object = 1, **params: object) -> bytes:
    """
    One JSON-RPC request.
    """
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()


INITIALIZE = request("initialize", protocolVersion="2025-11-25")
NOTIFICATION = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


def post(served: Any, body: bytes, *headers: str, target: str = "/mcp") -> Any:
    """
    One POST; gives the connection.
    """
    return served.ask("POST", target, JSON, *(headers or [BOTH]), body=body)


def open_session(served: Any, revision: str = "2025-11-25", target: str = "/mcp") -> str:
    """
    The header of a fresh session.
    """
    response = post(served, request("initialize", protocolVersion=revision), target=target).response()
    assert response.status == 200
    return f"Mcp-Session-Id: {response.headers['mcp-session-id']}"


def error_of(response: Any) -> tuple[int, object, str]:
    """
    Status, id and code of a refusal.
    """
    message = json.loads(response.body)
    return response.status, message["id"], message["error"]["data"]["code"]


@pytest.fixture
def served(serve: Serve) -> Any:
    """
    A daemon whose conversations know a handshake.
    """
    return serve(script=follow_handshake)


@pytest.mark.parametrize("target", ["/mcp", "/mcp/", "/mcp/sse"])
def test_a_handshake_opens_a_session(served: Any, target: str) -> None:
    """
    ``initialize`` is answered in the POST, with the name that later requests use, on both paths.
    """
    session = open_session(served, target=target)
    response = post(served, request("tools/list", 7, x=1), session, BOTH, target=target).response()
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert json.loads(response.body) == {"jsonrpc": "2.0", "id": 7, "result": {"x": 1}}
    assert len(served.conversations.opened) == 1
    assert served.conversations.opened[0].carrier is Carrier.HTTP
    assert served.streamable.session_count == 1


def test_what_asks_for_nothing_is_accepted(served: Any) -> None:
    """
    A notification gets 202 without a body.
    """
    response = post(served, NOTIFICATION, open_session(served), BOTH).response()
    assert (response.status, response.body) == (202, b"")


@pytest.mark.parametrize(
    ("headers", "content_type"),
    [
        ([], "application/json"),
        (["Accept: */*"], "application/json"),
        (["Accept: application/*"], "application/json"),
        (["Accept: application/json"], "application/json"),
        (["Accept: application/json, text/event-stream"], "application/json"),
        (["Accept: text/event-stream, application/json"], "application/json"),
        (["Accept: TEXT/Event-Stream ;q=1 ,  Application/JSON"], "application/json"),
        (["Accept: application/json", "Accept: text/event-stream"], "application/json"),
        (["Accept: text/event-stream"], "text/event-stream"),
        (["Accept: text/*"], "text/event-stream"),
        (["Accept: application/json;q=0, */*"], "text/event-stream"),
        (["Accept: application/json;q=0, text/event-stream"], "text/event-stream"),
    ],
)
def test_whatever_can_be_served_is_served(served: Any, headers: list[str], content_type: str) -> None:
    """
    Every client in the field gets its answer in a form that it reads (ST-03).
    """
    response = served.ask("POST", "/mcp", JSON, *headers, body=INITIALIZE).response()
    assert (response.status, response.headers["content-type"]) == (200, content_type)
    body = response.text.removeprefix("event: message\ndata: ")
    assert json.loads(body)["result"] == {"protocolVersion": "2025-11-25"}
    assert "mcp-session-id" in response.headers


@pytest.mark.parametrize("accept", ["text/html", "*/*;q=0", "application/json;q=0, text/event-stream;q=0"])
def test_who_takes_neither_form_is_told(served: Any, accept: str) -> None:
    """
    406 names the two types, and nothing was done.
    """
    response = post(served, request("x", "a"), f"Accept: {accept}").response()
    assert error_of(response) == (406, "a", "not_acceptable")
    assert served.conversations.opened == []


def test_a_request_without_a_session_is_answered_alone(served: Any) -> None:
    """
    A diagnostic curl needs no handshake; it leaves nothing behind.
    """
    response = served.ask("POST", "/mcp/sse", JSON, body=request("tools/list", "t", a=1)).response()
    assert (response.status, json.loads(response.body)["result"]) == (200, {"a": 1})
    assert "mcp-session-id" not in response.headers
    assert served.streamable.session_count == 0
    assert [each.closed for each in served.conversations.opened] == [1]


def test_a_failed_handshake_leaves_no_session(serve: Serve) -> None:
    """
    When ``initialize`` is refused there is no name in the answer and nothing to clean up.
    """

    def refuse(conversation: FakeConversation, _body: bytes) -> None:
        assert conversation.replies is not None
        conversation.replies.answer(b'{"error":1}', PeerFault("bad_params", "no", -32602))
        conversation.replies.done()

    served = serve(script=refuse)
    response = post(served, INITIALIZE).response()
    assert (response.status, response.body) == (200, b'{"error":1}')
    assert "mcp-session-id" not in response.headers
    assert served.streamable.session_count == 0


def test_a_batch_is_answered_by_an_array(served: Any) -> None:
    """
    One response per request in one JSON array, or one event each.
    """
    session = open_session(served, "2025-03-26")
    body = b"[" + request("a", 1) + b"," + NOTIFICATION + b"," + request("b", 2) + b"]"
    assert [each["id"] for each in json.loads(post(served, body, session, BOTH).response().body)] == [1, 2]
    events = post(served, body, session, "Accept: text/event-stream").response().text
    assert events.count("event: message\n") == 2
    alone = post(served, b"[" + NOTIFICATION + b"]", session, BOTH).response()
    assert (alone.status, alone.body) == (202, b"")


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("name", ["x", "\xff", "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_session_is_404(served: Any, method: str, name: str) -> None:
    """
    The client learns that it has to begin again, with its own id where there is one (ST-01).
    """
    wire = served.ask(method, "/mcp", JSON, BOTH, f"Mcp-Session-Id: {name}",
                      body=request("ping", 5) if method == "POST" else b"")  # fmt: skip
    assert error_of(wire.response()) == (404, 5 if method == "POST" else None, "session_unknown")


def test_two_session_names_are_none(served: Any) -> None:
    """
    A request with two names is nobody's, also when both are the same.
    """
    session = open_session(served)
    assert post(served, request("ping"), session, session, BOTH).response().status == 404


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        (["Content-Type: text/plain"], 415, "unsupported_media_type"),
        (["Content-Type: application/x-www-form-urlencoded"], 415, "unsupported_media_type"),
        ([], 415, "unsupported_media_type"),
    ],
)
def test_only_json_is_taken(served: Any, headers: list[str], status: int, code: str) -> None:
    """
    A page of another port cannot post here without a preflight, which nobody grants.
    """
    response = served.ask("POST", "/mcp", BOTH, *headers, body=INITIALIZE).response()
    assert error_of(response) == (status, 1, code)
    assert served.streamable.session_count == 0


def test_a_body_that_is_no_message_is_400(serve: Serve) -> None:
    """
    What the conversation cannot read is refused in its words.
    """

    def unreadable(_conversation: FakeConversation, _body: bytes) -> None:
        raise PeerFault("malformed_body", "the body is not JSON", -32700)

    served = serve(script=unreadable)
    response = post(served, b"{").response()
    assert error_of(response) == (400, None, "malformed_body")
    assert json.loads(response.body)["error"]["code"] == -32700


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize("begun", [False, True])
def test_starting_and_stopping_are_503(serve: Serve, method: str, begun: bool) -> None:  # noqa: FBT001
    """
    A client that comes too early or too late is told to wait, with its id.
    """
    served = serve(serving=begun, script=follow_handshake)
    if begun:
        served.life.drain()
    wire = served.ask(method, "/mcp", JSON, "Mcp-Session-Id: x", body=INITIALIZE if method == "POST" else b"")
    response = wire.response()
    code = "shutting_down" if begun else "not_ready"
    assert error_of(response) == (503, 1 if method == "POST" else None, code)
    assert response.headers["retry-after"] == "1"


def test_a_session_is_ended_by_delete(served: Any) -> None:
    """
    After DELETE the name is unknown, for ever.
    """
    session = open_session(served)
    response = served.ask("DELETE", "/mcp", session).response()
    assert (response.status, response.body) == (204, b"")
    assert served.streamable.session_count == 0
    assert post(served, request("ping"), session, BOTH).response().status == 404
    assert served.ask("DELETE", "/mcp", session).response().status == 404
    assert error_of(served.ask("DELETE", "/mcp").response()) == (400, None, "session_missing")


def test_an_end_that_cannot_be_written_is_told(served: Any) -> None:
    """
    The session is over in this life, and the client hears that the disk failed.
    """
    session = open_session(served)
    served.kept.broken = Refusal(RefusalCode.STORAGE_FAILED, "the disk is full", "Make room.")
    assert error_of(served.ask("DELETE", "/mcp", session).response()) == (503, None, "storage_failed")
    assert post(served, request("ping"), session, BOTH).response().status == 404


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_the_newest_revision_has_only_post(served: Any, method: str) -> None:
    """
    2026-07-28 has no sessions; a version that nobody knows is a fault of its own.
    """
    session = open_session(served)
    response = served.ask(method, "/mcp", session, "MCP-Protocol-Version: 2026-07-28").response()
    assert (response.status, response.headers["allow"]) == (405, "POST")
    response = served.ask(method, "/mcp", session, "MCP-Protocol-Version: 1999-01-01").response()
    assert error_of(response) == (400, None, "version_unsupported")


def test_a_token_in_the_query_is_for_streams(serve: Serve) -> None:
    """
    A POST or DELETE carries its token in the header, where no log and no history keeps it; the parameter
    means nothing there.
    """
    served = serve(script=follow_handshake, token="secret")

    def status(method: str, target: str, host: str, *headers: str) -> int:
        body = INITIALIZE if method == "POST" else b""
        asked = served.ask(method, target, JSON, *headers, body=body, host=host)
        code: int = asked.response().status
        return code

    bearer = "Authorization: Bearer secret"
    assert status("POST", "/mcp", "box.lan", bearer) == 200
    assert status("POST", "/mcp?token=secret", "box.lan") == 401
    assert status("POST", "/mcp/sse?token=secret", "box.lan") == 401
    assert status("DELETE", "/mcp?token=secret", "box.lan", "Mcp-Session-Id: x") == 401
    assert status("POST", "/mcp?token=wrong", "localhost") == 200
    assert status("GET", "/mcp?token=secret", "box.lan") == 200
    assert status("GET", "/mcp?token=secret", "box.lan", "Mcp-Session-Id: x") == 404


@pytest.mark.parametrize("mount", [b"tools", b"tools/reticle"])
def test_it_works_below_any_prefix(serve: Serve, mount: bytes) -> None:
    """
    Where an application mounts the daemon, its clients need nothing but the URL.
    """
    served = serve(script=follow_handshake, mount=mount)
    target = f"/{mount.decode()}/mcp"
    session = open_session(served, target=target)
    assert post(served, request("ping"), session, BOTH, target=target).response().status == 200
    assert served.ask("GET", target, session).response().status == 200
    assert served.ask("DELETE", target, session).response().status == 204
