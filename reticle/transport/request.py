"""
Our ``Request``: a body has a cap before it is buffered, and a fault shows a number instead of itself.

``twisted.web`` reads a whole body before it asks a resource, without a bound, and larger ones into a
temporary file on the reactor's thread. Here a body lives in memory, at most ``HTTP_BODY_BYTES`` of it;
one that is announced or grows beyond is answered 413 while it still arrives, and dropped.
"""

from __future__ import annotations

import io
import secrets
from typing import Any, Final

from twisted.internet.interfaces import IDelayedCall, ITCPTransport
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.http_headers import Headers
from twisted.web.iweb import IRequest
from twisted.web.server import Request as TwistedRequest

from reticle.errors import PeerFault
from reticle.mcp.jsonrpc import error_message
from reticle.model.codes import FaultCode, JsonRpcCode, RefusalCode
from reticle.model.limits import HTTP_BODY_BYTES, REJECTED_BODY_SECONDS, REQUEST_BODY_SECONDS
from reticle.transport.resource import JSON, TEXT, answer_json
from reticle.transport.trace import RequestTrace

_log = Logger()


_SPENT: Final = Headers()
_NO_CONTENT: Final = io.BytesIO()
"""Shared by all streams, and never written to."""


class Request(TwistedRequest):
    """
    One HTTP request of the daemon's own ``Site``.
    """

    channel: Any
    content: Any

    def __init__(self, channel: Any, *args: Any, **kwargs: Any) -> None:
        TwistedRequest.__init__(self, channel, *args, **kwargs)
        self.trace = RequestTrace(began=channel.site.reactor.seconds())
        self._linger: IDelayedCall | None = None
        self._late: IDelayedCall | None = None

    def forget_heads(self) -> None:
        """
        The request's head was read and the response's has left: keep neither while the body goes on. They
        are a tenth of what an open stream costs.
        """
        self.requestHeaders = self.responseHeaders = _SPENT
        self.content = _NO_CONTENT

    @property
    def rejected(self) -> bool:
        """
        True once the body proved too large: what still arrives is dropped.
        """
        return self._linger is not None

    def write(self, data: bytes) -> None:
        """
        Write a piece of the response.
        """
        send_chunk = getattr(getattr(self, "channel", None), "send_chunk", None)
        if send_chunk is None or not send_chunk(self, data):
            TwistedRequest.write(self, data)

    def gotLength(self, length: int | None) -> None:
        """
        The head has been read; ``length`` is None for a chunked body.
        """
        self.content = io.BytesIO()
        if length is not None and length > HTTP_BODY_BYTES:
            self._reject_body()
        elif length != 0:
            self._late = self.channel.site.reactor.callLater(REQUEST_BODY_SECONDS, self._give_up)

    def handleContentChunk(self, data: bytes) -> None:
        """
        A piece of the body has arrived.
        """
        if self.rejected:
            return
        if self.content.tell() + len(data) > HTTP_BODY_BYTES:
            self._reject_body()
        else:
            self.content.write(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        """
        The body is complete; a rejected one has had its answer.
        """
        self._in_time()
        if not self.rejected:
            TwistedRequest.requestReceived(self, command, self._origin_form(path), version)

    def connectionLost(self, reason: Failure) -> None:
        """
        The peer went before the answer was complete.
        """
        self._in_time()
        site, answered = self.channel.site, self.rejected or self.path is None
        if self._linger is not None and self._linger.active():
            self._linger.cancel()
        TwistedRequest.connectionLost(self, reason)
        if not answered:
            site.note(self, aborted=True)

    def _in_time(self) -> None:
        if self._late is not None and self._late.active():
            self._late.cancel()

    def _give_up(self) -> None:
        """
        The body comes so slowly that it is not meant to arrive: each byte put the idle timeout off.
        """
        self.channel.transport.abortConnection()

    def processingFailed(self, reason: Failure) -> Failure:
        """
        A resource raised: a bug of ours. It is logged once; the peer sees only its number.
        """
        incident = secrets.token_hex(6)
        _log.failure("incident {incident} in {route}", reason, incident=incident, route=self.trace.route)
        if self.startedWriting:
            self.channel.transport.abortConnection()
        else:
            error = {
                "code": int(JsonRpcCode.INTERNAL_ERROR),
                "message": f"Internal error, incident {incident}.",
                "data": {"code": RefusalCode.INTERNAL_ERROR, "incident": incident},
            }
            body = answer_json(self, 500, {"jsonrpc": "2.0", "id": None, "error": error})
            self.responseHeaders.setRawHeaders(b"Content-Length", [b"%d" % len(body)])
            TwistedRequest.write(self, body)
            TwistedRequest.finish(self)
        return reason

    def _origin_form(self, target: bytes) -> bytes:
        """
        The path of a target that names us in full, as it is sent through a proxy (RFC 9112 §3.2.2). One that
        names another host than ``Host``, which the guard judges, stays as it is and is found nowhere.
        """
        scheme, _, rest = target.partition(b"://")
        authority, _, path = rest.partition(b"/")
        hosts = self.requestHeaders.getRawHeaders(b"Host", ())
        if scheme.lower() != b"http" or [authority.lower()] != [host.strip().lower() for host in hosts]:
            return target
        return b"/" + path

    def _reject_body(self) -> None:
        """
        Answer 413 now, go on reading for a while without keeping anything, then cut.

        Closing at once would make the kernel send a reset, since bytes are still unread, and the reset
        destroys the answer in the peer's receive buffer.
        """
        channel = self.channel
        self.content = io.BytesIO()
        self.code = 413
        # Else the channel would write `100 Continue` behind our answer.
        self.requestHeaders.removeHeader(b"Expect")
        self.method = getattr(channel, "_command", self.method)
        self.path = getattr(channel, "_path", b"/").partition(b"?")[0]
        content_type, body = _too_large(self.path)
        headers = Headers()
        headers.addRawHeader(b"Content-Type", content_type)
        headers.addRawHeader(b"Content-Length", b"%d" % len(body))
        headers.addRawHeader(b"Connection", b"close")
        channel.persistent = False
        channel.writeHeaders(b"HTTP/1.1", b"413", b"Content Too Large", headers)
        channel.write(body)
        transport = channel.transport
        self._linger = channel.site.reactor.callLater(REJECTED_BODY_SECONDS, transport.abortConnection)
        if ITCPTransport.providedBy(transport):
            transport.loseWriteConnection()
        channel.site.note(self, aborted=False)


def _too_large(path: bytes) -> tuple[bytes, bytes]:
    """
    In which words the endpoint of that path, wherever it is mounted, refuses a body.
    """
    if path.rstrip(b"/").endswith((b"/message", b"/messages")):
        return TEXT, b"request body too large"
    fault = PeerFault(FaultCode.BODY_TOO_LARGE, "request body too large", JsonRpcCode.INVALID_REQUEST)
    return JSON, error_message(None, fault)


def forget_heads(request: IRequest) -> None:
    """
    See ``Request``. The requests of an embedding application's own ``Site`` are left as they are: its access
    log may read them.
    """
    if isinstance(request, Request):
        request.forget_heads()


def read_body(request: IRequest) -> bytes | None:
    """
    The body of a request, or None when it is over ``HTTP_BODY_BYTES``.

    The second check is for requests of an embedding application's own ``Site``, which has no cap.
    """
    body: bytes | None = getattr(request, "plain_body", None)
    if body is not None:
        return body  # in the fast lane, which takes none that is larger
    request.content.seek(0)
    body = request.content.read(HTTP_BODY_BYTES + 1)
    assert body is not None
    return None if len(body) > HTTP_BODY_BYTES else body


def has_body(request: IRequest) -> bool:
    """
    Whether a request that must not have a body has one.

    Such a request cannot begin anything that goes on on its connection: what follows a body in one segment
    is kept out of everybody's sight until the answer is complete.
    """
    return request.requestHeaders.hasHeader(b"Transfer-Encoding") or bool(request.content.read(1))
