"""
The fast lane: whole, plain POSTs to known paths are answered without ``twisted.web``'s parser (DESIGN §12).

One request that lies in one segment between requests is read at once; every other byte goes to ``super()``.
Both roads end in the same resources behind the same guard, and both write the same bytes, which
``tests/unit/transport/test_fast_lane.py`` compares.

A call that is not answered at once waits here. When anything happens meanwhile that is more than its answer
(the client sends on, the answer becomes a stream), the channel reads the same bytes the ordinary way and the
request that comes of it goes on with the call that has begun; so order, back-pressure and ``notifyFinish``
are ``twisted.web``'s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.resource import IResource, getChildForRequest
from twisted.web.server import NOT_DONE_YET

from reticle.transport.fast_lane_head import PlainHead, read_plain_head
from reticle.transport.fast_lane_request import PlainRequest
from reticle.transport.fast_lane_twisted import between_requests, is_mid_stream, send_now, why_not
from reticle.transport.request import Request

PATHS = frozenset({b"/mcp", b"/mcp/", b"/mcp/sse", b"/mcp/message", b"/mcp/messages"})
"""Where plain POSTs are answered in the lane."""

_log = Logger()


class FastLaneChannel(HTTPChannel):
    """
    One connection of our own ``Site``.
    """

    site: Any

    # Beside the instance's dictionary, which grows by a kilobyte with its thirty-first name.
    __slots__ = ("_client", "_head", "_heard", "_on_further", "_on_lost", "_waiting")

    def __init__(self) -> None:
        HTTPChannel.__init__(self)
        self._head: PlainHead | None = None
        self._heard = 0.0
        self._waiting: PlainRequest | None = None
        self._client: IAddress | None = None
        self._on_lost: Callable[[], None] | None = None
        self._on_further: Callable[[bytes], None] | None = None

    def watch(self, on_lost: Callable[[], None], on_further: Callable[[bytes], None]) -> None:
        """
        The present response is the last one: tell when the connection is gone, and give away what comes
        until then.
        """
        self._on_lost, self._on_further = on_lost, on_further

    def rawDataReceived(self, data: bytes) -> None:
        """
        A body, or bytes behind a request that is not answered yet.
        """
        if self._on_further is None:
            HTTPChannel.rawDataReceived(self, data)
        else:
            self._on_further(data)

    def dataReceived(self, data: bytes) -> None:
        """
        Bytes from the client.
        """
        if self._waiting is not None:
            self._waiting.become_whole()
        elif between_requests(self):
            head = self._head
            if head is None or not data.startswith(head.raw):  # a client's next one mostly is the same bytes
                head = self._read_head(data)
            if head is not None and len(data) == head.size + head.body_size:
                self._answer(head, data[head.size :])
                return
        HTTPChannel.dataReceived(self, data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        The client is gone.
        """
        waiting, self._waiting = self._waiting, None
        HTTPChannel.connectionLost(self, reason)
        if waiting is not None:
            waiting.connection_lost(reason)
            self.site.note(waiting, aborted=True)
        if self._on_lost is not None:
            self._on_lost()

    def timeoutConnection(self) -> None:
        """
        Nothing came for a while; that is no fault of a client whose call is running.
        """
        period = self.timeOut or 0
        rest = self._heard + period - self.site.reactor.seconds()
        if self._waiting is not None:
            self.setTimeout(period)  # type: ignore[no-untyped-call]  # Twisted leaves it untyped
        elif rest > 0:
            # The lane does not put the timer off for each request; that would cost more than to look here.
            self.setTimeout(rest)  # type: ignore[no-untyped-call]  # as above
            self.timeOut = period
        else:
            HTTPChannel.timeoutConnection(self)

    def write(self, data: bytes) -> None:
        """
        Part of a response.
        """
        send_now(self.transport, data)

    def writeSequence(self, iovec: Any) -> None:
        """
        Parts of a response.
        """
        send_now(self.transport, b"".join(iovec))

    def send_chunk(self, request: Request, data: bytes) -> bool:
        """
        Write a further piece of a stream; False, and nothing is done, where ``twisted.web`` is to do it.
        """
        if not data or not is_mid_stream(request):
            return False
        request.sentLength += len(data)
        send_now(self.transport, b"%x\r\n%b\r\n" % (len(data), data))
        return True

    def respond(self, request: PlainRequest, response: bytes) -> None:
        """
        See ``fast_lane_request.Lane``.
        """
        if self._waiting is not None:
            self._waiting = None
            self._heard = self.site.reactor.seconds()
        send_now(self.transport, response)
        self.site.note(request, aborted=False)

    def read_again(self, request: PlainRequest) -> None:
        """
        See ``fast_lane_request.Lane``.
        """
        self._waiting = None
        ordinary = self.requestFactory
        self.requestFactory = partial(_Adopted, request)  # type: ignore[assignment]  # any callable will do
        try:
            HTTPChannel.dataReceived(self, request.head.raw + request.plain_body)
        finally:
            self.requestFactory = ordinary

    def _read_head(self, data: bytes) -> PlainHead | None:
        """
        The head of a request that may be answered here.
        """
        head = read_plain_head(data)
        self._head = head if head is not None and head.path in PATHS else None
        return self._head

    def _answer(self, head: PlainHead, body: bytes) -> None:
        if self._client is None:
            self._client = self.getPeer()  # type: ignore[no-untyped-call]  # as above
        site = self.site
        self._heard = now = site.reactor.seconds()
        request = PlainRequest(self, head, body, self._client, now)
        try:
            answer = _leaf(site, request).render(request)
        except Exception:  # noqa: BLE001 - as twisted.web: a bug ends its request, not the connection
            request.become_whole().processingFailed(Failure())
            return
        if answer is NOT_DONE_YET:
            if not request.finished and request.whole is None:
                self._waiting = request
            return
        request.setHeader(b"Content-Length", b"%d" % len(answer))
        request.write(answer)
        request.finish()


def _leaf(site: Any, request: PlainRequest) -> IResource:
    """
    What answers at the request's path; looked up once for requests with the same head.
    """
    known = request.head_memo.get(site)
    leaf: IResource
    if known is None:
        leaf = getChildForRequest(site.resource, request)
        request.head_memo[site] = leaf, request.prepath, request.postpath
        return leaf
    # Lists, as ``twisted.web`` has them; what answers at the end of a path changes neither.
    leaf, request.prepath, request.postpath = known
    return leaf


class _Adopted(Request):
    """
    A request whose call has begun in the lane.
    """

    def __init__(self, adopter: PlainRequest, channel: Any, *args: Any, **kwargs: Any) -> None:
        Request.__init__(self, channel, *args, **kwargs)
        self._adopter = adopter

    def process(self) -> None:
        """
        Everything has been read again: go on with the call instead of beginning one.
        """
        self.site = self.channel.site
        self._adopter.adopt(self)


def choose_channel(*, fast_lane: bool = True) -> Callable[[], HTTPChannel]:
    """
    What makes a connection's protocol: with the lane if that is wished and the installed Twisted allows it.
    """
    obstacle = why_not() if fast_lane else None
    if obstacle is not None:
        _log.warn(
            "the fast lane stays off with this version of Twisted: {obstacle}; requests are answered, slower",
            obstacle=obstacle,
        )
    return FastLaneChannel if fast_lane and obstacle is None else HTTPChannel
