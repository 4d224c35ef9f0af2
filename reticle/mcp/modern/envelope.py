"""
What a request of 2026-07-28 says of itself in ``params._meta``, and its parameters still by name only.

One decoding serves the whole way of a request: the ladder, the routing headers and the method's own reading.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import attrs
import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.errors import PeerFault
from reticle.mcp.capabilities import client_capabilities
from reticle.mcp.jsonrpc import Request, RequestId, is_request_id
from reticle.mcp.modern import words
from reticle.mcp.strict_json import shorten
from reticle.model.codes import FaultCode, JsonRpcCode, LogLevel
from reticle.model.mcp import ClientCapabilities


class Meta(msgspec.Struct):
    """
    ``_meta`` as it came; nothing is checked yet.
    """

    version: Any = msgspec.field(default=UNSET, name=words.VERSION_KEY)
    capabilities: Raw | UnsetType = msgspec.field(default=UNSET, name=words.CAPABILITIES_KEY)
    log_level: Any = msgspec.field(default=UNSET, name=words.LOG_LEVEL_KEY)
    progress_token: Any = msgspec.field(default=UNSET, name="progressToken")


class Params(msgspec.Struct):
    """
    Every parameter that any method reads, as it came.
    """

    meta: Meta | UnsetType = msgspec.field(default=UNSET, name="_meta")
    name: Any = UNSET
    uri: Any = UNSET
    task_id: Any = msgspec.field(default=UNSET, name="taskId")
    arguments: Raw | UnsetType = UNSET
    repository_id: Any = UNSET
    cursor: Any = UNSET
    ref: Raw | UnsetType = UNSET
    argument: Raw | UnsetType = UNSET
    context: Raw | UnsetType = UNSET
    notifications: Raw | UnsetType = UNSET
    input_responses: Raw | UnsetType = msgspec.field(default=UNSET, name="inputResponses")
    request_state: Any = msgspec.field(default=UNSET, name="requestState")


_USUAL_BYTES: Final = 1_024
_PARAMS: Final = msgspec.json.Decoder(Params)


@attrs.frozen
class Envelope:
    """
    What holds for one request: the revision that it names, what its client can do, whether its client wants
    to hear of progress and logs.
    """

    version: str
    client: ClientCapabilities
    log_level: LogLevel | None
    progress_token: RequestId | None


def read_params(request: Request) -> tuple[Params, Meta]:
    """
    The parameters of a request and its ``_meta``, which has to be there.

    Raises:
        PeerFault: ``bad_params``.
    """
    try:
        params = _PARAMS.decode(b"{}" if request.params is None else request.params)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise bad_params(str(failure)) from None
    if params.meta is UNSET:
        raise bad_params(f"every request of this revision carries params._meta with {words.VERSION_KEY}")
    return params, params.meta


def named_version(meta: Meta) -> str:
    """
    The revision that a request names. Checks that both required keys are there.

    Raises:
        PeerFault: ``bad_params``.
    """
    if type(meta.version) is not str:
        raise bad_params(f"_meta.{words.VERSION_KEY} must be there and be a string")
    if meta.capabilities is UNSET or bytes(meta.capabilities)[:1] != b"{":
        raise bad_params(f"_meta.{words.CAPABILITIES_KEY} must be there and be an object")
    return meta.version


def read_envelope(meta: Meta) -> Envelope:
    """
    The rest of ``_meta``, once version and capabilities are known to be there.

    Raises:
        PeerFault: ``bad_params``.
    """
    token: RequestId | None = None
    if meta.progress_token is not UNSET:
        token = meta.progress_token
        if not is_request_id(token):
            raise bad_params("_meta.progressToken must be a string or an integer of reasonable size")
    return Envelope(meta.version, _client(meta), _log_level(meta), token)


def _client(meta: Meta) -> ClientCapabilities:
    """
    A client declares the same in each of its requests, so a declaration of usual length is read once.
    """
    raw = b"{}" if meta.capabilities is UNSET else bytes(meta.capabilities)
    try:
        return _read_once(raw) if len(raw) <= _USUAL_BYTES else client_capabilities(msgspec.json.decode(raw))
    except (msgspec.MsgspecError, ValueError) as failure:  # a number that no float can hold
        raise bad_params(f"_meta.{words.CAPABILITIES_KEY}: {failure}") from None


@lru_cache(maxsize=64)
def _read_once(raw: bytes) -> ClientCapabilities:
    return client_capabilities(msgspec.json.decode(raw))


def _log_level(meta: Meta) -> LogLevel | None:
    if meta.log_level is UNSET:
        return None
    try:
        return LogLevel(meta.log_level)
    except ValueError:
        raise bad_params(f"_meta.{words.LOG_LEVEL_KEY} is one of {', '.join(LogLevel)}") from None


def bad_params(message: str) -> PeerFault:
    """
    The fault of parameters that a method cannot take.
    """
    return PeerFault(FaultCode.BAD_PARAMS, shorten(message), JsonRpcCode.INVALID_PARAMS)
