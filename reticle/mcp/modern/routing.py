"""
Whether the headers of a request say the same as its body.

Whoever routes by headers must not be led elsewhere than where the body goes; a header that is missing
contradicts as much as a wrong one (MCP 2026-07-28 "Standard headers").
"""

from __future__ import annotations

from typing import Final

from reticle.errors import PeerFault
from reticle.mcp.modern.envelope import Params
from reticle.mcp.modern.header_values import header_text
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.mcp import RoutingHeaders

_BY_NAME: Final = frozenset({"tools/call", "prompts/get"})
_BY_URI: Final = frozenset({"resources/read"})
_BY_TASK: Final = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})


def check_once(headers: RoutingHeaders) -> None:
    """
    Raises:
        PeerFault: ``header_mismatch``; a routing header came more than once.
    """
    for name, values in (
        ("MCP-Protocol-Version", headers.version),
        ("Mcp-Method", headers.method),
        ("Mcp-Name", headers.name),
    ):
        if len(values) > 1:
            raise mismatch(f"{name} came {len(values)} times")


def check_routing(headers: RoutingHeaders, version: str, method: str, params: Params) -> None:
    """
    Raises:
        PeerFault: ``header_mismatch``; the first header that is missing or says something else.
    """
    _compare("MCP-Protocol-Version", headers.version, version)
    _compare("Mcp-Method", headers.method, method)
    if method in _BY_NAME:
        _compare("Mcp-Name", headers.name, params.name)
    elif method in _BY_URI:
        _compare("Mcp-Name", headers.name, params.uri)
    elif method in _BY_TASK:
        _compare("Mcp-Name", headers.name, params.task_id)


def mismatch(message: str) -> PeerFault:
    """
    The fault of headers that contradict the body.
    """
    return PeerFault(FaultCode.HEADER_MISMATCH, message, JsonRpcCode.HEADER_MISMATCH)


def _compare(name: str, values: tuple[str, ...], expected: object) -> None:
    if not values:
        raise mismatch(f"the header {name} is missing")
    if header_text(values[0]) != expected:
        raise mismatch(f"the header {name} does not say what the body says")
