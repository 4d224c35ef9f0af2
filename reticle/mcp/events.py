"""
What an MCP session tells its caller: past facts, each with what the caller must do next.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import RequestId
from reticle.mcp.versions import Revision
from reticle.model.codes import LogLevel
from reticle.model.mcp import Agreed


class Listable(StrEnum):
    """
    What has a list; the value is the method.
    """

    TOOLS = "tools/list"
    RESOURCES = "resources/list"
    TEMPLATES = "resources/templates/list"
    PROMPTS = "prompts/list"


class Replied(msgspec.Struct, frozen=True):
    """
    The session answered a request by itself; send ``message``. ``fault`` when it is an error.
    """

    message: bytes
    fault: PeerFault | None = None


class Initialized(msgspec.Struct, frozen=True):
    """
    A handshake was accepted and its answer comes next in the same sequence; nothing else to do.

    ``client`` is what the client calls itself, for logs; bounded, and nothing to trust.
    """

    revision: Revision
    client: str
    agreed: Agreed


class ListRequested(msgspec.Struct, frozen=True):
    """
    Answer with what the principal may see of it, in the words of the session's revision. A ``cursor`` is as
    the client sent it. ``repository_id`` narrows ``tools/list`` to what can be used there.
    """

    request_id: RequestId
    listable: Listable
    cursor: str | None = None
    repository_id: str | None = None


class ToolCallRequested(msgspec.Struct, frozen=True):
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


class ResourceRequested(msgspec.Struct, frozen=True):
    """
    Read the resource and answer, once, unless that is cancelled.
    """

    request_id: RequestId
    uri: str


class PromptRequested(msgspec.Struct, frozen=True):
    """
    Make the prompt and answer, once, unless that is cancelled. ``arguments`` is JSON text of an object.
    """

    request_id: RequestId
    name: str
    arguments: bytes


class CompletionRequested(msgspec.Struct, frozen=True):
    """
    Answer with what the argument of a prompt or resource template may be.

    ``kind`` is ``ref/prompt`` or ``ref/resource``, ``name`` the prompt's name or the template's URI,
    ``given`` what the person has typed, ``context`` what other arguments have already.
    """

    request_id: RequestId
    kind: str
    name: str
    argument: str
    given: str
    context: dict[str, str]


class SubscriptionRequested(msgspec.Struct, frozen=True):
    """
    From now on tell the client of changes of this resource, or no longer; answer ``{}``.
    """

    request_id: RequestId
    uri: str
    wanted: bool


class LevelSet(msgspec.Struct, frozen=True):
    """
    The mildest log level that the client wants; its answer comes next in the same sequence.
    """

    level: LogLevel


class ResponseReceived(msgspec.Struct, frozen=True):
    """
    The client answered a request of ours; an id that nobody waits for is no fault. ``result`` is JSON text,
    None when it is an error.
    """

    request_id: RequestId
    result: bytes | None


class CancelReceived(msgspec.Struct, frozen=True):
    """
    The client no longer wants an answer: stop that call if it runs in this session, and do not reply.
    An id that is not running is no fault, the answer may have crossed it on the way.
    """

    request_id: RequestId


Event = (
    Replied
    | Initialized
    | ListRequested
    | ToolCallRequested
    | ResourceRequested
    | PromptRequested
    | CompletionRequested
    | SubscriptionRequested
    | LevelSet
    | ResponseReceived
    | CancelReceived
)
