"""
Handing one HTTP connection over to another protocol, with every byte that follows the request's head.

``twisted.web`` keeps what arrives behind an unfinished request for the next one, so a WebSocket's first
frame, when it shares a TCP segment with the upgrade request, would wait for ever (field report WS-01).
Three methods of this one channel are replaced instead of subclassing it: so it works below an embedding
application's ``Site`` as well, whose channel class is not ours.
"""

from __future__ import annotations

from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.iweb import IRequest


def channel_of(request: IRequest) -> HTTPChannel | None:
    """
    The HTTP/1 channel that a request came on, or None when it came on anything else.
    """
    channel = getattr(request, "channel", None)
    return channel if isinstance(channel, HTTPChannel) else None


def take_over(request: IRequest, channel: HTTPChannel, preamble: bytes, successor: Protocol) -> None:
    """
    Write ``preamble`` and let ``successor`` have the connection. To be called while the request is being
    rendered, and answered with ``NOT_DONE_YET``; nothing may be written to the request any more.

    The request counts as ended: it is logged now and forgotten.
    """
    transport = channel.transport
    assert transport is not None
    channel.setTimeout(None)
    channel.requests.remove(request)

    def connection_lost(reason: Failure = connectionDone) -> None:
        successor.connectionLost(reason)

    # Assigned to the instance: see the module docstring.
    channel.dataReceived = successor.dataReceived  # type: ignore[method-assign]  # as above
    channel.rawDataReceived = successor.dataReceived  # type: ignore[method-assign]  # as above
    channel.connectionLost = connection_lost  # type: ignore[method-assign]  # as above
    # The channel watched the transport's buffer; that is the successor's now.
    transport.unregisterProducer()  # type: ignore[attr-defined]  # TCP transports are consumers
    transport.write(preamble)
    site = getattr(channel, "site", None)
    if site is not None:
        site.log(request)
    successor.makeConnection(transport)
