"""
The ladder that a body of 2026-07-28 climbs before anything runs; the first rung that breaks is the answer.

JSON → one request → each routing header once → ``_meta`` → headers as the body → a version that we speak.
What depends on methods and tools follows in ``reticle.dispatch.exchange``: ``Mcp-Param-*`` → the method →
its parameters. A contradiction is judged before support, so that a client hears first that it contradicts
itself (MCP 2026-07-28 "Server validation").
"""

from __future__ import annotations

from typing import Final

import attrs

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Invalid, Message, Notification, Request, RequestId, Response
from reticle.mcp.modern.envelope import Envelope, Params, named_version, read_envelope, read_params
from reticle.mcp.modern.routing import check_once, check_routing
from reticle.mcp.modern.words import SUPPORTED
from reticle.mcp.strict_json import shorten
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import PEER_NAME_CHARS
from reticle.model.mcp import RoutingHeaders


@attrs.frozen
class Admitted:
    """
    A request that may go on to its method.
    """

    request_id: RequestId
    method: str
    params: Params
    envelope: Envelope


@attrs.frozen
class Rejected:
    """
    Answer with this fault; without an id where none could be read.
    """

    request_id: RequestId | None
    fault: PeerFault


@attrs.frozen
class Dropped:
    """
    A notification: accepted, and without meaning where a request is known by its own connection.
    """


Judged = Admitted | Rejected | Dropped
_DROPPED: Final = Dropped()


def judge(message: Message | tuple[Message, ...], headers: RoutingHeaders | None) -> Judged:
    """
    Say what becomes of a parsed body; ``headers`` is None on carriers that have none.
    """
    match message:
        case Request():
            return _climb(message, headers)
        case Notification():
            return _DROPPED
        case Invalid():
            return Rejected(message.request_id, message.fault)
        case Response():
            return Rejected(
                None, _shape("nothing is asked of a client by requests, so nothing waits for a response")
            )
        case _:
            return Rejected(None, _shape("this revision has no batches; send one message per body"))


def _climb(request: Request, headers: RoutingHeaders | None) -> Judged:
    try:
        if headers is not None:
            check_once(headers)
        params, meta = read_params(request)
        version = named_version(meta)
        if headers is not None:
            check_routing(headers, version, request.method, params)
        if version not in SUPPORTED:
            raise unsupported(version)
        return Admitted(request.request_id, request.method, params, read_envelope(meta))
    except PeerFault as fault:
        return Rejected(request.request_id, fault)


def unsupported(version: str) -> PeerFault:
    """
    The fault of a revision that cannot be used per request. Older clients look for its words.
    """
    return PeerFault(
        FaultCode.VERSION_UNSUPPORTED,
        "Unsupported protocol version",
        JsonRpcCode.UNSUPPORTED_PROTOCOL_VERSION,
        {"supported": list(SUPPORTED), "requested": shorten(version, PEER_NAME_CHARS)},
    )


def _shape(message: str) -> PeerFault:
    return PeerFault(FaultCode.INVALID_REQUEST, message)
