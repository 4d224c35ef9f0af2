"""
Requests of 2026-07-28 in a test, and what they are answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from reticle.dispatch.exchange import Exchange
from reticle.model.codes import Carrier
from reticle.model.mcp import RoutingHeaders
from reticle.model.trust import LOCAL, Principal
from reticle.testing.gate import GateBench
from reticle.testing.replies import RecordedReplies

EVERYTHING: Mapping[str, object] = {
    "elicitation": {},
    "sampling": {},
    "roots": {},
    "extensions": {"io.modelcontextprotocol/tasks": {}},
}
"""The capabilities of a client that can do all that we ask of one."""


def modern_request(
    method: str,
    params: Mapping[str, object] | None = None,
    *,
    request_id: int | str = 1,
    capabilities: Mapping[str, object] | None = None,
    meta: Mapping[str, object] | None = None,
) -> bytes:
    """
    A request that names its revision; ``meta`` goes beside the required keys.
    """
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {} if capabilities is None else capabilities,
        **(meta or {}),
    }
    message = {
        "jsonrpc": "2.0",
        "id": request_id,
        "method": method,
        "params": {**(params or {}), "_meta": envelope},
    }
    return json.dumps(message).encode()


@attrs.frozen(eq=False)
class Sent:
    """
    One request that was sent: its exchange, and where its answers go.
    """

    exchange: Exchange
    replies: RecordedReplies

    def result(self) -> dict[str, Any]:
        """
        Its result; it has to be there, alone and last.
        """
        assert self.replies.ended, self.replies.log
        (answer,) = self.replies.answers()
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def error(self) -> dict[str, Any]:
        """
        Its error; it has to be there, alone and last.
        """
        assert self.replies.ended, self.replies.log
        (answer,) = self.replies.answers()
        assert "error" in answer, answer
        error: dict[str, Any] = answer["error"]
        return error


def send_modern(
    bench: GateBench,
    body: bytes,
    *,
    headers: RoutingHeaders | None = None,
    principal: Principal = LOCAL,
) -> Sent:
    """
    Send one body, by default on a carrier without routing headers.
    """
    replies = RecordedReplies()
    exchange = bench.conversations.exchange(principal, Carrier.HTTP, body, headers, replies)
    return Sent(exchange, replies)
