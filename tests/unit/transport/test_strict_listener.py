"""
The second listener: MCP for capability tokens alone; and what becomes of a token that does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reticle.domain.tokens import Bad, Good, Standing
from reticle.domain.trust import decide
from reticle.model.codes import RefusalCode
from reticle.model.ids import TokenId
from reticle.model.tokens import Token
from reticle.model.trust import Denied, TrustFacts
from reticle.testing.conversations import FakeConversation, follow_handshake
from reticle.transport.fast_lane import FastLaneChannel

Serve = Callable[..., Any]

NAME = TokenId("dtok_" + "a" * 16)
OTHER = TokenId("dtok_" + "b" * 16)
RIGHT, OTHERS, EXPIRED = f"{NAME}.{'r' * 43}", f"{OTHER}.{'r' * 43}", f"{NAME}.{'e' * 43}"
JSON = "Content-Type: application/json"


def judge(text: str) -> Standing:
    """
    Two right tokens, and one that has expired.
    """
    if text in (RIGHT, OTHERS):
        return Good(Token(TokenId(text.partition(".")[0]), "", "cli", 0.0, None, ()))
    return Bad(RefusalCode.TOKEN_EXPIRED, NAME) if text == EXPIRED else Bad(RefusalCode.TOKEN_INVALID)


def bearer(token: str) -> str:
    """
    The header of a token.
    """
    return f"Authorization: Bearer {token}"


def request(method: str, **params: object) -> bytes:
    """
    One JSON-RPC request.
    """
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


@pytest.fixture
def strict(serve: Serve) -> Any:
    """
    The second listener.
    """
    return serve(strict=True, judge=judge, script=follow_handshake)


@pytest.mark.parametrize(
    "target", ["/status", "/metrics", "/reticle", "/sdk.js", "/ui/", "/healthz", "/ingest"]
)
def test_nothing_but_mcp_is_there(strict: Any, target: str) -> None:
    """
    Pages, metrics and health are the first listener's.
    """
    assert strict.ask("GET", target, bearer(RIGHT)).response().status == 404


@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse"])
def test_both_stream_paths_announce_the_second_seeds_message_path(strict: Any, target: str) -> None:
    """
    A client of the second seed posts where it expects to.
    """
    wire = strict.ask("GET", target, bearer(RIGHT))
    assert wire.response().text.startswith("event: endpoint\ndata: /mcp/messages?session_id=")


@pytest.mark.parametrize(
    ("headers", "refused"),
    [
        ([], (401, "token_missing")),
        ([bearer("pair")], (401, "token_invalid")),
        ([bearer(EXPIRED)], (401, "token_expired")),
        ([bearer(RIGHT), "Origin: https://evil.example"], (403, "bad_origin")),
    ],
)
@pytest.mark.parametrize("target", ["/mcp", "/mcp/sse", "/mcp/messages"])
def test_nobody_gets_in_without_a_token_that_counts(
    strict: Any, target: str, headers: list[str], refused: tuple[int, str]
) -> None:
    """
    A stream or a message without a right token is refused with the precise code.
    """
    method = "POST" if target == "/mcp/messages" else "GET"
    response = strict.ask(method, target, *headers).response()
    assert response.status == refused[0]
    assert refused[1] in response.text
    assert strict.streams.session_count == 0


def test_a_token_in_the_query_opens_nothing_and_is_not_shown(strict: Any) -> None:
    """
    The second seed's rule: no tokens in query strings; and it is not repeated.
    """
    response = strict.ask("GET", f"/mcp?token={RIGHT}").response()
    assert response.status == 401
    assert "token_malformed" in response.text
    assert "rrrr" not in response.text


def test_a_call_with_a_token_that_ended_is_answered_by_the_gate(strict: Any) -> None:
    """
    The call of a tool gets its result, and everything else a 401 that says why, never an empty list.
    """
    for token in (EXPIRED, f"{NAME}.{'w' * 43}"):
        called = strict.ask("POST", "/mcp", JSON, bearer(token), body=request("tools/call", name="x"))
        assert called.response().status == 200
        assert strict.conversations.opened[-1].principal.refused is not None
        for method in ("tools/list", "initialize"):
            response = strict.ask("POST", "/mcp", JSON, bearer(token), body=request(method)).response()
            assert response.status == 401
            assert response.headers["www-authenticate"] == "Bearer"
    assert strict.streamable.session_count == 0


def test_a_call_with_a_token_that_ended_touches_no_session(strict: Any) -> None:
    """
    Naming somebody's session with a wrong token reaches nothing of it.
    """
    opened = strict.ask(
        "POST", "/mcp", JSON, bearer(RIGHT), body=request("initialize", protocolVersion="2025-11-25")
    ).response()
    session = f"Mcp-Session-Id: {opened.headers['mcp-session-id']}"
    [own] = strict.conversations.opened
    strict.ask("POST", "/mcp", JSON, session, bearer(EXPIRED), body=request("tools/call", name="x"))
    assert len(own.received) == 1
    assert (
        strict.ask("POST", "/mcp", JSON, session, bearer(OTHERS), body=request("ping")).response().status
        == 404
    )
    assert (
        strict.ask("POST", "/mcp", JSON, session, bearer(RIGHT), body=request("ping")).response().status
        == 200
    )


def test_a_stream_takes_messages_with_its_own_token_only(serve: Serve) -> None:
    """
    Another token's holder, who learned the id of a stream, finds nothing there.
    """
    strict = serve(strict=True, judge=judge)
    wire = strict.ask("GET", "/mcp", bearer(RIGHT))
    path = wire.response().text.partition("data: ")[2].partition("\n")[0]
    assert strict.ask("POST", path, JSON, bearer(OTHERS), body=b"{}").response().status == 404
    assert strict.ask("POST", path, JSON, bearer(RIGHT), body=b"{}").response().status == 202
    assert strict.ask("POST", path, JSON, bearer(EXPIRED), body=b"{}").response().status == 401


def test_a_token_among_the_params_is_refused(strict: Any) -> None:
    """
    It is told that it stands in the wrong place, on both transports.
    """
    body = request("tools/call", name="x", capability_token=RIGHT)
    response = strict.ask("POST", "/mcp", JSON, bearer(RIGHT), body=body).response()
    assert (response.status, json.loads(response.text)["error"]["data"]["code"]) == (401, "token_malformed")
    path = strict.ask("GET", "/mcp", bearer(RIGHT)).response().text.partition("data: ")[2].partition("\n")[0]
    response = strict.ask("POST", path, JSON, bearer(RIGHT), body=body).response()
    assert (response.status, response.text.partition(":")[0]) == (401, "token_malformed")


def test_a_starting_daemon_does_not_call_a_token_wrong(serve: Serve) -> None:
    """
    A client that reconnects after a restart is asked to wait.
    """
    response = serve(strict=True, judge=lambda _: None).ask("GET", "/mcp", bearer(RIGHT)).response()
    assert (response.status, "retry-after" in response.headers) == (503, True)


def test_a_token_on_the_first_listener_never_falls_back_to_trust(serve: Serve) -> None:
    """
    A right token is its own principal there too, and one that ended is nobody.
    """
    served = serve(judge=judge, script=follow_handshake)
    body = request("initialize", protocolVersion="2025-11-25")
    assert served.ask("POST", "/mcp", JSON, bearer(EXPIRED), body=body).response().status == 401
    assert served.ask("GET", "/status", bearer(EXPIRED)).response().status == 401
    assert served.ask("GET", "/status", bearer(RIGHT)).response().status == 200
    served.ask("POST", "/mcp", JSON, bearer(RIGHT), body=body)
    assert [each.principal.name for each in served.conversations.opened] == [f"token:{NAME}"]


def answer_all(conversation: FakeConversation, body: bytes) -> None:
    """
    As ``follow_handshake``, on the old transport too.
    """
    if conversation.replies is not None:
        follow_handshake(conversation, body)


NAMES = st.sampled_from(["localhost", "127.0.0.1:4400", "[::1]", "evil.example", "x.localhost.evil.example"])
CREDENTIALS = st.sampled_from(
    [None, RIGHT, OTHERS, EXPIRED, f"{NAME}.{'w' * 43}", "pair", "wrong", "dtok_x", "two words"]
)
ROADS = {
    "sse": ("GET", "/mcp/sse", b""),
    "old on /mcp": ("GET", "/mcp", b""),
    "message": ("POST", "/mcp/messages?session_id=none", b"{}"),
    "handshake": ("POST", "/mcp", request("initialize", protocolVersion="2025-11-25")),
    "alias": ("POST", "/mcp/sse", request("initialize", protocolVersion="2025-11-25")),
    "call": ("POST", "/mcp", request("tools/call", name="x")),
}
CALLS = {"call"}


@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    peer=st.sampled_from(["127.0.0.1", "::1", "10.0.0.9"]),
    host=NAMES,
    origins=st.lists(NAMES.map(lambda host: f"http://{host}"), max_size=1),
    credential=CREDENTIALS,
    listener=st.sampled_from(["open", "paired", "strict"]),
    fast_lane=st.booleans(),
)
def test_every_carrier_decides_alike(
    serve: Serve,
    *,
    peer: str,
    host: str,
    origins: list[str],
    credential: str | None,
    listener: str,
    fast_lane: bool,
) -> None:
    """
    For any peer, Host, Origin, token and listener every road says what the one rule says (AU-05).
    """
    served = serve(
        strict=listener == "strict", token="pair" if listener == "paired" else None, judge=judge,
        script=answer_all,
    )  # fmt: skip
    if fast_lane:
        served.site.protocol = FastLaneChannel
    authorizations = () if credential is None else (f"Bearer {credential}",)
    decision = decide(served.policy, TrustFacts(peer, [host], origins, [], authorizations), judge)
    headers = [f"Origin: {origin}" for origin in origins] + [
        f"Authorization: {one}" for one in authorizations
    ]
    for road, (method, target, body) in ROADS.items():
        more = [JSON, "Accept: application/json, text/event-stream"] if method == "POST" else []
        response = served.ask(method, target, *more, *headers, host=host, peer=peer, body=body).response()
        if isinstance(decision, Denied):
            assert (response.status, decision.code in response.text) == (decision.status, True), road
        elif decision.principal.refused is not None and road not in CALLS:
            assert (response.status, decision.principal.refused in response.text) == (401, True), road
        else:
            assert response.status == (404 if road == "message" else 200), road
    principals = {each.principal for each in served.conversations.opened}
    assert principals == (set() if isinstance(decision, Denied) else {decision.principal})
