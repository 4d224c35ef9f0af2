"""
A plain POST while it is answered in the fast lane: as much of a request as our resources use.

Resources get it in the place of a ``twisted.web`` request and cannot tell: a whole response with a length is
written at once, in the bytes that ``twisted.web`` would write. Whatever else is asked of it makes it a whole
request first: the channel reads the same bytes the ordinary way and ``adopt`` binds the request that comes of
it to the call that has already begun.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IAddress
from twisted.python.failure import Failure
from twisted.web.http import NO_BODY_CODES, RESPONSES, datetimeToString
from twisted.web.http_headers import Headers
from twisted.web.server import version

from reticle.transport.fast_lane_head import PlainHead
from reticle.transport.http_answer import UNCACHED
from reticle.transport.trace import RequestTrace


@lru_cache(maxsize=1)
def _date(_second: int) -> bytes:
    """
    The Date header; made once a second.
    """
    date: bytes = datetimeToString()
    return date


@lru_cache(maxsize=64)
def _opening(
    second: int, status: int, content_type: bytes | None, headers: tuple[tuple[bytes, bytes], ...]
) -> bytes | None:
    """
    The head of a whole answer up to its length; None where ``twisted.web`` would write another one.
    """
    if status in NO_BODY_CODES or any(name not in SPELLED or _breaks(value) for name, value in headers):
        return None
    typed = () if content_type is None else ((b"Content-Type", content_type),)
    lines = [_status_line(status)]
    lines += [
        b"%b: %b\r\n" % header
        for header in ((b"Server", version), (b"Date", _date(second)), *typed, *UNCACHED, *headers)
    ]
    return b"".join(lines) + b"Content-Length: "


def _status_line(status: int) -> bytes:
    return b"HTTP/1.1 %d %b\r\n" % (status, RESPONSES.get(status, b"Unknown Status"))


def _breaks(value: bytes) -> bool:
    return b"\r" in value or b"\n" in value


class Lane(Protocol):
    """
    The connection, as its request needs it.
    """

    def respond(self, request: PlainRequest, response: bytes) -> None:
        """
        Write a whole response; the request is over.
        """

    def read_again(self, request: PlainRequest) -> None:
        """
        Read the request's bytes the ordinary way; calls ``adopt``.
        """


class PlainRequest:
    """
    Args:
        lane: Its connection.
        head: What was read of it.
        body: Its body.
        client: Who sent it.
        began: When it came, in the reactor's seconds.
    """

    method = b"POST"
    clientproto = b"HTTP/1.1"

    # What most requests never change stands in the class.
    code = 200
    finished = False
    whole: Any = None
    _lost = False
    _response: bytes | None = None
    _written: bytes | None = None
    _headers: dict[bytes, bytes] | None = None
    _finish_waiters: Sequence[Deferred[None]] = ()

    def __init__(self, lane: Lane, head: PlainHead, body: bytes, client: IAddress, began: float) -> None:
        self.head = head
        self.plain_body = body
        self.path = head.path
        self.head_memo = head.memo
        self.trace = RequestTrace(began)
        self._lane = lane
        self._client = client

    @property
    def uri(self) -> bytes:
        """
        The same with its query.
        """
        return self.head.uri

    @property
    def args(self) -> dict[bytes, list[bytes]]:
        """
        The query's parameters.
        """
        return self.head.args

    @property
    def requestHeaders(self) -> Headers:
        """
        The headers that came.
        """
        return self.head.headers

    @cached_property
    def prepath(self) -> list[bytes]:
        """
        The segments of the path that led to the resource.
        """
        return []

    @cached_property
    def postpath(self) -> list[bytes]:
        """
        The others.
        """
        return list(self.head.segments)

    @cached_property
    def content(self) -> io.BytesIO:
        """
        The body, for who reads it as a file.
        """
        return io.BytesIO(self.plain_body)

    def __getattr__(self, name: str) -> Any:
        """
        Anything that is not here is a whole request's.
        """
        if name.startswith("_") or self.finished or self._lost:
            raise AttributeError(name)
        return getattr(self.become_whole(), name)

    def become_whole(self) -> Any:
        """
        The ``twisted.web`` request that goes on from here.
        """
        if self.whole is None:
            self._lane.read_again(self)
        return self.whole

    def adopt(self, whole: Any) -> None:
        """
        Bind the request that was read of the same bytes, instead of its being processed.
        """
        whole.prepath, whole.postpath, whole.trace = list(self.prepath), list(self.postpath), self.trace
        whole.setResponseCode(self.code)
        for name, value in self._set_headers().items():
            whole.setHeader(name, value)
        whole.notifications.extend(self._finish_waiters)
        self._finish_waiters = ()
        self.whole = whole

    def getHeader(self, name: str | bytes) -> str | bytes | None:
        """
        The last value of a request header.
        """
        values = self.requestHeaders.getRawHeaders(name)
        return values[-1] if values else None

    def getClientAddress(self) -> IAddress:
        """
        Who sent it.
        """
        return self._client

    def setResponseCode(self, code: int, message: bytes | None = None) -> None:
        """
        The status; the words beside it are the standard's.
        """
        if self.whole is not None or message is not None:
            self.become_whole().setResponseCode(code, message)
        else:
            self.code = code

    def setHeader(self, name: bytes, value: bytes) -> None:
        """
        A response header, its name spelled as it is to be sent.
        """
        if self.whole is not None or name not in SPELLED or _breaks(value):
            self.become_whole().setHeader(name, value)
        else:
            self._set_headers()[name] = value

    def _set_headers(self) -> dict[bytes, bytes]:
        """
        The response's headers so far.
        """
        if self._headers is None:
            self._headers = {b"Server": version, b"Date": _date(int(self.trace.began))}
        return self._headers

    def answer_at_once(
        self, status: int, content_type: bytes | None, headers: tuple[tuple[bytes, bytes], ...], body: bytes
    ) -> bool:
        """
        Give a whole response at once; see ``http_answer.HttpAnswer``. False, and nothing is done, where it is
        to be given piece by piece.
        """
        if self._headers is not None or self.whole is not None or self._lost:
            return False
        opening = _opening(int(self.trace.began), status, content_type, headers)
        if opening is None:
            return False
        self.code = status
        self._response = b"%b%d\r\n\r\n%b" % (opening, len(body), body)
        self.finish()
        return True

    def notifyFinish(self) -> Deferred[None]:
        """
        Fires when the response is complete; fails when the connection went before.
        """
        if self.whole is not None:
            waiter: Deferred[None] = self.whole.notifyFinish()
            return waiter
        waiting: Deferred[None] = Deferred()
        self._finish_waiters = (*self._finish_waiters, waiting)
        return waiting

    def write(self, data: bytes) -> None:
        """
        The whole body where ``Content-Length`` says so; else a piece of a response of unknown length.
        """
        headers = self._set_headers()
        length = headers.get(b"Content-Length")
        if (
            self.whole is None
            and not self._lost
            and self._written is None
            and length is not None
            and int(length) == len(data)
            and self.code not in NO_BODY_CODES
            and (b"Content-Type" in headers or not data)
        ):
            self._written = data
        elif not self._lost:
            self._flush()
            self.whole.write(data)

    def _flush(self) -> None:
        written, self._written = self._written, None
        whole = self.become_whole()
        if written is not None:
            whole.write(written)

    def finish(self) -> None:
        """
        The response is complete.
        """
        if self._lost:
            raise RuntimeError("finish called on a request after its connection was lost")
        response = self._response
        if response is None:
            if self._written is None or self.whole is not None:
                self._flush()
                self.whole.finish()
                return
            lines = [_status_line(self.code)]
            lines += [b"%b: %b\r\n" % header for header in self._set_headers().items()]
            response = b"%b\r\n%b" % (b"".join(lines), self._written)
        self.finished = True
        self._lane.respond(self, response)
        waiters, self._finish_waiters = self._finish_waiters, ()
        for waiter in waiters:
            waiter.callback(None)

    def connection_lost(self, reason: Failure) -> None:
        """
        The peer went before the response was complete.
        """
        self._lost = True
        waiters, self._finish_waiters = self._finish_waiters, ()
        for waiter in waiters:
            waiter.errback(reason)


SPELLED = frozenset({
    b"Server", b"Date", b"Content-Type", b"Content-Length", b"Cache-Control", b"X-Content-Type-Options",
    b"Retry-After", b"Allow", b"Mcp-Session-Id",
})  # fmt: skip
"""Names that ``twisted.web`` sends as they are spelled here; checked by a test."""
