"""
The ladder of a 2026-07-28 body: which rung breaks first.
"""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from reticle.mcp.jsonrpc import parse
from reticle.mcp.modern.ladder import Admitted, Dropped, Judged, Rejected, judge
from reticle.model.codes import LogLevel
from reticle.model.mcp import RoutingHeaders

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
GOOD: dict[str, Any] = {VERSION: "2026-07-28", CAPABILITIES: {}}
HEADERS = RoutingHeaders(version=("2026-07-28",), method=("tools/call",), name=("x",))


def judged(
    meta: object = GOOD,
    headers: RoutingHeaders | None = HEADERS,
    method: str = "tools/call",
    **params: object,
) -> Judged:
    """
    What becomes of a request named 7.
    """
    params = {"name": "x", **params}
    if meta is not None:
        params["_meta"] = meta
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    return judge(parse(json.dumps(message).encode()), headers)


def fault_of(outcome: Judged, request_id: int | None = 7) -> int:
    """
    The JSON-RPC number of a rejection that carries this id.
    """
    assert isinstance(outcome, Rejected)
    assert outcome.request_id == request_id
    return int(outcome.fault.jsonrpc_code)


def test_a_whole_request_is_admitted() -> None:
    """
    A client that says all it must is served.
    """
    meta = {**GOOD, CAPABILITIES: {"sampling": {}}, LOG_LEVEL: "warning", "progressToken": "p"}
    outcome = judged(meta)
    assert isinstance(outcome, Admitted)
    assert (outcome.request_id, outcome.method) == (7, "tools/call")
    assert outcome.envelope.client.sampling
    assert outcome.envelope.log_level is LogLevel.WARNING
    assert outcome.envelope.progress_token == "p"


@pytest.mark.parametrize("padding", ["", "x" * 5_000])
def test_capabilities_are_read_whatever_their_length(padding: str) -> None:
    """
    What a client can do does not depend on how much it says of it, and a number out of range is refused.
    """
    told = {"sampling": {}, "experimental": {"note": padding}}
    outcome = judged({**GOOD, CAPABILITIES: told})
    assert isinstance(outcome, Admitted)
    assert outcome.envelope.client.sampling
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"_meta": {**GOOD, CAPABILITIES: told}}}
    )
    broken = body.replace('"sampling": {}', '"sampling": {"x": 1e999}')
    assert fault_of(judge(parse(broken.encode()), None)) == -32602


def test_a_carrier_without_headers_needs_none() -> None:
    """
    The same request is served over stdio and SSE.
    """
    assert isinstance(judged(headers=None), Admitted)


TWICE = attrs.evolve(HEADERS, method=("tools/call", "tools/call"))
WRONG = attrs.evolve(HEADERS, version=("2025-06-18",))


@pytest.mark.parametrize(
    ("meta", "headers", "number"),
    [
        (None, TWICE, -32020),
        (None, WRONG, -32602),
        ([], HEADERS, -32602),
        ({CAPABILITIES: {}}, WRONG, -32602),
        ({VERSION: "2026-07-28"}, WRONG, -32602),
        ({VERSION: 1, CAPABILITIES: {}}, WRONG, -32602),
        ({VERSION: "2026-07-28", CAPABILITIES: []}, WRONG, -32602),
        ({VERSION: "2026-07-28", CAPABILITIES: None}, WRONG, -32602),
        ({VERSION: "1999-01-01", CAPABILITIES: {}}, HEADERS, -32020),
        (GOOD, attrs.evolve(HEADERS, version=()), -32020),
        (GOOD, attrs.evolve(HEADERS, method=()), -32020),
        (GOOD, attrs.evolve(HEADERS, method=("TOOLS/CALL",)), -32020),
        (GOOD, attrs.evolve(HEADERS, name=()), -32020),
        (GOOD, attrs.evolve(HEADERS, name=("X",)), -32020),
        (GOOD, attrs.evolve(HEADERS, name=("x", "x")), -32020),
        (
            {VERSION: "1999-01-01", CAPABILITIES: {}, LOG_LEVEL: "loud"},
            attrs.evolve(HEADERS, version=("1999-01-01",)),
            -32022,
        ),
        ({**GOOD, LOG_LEVEL: "loud"}, HEADERS, -32602),
        ({**GOOD, LOG_LEVEL: ["debug"]}, HEADERS, -32602),
        ({**GOOD, "progressToken": 1.5}, HEADERS, -32602),
    ],
)
def test_the_first_broken_rung_answers(meta: object, headers: RoutingHeaders, number: int) -> None:
    """
    A client that breaks several rules hears of the same one every time.
    """
    assert fault_of(judged(meta, headers)) == number


def test_an_unsupported_version_names_what_is_supported() -> None:
    """
    A newer client learns which revision to fall back to.
    """
    outcome = judged({VERSION: "v999", CAPABILITIES: {}}, None)
    assert isinstance(outcome, Rejected)
    assert "Unsupported protocol version" in outcome.fault.message
    assert outcome.fault.data == {"supported": ["2026-07-28"], "requested": "v999"}


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("prompts/get", {"name": "n"}),
        ("resources/read", {"uri": "n"}),
        ("tasks/get", {"taskId": "n"}),
        ("tasks/update", {"taskId": "n"}),
        ("tasks/cancel", {"taskId": "n"}),
    ],
)
def test_the_name_header_follows_the_method(method: str, params: dict[str, object]) -> None:
    """
    What routes by name goes by what the method is about.
    """
    headers = RoutingHeaders(version=("2026-07-28",), method=(method,), name=("n",))
    assert isinstance(judged(headers=headers, method=method, **params), Admitted)
    assert fault_of(judged(headers=attrs.evolve(headers, name=("m",)), method=method, **params)) == -32020


def test_a_method_without_a_name_needs_no_header() -> None:
    """
    Lists are asked for without a name.
    """
    headers = RoutingHeaders(version=("2026-07-28",), method=("tools/list",))
    assert isinstance(judged(headers=headers, method="tools/list"), Admitted)


@pytest.mark.parametrize(
    ("body", "request_id"),
    [
        (b"[]", None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', None),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', None),
        (b'{"jsonrpc":"2.0","id":null,"method":"tools/list"}', None),
        (b'{"jsonrpc":"1.0","id":7,"method":"tools/list"}', 7),
        (b'{"jsonrpc":"2.0","id":7}', 7),
        (b"3", None),
    ],
)
def test_what_is_no_single_request_is_refused(body: bytes, request_id: int | None) -> None:
    """
    A batch, a response or half a message gets an error with the id that it has.
    """
    if body == b"[]":
        body = b'[{"jsonrpc":"2.0","method":"x"}]'
    assert fault_of(judge(parse(body), HEADERS), request_id) == -32600


def test_a_notification_is_dropped() -> None:
    """
    A notification is accepted and never answered.
    """
    body = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    assert isinstance(judge(parse(body), HEADERS), Dropped)
