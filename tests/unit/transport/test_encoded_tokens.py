"""
A token at any place of a request, encoded in any way: it is in no log line, no answer and no record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reticle.logs.lines import journal_line, json_line, text_line
from reticle.logs.redaction import Redaction
from reticle.model.limits import LOGGED_PATH_CHARS
from reticle.model.percent import decoded

Serve = Callable[..., Any]

PAIRING = "pairing-secret-9f8e7d6c5b4a"
SECRET = "Q0FOQVJZLXNlY3JldC1oYWxmLW9mLWEtdG9rZW4tMDEy"[:43]
TOKEN = f"dtok_0123456789abcdef.{SECRET}"
EXAMPLES = 250
"""Enough for each place with each encoding; some seconds."""

HEADERS = (
    "Origin", "Referer", "User-Agent", "Accept", "Content-Type", "Mcp-Session-Id", "MCP-Protocol-Version",
    "Last-Event-ID", "Cookie", "X-Forwarded-For", "Accept-Encoding", "Authorization", "Connection", "Expect",
)  # fmt: skip
FORMS = {"Origin": "http://{}.example", "Referer": "http://{0}.example/{0}?{0}", "Authorization": "Bearer {}"}
PLACES = (
    "segment",
    "path",
    "query name",
    "query value",
    "query token",
    "Host",
    "method",
    *HEADERS,
    "tool",
    "rpc",
)


@st.composite
def spelled(draw: st.DrawFn, secret: str) -> str:
    """
    The secret with some of its characters percent-encoded, in either case, once or more often.
    """
    form = draw(st.sampled_from(["%{:02x}", "%{:02X}"]))
    which = draw(st.one_of(st.just("."), st.just(""), st.just(secret), st.text(st.sampled_from(secret))))
    word = "".join(form.format(ord(char)) if char in which else char for char in secret)
    return word.replace("%", "%" + "25" * draw(st.integers(0, 3)))


TARGETS = {
    "segment": "/foo/{}/x",
    "path": "/{}",
    "query name": "/status?{}=1",
    "query value": "/nowhere?x={}",
    "query token": "/mcp/sse?token={}",
}


def send(served: Any, place: str, word: str) -> bytes:
    """
    One request with the word at that place; what came back.
    """
    host = word if place == "Host" else "localhost:4400"
    if place in TARGETS:
        received: bytes = served.ask("GET", TARGETS[place].format(word), host=host).received()
        return received
    method, headers, message = "POST", ["Content-Type: application/json"], dict[str, object]()
    if place == "method":
        method = word
    elif place == "tool":
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": word, word: word}}
    elif place == "rpc":
        message = {"jsonrpc": word, "id": 1, "method": word}
    elif place in HEADERS:
        headers.append(f"{place}: {FORMS.get(place, '{}').format(word)}")
    body = json.dumps(message).encode()
    answered: bytes = served.ask(method, "/mcp", *headers, body=body, host=host).received()
    return answered


def lines_of(events: Sequence[dict[str, Any]]) -> str:
    """
    What all sinks would write.
    """
    redaction = Redaction([PAIRING])
    made = [line(event) for event in events for line in (text_line, json_line, journal_line)]
    return "".join(map(redaction.clean, made))


@given(place=st.sampled_from(PLACES), data=st.data(), secret=st.sampled_from([TOKEN, PAIRING]))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_encoding_carries_a_token_into_a_log_or_an_answer(
    serve: Serve, log_events: list[dict[str, Any]], place: str, data: st.DataObject, secret: str
) -> None:
    """
    Whoever puts a token into a wrong place has not published it to all who may read logs or answers.
    """
    log_events.clear()
    served = serve(token="another")
    word = data.draw(spelled(secret))
    received = send(served, place, word)
    hidden = SECRET if secret == TOKEN else PAIRING
    assert hidden not in decoded(lines_of(log_events))
    if secret == TOKEN:
        assert hidden not in decoded(received.decode("latin-1"))
        assert hidden not in decoded(served.ask("GET", "/metrics").received().decode())


@pytest.mark.parametrize("method", ["GET", "X" * 190 + PAIRING])
@pytest.mark.parametrize("shown", range(1, len(PAIRING)))
def test_a_pairing_token_where_the_log_cuts_is_not_shown_in_part(
    serve: Serve, log_events: list[dict[str, Any]], shown: int, method: str
) -> None:
    """
    A long path is cut in the log, and half of a token is half of a secret.
    """
    serve(token=PAIRING).ask(method, "/" + "a" * (LOGGED_PATH_CHARS - 1 - shown) + PAIRING)
    lines = lines_of(log_events)
    assert ("aaaa" in lines, PAIRING[:4] in lines) == (True, False)


@pytest.mark.parametrize("spelling", [TOKEN, TOKEN.replace("d", "%64"), TOKEN.replace(".", "%2E")])
@pytest.mark.parametrize("target", ["/status?x={}", "/status?{}=1", "/mcp/sse?token={}"])
def test_a_token_in_the_query_is_refused_in_every_spelling(serve: Serve, spelling: str, target: str) -> None:
    """
    It belongs into a header, whether the client encoded it or not.
    """
    response = serve().ask("GET", target.format(spelling)).response()
    assert (response.status, "token_malformed" in response.text) == (401, True)
