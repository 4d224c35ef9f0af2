"""
A small blocking MCP client over the old HTTP+SSE pair, on the standard library alone.

    with connect("http://127.0.0.1:4400/mcp/sse") as client:
        client.initialize()
        result = client.call("reticle_snapshot")

It imports nothing else of reticle, so a script can carry the folder away.
"""

from __future__ import annotations

from reticle.client.client import Client, connect
from reticle.client.errors import (
    CannotConnect,
    ClientError,
    ProtocolBroken,
    Refused,
    ReplyOverdue,
    RpcError,
    StreamEnded,
)
from reticle.client.results import CallResult

__all__ = [
    "CallResult",
    "CannotConnect",
    "Client",
    "ClientError",
    "ProtocolBroken",
    "Refused",
    "ReplyOverdue",
    "RpcError",
    "StreamEnded",
    "connect",
]
