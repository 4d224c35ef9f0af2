"""
What the fast lane knows of Twisted beyond its documented interfaces, in one place and checked at the start.

``between_requests`` reads where an ``HTTPChannel`` is in its stream, ``send_now`` whether a TCP transport has
bytes waiting. ``why_not`` tries both on a channel of its own; with a Twisted that answers otherwise the lane
stays off and everything works at ordinary speed.

``read_at_once`` makes a reactor read from TCP connections without the frame that it puts around each event,
a context of the older logging and a look at what else the event may be: some 3 microseconds, a twentieth of a
call. Other events, other reactors and other versions of it stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from select import EPOLLIN
from types import FunctionType
from typing import Any, Final

from twisted.internet.abstract import FileDescriptor
from twisted.internet.tcp import Server
from twisted.python import log as legacy_log  # noqa: TID251 - what the reactor itself tells its faults to
from twisted.web.http import HTTPChannel
from twisted.web.server import Request

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
_REQUEST_ATTRIBUTES: Final[tuple[tuple[str, object], ...]] = (
    ("startedWriting", 0),
    ("chunked", 0),
    ("finished", 0),
    ("_disconnected", False),
    ("_encoder", None),
    ("_inFakeHead", False),
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


def is_mid_stream(request: Any) -> bool:
    """
    Whether whatever is written to ``request`` next goes out as one chunk, just as it is.
    """
    return bool(
        request.startedWriting
        and request.chunked
        and not request.finished
        and not request._disconnected  # noqa: SLF001 - see the module
        and request._encoder is None  # noqa: SLF001 - as above
        and not request._inFakeHead  # noqa: SLF001 - as above
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
    for name, value in _REQUEST_ATTRIBUTES:
        if getattr(Request, name, _Nowhere) != value:
            return f"Request.{name} is not {value!r}"
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


_EPOLL_REACTOR: Final = "EPollReactor"
_OF_A_TURN: Final = frozenset({
    "_poller", "poll", "len", "_selectables", "OSError", "errno", "EINTR", "_doReadOrWrite", "log",
    "callWithLogger", "KeyError",
})  # fmt: skip
_OF_AN_EVENT: Final = frozenset({
    "_POLL_DISCONNECTED", "_POLL_IN", "_reads", "CONNECTION_DONE", "CONNECTION_LOST", "fileno",
    "_NO_FILEDESC", "doRead", "_POLL_OUT", "doWrite", "BaseException", "sys", "exc_info", "log", "err",
    "_disconnectSelectable",
})  # fmt: skip
"""Every name that the reactor's turn, and its handling of one event, use; another version uses others."""


def read_at_once(reactor: Any) -> str | None:
    """
    Have a reactor of our own process read from TCP connections at once; see the module.

    Returns:
        Why it stays as it is, or None.
    """
    kind = type(reactor)
    if kind.__name__ != _EPOLL_REACTOR or "doIteration" in vars(reactor):
        return f"the reactor is a {kind.__name__}"
    for name, wanted in (("doIteration", _OF_A_TURN), ("_doReadOrWrite", _OF_AN_EVENT)):
        found = getattr(kind, name, None)
        if not isinstance(found, FunctionType) or frozenset(found.__code__.co_names) != wanted:
            return f"its {name} is another one"
    reactor.doIteration = _turns(reactor)
    return None


def _turns(reactor: Any) -> Callable[[float | None], None]:
    """
    In the place of the reactor's ``doIteration``.
    """
    with_logger: Callable[..., object] = legacy_log.callWithLogger

    def turn(timeout: float | None) -> None:
        selectables = reactor._selectables  # noqa: SLF001 - see the module
        poll = reactor._poller.poll  # noqa: SLF001 - as above
        for descriptor, event in poll(-1 if timeout is None else timeout, len(selectables)):
            selectable = selectables.get(descriptor)
            if event == EPOLLIN and type(selectable) is Server:
                why: BaseException | None
                try:
                    why = selectable.doRead()
                except BaseException as fault:  # noqa: BLE001 - as the reactor: it costs that connection
                    with_logger(selectable, legacy_log.err)
                    why = fault
                if why:
                    with_logger(selectable, reactor._disconnectSelectable, selectable, why, True)  # noqa: SLF001 - as above
            elif selectable is not None:
                with_logger(selectable, reactor._doReadOrWrite, selectable, descriptor, event)  # noqa: SLF001 - as above

    return turn
