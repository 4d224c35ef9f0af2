"""
What an MCP session tells its caller: past facts, each with what the caller must do next.
"""

from __future__ import annotations

import attrs

from reticle.mcp.jsonrpc import RequestId
from reticle.mcp.versions import Revision


@attrs.frozen
class Replied:
    """
    The session answered by itself; send ``message``.
    """

    message: bytes


@attrs.frozen
class Initialized:
    """
    A handshake was accepted and its answer comes next in the same sequence; nothing else to do.

    ``client`` is what the client calls itself, for logs; bounded, and nothing to trust.
    """

    revision: Revision
    client: str


@attrs.frozen
class ToolsListRequested:
    """
    Answer with the tools that the principal may use, in the words of the session's revision.
    """

    request_id: RequestId


@attrs.frozen
class ToolCallRequested:
    """
    Run the tool and answer, once, unless the call is cancelled.

    ``arguments`` is JSON text, ``{}`` when there were none; it has been checked to be JSON and nothing
    more. ``repository_id`` stood beside the arguments. ``progress_token`` is set when the client wants
    to hear of progress.
    """

    request_id: RequestId
    name: str
    arguments: bytes
    repository_id: str | None = None
    progress_token: RequestId | None = None


@attrs.frozen
class CancelReceived:
    """
    The client no longer wants an answer: stop that call if it runs in this session, and do not reply.
    An id that is not running is no fault, the answer may have crossed it on the way.
    """

    request_id: RequestId


Event = Replied | Initialized | ToolsListRequested | ToolCallRequested | CancelReceived
