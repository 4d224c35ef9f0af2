"""
What belongs to one token is nobody else's: sessions, streams, past events, verdicts and pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.client import connect as dial_page

from examples.journeys.children import Daemon
from reticle.client import Client, RpcError, connect
from tests.system.pages import HELLO, page_names
from tests.system.streamable import Session, ask
from tests.system.wire import dialled, eventually, exchange, open_stream, post, read_until, request, status_of

CALL = {"name": "reticle_sessions", "arguments": {}}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def bearer(token: str | None) -> dict[str, str]:
    """
    The headers of whoever has that token; None: of nobody in particular on this machine.
    """
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def operator(daemon: Daemon) -> str:
    """
    The token that the first start made.
    """
    return (daemon.runtime_dir / "client-token").read_text().strip()


def minted(daemon: Daemon, operator: str, name: str) -> str:
    """
    A fresh token that may look and act.
    """
    with connect(daemon.mcp_url, operator) as client:
        client.initialize("operator", "1")
        made = client.call(
            "daemon.token.create", {"capabilities": ["observe", "drive"], "display_name": name}
        )
    return str(made.fields["token"])


@pytest.fixture(scope="module")
def anne(daemon: Daemon, operator: str) -> str:
    """
    A token.
    """
    return minted(daemon, operator, "anne")


@pytest.fixture(scope="module")
def ben(daemon: Daemon, operator: str) -> str:
    """
    Another token with the same capabilities.
    """
    return minted(daemon, operator, "ben")


@pytest.fixture(scope="module")
def others(ben: str, operator: str) -> list[str | None]:
    """
    Everybody who is not Anne: nobody in particular, Ben, and even the operator.
    """
    return [None, ben, operator]


@contextmanager
def speaking(daemon: Daemon, token: str | None) -> Iterator[Client]:
    """
    A client with that token.
    """
    with connect(daemon.mcp_url, token) as client:
        client.initialize("replay", "1")
        yield client


def test_another_s_streamable_session_is_not_there(
    daemon: Daemon, anne: str, others: list[str | None]
) -> None:
    """
    Whoever got hold of a session id cannot call in it, listen to it or end it; its owner goes on.
    """
    session = Session(daemon.port, **bearer(anne))
    stolen = {"Mcp-Session-Id": session.session_id}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL})
    for other in others:
        headers = {**JSON, **stolen, **bearer(other)}
        assert ask(daemon.port, body, headers).status == 404
        stream = {**stolen, **bearer(other), "Accept": "text/event-stream"}
        assert ask(daemon.port, None, stream, method="GET").status == 404
        assert ask(daemon.port, None, {**stolen, **bearer(other)}, method="DELETE").status == 404
    assert session.post(daemon.port, "tools/call", CALL, **bearer(anne)).status == 200


def test_another_s_old_stream_takes_no_messages(daemon: Daemon, anne: str, others: list[str | None]) -> None:
    """
    A message to another's stream is 404 as to one that never was, and nothing of it comes on the stream.
    """
    with dialled(daemon.port) as stream:
        announced = open_stream(stream, f"Authorization: Bearer {anne}")
        message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": CALL}
        for other in others:
            fields = [f"{name}: {value}" for name, value in bearer(other).items()]
            answer = exchange(daemon.port, post(announced, message, *fields))
            nowhere = exchange(daemon.port, post(f"{announced}x", message, *fields))
            assert (status_of(answer), status_of(nowhere)) == (404, 404)
            assert answer.partition(b"\r\n\r\n")[2] == nowhere.partition(b"\r\n\r\n")[2]
        mine = {**message, "id": 8}
        own = post(announced, mine, *(f"{name}: {value}" for name, value in bearer(anne).items()))
        assert status_of(exchange(daemon.port, own)) == 202
        came = read_until(stream, b'"id":8')
        assert b'"id":7' not in came


def test_another_s_past_events_are_not_replayed(daemon: Daemon, anne: str, ben: str) -> None:
    """
    Ben's session, resumed at an event of Anne's, is a fresh stream of his own; with her session it is 404.
    """
    hers, his = (Session(daemon.port, **bearer(token)) for token in (anne, ben))
    event = first_event(daemon, hers, anne)
    assert first_event(daemon, hers, anne, after=event).partition("-")[0] == event.partition("-")[0]
    assert first_event(daemon, his, ben, after=event).partition("-")[0] != event.partition("-")[0]
    stolen = {"Mcp-Session-Id": hers.session_id, "Last-Event-ID": event, "Accept": "text/event-stream"}
    assert ask(daemon.port, None, {**stolen, **bearer(ben)}, method="GET").status == 404


def first_event(daemon: Daemon, session: Session, token: str, after: str | None = None) -> str:
    """
    The id of the first event on a session's stream, from the beginning or after an event.
    """
    fields = {"Mcp-Session-Id": session.session_id, "Accept": "text/event-stream", **bearer(token)}
    if after is not None:
        fields["Last-Event-ID"] = after
    with dialled(daemon.port) as stream:
        stream.sendall(request("GET", "/mcp", *(f"{name}: {value}" for name, value in fields.items())))
        got = read_until(stream, b"id: ")
        got += b"" if b"\n" in got.partition(b"id: ")[2] else read_until(stream, b"\n")
    return got.partition(b"id: ")[2].partition(b"\n")[0].decode().strip()


@pytest.fixture
def page(daemon: Daemon) -> Iterator[str]:
    """
    A page that is connected for a test.
    """
    with (
        dial_page(f"ws://127.0.0.1:{daemon.port}/reticle") as socket_,
        speaking(daemon, None) as client,
    ):
        socket_.send(json.dumps({**HELLO, "sessionId": "replayed", "documentId": "replayed1"}))
        eventually(lambda: "replayed" in page_names(client), "the page is connected")
        yield "replayed"


def test_another_s_verdict_is_not_found(
    daemon: Daemon, anne: str, ben: str, operator: str, page: str
) -> None:
    """
    The id of a verdict leads nowhere for others, who are not offered it either; the operator sees it.
    """
    claim = {"sessionId": page, "predicate": {"kind": "console", "contains": "never"}, "since": 0}
    with speaking(daemon, anne) as client:
        verdict = client.call("reticle_assert", claim).fields["verdict_id"]
        uri = f"reticle://verdict/{verdict}"
        assert client.request("resources/read", {"uri": uri})
        assert verdict in offered(client)
    for other in (None, ben):
        with speaking(daemon, other) as client:
            with pytest.raises(RpcError, match="no resource"):
                client.request("resources/read", {"uri": uri})
            assert verdict not in offered(client)
    with speaking(daemon, operator) as client:
        assert client.request("resources/read", {"uri": uri})


def offered(client: Client) -> list[str]:
    """
    The verdicts that a client may complete.
    """
    asked: dict[str, Any] = {
        "ref": {"type": "ref/resource", "uri": "reticle://verdict/{id}"},
        "argument": {"name": "id", "value": "verdict_"},
    }
    completed: Any = client.request("completion/complete", asked)
    return list(completed["completion"]["values"])


def test_a_page_that_another_holds(daemon: Daemon, anne: str, ben: str, operator: str, page: str) -> None:
    """
    While Anne holds a page Ben's act names her and does nothing, over whichever session she took it; the
    operator frees it.
    """
    act = {"sessionId": page, "action": "click", "ref": "e1"}
    with speaking(daemon, anne) as client:
        held = client.call("reticle_session", {"sessionId": page, "action": "hold", "note": "checkout"})
        assert held.fields["held"] is True
    with speaking(daemon, ben) as client:
        refused = client.call("reticle_act", act)
        assert refused.fields["error"] == "page_held"
        assert "anne" in str(refused.fields["message"])
        assert 0 < int(str(refused.fields["secondsLeft"])) <= 300
        listed = client.call("reticle_sessions").fields["sessions"]
        assert isinstance(listed, list)
        assert listed[0]["hold"]["purpose"] == "checkout"
    with speaking(daemon, operator) as client:
        freed = client.call("reticle_session", {"sessionId": page, "action": "release"})
        assert freed.fields["released"] is True
