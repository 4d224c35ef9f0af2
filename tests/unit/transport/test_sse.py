"""
The old HTTP+SSE pair: opening, posting, refusing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from reticle.errors import PeerFault
from reticle.model.codes import Carrier
from reticle.model.limits import HTTP_BODY_BYTES, MCP_SESSIONS
from reticle.model.trust import LOCAL, PAIRING

Serve = Callable[..., Any]

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def test_the_first_frame_announces_where_to_post(serve: Serve) -> None:
    """
    A client that opens ``/mcp/sse`` is told its message path, and the stream stays open unbuffered.
    """
    served = serve()
    wire, path = served.open_stream()
    response = wire.response()
    assert re.fullmatch(rf"/mcp/message\?sessionId={UUID}", path)
    assert response.status == 200
    assert {
        name: response.headers[name]
        for name in ("content-type", "cache-control", "x-accel-buffering", "connection")
    } == {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
        "connection": "close",
    }
    assert not wire.transport.disconnecting
    conversation = served.conversations.opened[0]
    assert (conversation.principal, conversation.carrier) == (LOCAL, Carrier.SSE)


@pytest.mark.parametrize(("said", "carrier"), [("stdio", Carrier.STDIO), ("socket", Carrier.SSE)])
def test_the_stdio_front_is_told_apart(serve: Serve, said: str, carrier: Carrier) -> None:
    """
    Audit rows say which calls came through the stdio front; no other carrier can be claimed.
    """
    served = serve()
    served.ask("GET", "/mcp/sse", f"Reticle-Carrier: {said}")
    assert served.conversations.opened[0].carrier is carrier


def test_a_post_is_accepted_and_its_answer_comes_on_the_stream(serve: Serve) -> None:
    """
    The POST says only ``Accepted``; the JSON-RPC reply is a frame on the stream.
    """
    served = serve(script=lambda conversation, body: conversation.sink.send(body + b" "))
    wire, path = served.open_stream()
    posted = served.post(path, b'{"id":1}')
    assert (posted.status, posted.text) == (202, "Accepted")
    assert wire.response().text.endswith('\n\nevent: message\ndata: {"id":1} \n\n')


@pytest.mark.parametrize("path", ["/mcp/message", "/mcp/message/", "/mcp/messages", "/mcp/messages/"])
@pytest.mark.parametrize("parameter", ["sessionId", "session_id"])
def test_both_message_paths_take_both_spellings(serve: Serve, path: str, parameter: str) -> None:
    """
    A client may be made for either name, with or without a slash; there is no redirect.
    """
    served = serve()
    _, announced = served.open_stream()
    session = announced.partition("=")[2]
    assert served.post(f"{path}?{parameter}={session}").status == 202
    assert served.post(f"{path}?sessionId={session}&session_id={session}").status == 202


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ("", 400, "missing sessionId"),
        ("?sessionId=", 400, "missing sessionId"),
        ("?sessionid=x", 400, "missing sessionId"),
        ("?sessionId=x", 404, "session not found"),
        ("?sessionId=%ff%00", 404, "session not found"),
        ("?sessionId=x&session_id=y", 400, "conflicting sessionId"),
        ("?sessionId=x&sessionId=y", 400, "conflicting sessionId"),
    ],
)
@pytest.mark.parametrize("headers", [[], ["Content-Type: application/json"]])
def test_a_post_without_an_open_session(
    serve: Serve, query: str, status: int, text: str, headers: list[str]
) -> None:
    """
    A missing and an unknown session are told apart by the documented words, whatever else is wrong.
    """
    served = serve()
    response = served.ask("POST", f"/mcp/message{query}", *headers, body=b"{}").response()
    assert (response.status, response.text) == (status, text)
    assert response.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 202),
        ("application/json; charset=utf-8", 202),
        ("Application/JSON ;charset=utf-8", 202),
        ("text/plain", 415),
        ("application/jsonx", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        (None, 415),
    ],
)
def test_only_json_is_taken(serve: Serve, content_type: str | None, status: int) -> None:
    """
    What a foreign page could post without asking first is refused before anything is done with it.
    """
    served = serve()
    _, path = served.open_stream()
    headers = [] if content_type is None else [f"Content-Type: {content_type}"]
    response = served.ask("POST", path, *headers, body=b"a=b").response()
    assert response.status == status
    assert served.conversations.opened[0].received == ([b"a=b"] if status == 202 else [])


def test_two_content_types_are_none(serve: Serve) -> None:
    """
    A doubled Content-Type is not JSON.
    """
    served = serve()
    _, path = served.open_stream()
    twice = ["Content-Type: application/json", "Content-Type: text/plain"]
    assert served.ask("POST", path, *twice, body=b"{}").response().status == 415


def test_a_body_that_is_no_message_is_named(serve: Serve) -> None:
    """
    A body the conversation cannot read is 400 with the fault's own word.
    """

    def refuse(_conversation: object, _body: bytes) -> None:
        raise PeerFault("malformed_body", "The body is not JSON.", -32700)

    served = serve(script=refuse)
    wire, path = served.open_stream()
    response = served.post(path, b"{")
    assert (response.status, response.text) == (400, "malformed_body: The body is not JSON.")
    assert not wire.transport.disconnecting


def test_a_fault_of_ours_shows_a_number_and_the_stream_lives(serve: Serve, logged_failures: Any) -> None:
    """
    A bug behind a POST is 500 with an incident number, and the session goes on.
    """

    def fail(conversation: Any, body: bytes) -> None:
        if body == b"boom":
            raise ZeroDivisionError("secret detail")
        conversation.sink.send(body)

    served = serve(script=fail)
    wire, path = served.open_stream()
    response = served.post(path, b"boom")
    assert response.status == 500
    assert re.search(r"Internal error, incident [0-9a-f]{12}\.", response.text)
    assert "secret detail" not in response.text
    assert len(logged_failures.flush(ZeroDivisionError)) == 1
    assert served.post(path, b'{"id":2}').status == 202
    assert wire.response().text.endswith('data: {"id":2}\n\n')


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize(
    ("method", "target"),
    [("GET", "/mcp/sse"), ("GET", "/mcp"), ("POST", "/mcp/message?sessionId=x"), ("POST", "/mcp/messages")],
)
def test_a_daemon_that_is_not_ready_says_so(
    serve: Serve,
    method: str,
    target: str,
    begun: bool,  # noqa: FBT001
) -> None:
    """
    While starting and while draining, both endpoints say that the endpoint is real and coming.
    """
    served = serve(serving=begun)
    if begun:
        served.life.drain()
    response = served.ask(method, target, "Content-Type: application/json").response()
    assert (response.status, response.text) == (503, "MCP server not ready")
    assert response.headers["retry-after"] == "1"
    assert served.streams.session_count == 0


@pytest.mark.parametrize("method", ["PUT", "HEAD", "OPTIONS", "PATCH", "BREW"])
@pytest.mark.parametrize("target", ["/mcp/sse", "/mcp/sse/", "/mcp", "/mcp/"])
def test_other_methods_open_nothing(serve: Serve, method: str, target: str) -> None:
    """
    Any other method is 405 at once and opens nothing; HEAD too, since a stream has no end.
    """
    served = serve()
    response = served.ask(method, target).response()
    assert (response.status, response.headers["allow"]) == (405, "GET, POST, DELETE")
    assert served.conversations.opened == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_a_message_endpoint_is_only_for_post(serve: Serve, method: str) -> None:
    """
    A client that GETs the message path learns what it takes.
    """
    response = serve().ask(method, "/mcp/message?sessionId=x").response()
    assert (response.status, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([], 200),
        (["Accept: */*"], 200),
        (["Accept: text/event-stream"], 200),
        (["Accept: application/json, text/event-stream"], 200),
        (["Accept: application/json"], 406),
        (["Accept: text/event-stream", "MCP-Protocol-Version: 2025-06-18"], 200),
        (["Accept: */*", "MCP-Protocol-Version: 2024-11-05"], 406),
        (["MCP-Protocol-Version: 2025-11-25"], 406),
        (["Accept: text/event-stream", "MCP-Protocol-Version: 2026-07-28"], 405),
        (["Mcp-Session-Id: gone"], 404),
    ],
)
def test_what_get_mcp_is(serve: Serve, headers: list[str], status: int) -> None:
    """
    ``GET /mcp`` streams for those who mean it and answers those who probe at once.
    """
    served = serve()
    wire = served.ask("GET", "/mcp", *headers)
    assert wire.response().status == status
    assert served.streams.session_count == (1 if status == 200 else 0)
    if status == 200:
        assert re.search(rf"data: /mcp/messages\?session_id={UUID}\n", wire.response().text)


@pytest.mark.parametrize("headers", [["Accept: application/json"], ["MCP-Protocol-Version: 2026-07-28"]])
def test_get_mcp_sse_always_streams(serve: Serve, headers: list[str]) -> None:
    """
    No header keeps ``/mcp/sse`` from being the old stream: reconnecting clients add theirs.
    """
    assert serve().ask("GET", "/mcp/sse", *headers).response().status == 200


@pytest.mark.parametrize("mount", [b"", b"tools/reticle", b"a b/\xc3\xa4"])
@pytest.mark.parametrize("target", ["/mcp/sse", "/mcp/sse/", "/mcp", "/mcp/"])
def test_the_announced_path_resolves_wherever_we_are_mounted(serve: Serve, mount: bytes, target: str) -> None:
    """
    Joined with the request's own URL, the announced path reaches the message endpoint (TR-05).
    """
    from urllib.parse import quote_from_bytes, urljoin

    served = serve(mount=mount)
    prefix = f"/{quote_from_bytes(mount)}" if mount else ""
    url = f"http://localhost:4400{prefix}{target}"
    frame = served.ask("GET", prefix + target).response().text
    joined = urljoin(url, re.search(r"data: (\S+)", frame)[1])  # type: ignore[index]
    assert joined.startswith(f"http://localhost:4400{prefix}/mcp/message")
    assert served.post(joined.removeprefix("http://localhost:4400")).status == 202


def test_below_an_endpoint_there_is_nothing(serve: Serve) -> None:
    """
    A path that goes on behind an endpoint is not found.
    """
    served = serve()
    for target in ("/mcp/sse/x", "/mcp/sse//", "/mcp/message/x", "/mcp/x", "/mcp//", "//mcp/sse"):
        assert served.ask("GET", target).response().status == 404, target


def test_the_number_of_streams_is_bounded(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Above the cap a new stream gets 503, and a place that becomes free can be taken.
    """
    assert MCP_SESSIONS == 20_000
    monkeypatch.setattr("reticle.transport.sse.MCP_SESSIONS", 2)
    served = serve()
    first, _ = served.open_stream()
    served.open_stream()
    refused = served.ask("GET", "/mcp/sse").response()
    assert (refused.status, refused.text, refused.headers["retry-after"]) == (503, "too many sessions", "1")
    first.hang_up()
    assert served.ask("GET", "/mcp/sse").response().status == 200


def test_a_stream_opened_with_the_token_takes_posts_of_the_same_person(serve: Serve) -> None:
    """
    The announced path holds no token, so a local client that opened with one may post without.
    """
    served = serve(token="pair")
    wire = served.ask("GET", "/mcp/sse?token=pair")
    path = re.search(r"data: (\S+)", wire.response().text)[1]  # type: ignore[index]
    assert "pair" not in path
    assert served.conversations.opened[0].principal == PAIRING
    assert served.post(path).status == 202
    assert served.post(f"{path}&token=pair").status == 202
    assert served.post(f"{path}&token=wrong").status == 401


def test_a_body_over_the_cap_is_refused_below_a_foreign_site_too(serve: Serve) -> None:
    """
    Mounted in an application whose ``Site`` has no cap, a message over ours is still 413.
    """
    from twisted.web.server import Site

    served = serve()
    _, path = served.open_stream()
    served.site = Site(served.root, reactor=served.clock)
    assert served.post(path, b"x" * HTTP_BODY_BYTES).status == 202
    response = served.post(path, b"x" * (HTTP_BODY_BYTES + 1))
    assert (response.status, response.text) == (413, "request body too large")
