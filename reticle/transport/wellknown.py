"""
The paths where MCP clients look for an authorisation server: a quick 404 each.

There is none here; tokens are given out by hand. Clients ask all the same, below the root and below
``/mcp``, and wait for the answer before they connect, so it must be short and need no credential.
"""

from __future__ import annotations

from twisted.web.iweb import IRequest

from reticle.transport.resource import Endpoint, answer_not_found
from reticle.transport.trace import trace_of

WELL_KNOWN = b".well-known"
REGISTER = b"register"
"""Where a client would register itself (RFC 7591)."""


class UnguardedAbsence(Endpoint):
    """
    404 for every method and everything below.
    """

    def render(self, request: IRequest) -> bytes:
        """
        There is nothing here.
        """
        trace_of(request).route = "well_known"
        return answer_not_found(request)
