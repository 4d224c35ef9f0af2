"""
What the fast lane knows of Twisted beyond its documented interfaces, in one place and checked at the start.

``between_requests`` reads where an ``HTTPChannel`` is in its stream, ``send_now`` whether a TCP transport has
bytes waiting. ``why_not`` tries both on a channel of its own; with a Twisted that answers otherwise the lane
stays off and everything works at ordinary speed.
"""

from __future__ import annotations

from typing import Any, Final

from twisted.internet.abstract import FileDescriptor
from twisted.internet.tcp import Server
from twisted.web.http import HTTPChannel

_FIRST_LINE: Final = "_HTTPChannel__first_line"
_BEGIN: Final = 1
"""The channel awaits a request line, and has not passed over an empty one."""

_CHANNEL_ATTRIBUTES: Final[tuple[tuple[str, object], ...]] = (
    (_FIRST_LINE, _BEGIN),
    ("_busyReceiving", False),
    ("_buffer", b""),
    ("line_mode", 1),
    ("persistent", 1),
    ("requests", []),
)
_TRANSPORT_ATTRIBUTES: Final[tuple[tuple[str, object], ...]] = (
    ("_tempDataBuffer", []),
    ("dataBuffer", b""),
    ("connected", 0),
    ("disconnecting", 0),
    ("TLS", False),
)


def between_requests(channel: HTTPChannel) -> bool:
    """
    Whether the next byte that ``channel`` receives begins a request, and it will be read at once.
    """
    state: Any = channel
    return bool(
        not state.requests
        and state.line_mode
        and not state._buffer  # noqa: SLF001 - see the module
        and not state._busyReceiving  # noqa: SLF001 - as above
        and state._HTTPChannel__first_line == _BEGIN  # noqa: SLF001 - as above
        and state.persistent
        and not state.transport.disconnecting
    )


def send_now(transport: Any, data: bytes) -> None:
    """
    Write, without waiting for the loop's next turn where nothing else waits.

    Whatever the socket does not take, and every error, is left to the transport's own ``write``.
    """
    if (
        type(transport) is Server
        and not transport._tempDataBuffer  # noqa: SLF001 - see the module
        and not transport.dataBuffer
        and transport.connected
        and not transport.disconnecting
        and not transport.TLS
    ):
        try:
            sent = transport.socket.send(data)
        except OSError:
            sent = 0
        if sent == len(data):
            return
        data = data[sent:]
    transport.write(data)


class _Nowhere:
    """
    The least of a transport that a channel needs to read half a request.
    """

    disconnecting = False

    def getPeer(self) -> None:
        """
        Nobody.
        """

    getHost = getPeer


def why_not() -> str | None:
    """
    Why the lane cannot be used with the installed Twisted, or None when it can.
    """
    channel: Any = HTTPChannel()
    for name, value in _CHANNEL_ATTRIBUTES:
        if getattr(channel, name, _Nowhere) != value:
            return f"HTTPChannel.{name} is not {value!r}"
    transport: Any = Server.__new__(Server)
    FileDescriptor.__init__(transport, reactor=_Nowhere())  # type: ignore[arg-type]  # never used
    for name, value in _TRANSPORT_ATTRIBUTES:
        if getattr(transport, name, _Nowhere) != value:
            return f"a transport's {name} is not {value!r}"
    channel.transport = _Nowhere()
    if not between_requests(channel):
        return "a fresh channel is not between requests"
    HTTPChannel.dataReceived(channel, b"POST / HT")
    return "half a request is not seen" if between_requests(channel) else None
