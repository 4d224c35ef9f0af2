"""
One HTTP response that is an event stream: headers, back-pressure, keepalive and its end.

What the events are is its owner's; here frames become bytes. The connection can be used again after it.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.iweb import IRequest

from reticle.mcp.sse_frames import KEEPALIVE
from reticle.transport.accept import EVENT_STREAM
from reticle.transport.connection import Connection
from reticle.transport.keepalive import KeepaliveSweep
from reticle.transport.outbox import Outbox, Overflow
from reticle.transport.request import forget_heads

_log = Logger()


def set_stream_headers(request: IRequest) -> None:
    """
    Headers that keep proxies from buffering, caching or transforming a stream.
    """
    request.setHeader(b"Content-Type", EVENT_STREAM.encode("ascii"))
    request.setHeader(b"Cache-Control", b"no-cache, no-transform")
    request.setHeader(b"X-Accel-Buffering", b"no")


class SseResponse:
    """
    Args:
        request: One to which nothing has been written.
        sweep: Keeps it alive.
        on_lost: Called once, when it ends by itself: its connection is gone, or must not go on.
        endless: Whether it goes on until somebody leaves, so that what the client sends behind it on its
            connection could never be answered; then that ends it (field report TR-11).
    """

    __slots__ = ("_ended", "_on_lost", "_outbox", "_overdue", "_request", "_sweep")

    def __init__(
        self, request: IRequest, sweep: KeepaliveSweep, on_lost: Callable[[], None], *, endless: bool = False
    ) -> None:
        self._request = request
        self._sweep = sweep
        self._on_lost = on_lost
        self._ended = False
        self._overdue = False
        self._outbox = Outbox(request.write, self._overflowed)
        set_stream_headers(request)
        request.registerProducer(self._outbox, True)  # type: ignore[attr-defined]  # an IConsumer too
        finished = request.notifyFinish()  # type: ignore[attr-defined]  # IRequest does not name it
        finished.addCallbacks(self._complete, self._lost)
        sweep.add(self)
        if endless:
            request.setHeader(b"Connection", b"close")
            Connection(request, on_lost=_nothing, on_pipelined=self._pipelined)
        # The head leaves now: clients count a stream as open when they have it.
        request.write(b"")
        forget_heads(request)

    def put(self, frame: bytes) -> None:
        """
        Send one frame, now or when the reader is ready. Does nothing once it has ended.
        """
        self._outbox.put(frame)

    def keep_alive(self) -> None:
        """
        Write a comment line, unless other bytes are on their way anyhow. An ended one whose reader has not
        read its end until the second sweep is cut.
        """
        if self._ended:
            if self._overdue:
                self._cut()
            self._overdue = True
        elif self._outbox.idle:
            self._outbox.put(KEEPALIVE)

    def end(self) -> None:
        """
        Finish behind what waits. May be called twice.
        """
        if not self._ended:
            self._ended = True
            self._outbox.finish(b"", self._finish)

    def _finish(self) -> None:
        self._request.unregisterProducer()  # type: ignore[attr-defined]  # an IConsumer too
        self._request.finish()

    def _complete(self, _: object) -> None:
        self._sweep.discard(self)
        self._outbox.close()

    def _lost(self, _: Failure) -> None:
        was_open, self._ended = not self._ended, True
        self._sweep.discard(self)
        self._outbox.close()
        if was_open:
            self._on_lost()

    def _pipelined(self) -> None:
        _log.warn("a stream ended: its connection sent another request, which could never be answered")
        self.end()
        self._on_lost()

    def _overflowed(self, lost: Overflow) -> None:
        _log.warn(
            "a stream was cut: its reader was too slow, {frames} frames ({size} bytes) were not sent",
            frames=lost.frames,
            size=lost.size_bytes,
        )
        self._cut()

    def _cut(self) -> None:
        channel = getattr(self._request, "channel", None)
        abort = getattr(getattr(channel, "transport", None), "abortConnection", None)
        if abort is not None:
            abort()


def _nothing() -> None:
    """
    The response hears of a lost connection from its request.
    """
