"""
The parameters of each method that we know, by type.

Unknown fields are ignored: newer clients send more than we know. What we do read must have its type,
else the fault is ``bad_params`` and the same request will fail again.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.errors import PeerFault
from reticle.mcp.events import ToolCallRequested
from reticle.mcp.jsonrpc import Request, RequestId, is_request_id
from reticle.mcp.strict_json import shorten
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import PEER_NAME_CHARS

Params = TypeVar("Params", bound=msgspec.Struct)


class InitializeParams(msgspec.Struct):
    """
    What a client says of itself; anything may stand in either field (see ``versions.negotiate``).
    """

    protocolVersion: Any = None
    clientInfo: Any = None


class _ListParams(msgspec.Struct):
    cursor: str | None = None


class _Meta(msgspec.Struct):
    progressToken: Any = UNSET


class _CallParams(msgspec.Struct):
    name: str
    arguments: Raw | UnsetType = UNSET
    repository_id: str | None = None
    meta: _Meta | None = msgspec.field(default=None, name="_meta")


class _CancelParams(msgspec.Struct):
    requestId: Any = None


class _NoParams(msgspec.Struct):
    pass


_INITIALIZE: Final = msgspec.json.Decoder(InitializeParams)
_LIST: Final = msgspec.json.Decoder(_ListParams)
_CALL: Final = msgspec.json.Decoder(_CallParams)
_CANCEL: Final = msgspec.json.Decoder(_CancelParams)
_NONE: Final = msgspec.json.Decoder(_NoParams)


def initialize(params: Raw | None) -> InitializeParams:
    """
    Of ``initialize``. Raises ``PeerFault`` ``bad_params`` when they are no object.
    """
    return _decode(_INITIALIZE, params)


def check_none(params: Raw | None) -> None:
    """
    Of ``ping``: an object or nothing. Raises ``PeerFault`` ``bad_params``.
    """
    _decode(_NONE, params)


def check_list(params: Raw | None) -> None:
    """
    Of ``tools/list``. The list has one page, so no cursor can be one that we gave out.

    Raises:
        PeerFault: ``bad_params``.
    """
    if _decode(_LIST, params).cursor is not None:
        raise _bad_params("this cursor is not one of ours; list without a cursor")


def tool_call(request: Request) -> ToolCallRequested:
    """
    Of ``tools/call``. Arguments that are absent or null are ``{}``; what they say is for the gate.

    Raises:
        PeerFault: ``bad_params``.
    """
    params = _decode(_CALL, request.params)
    token: RequestId | None = None
    if params.meta is not None and params.meta.progressToken is not UNSET:
        token = params.meta.progressToken
        if not is_request_id(token):
            raise _bad_params("_meta.progressToken must be a string or an integer of reasonable size")
    arguments = b"{}" if params.arguments is UNSET else bytes(params.arguments)
    return ToolCallRequested(
        request.request_id,
        params.name,
        b"{}" if arguments == b"null" else arguments,
        params.repository_id,
        token,
    )


def cancelled_id(params: Raw | None) -> RequestId | None:
    """
    Of ``notifications/cancelled``: the id, or None when there is none, which cancels nothing.

    Never raises, since a notification is never answered.
    """
    try:
        request_id = _decode(_CANCEL, params).requestId
    except PeerFault:
        return None
    return request_id if is_request_id(request_id) else None


def client_name(client: object) -> str:
    """
    Name and version from ``clientInfo``, as far as they are texts; bounded.
    """
    if not isinstance(client, dict):
        return "unnamed"
    words = [word for key in ("name", "version") if isinstance(word := client.get(key), str)]
    return shorten(" ".join(words) or "unnamed", PEER_NAME_CHARS)


def _decode(decoder: msgspec.json.Decoder[Params], params: Raw | None) -> Params:
    try:
        return decoder.decode(b"{}" if params is None else params)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise _bad_params(str(failure)) from None


def _bad_params(message: str) -> PeerFault:
    return PeerFault(FaultCode.BAD_PARAMS, shorten(message), JsonRpcCode.INVALID_PARAMS)
