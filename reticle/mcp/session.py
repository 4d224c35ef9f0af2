"""
One MCP session without I/O: bytes in, events out.

It answers what needs no decision of ours (handshake, ping, unknown methods, bad parameters) and tells
the caller what does. Contract: MCP revisions 2024-11-05 to 2025-11-25; DESIGN §2 and §4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from reticle._version import __version__
from reticle.errors import PeerFault
from reticle.mcp import params
from reticle.mcp.capabilities import Offered, client_capabilities, server_capabilities
from reticle.mcp.down_convert import server_info
from reticle.mcp.events import (
    CancelReceived,
    Event,
    Initialized,
    LevelSet,
    Listable,
    Replied,
    ResponseReceived,
)
from reticle.mcp.instructions import INSTRUCTIONS
from reticle.mcp.jsonrpc import (
    Invalid,
    Message,
    Notification,
    Request,
    Response,
    error_message,
    parse,
    result_message,
)
from reticle.mcp.lifecycle import FRESH, READY, Handshake, build_lifecycle
from reticle.mcp.strict_json import encode, shorten
from reticle.mcp.versions import LATEST_BY_HANDSHAKE, Revision, by_name
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.mcp import Agreed

_TOOLS_ALONE: Final = Offered()


def _level(request: Request) -> Sequence[Event]:
    return [LevelSet(params.log_level(request.params)), _empty(request)]


_FEATURES: Final[Mapping[str, tuple[str, Callable[[Request], Sequence[Event]]]]] = {
    "resources/list": ("resources", lambda request: [params.listed(request, Listable.RESOURCES)]),
    "resources/templates/list": ("resources", lambda request: [params.listed(request, Listable.TEMPLATES)]),
    "resources/read": ("resources", lambda request: [params.resource(request)]),
    "resources/subscribe": ("resources", lambda request: [params.subscription(request, wanted=True)]),
    "resources/unsubscribe": ("resources", lambda request: [params.subscription(request, wanted=False)]),
    "prompts/list": ("prompts", lambda request: [params.listed(request, Listable.PROMPTS)]),
    "prompts/get": ("prompts", lambda request: [params.prompt(request)]),
    "completion/complete": ("completions", lambda request: [params.completion(request)]),
    "logging/setLevel": ("logging", _level),
}
"""The field of ``Offered`` that a method needs, and how its request is read."""


class Session:
    """
    The protocol state of one client. Give it every body in the order of arrival.

    Args:
        offered: What the server has; methods of what it has not are unknown.
        agreed: The handshake of an earlier life of the daemon; None waits for one.
    """

    def __init__(self, offered: Offered = _TOOLS_ALONE, agreed: Agreed | None = None) -> None:
        self._offered = offered
        if agreed is None:
            self._handshake = Handshake()
            self._life = build_lifecycle(self._handshake, FRESH)
        else:
            self._handshake = Handshake(by_name(agreed.revision) or LATEST_BY_HANDSHAKE)
            self._life = build_lifecycle(self._handshake, READY)

    @property
    def revision(self) -> Revision:
        """
        The words to answer in; may change with each ``receive`` until a handshake was accepted.
        """
        return self._handshake.revision

    def receive(self, body: bytes) -> Sequence[Event]:
        """
        Take one body. The caller handles the events in their order; see each event's docstring.

        Raises:
            PeerFault: The body cannot be answered by id: it is not JSON, not a message, or an array
                where the revision has none. Nothing has changed; the transport says so in its own way.
        """
        parsed = parse(body)
        if isinstance(parsed, Request):
            return self._request(parsed)
        if isinstance(parsed, tuple):
            if not self.revision.batch:
                raise PeerFault(
                    FaultCode.BATCH_UNSUPPORTED,
                    f"revision {self.revision.name} has no batches; send one message per body",
                )
            return [event for message in parsed for event in self._of_batch(message)]
        if isinstance(parsed, Invalid) and parsed.request_id is None:
            raise parsed.fault
        return self._other(parsed)

    def close(self) -> None:
        """
        The peer is gone. Nothing may be received afterwards; may be called twice.
        """
        self._life.close()

    def _of_batch(self, message: Message) -> Sequence[Event]:
        if not isinstance(message, Request):
            return self._other(message)
        if message.method == "initialize":
            fault = PeerFault(FaultCode.INVALID_REQUEST, "initialize must not be part of a batch")
            return [Replied(error_message(message.request_id, fault), fault)]
        return self._request(message)

    def _request(self, request: Request) -> Sequence[Event]:
        try:
            match request.method:
                case "tools/call":
                    return [params.tool_call(request)]
                case "tools/list":
                    return [params.listed(request, Listable.TOOLS)]
                case "initialize":
                    return self._initialize(request)
                case "ping":
                    params.check_none(request.params)
                    return [_empty(request)]
                case _:
                    return self._feature(request)
        except PeerFault as fault:
            return [Replied(error_message(request.request_id, fault), fault)]

    def _feature(self, request: Request) -> Sequence[Event]:
        """
        Methods of what a server may have or not. Raises ``PeerFault``.
        """
        feature, read = _FEATURES.get(request.method, (None, None))
        if feature is None or read is None or not getattr(self._offered, feature):
            raise _unknown_method(request.method)
        return read(request)

    def _other(self, message: Message) -> Sequence[Event]:
        """
        What is not a request. Unknown notifications are dropped.
        """
        if isinstance(message, Invalid):
            return [Replied(error_message(message.request_id, message.fault), message.fault)]
        if isinstance(message, Notification):
            return self._notification(message)
        if isinstance(message, Response) and message.request_id is not None:
            result = None if message.result is None else bytes(message.result)
            return [ResponseReceived(message.request_id, result)]
        return []

    def _notification(self, notification: Notification) -> Sequence[Event]:
        if notification.method == "notifications/initialized":
            self._life.initialized()
        elif notification.method == "notifications/cancelled":
            request_id = params.cancelled_id(notification.params)
            return [] if request_id is None else [CancelReceived(request_id)]
        return []

    def _initialize(self, request: Request) -> Sequence[Event]:
        asked = params.initialize(request.params)
        revision = self._life.initialize(asked.protocolVersion)
        if revision is None:
            raise PeerFault(
                FaultCode.ALREADY_INITIALIZED,
                f"this session is initialized with revision {self.revision.name}; go on with it",
            )
        result = {
            "protocolVersion": revision.name,
            "capabilities": server_capabilities(self._offered, revision),
            "serverInfo": server_info("reticle", "Reticle", __version__, revision),
            "instructions": INSTRUCTIONS,
        }
        return [
            Initialized(
                revision,
                params.client_name(asked.clientInfo),
                Agreed(revision.name, client_capabilities(asked.capabilities)),
            ),
            Replied(result_message(request.request_id, encode(result))),
        ]


def _empty(request: Request) -> Replied:
    return Replied(result_message(request.request_id, b"{}"))


def _unknown_method(method: str) -> PeerFault:
    return PeerFault(
        FaultCode.METHOD_UNKNOWN,
        f"there is no method {shorten(method, PEER_NAME_CHARS)!r}",
        JsonRpcCode.METHOD_NOT_FOUND,
    )
