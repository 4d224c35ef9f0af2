"""
What the probe answers below ``/__reticle__/`` on Twisted: the script, long polls, and the WebSocket relay.

The relay does not look into the WebSocket: the page's handshake goes on to the daemon, then bytes both ways.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from twisted.internet.endpoints import HostnameEndpoint
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET

from reticle.probe import own_paths, script, visitors
from reticle.probe.insertion.candidates import Header, Lookup
from reticle.probe.limits import CONNECT_SECONDS, RELAY_PAGES
from reticle.probe.own_paths import Served
from reticle.probe.relay_poll import BODY_BYTES, relay
from reticle.probe.script import Script

_KEY: Final = re.compile(r"[A-Za-z0-9+/]{22}==")

_open: set[Protocol] = set()


class OwnPaths(Resource):
    """
    Args:
        header: The request's headers.
        peer: Address of who asks.
    """

    isLeaf = True

    def __init__(self, header: Lookup, peer: str | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._header = header
        self._peer = peer

    def render(self, request: Any) -> Any:
        """
        Answer at once, or later from a thread or as a WebSocket.
        """
        name = b"/".join(request.postpath).decode("latin-1")
        method = request.method.decode("latin-1")
        if name == own_paths.POLL:
            # none is held, as it would be one of the reactor's few threads; WebSockets come first here
            body = request.content.read(BODY_BYTES + 1)
            answering = deferToThread(relay.answer, method, self._header, self._peer, body, can_wait=False)
            answering.addCallback(lambda served: _finish(request, served))
            answering.addErrback(lambda _: _finish(request, Served.plain(503, "reticle failed")))
            return NOT_DONE_YET
        if name == own_paths.SOCKET:
            return self._relay(request)
        return _written(request, own_paths.serve(method, name, self._header, self._peer))

    def _relay(self, request: Any) -> Any:
        refusal = own_paths.refused(self._peer, self._header)
        if refusal is not None:
            return _written(request, refusal)
        if not visitors.is_same_origin(self._header):
            return _written(request, Served.plain(403, "only pages of this app's own origin"))
        key, known = self._header("sec-websocket-key") or "", script.copy.current()
        channel = request.channel
        is_upgrade = (self._header("upgrade") or "").lower() == "websocket" and _KEY.fullmatch(key)
        if not is_upgrade or not isinstance(channel, HTTPChannel):
            return _written(request, Served.plain(400, "only WebSockets"))
        if known is None or len(_open) >= RELAY_PAGES:
            return _written(request, Served.plain(503, "no reticle daemon answers, or too many pages"))
        _dial(request, channel, known, key)
        return NOT_DONE_YET


def _written(request: Any, served: Served) -> bytes:
    """
    Set the head; the body is Twisted's to write.
    """
    request.setResponseCode(served.status)
    _set_headers(request, served.headers)
    return served.body


def _finish(request: Any, served: Served) -> None:
    if getattr(request, "_disconnected", False):
        return
    request.write(_written(request, served))
    request.finish()


def _set_headers(request: Any, headers: Sequence[Header]) -> None:
    for name, value in headers:
        request.setHeader(name.encode("ascii"), value.encode("latin-1"))


def _dial(request: Any, channel: HTTPChannel, known: Script, key: str) -> None:
    """
    Connect to the daemon; then the connection of the page is no HTTP any more.
    """
    url = urlsplit(known.bridge)
    opening = (
        f"GET {url.path or '/'} HTTP/1.1\r\nHost: {url.netloc}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode("ascii")
    reactor = request.site.reactor
    endpoint = HostnameEndpoint(reactor, url.hostname or "127.0.0.1", url.port or 80, timeout=CONNECT_SECONDS)

    def connected(daemon: _End) -> None:
        if getattr(request, "_disconnected", False):
            _transport(daemon).loseConnection()
            return
        page = _End()
        page.other, daemon.other = daemon, page
        _take_over(request, channel, page)
        _transport(daemon).write(opening)

    dialling = endpoint.connect(Factory.forProtocol(_End))
    dialling.addCallbacks(
        connected, lambda _: _finish(request, Served.plain(503, "no reticle daemon answers"))
    )


class _End(Protocol):
    """
    One end of the pipe; what arrives goes out at the other.
    """

    other: _End | None = None

    def connectionMade(self) -> None:
        if self.other is not None:  # the page's end, which comes second
            _open.add(self)
            mine, others = _transport(self), _transport(self.other)
            mine.registerProducer(others, True)
            others.registerProducer(mine, True)

    def dataReceived(self, data: bytes) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        del reason
        _open.discard(self)
        other, self.other = self.other, None
        if other is not None and other.transport is not None:
            _transport(other).unregisterProducer()
            _transport(other).loseConnection()


def _transport(end: _End) -> Any:
    """
    A TCP transport, which is a producer and a consumer too.
    """
    return end.transport


def _take_over(request: Any, channel: HTTPChannel, page: _End) -> None:
    """
    Give the page's connection to the pipe. The methods of this one channel are replaced, because its class is
    the app's choice.
    """
    transport: Any = channel.transport
    channel.setTimeout(None)
    channel.requests.remove(request)
    untyped: Any = channel
    untyped.dataReceived = untyped.rawDataReceived = page.dataReceived
    untyped.connectionLost = page.connectionLost
    transport.unregisterProducer()
    transport.resumeProducing()
    page.makeConnection(transport)  # type: ignore[no-untyped-call]  # Twisted's
