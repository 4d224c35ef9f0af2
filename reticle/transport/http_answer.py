"""
A whole answer to a Streamable HTTP request, and the faults that the transport itself finds.

Every refusal is a JSON-RPC error in JSON, with the id of the request where that could be read: clients show
the message to people and go by ``error.data.code`` (``docs/protocol/streamable-http.md``, rows S).
"""

from __future__ import annotations

from typing import Final

import msgspec
from twisted.web.iweb import IRequest
from twisted.web.server import NOT_DONE_YET

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import Invalid, Request, RequestId, error_message, parse
from reticle.model.codes import FaultCode, JsonRpcCode
from reticle.model.limits import RETRY_AFTER_SECONDS
from reticle.transport.resource import JSON

UNCACHED: Final = ((b"Cache-Control", b"no-store"), (b"X-Content-Type-Options", b"nosniff"))
"""In every answer: nobody keeps it, and nobody guesses what it is."""

RETRY_AFTER: Final = ((b"Retry-After", b"%d" % RETRY_AFTER_SECONDS),)


class HttpAnswer(msgspec.Struct, frozen=True):
    """
    A status, a body and what says what the body is. ``headers`` are further ones.

    One is made for each request: a Struct takes a fifth of the time of a frozen class.
    """

    status: int
    body: bytes = b""
    content_type: bytes | None = JSON
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def write_head(self, request: IRequest) -> bytes:
        """
        Set everything but the body, which is given back for ``render`` to return.
        """
        request.setResponseCode(self.status)
        if self.content_type is not None:
            request.setHeader(b"Content-Type", self.content_type)
        for name, value in (*UNCACHED, *self.headers):
            request.setHeader(name, value)
        return self.body

    def render(self, request: IRequest) -> bytes | int:
        """
        What ``render`` is to return; a request in the fast lane has had its whole answer then.
        """
        at_once = getattr(request, "answer_at_once", None)
        if at_once is not None and at_once(self.status, self.content_type, self.headers, self.body):
            return NOT_DONE_YET
        return self.write_head(request)

    def write(self, request: IRequest) -> None:
        """
        Answer a request whose rendering is over.
        """
        at_once = getattr(request, "answer_at_once", None)
        if at_once is not None and at_once(self.status, self.content_type, self.headers, self.body):
            return
        body = self.write_head(request)
        if self.status != 204:
            # Else it would be chunked.
            request.setHeader(b"Content-Length", b"%d" % len(body))
        request.write(body)
        request.finish()


ACCEPTED: Final = HttpAnswer(202, content_type=None)
"""For a body without requests."""


def fault_answer(
    status: int,
    code: FaultCode,
    message: str,
    *,
    body: bytes = b"",
    number: JsonRpcCode = JsonRpcCode.INVALID_REQUEST,
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> HttpAnswer:
    """
    A refusal.

    Args:
        status: The HTTP status.
        code: The word for programs.
        message: One sentence for people.
        body: What was posted, for its id.
        number: The JSON-RPC number.
        headers: Further headers.
    """
    error = error_message(readable_id(body), PeerFault(code, message, number))
    return HttpAnswer(status, error, headers=headers)


def readable_id(body: bytes) -> RequestId | None:
    """
    The id of the one request in a body, or None when there is none to be read.
    """
    try:
        message = parse(body)
    except PeerFault:
        return None
    return message.request_id if isinstance(message, Request | Invalid) else None


def not_ready(body: bytes = b"", *, draining: bool) -> HttpAnswer:
    """
    503: the daemon is starting or stopping; the client only has to wait.
    """
    code = FaultCode.SHUTTING_DOWN if draining else FaultCode.NOT_READY
    message = "the daemon is stopping" if draining else "the daemon is starting"
    return fault_answer(
        503,
        code,
        f"{message}; try again in a moment",
        body=body,
        number=JsonRpcCode.INTERNAL_ERROR,
        headers=RETRY_AFTER,
    )


def session_unknown(body: bytes = b"") -> HttpAnswer:
    """
    404: the client has to begin a new session by ``initialize`` without the header (field report ST-01).
    """
    return fault_answer(404, FaultCode.SESSION_UNKNOWN, "session not found; initialize a new one", body=body)


def modern_status(fault: PeerFault | None) -> int:
    """
    The status of an answer of 2026-07-28, where a fault shows in it (rows M).
    """
    if fault is None or fault.jsonrpc_code == JsonRpcCode.INTERNAL_ERROR:
        return 200
    if fault.jsonrpc_code == JsonRpcCode.METHOD_NOT_FOUND:
        return 404
    return 401 if fault.jsonrpc_code == JsonRpcCode.TOKEN else 400
