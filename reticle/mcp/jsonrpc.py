"""
JSON-RPC 2.0 messages as MCP uses them: strict on the way in, one line of bytes on the way out.

MCP narrows JSON-RPC: an id is a string or an integer, never null (MCP base protocol, "Messages").
Parameters stay raw until the method that wants them decodes them by type.
"""

from __future__ import annotations

from typing import Any, Final, TypeGuard

import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.domain.tokens import PREFIX, without_tokens
from reticle.errors import PeerFault
from reticle.mcp.strict_json import check_text, encode, malformed
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import BATCH_MESSAGES, REQUEST_ID_CHARS

RequestId = str | int
"""The id of a request; ``1`` and ``"1"`` are two ids and each is echoed as what it was."""

_WIDEST_INTEGER_ID: Final = 2**64


class Request(msgspec.Struct, frozen=True):
    """
    A message that wants an answer. ``params`` is None when absent or null.
    """

    request_id: RequestId
    method: str
    params: Raw | None


class Notification(msgspec.Struct, frozen=True):
    """
    A message without an id; it is never answered, whatever it says.
    """

    method: str
    params: Raw | None


class Response(msgspec.Struct, frozen=True):
    """
    The peer's answer to something that we asked; the id is null in an error about what it could not read.
    ``result`` is None when it is an error.
    """

    request_id: RequestId | None
    result: Raw | None = None


class Invalid(msgspec.Struct, frozen=True):
    """
    JSON that is no valid message. With a ``request_id`` the fault can be answered as an error.
    """

    request_id: RequestId | None
    fault: PeerFault


Message = Request | Notification | Response | Invalid


class _Envelope(msgspec.Struct):
    """
    Every field of every kind of message; what is absent is told from what is null.
    """

    jsonrpc: Any = UNSET
    id: Any = UNSET
    method: Any = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_TOKEN: Final = PREFIX.encode()
_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)
_ARRAY: Final = msgspec.json.Decoder(list[Raw])


def parse(body: bytes) -> Message | tuple[Message, ...]:
    """
    One message, or a tuple of them when the body is an array; whether arrays are allowed is for the
    caller to decide by revision.

    Raises:
        PeerFault: ``malformed_body`` when the body is not JSON; ``invalid_request`` for an empty or too
            long array. The same bytes will fail again.
    """
    check_text(body)
    if body[:1] == b"{" or body.lstrip()[:1] != b"[":
        return _parse_one(body)
    try:
        items = _ARRAY.decode(body)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise malformed(str(failure)) from None
    if not 0 < len(items) <= BATCH_MESSAGES:
        raise _invalid(f"a batch holds 1 to {BATCH_MESSAGES} messages, this one {len(items)}")
    return tuple(_parse_one(item) for item in items)


def _parse_one(text: bytes | Raw) -> Message:
    try:
        envelope = _ENVELOPE.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        if str(failure).startswith("Expected `object`"):
            return Invalid(None, _invalid("a message is a JSON object"))
        raise malformed(str(failure)) from None
    return _classify(envelope)


def _classify(envelope: _Envelope) -> Message:
    """
    Tell the kinds apart by which fields are there (JSON-RPC 2.0 §4, §5).

    A broken response is never answered: the other side would take the answer for one to a request of
    its own.
    """
    if envelope.result is not UNSET or envelope.error is not UNSET:
        return _classify_response(envelope)
    request_id, method = envelope.id, envelope.method
    known = request_id if is_request_id(request_id) else None
    if envelope.jsonrpc != "2.0":
        return Invalid(known, _invalid('"jsonrpc" must be "2.0"'))
    if type(method) is not str:
        return Invalid(known, _invalid('"method" must be a string'))
    params = None if envelope.params is UNSET or bytes(envelope.params) == b"null" else envelope.params
    if request_id is UNSET:
        return Notification(method, params)
    if known is None:
        return Invalid(None, _invalid('"id" must be a string or an integer of reasonable size'))
    return Request(known, method, params)


def _classify_response(envelope: _Envelope) -> Message:
    if envelope.jsonrpc != "2.0":
        return Invalid(None, _invalid('"jsonrpc" must be "2.0"'))
    if envelope.method is not UNSET:
        return Invalid(None, _invalid('"method" beside "result" or "error"'))
    if envelope.result is not UNSET and envelope.error is not UNSET:
        return Invalid(None, _invalid('a response has "result" or "error", not both'))
    if is_request_id(envelope.id):
        return Response(envelope.id, None if envelope.result is UNSET else envelope.result)
    if envelope.id is None and envelope.error is not UNSET:
        return Response(None)
    return Invalid(None, _invalid("a response names the id of its request"))


def is_request_id(value: object) -> TypeGuard[RequestId]:
    """
    Whether a value can be an id: a string or a real integer, of reasonable size.

    bool is an int only in Python, and 1.0 is not the integer 1.
    """
    if type(value) is int:
        return -_WIDEST_INTEGER_ID < value < _WIDEST_INTEGER_ID
    return type(value) is str and len(value) <= REQUEST_ID_CHARS


def _invalid(message: str) -> PeerFault:
    return PeerFault(FaultCode.INVALID_REQUEST, message, JsonRpcCode.INVALID_REQUEST)


def result_message(request_id: RequestId, result: bytes) -> bytes:
    """
    The answer to a request; ``result`` is one line of JSON.
    """
    told = b"%d" % request_id if type(request_id) is int else encode(request_id)
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (told, result)


def error_message(request_id: RequestId | None, fault: PeerFault) -> bytes:
    """
    The error that answers a request, or one whose id could not be read.
    """
    data = {"code": str(fault.code), **fault.data}
    error = {"code": int(fault.jsonrpc_code), "message": fault.message, "data": data}
    told = encode(error)
    if _TOKEN in told:
        # What the peer sent stands in messages; no token stands in an error (DESIGN §2).
        told = without_tokens(told.decode()).encode()
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (encode(request_id), told)


def request_message(request_id: RequestId, method: str, params: object) -> bytes:
    """
    A request of ours.
    """
    return encode({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})


def notification_message(method: str, params: object) -> bytes:
    """
    A message that wants no answer.
    """
    return encode({"jsonrpc": "2.0", "method": method, "params": params})
