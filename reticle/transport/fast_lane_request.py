"""
A plain POST while it is answered in the fast lane: as much of a request as our resources use.

Resources get it in the place of a ``twisted.web`` request and cannot tell: a whole response with a length is
written at once, in the bytes that ``twisted.web`` would write. Whatever else is asked of it makes it a whole
request first: the channel reads the same bytes the ordinary way and ``adopt`` binds the request that comes of
it to the call that has already begun.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IAddress
from twisted.python.failure import Failure
from twisted.web.http import NO_BODY_CODES, RESPONSES, datetimeToString
from twisted.web.server import version

from reticle.transport.fast_lane_head import PlainHead
from reticle.transport.trace import RequestTrace


@lru_cache(maxsize=1)
def _date(_second: int) -> bytes:
    """
    The Date header; made once a second.
    """
    date: bytes = datetimeToString()
    return date


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

    def __init__(self, lane: Lane, head: PlainHead, body: bytes, client: IAddress, began: float) -> None:
        self.head = head
        self.body = body
        self.path = head.path
        self.uri = head.uri
        self.args = head.args
        self.requestHeaders = head.headers
        self.head_memo = head.memo
        self.prepath: list[bytes] = []
        self.postpath = list(head.segments)
        self.content = io.BytesIO(body)
        self.trace = RequestTrace(began=began)
        self.code = 200
        self.finished = False
        self.whole: Any = None
        self._lane = lane
        self._client = client
        self._lost = False
        self._written: bytes | None = None
        self._headers: dict[bytes, bytes] = {b"Server": version, b"Date": _date(int(began))}
        self._finish_waiters: list[Deferred[None]] = []

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
        whole.prepath, whole.postpath, whole.trace = self.prepath, self.postpath, self.trace
        whole.setResponseCode(self.code)
        for name, value in self._headers.items():
            whole.setHeader(name, value)
        whole.notifications.extend(self._finish_waiters)
        self._finish_waiters = []
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
        if self.whole is not None or name not in SPELLED or b"\r" in value or b"\n" in value:
            self.become_whole().setHeader(name, value)
        else:
            self._headers[name] = value

    def notifyFinish(self) -> Deferred[None]:
        """
        Fires when the response is complete; fails when the connection went before.
        """
        if self.whole is not None:
            waiter: Deferred[None] = self.whole.notifyFinish()
            return waiter
        self._finish_waiters.append(Deferred())
        return self._finish_waiters[-1]

    def write(self, data: bytes) -> None:
        """
        The whole body where ``Content-Length`` says so; else a piece of a response of unknown length.
        """
        length = self._headers.get(b"Content-Length")
        if (
            self.whole is None
            and not self._lost
            and self._written is None
            and length is not None
            and int(length) == len(data)
            and self.code not in NO_BODY_CODES
            and (b"Content-Type" in self._headers or not data)
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
        if self._written is None or self.whole is not None:
            self._flush()
            self.whole.finish()
            return
        lines = [b"HTTP/1.1 %d %b\r\n" % (self.code, RESPONSES.get(self.code, b"Unknown Status"))]
        lines += [b"%b: %b\r\n" % header for header in self._headers.items()]
        self.finished = True
        self._lane.respond(self, b"%b\r\n%b" % (b"".join(lines), self._written))
        waiters, self._finish_waiters = self._finish_waiters, []
        for waiter in waiters:
            waiter.callback(None)

    def connection_lost(self, reason: Failure) -> None:
        """
        The peer went before the response was complete.
        """
        self._lost = True
        waiters, self._finish_waiters = self._finish_waiters, []
        for waiter in waiters:
            waiter.errback(reason)


SPELLED = frozenset({
    b"Server", b"Date", b"Content-Type", b"Content-Length", b"Cache-Control", b"X-Content-Type-Options",
    b"Retry-After", b"Allow", b"Mcp-Session-Id",
})  # fmt: skip
"""Names that ``twisted.web`` sends as they are spelled here; checked by a test."""
