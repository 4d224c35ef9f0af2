"""
One line of JSON-RPC, as much of it as a front has to know; bodies pass through as they came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
VERSION_UNSUPPORTED = -32022


class Kind(Enum):
    """
    What a message is.
    """

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


class Message(NamedTuple):
    """
    A message that came. ``key`` is its id as JSON text, so that ``1`` and ``"1"`` differ; empty without one.
    """

    kind: Kind
    key: str
    method: str
    params: Mapping[str, object]
    body: bytes


class Malformed(NamedTuple):
    """
    What is no message, with the line that says so; ``key`` is its id where it could be read, else empty.
    ``is_whole``: not even an array of messages, which is answered by one error (JSON-RPC 2.0 §6).
    """

    answer: bytes
    key: str = ""
    is_whole: bool = False


def parse(line: bytes) -> Sequence[Message | Malformed]:
    """
    The message of a line, or the messages of a batch; never empty.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        line = error_line(None, PARSE_ERROR, "this line is not JSON", "malformed_body")
        return [Malformed(line, is_whole=True)]
    if isinstance(found, dict):
        return [_message(found, line)]
    if isinstance(found, list) and found:
        return [_message(each, encode(each)) for each in found]
    return [_invalid("a message is a JSON object")._replace(is_whole=True)]


def _message(found: object, body: bytes) -> Message | Malformed:
    if not isinstance(found, dict):
        return _invalid("a message is a JSON object")
    identity, method, params = found.get("id"), found.get("method"), found.get("params")
    fields = params if isinstance(params, dict) else {}
    if "id" not in found and isinstance(method, str):
        return Message(Kind.NOTIFICATION, "", method, fields, body)
    if isinstance(identity, bool) or not isinstance(identity, str | int):
        return _invalid("an id is text or a whole number")
    key = json.dumps(identity)
    if isinstance(method, str):
        return Message(Kind.REQUEST, key, method, fields, body)
    if "method" not in found and ("result" in found) != ("error" in found):
        return Message(Kind.RESPONSE, key, "", found, body)
    line = error_line(key, INVALID_REQUEST, "neither a request nor a response", "invalid_request")
    return Malformed(line, key)


def _invalid(why: str) -> Malformed:
    return Malformed(error_line(None, INVALID_REQUEST, why, "invalid_request"))


def encode(value: object) -> bytes:
    """
    Compact JSON on one line.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def request_body(key: str, method: str, params: Mapping[str, object] | None) -> bytes:
    """
    A request of our own; without params for None.
    """
    tail = b"" if params is None else b',"params":' + encode(params)
    return b'{"jsonrpc":"2.0","id":%s,"method":%s%s}' % (key.encode(), encode(method), tail)


def notification_body(method: str, params: Mapping[str, object] | None = None) -> bytes:
    """
    A notification of our own.
    """
    tail = b"" if params is None else b',"params":' + encode(params)
    return b'{"jsonrpc":"2.0","method":%s%s}' % (encode(method), tail)


def result_line(key: str, result: Mapping[str, object]) -> bytes:
    """
    The answer to the request of that key.
    """
    return b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (key.encode(), encode(result))


def error_line(key: str | None, number: int, message: str, code: str, **data: object) -> bytes:
    """
    An error answer; ``code`` and further fields stand in ``error.data``.
    """
    error = {"code": number, "message": message, "data": {"code": code, **data}}
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}' % ((key or "null").encode(), encode(error))
