"""
One rule in front of every route (field reports, area AU).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Serve = Callable[..., Any]

GUARDED = [
    ("GET", "/mcp/sse"), ("GET", "/mcp"), ("POST", "/mcp/message"), ("POST", "/mcp/messages"),
    ("GET", "/status"), ("GET", "/metrics"), ("GET", "/ui/"), ("GET", "/ui/app.js"), ("GET", "/sdk.js"),
]  # fmt: skip
UNGUARDED = ["/healthz", "/readyz", "/.well-known/oauth-protected-resource", "/mcp/.well-known/x",
             "/register", "/", "/nothing"]  # fmt: skip
FOREIGN = {"host": "evil.example"}


@pytest.mark.parametrize(("method", "target"), GUARDED)
def test_no_route_is_reached_from_a_foreign_host(serve: Serve, method: str, target: str) -> None:
    """
    A rebound page reaches nothing, whichever path it tries.
    """
    served = serve()
    response = served.ask(method, target, host="evil.example").response()
    assert response.status == 403
    assert "bad_host" in response.text
    assert served.streams.session_count == 0


@pytest.mark.parametrize("target", UNGUARDED)
def test_what_needs_no_credential_tells_nothing(serve: Serve, target: str) -> None:
    """
    Health and the probes for an authorisation server answer everyone, in one short line.
    """
    response = serve().ask("GET", target, host="evil.example").response()
    assert response.status in (200, 404)
    assert response.text in ("ok", "ready", "not found")


@pytest.mark.parametrize(
    ("header", "status", "number", "code"),
    [
        ("Origin: https://evil.example", 403, -31003, "bad_origin"),
        ("Origin: null", 403, -31003, "bad_origin"),
        ("Referer: https://evil.example/x", 403, -31003, "bad_origin"),
        ("Host: localhost", 400, -31003, "bad_host"),
        ("Authorization: Bearer wrong", 401, -31001, "token_invalid"),
        ("Authorization: Basic eDp5", 401, -31001, "token_malformed"),
        ("Authorization: Bearer Bearer x", 401, -31001, "token_malformed"),
    ],
)
def test_a_refusal_is_a_json_rpc_error(
    serve: Serve, header: str, status: int, number: int, code: str
) -> None:
    """
    A client learns the precise code in the one form it can read, with the challenge on 401 alone.
    """
    response = serve().ask("GET", "/mcp/sse", header).response()
    error = json.loads(response.text)["error"]
    assert (response.status, error["code"], error["data"]) == (status, number, {"code": code})
    assert response.headers.get("www-authenticate") == ("Bearer" if status == 401 else None)
    assert response.headers["content-type"] == "application/json"


def test_a_message_endpoint_refuses_in_plain_text(serve: Serve) -> None:
    """
    The two message endpoints speak the contract's plain text.
    """
    response = serve().ask("POST", "/mcp/message", host="evil.example").response()
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == (
        "bad_host: The Host header 'evil.example' is not loopback; setting RETICLE_TOKEN and presenting "
        "that token permits it."
    )


@pytest.mark.parametrize(("method", "target"), GUARDED[:4])
def test_the_pairing_token_opens_the_transport_from_anywhere(serve: Serve, method: str, target: str) -> None:
    """
    With the token, a foreign peer with a foreign Host may speak; as a header or in the query.
    """
    served = serve(token="pair")
    expected = {"GET": 200, "POST": 400}[method]
    away = {"host": "box.lan:4400", "peer": "10.0.0.9"}
    assert served.ask(method, target, **away).response().status == 401
    assert served.ask(method, f"{target}?token=pair", **away).response().status == expected
    header = "Authorization: Bearer pair"
    assert served.ask(method, target, header, **away).response().status == expected
    assert served.ask(method, f"{target}?token=pair", header, **away).response().status == expected
    assert served.ask(method, f"{target}?token=wrong", header, **away).response().status == 401
    assert served.ask(method, f"{target}?token=dtok_1.pair").response().status == 401


@pytest.mark.parametrize("target", ["/status", "/metrics"])
def test_elsewhere_the_query_is_no_place_for_a_token(serve: Serve, target: str) -> None:
    """
    Pages for people take the token in the header alone; a parameter of that name opens nothing.
    """
    served = serve(token="pair")
    away = {"host": "box.lan:4400", "peer": "10.0.0.9"}
    assert served.ask("GET", f"{target}?token=pair", **away).response().status == 401
    assert served.ask("GET", target, "Authorization: Bearer pair", **away).response().status == 200


def test_the_page_script_is_never_opened_by_a_token(serve: Serve) -> None:
    """
    Whatever token comes along, the script is for pages on this machine.
    """
    served = serve(token="pair")
    header = "Authorization: Bearer pair"
    assert served.ask("GET", "/sdk.js?token=pair", header, host="box.lan").response().status == 403
    assert served.ask("GET", "/sdk.js", "Authorization: Bearer wrong").response().status == 200


def test_a_session_id_is_no_credential(serve: Serve) -> None:
    """
    Each request is judged alone: knowing a session does not open it from elsewhere.
    """
    served = serve()
    _, path = served.open_stream()
    headers = ["Content-Type: application/json", "Origin: https://evil.example"]
    assert served.ask("POST", path, *headers, body=b"{}").response().status == 403
    assert served.conversations.opened[0].received == []


def test_no_secret_leaves_by_the_log_the_record_or_an_answer(
    serve: Serve, log_events: list[dict[str, object]]
) -> None:
    """
    A token in the query or in a header appears in no log line, record or body (AU-03).
    """
    served = serve(token="right")
    wires = []
    for method, target in GUARDED:
        for given_token in ("SECRET123", "right"):
            wires += [
                served.ask(method, f"{target}?token={given_token}"),
                served.ask(method, target, f"Authorization: Bearer {given_token}"),
                served.ask(method, target, f"Referer: http://evil.example/?token={given_token}"),
            ]
    for wire in wires:
        answer = wire.response()
        assert "SECRET123" not in answer.text
        assert "right" not in answer.text.replace("/* the page script */", "")
        wire.hang_up()
    said = "\n".join(
        f"{event['log_format']} {[value for name, value in event.items() if not name.startswith('log_')]}"
        for event in log_events
    )
    assert "refused" in said
    for secret in ("SECRET123", "right", "token="):
        assert secret not in said
        assert secret not in repr(served.records)


HEADER = st.sampled_from(
    ["localhost", "localhost:4400", "127.0.0.1", "evil.example", "[::1]:4400", "null", "x.localhost"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    peer=st.sampled_from(["127.0.0.1", "10.0.0.9"]),
    hosts=st.lists(HEADER, min_size=1, max_size=2),
    origins=st.lists(HEADER.map(lambda host: f"http://{host}"), max_size=1),
    tokens=st.lists(st.sampled_from(["pair", "wrong", "dtok_1.x"]), max_size=1),
    configured=st.booleans(),
)
def test_every_route_decides_alike(
    serve: Serve,
    *,
    peer: str,
    hosts: list[str],
    origins: list[str],
    tokens: list[str],
    configured: bool,
) -> None:
    """
    For any peer, Host, Origin and token, all routes let in or keep out together (AU-05).
    """
    served = serve(token="pair" if configured else None)
    headers = [f"Host: {host}" for host in hosts[1:]] + [f"Origin: {origin}" for origin in origins]
    headers += [f"Authorization: Bearer {token}" for token in tokens]
    refusals = set()
    for method, target in GUARDED[:7]:
        response = served.ask(method, target, *headers, host=hosts[0], peer=peer).response()
        code = next(
            (word for word in ("token_missing", "token_invalid", "token_malformed", "bad_host", "bad_origin",
                               "bad_peer") if word in response.text), "granted",
        )  # fmt: skip
        refusals.add((code, response.status if code != "granted" else 0))
    assert len(refusals) == 1, refusals
