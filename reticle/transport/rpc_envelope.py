"""
One line of the Unix socket: a request in, a response out (docs/protocol/socket.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
import msgspec
from msgspec import UNSET, Raw, UnsetType

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import RequestId, is_request_id
from reticle.mcp.strict_json import encode
from reticle.model.codes import FaultCode, RefusalCode
from reticle.model.limits import RPC_DEADLINE_SECONDS

SCHEMA_VERSION: Final = 1
_OF_ERROR: Final = {"error", "message", "recovery"}
_OF_ENVELOPE: Final = {"ok", "method", "audit_id"}
_NOTHING: Final = Raw(b"{}")


class _Line(msgspec.Struct):
    """
    Every field as it may come.
    """

    schema_version: Any = UNSET
    request_id: Any = UNSET
    method: Any = UNSET
    params: Raw | UnsetType = UNSET
    capability_token: Any = None
    deadline_ms: Any = None


_LINE: Final = msgspec.json.Decoder(_Line)


@attrs.frozen
class RpcRequest:
    """
    A request. ``token`` is None when none came; ``deadline_seconds`` None leaves the time to the method.
    """

    request_id: RequestId
    method: str
    params: bytes
    token: str | None = attrs.field(repr=False)
    deadline_seconds: float | None


class BadLine(PeerFault):
    """
    A line that is no request; the same line will fail again. ``request_id`` is None where none could be read.
    """

    def __init__(self, code: str, message: str, request_id: RequestId | None = None) -> None:
        super().__init__(code, message)
        self.request_id = request_id


def read_request(line: bytes) -> RpcRequest:
    """
    The request of one line.

    Raises:
        BadLine: It is none.
    """
    try:
        read = _LINE.decode(line)
    except (msgspec.MsgspecError, RecursionError, ValueError) as failure:
        raise BadLine(FaultCode.MALFORMED_BODY, f"a line is one JSON object: {failure}") from None
    request_id = read.request_id if is_request_id(read.request_id) else None
    wrong = _what_is_wrong(read)
    if wrong is not None or request_id is None:
        raise BadLine(FaultCode.INVALID_REQUEST, wrong or "", request_id)
    if read.schema_version != SCHEMA_VERSION:
        message = f"schema_version {read.schema_version!r} is not {SCHEMA_VERSION}"
        raise BadLine(RefusalCode.VERSION_INCOMPATIBLE, message, request_id)
    deadline = None if read.deadline_ms is None else min(read.deadline_ms / 1000, RPC_DEADLINE_SECONDS)
    params = _NOTHING if read.params is UNSET else read.params
    return RpcRequest(request_id, read.method, bytes(params), read.capability_token or None, deadline)


def _what_is_wrong(line: _Line) -> str | None:
    deadline = line.deadline_ms
    if not is_request_id(line.request_id):
        return "request_id must be a text or a whole number"
    if type(line.schema_version) is not int:
        return f"schema_version must be {SCHEMA_VERSION}"
    if type(line.method) is not str or not line.method:
        return "method must be a text"
    if not isinstance(line.capability_token, str | None):
        return "capability_token must be a text"
    if deadline is not None and (type(deadline) is not int or deadline <= 0):
        return "deadline_ms must be a whole number above 0"
    return None


def response_line(request_id: RequestId | None, result: Mapping[str, object]) -> bytes:
    """
    The response of a call, made of its flat result object.
    """
    rest = {name: value for name, value in result.items() if name not in _OF_ENVELOPE}
    if result["ok"]:
        outcome: dict[str, object] = {"ok": True, "data": rest}
    else:
        details = {name: value for name, value in rest.items() if name not in _OF_ERROR}
        outcome = {"ok": False, "error": _error(rest["error"], rest["message"], rest["recovery"], details)}
    return _line(request_id, {**outcome, "audit_id": result["audit_id"]})


def fault_line(request_id: RequestId | None, code: str, message: str, suggestion: str = "") -> bytes:
    """
    The response of what never became a call.
    """
    error = _error(code, message, suggestion, {})
    return _line(request_id, {"ok": False, "error": error, "audit_id": None})


def _error(code: object, message: object, suggestion: object, details: object) -> dict[str, object]:
    return {"code": code, "message": message, "details": details, "suggestion": suggestion}


def _line(request_id: RequestId | None, fields: Mapping[str, object]) -> bytes:
    return encode({"schema_version": SCHEMA_VERSION, "request_id": request_id, **fields}) + b"\n"
