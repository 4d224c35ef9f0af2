"""
The names that only revision 2026-07-28 knows. None of them may appear on the wire of a handshake revision.
"""

from __future__ import annotations

from typing import Final

from reticle.mcp.versions import REVISIONS, Revision

PER_REQUEST: Final[Revision] = REVISIONS[-1]
"""The revision without a handshake: each request names it."""

SUPPORTED: Final = (PER_REQUEST.name,)
"""What ``server/discover`` and a refused version name: the handshake dates cannot be used per request."""

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"
