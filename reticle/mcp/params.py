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
from reticle.mcp.events import (
    CompletionRequested,
    Listable,
    ListRequested,
    PromptRequested,
    ResourceRequested,
    SubscriptionRequested,
    ToolCallRequested,
)
from reticle.mcp.jsonrpc import Request, RequestId, is_request_id
from reticle.mcp.strict_json import encode, shorten
from reticle.model.codes import FaultCode, JsonRpcCode, LogLevel
from reticle.model.limits import PEER_NAME_CHARS, RESOURCE_URI_CHARS

Params = TypeVar("Params", bound=msgspec.Struct)


class InitializeParams(msgspec.Struct):
    """
    What a client says of itself; anything may stand in either field (see ``versions.negotiate``).
    """

    protocolVersion: Any = None
    clientInfo: Any = None
    capabilities: Any = None


class _ListParams(msgspec.Struct):
    cursor: str | None = None
    repository_id: str | None = None


class _Meta(msgspec.Struct):
    progressToken: Any = UNSET


class _CallParams(msgspec.Struct):
    name: str
    arguments: Raw | UnsetType = UNSET
    repository_id: str | None = None
    meta: _Meta | None = msgspec.field(default=None, name="_meta")


class _UriParams(msgspec.Struct):
    uri: str


class _PromptParams(msgspec.Struct):
    name: str
    arguments: dict[str, str] | None = None


class _Reference(msgspec.Struct):
    type: str
    name: str | None = None
    uri: str | None = None


class _Argument(msgspec.Struct):
    name: str
    value: str


class _Context(msgspec.Struct):
    arguments: dict[str, str] | None = None


class _CompleteParams(msgspec.Struct):
    ref: _Reference
    argument: _Argument
    context: _Context | None = None


class _LevelParams(msgspec.Struct):
    level: LogLevel


class _CancelParams(msgspec.Struct):
    requestId: Any = None


class _NoParams(msgspec.Struct):
    pass


_INITIALIZE: Final = msgspec.json.Decoder(InitializeParams)
_LIST: Final = msgspec.json.Decoder(_ListParams)
_CALL: Final = msgspec.json.Decoder(_CallParams)
_URI: Final = msgspec.json.Decoder(_UriParams)
_PROMPT: Final = msgspec.json.Decoder(_PromptParams)
_COMPLETE: Final = msgspec.json.Decoder(_CompleteParams)
_LEVEL: Final = msgspec.json.Decoder(_LevelParams)
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


def listed(request: Request, listable: Listable) -> ListRequested:
    """
    Of the four lists. Raises ``PeerFault`` ``bad_params``.
    """
    params = _decode(_LIST, request.params)
    return ListRequested(request.request_id, listable, params.cursor, params.repository_id)


def resource(request: Request) -> ResourceRequested:
    """
    Of ``resources/read``. Raises ``PeerFault`` ``bad_params``.
    """
    return ResourceRequested(request.request_id, _uri(request))


def subscription(request: Request, *, wanted: bool) -> SubscriptionRequested:
    """
    Of ``resources/subscribe`` and ``resources/unsubscribe``. Raises ``PeerFault`` ``bad_params``.
    """
    return SubscriptionRequested(request.request_id, _uri(request), wanted)


def prompt(request: Request) -> PromptRequested:
    """
    Of ``prompts/get``. Raises ``PeerFault`` ``bad_params``.
    """
    params = _decode(_PROMPT, request.params)
    return PromptRequested(request.request_id, params.name, encode(params.arguments or {}))


def completion(request: Request) -> CompletionRequested:
    """
    Of ``completion/complete``. Raises ``PeerFault`` ``bad_params``.
    """
    params = _decode(_COMPLETE, request.params)
    names = {"ref/prompt": params.ref.name, "ref/resource": params.ref.uri}
    name = names.get(params.ref.type)
    if name is None:
        raise _bad_params('ref must be {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}')
    given = {} if params.context is None else params.context.arguments or {}
    argument = params.argument
    return CompletionRequested(
        request.request_id, params.ref.type, name, argument.name, argument.value, given
    )


def log_level(params: Raw | None) -> LogLevel:
    """
    Of ``logging/setLevel``. Raises ``PeerFault`` ``bad_params``, also for a level that does not exist.
    """
    return _decode(_LEVEL, params).level


def _uri(request: Request) -> str:
    uri = _decode(_URI, request.params).uri
    if len(uri) > RESOURCE_URI_CHARS:
        raise _bad_params(f"a uri has at most {RESOURCE_URI_CHARS} characters")
    return uri


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
