"""
Responses that are not finished yet, and how a stop waits until their bytes have left.

Frames written while a reactor shuts down are lost unless somebody holds the shutdown back. A connection
whose response is open when the drain begins is closed behind that response, and awaited.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.python.failure import Failure
from twisted.web.iweb import IRequest

from reticle.transport.connection import Connection
from reticle.transport.http_answer import HttpAnswer


def _ignore() -> None:
    """
    Nobody asks. Also for what a client sends behind a response that a stop cuts off: it will hear nothing.
    """


class OpenResponses:
    """
    Every unfinished Streamable response of the daemon.

    Args:
        clock: Where the deadline is set.
    """

    def __init__(self, clock: IReactorTime) -> None:
        self._clock = clock
        self._open: dict[IRequest, Callable[[], None]] = {}
        self._closing: dict[IRequest, Connection] = {}
        self._emptied: list[Deferred[None]] = []

    def __len__(self) -> int:
        return len(self._open)

    def add(self, request: IRequest, on_lost: Callable[[], None] = _ignore) -> None:
        """
        A response has begun that is not finished when its rendering is. ``on_lost`` is called when its
        connection goes before it is.
        """
        self._open[request] = on_lost
        finished = request.notifyFinish()  # type: ignore[attr-defined]  # IRequest does not name it
        finished.addBoth(self._finished, request)

    def finish(self, request: IRequest, answer: HttpAnswer) -> None:
        """
        Write a whole answer, unless the client is gone.
        """
        if request in self._open:
            answer.write(request)

    def close_behind(self) -> None:
        """
        From now on each connection ends with its present response.
        """
        for request in tuple(self._open):
            self._closing[request] = Connection(
                request, on_lost=partial(self._lost, request), on_pipelined=_ignore
            )

    def gone(self, *, within_seconds: float) -> Deferred[None]:
        """
        Ready when every connection of ``close_behind`` is gone; those that are not in time are cut.
        """
        gone: Deferred[None] = Deferred()
        if not self._closing:
            gone.callback(None)
            return gone
        cut = self._clock.callLater(within_seconds, self._cut)
        self._emptied.append(gone)

        def in_time(_: None) -> None:
            if cut.active():
                cut.cancel()

        return gone.addCallback(in_time)

    def _finished(self, outcome: object, request: IRequest) -> None:
        on_lost = self._open.pop(request)
        if isinstance(outcome, Failure):
            on_lost()

    def _lost(self, request: IRequest) -> None:
        self._closing.pop(request, None)
        if not self._closing:
            waiting, self._emptied = self._emptied, []
            for gone in waiting:
                gone.callback(None)

    def _cut(self) -> None:
        for connection in tuple(self._closing.values()):
            connection.abort()
