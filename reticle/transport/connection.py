"""
The TCP connection under one unfinished response.

``twisted.web`` tells a request when its response is finished, not when the bytes have left and the
socket is gone; a daemon that stops needs the second. It also keeps what a client sends behind an
unfinished request until that is over, which for a stream is never (field reports TR-11).
Both are seen by putting a function before a method of this one channel; that works below an embedding
application's ``Site`` too, whose channel class is not ours.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.protocol import connectionDone
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.iweb import IRequest


class Connection:
    """
    Watches the connection of ``request``, which must not have been finished.

    Args:
        request: The request whose response will be the last one on its connection.
        on_lost: Called once, when the socket is gone.
        on_pipelined: Called once, when the client sends anything further; nobody will read it.

    On carriers that are no plain HTTP/1 channel a finished response counts as a lost connection.
    """

    def __init__(
        self, request: IRequest, *, on_lost: Callable[[], None], on_pipelined: Callable[[], None]
    ) -> None:
        self._on_lost = on_lost
        self._on_pipelined = on_pipelined
        channel = request.channel  # type: ignore[attr-defined]  # IRequest does not name it
        self._transport = channel.transport
        self._lost = False
        self._pipelined = False
        if isinstance(channel, HTTPChannel):
            self._watch(channel)
        else:
            finished = request.notifyFinish()  # type: ignore[attr-defined]  # as above
            finished.addBoth(lambda _: self._gone())

    def abort(self) -> None:
        """
        Cut the connection without waiting for unsent bytes.
        """
        abort = getattr(self._transport, "abortConnection", None)
        if abort is not None and not self._lost:
            abort()

    def _watch(self, channel: HTTPChannel) -> None:
        channel.persistent = False
        watch = getattr(channel, "watch", None)
        if watch is not None:
            # Our own channel: each stream is a kilobyte smaller where no method of it is replaced.
            watch(self._gone, self._further)
            return
        forward_loss: Callable[[Failure], None] = channel.connectionLost

        def connection_lost(reason: Failure = connectionDone) -> None:
            forward_loss(reason)
            self._gone()

        # Assigned to the instance: see the module docstring.
        channel.connectionLost = connection_lost  # type: ignore[method-assign]  # as above
        channel.rawDataReceived = self._further  # type: ignore[method-assign,assignment]  # as above

    def _further(self, chunk: bytes) -> None:
        # Some old clients end a request with one more line break; that asks for nothing.
        if chunk.strip(b"\r\n") and not self._pipelined:
            self._pipelined = True
            self._on_pipelined()

    def _gone(self) -> None:
        if not self._lost:
            self._lost = True
            self._on_lost()
