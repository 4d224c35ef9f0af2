"""
Sessions of a daemon: who may use one, what outlives the daemon, what is put away.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from twisted.internet.task import Clock

from reticle.domain.daemon_life import DaemonLife
from reticle.errors import LocalMisuse
from reticle.model.codes import LogLevel
from reticle.model.limits import MCP_SESSION_AGE_SECONDS, MCP_SESSION_IDLE_SECONDS
from reticle.model.mcp import Preferences
from reticle.model.trust import LOCAL, PAIRING, Principal, PrincipalKind
from reticle.testing.conversations import FakeConversation, follow_handshake
from reticle.transport import streamable_sessions
from reticle.transport.streamable_http import StreamableHttp
from reticle.transport.streams import StreamSet

BOTH = "Accept: application/json, text/event-stream"
JSON = "Content-Type: application/json"
TOKEN = Principal(PrincipalKind.TOKEN, "t1")

Serve = Callable[..., Any]


def initialize(served: Any, *headers: str) -> Any:
    """
    The answer to a handshake.
    """
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
    return served.ask("POST", "/mcp", JSON, BOTH, *headers, body=body).response()


def session_of(served: Any, *headers: str) -> str:
    """
    The header of a fresh session.
    """
    return f"Mcp-Session-Id: {initialize(served, *headers).headers['mcp-session-id']}"


def call(served: Any, session: str, method: str = "ping", *headers: str) -> int:
    """
    The status of one request in a session.
    """
    body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": method}).encode()
    status: int = served.ask("POST", "/mcp", JSON, BOTH, session, *headers, body=body).response().status
    return status


def pass_time(served: Any, seconds: float) -> None:
    """
    Let time pass, with a sweep every 15 seconds and its slices.
    """
    served.clock.pump([15.0, 0.01, 0.01, 0.01] * int(seconds // 15))


def reborn(serve: Serve, served: Any, **fields: Any) -> Any:
    """
    The daemon of a later life on the same state directory.
    """
    later = serve(script=follow_handshake, **fields)
    later.streamable.attach(later.conversations, served.kept)
    return later


@pytest.fixture
def served(serve: Serve) -> Any:
    """
    A daemon whose conversations know a handshake.
    """
    return serve(script=follow_handshake)


def test_a_session_outlives_the_daemon(serve: Serve, served: Any) -> None:
    """
    After a restart the client goes on with its id; the revision is what was agreed on.
    """
    session = session_of(served)
    later = reborn(serve, served)
    assert call(later, session) == 200
    restored = later.conversations.opened[0]
    assert restored.agreed is not None
    assert restored.agreed.revision == "2025-06-18"
    assert restored.received == [b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}']
    assert later.streamable.session_count == 1


def test_a_daemon_of_another_state_directory_knows_none_of_it(serve: Serve, served: Any) -> None:
    """
    With another key every id is unknown.
    """
    session = session_of(served)
    later = reborn(serve, served)
    later.kept.key = served.kept.key = b"other" * 8
    assert call(later, session) == 404


def test_an_ended_session_does_not_come_back(serve: Serve, served: Any) -> None:
    """
    DELETE, then a restart: still 404.
    """
    session = session_of(served)
    assert served.ask("DELETE", "/mcp", session).response().status == 204
    assert call(reborn(serve, served), session) == 404


def test_a_session_grows_too_old_to_come_back(serve: Serve, served: Any) -> None:
    """
    Seven days after its issue an id is unknown to a new life, and an idle one to this.
    """
    session = session_of(served)
    later = reborn(serve, served)
    later.clock.advance(MCP_SESSION_AGE_SECONDS + 1)
    assert call(later, session) == 404


def test_what_a_client_wished_for_outlives_the_daemon(serve: Serve) -> None:
    """
    Log level and subscriptions are there after a restart, without being set again.
    """

    def wish(conversation: FakeConversation, body: bytes) -> None:
        if b"logging/setLevel" in body:
            conversation.preferences = Preferences(LogLevel.ERROR, ("reticle://sessions",))
        follow_handshake(conversation, body)

    served = serve(script=wish)
    session = session_of(served)
    assert call(served, session, "ping") == 200
    assert served.kept.kept == {}
    assert call(served, session, "logging/setLevel") == 200
    later = reborn(serve, served)
    assert call(later, session) == 200
    assert later.conversations.opened[0].preferences == Preferences(LogLevel.ERROR, ("reticle://sessions",))


@pytest.mark.parametrize("restarted", [False, True])
def test_a_session_is_its_openers_alone(serve: Serve, restarted: bool) -> None:  # noqa: FBT001
    """
    With another credential an id is as unknown as a made-up one, in this life and in the next; the person
    at the machine is one, with the pairing token and without.
    """
    served = serve(script=follow_handshake, token="secret")
    local, paired = session_of(served), session_of(served, "Authorization: Bearer secret")
    if restarted:
        served = reborn(serve, served, token="secret")
    sessions = served.streamable.sessions
    for session in (local, paired):
        name = session.partition(": ")[2]
        assert sessions.find(name, TOKEN) is None
        assert sessions.find(name, LOCAL) is not None
        assert sessions.find(name, PAIRING) is not None
        assert call(served, session) == 200
        assert call(served, session, "ping", "Authorization: Bearer secret") == 200


def test_a_revoked_credential_opens_nothing(serve: Serve) -> None:
    """
    A session id is no credential: when the token is gone, its sessions cannot be used.
    """
    served = serve(script=follow_handshake, token="secret")
    session = session_of(served, "Authorization: Bearer secret")
    later = reborn(serve, served, token="another")
    assert call(later, session, "ping", "Authorization: Bearer secret") == 401
    assert later.conversations.opened == []


def test_a_principal_of_before_is_bound_to_its_id(serve: Serve, served: Any) -> None:
    """
    A token's session stays that token's after a restart.
    """
    sessions = served.streamable.sessions
    fresh = sessions.new_session(TOKEN)
    fresh.conversation.receive(
        b'{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}', Ignored()
    )
    name = sessions.admit(fresh, fresh.conversation.agreed)
    later = reborn(serve, served).streamable.sessions
    assert later.find(name, LOCAL) is None
    assert later.find(name, Principal(PrincipalKind.TOKEN, "t2")) is None
    assert later.find(name, TOKEN) is not None


class Ignored:
    """
    Replies that nobody reads.
    """

    def tell(self, message: bytes) -> None:
        """
        Nothing.
        """

    def answer(self, message: bytes, fault: object = None) -> None:
        """
        Nothing.
        """

    def done(self) -> None:
        """
        Nothing.
        """


def test_an_idle_session_is_put_away_and_comes_back(served: Any) -> None:
    """
    A client that never says DELETE costs no memory for ever (ST-07), and one that returns is served.
    """
    session = session_of(served)
    served.streams.startService()
    pass_time(served, MCP_SESSION_IDLE_SECONDS + 30)
    assert served.streamable.session_count == 0
    assert served.conversations.opened[0].closed == 1
    assert call(served, session) == 200
    assert served.streamable.session_count == 1
    served.streams.sweep.stop()


def test_a_sweep_does_not_take_a_session_that_came_back_meanwhile(
    served: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A session that was put away for another, and used again, while a sweep looked at others stays.
    """
    monkeypatch.setattr(streamable_sessions, "SWEPT_AT_ONCE", 1)
    session = session_of(served)
    served.clock.advance(MCP_SESSION_IDLE_SECONDS)
    sweep = served.streamable.sessions._put_idle_away()
    next(sweep)
    [former] = served.streamable.sessions.all()
    served.streamable.sessions._put_away(former)
    assert call(served, session) == 200
    list(sweep)
    assert served.streamable.session_count == 1


def test_who_uses_a_session_is_not_idle(served: Any) -> None:
    """
    An open stream, a call in flight and a ping each keep a session (ST-07).
    """
    pinging, listening, calling = (session_of(served) for _ in range(3))
    stream = served.ask("GET", "/mcp", listening)
    hanging = served.ask(
        "POST", "/mcp", JSON, BOTH, calling, body=b'{"jsonrpc":"2.0","id":1,"method":"hang"}'
    )
    served.streams.startService()
    for _ in range(4):
        pass_time(served, MCP_SESSION_IDLE_SECONDS / 2)
        assert call(served, pinging) == 200
    assert served.streamable.session_count == 3
    assert [each.closed for each in served.conversations.opened] == [0, 0, 0]
    stream.hang_up()
    hanging.hang_up()
    pass_time(served, MCP_SESSION_IDLE_SECONDS + 30)
    assert served.streamable.session_count == 1  # the call still runs
    served.streams.sweep.stop()


def test_the_least_recently_used_makes_room(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    At the limit a new client is served, and who was put away for it comes back at its next request.
    """
    monkeypatch.setattr(streamable_sessions, "MCP_SESSIONS", 3)
    first, second, third = (session_of(served) for _ in range(3))
    assert call(served, first) == 200
    fourth = session_of(served)
    assert served.streamable.session_count == 3
    assert [each.closed for each in served.conversations.opened] == [0, 1, 0, 0]
    assert [call(served, session) for session in (first, second, third, fourth)] == [200] * 4


def test_when_all_are_in_use_a_new_one_is_refused(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    503 with the request's id; nobody who works is put out for a newcomer. The old transport's count too.
    """
    monkeypatch.setattr(streamable_sessions, "MCP_SESSIONS", 2)
    served.ask("GET", "/mcp", session_of(served))
    served.open_stream()
    response = initialize(served)
    error = json.loads(response.body)
    assert (response.status, error["id"], error["error"]["data"]["code"]) == (503, 1, "too_many_sessions")
    assert response.headers["retry-after"] == "1"


def test_sessions_need_conversations() -> None:
    """
    A request that is let in before the daemon is whole is a bug, and shows as one.
    """
    clock = Clock()
    http = StreamableHttp(
        clock, StreamSet(clock), DaemonLife(), boot="b", now=clock.seconds, random=secrets.token_bytes
    )
    with pytest.raises(LocalMisuse):
        http.sessions.new_session(LOCAL)
    with pytest.raises(LocalMisuse):
        http.sessions.find("x", LOCAL)
