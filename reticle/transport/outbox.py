"""
The bounded queue between one conversation and its stream, with back-pressure.

Frames go straight to the transport while it takes them. When its buffer is full it pauses us, and
frames wait here, at most ``OUTBOX_FRAMES`` of them and ``OUTBOX_BYTES`` together with what the
transport still holds. Beyond that the queue is given up as a whole and its owner is told what was
lost: a slow reader costs itself, never the daemon (field reports TR-08).
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable
from typing import Final

import attrs
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer

from reticle.model.limits import OUTBOX_BYTES, OUTBOX_FRAMES

BATCH_BYTES = 65_536
"""Waiting frames are joined to writes of this size: one transport buffer's worth."""


@attrs.frozen
class Overflow:
    """
    What a full outbox lost: the frames that were waiting and the one that did not fit.
    """

    frames: int
    size_bytes: int


_NOTHING: Final[deque[bytes]] = deque()
"""Never filled: what waits in an outbox whose reader keeps up. A queue of its own, even an empty one, would
take a twentieth of a stream's memory."""


class _Phase(enum.Enum):
    OPEN = "open"
    FINISHING = "finishing"
    CLOSED = "closed"


@implementer(IPushProducer)
class Outbox:
    """
    Args:
        write: Takes bytes for the transport; may call ``pauseProducing`` from within.
        on_overflow: Called at most once, when a frame did not fit. The outbox is then empty and only
            takes ``finish_now``.
        max_bytes: What may be unsent, here and in the transport's buffer.
        max_frames: How many frames may wait here.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        on_overflow: Callable[[Overflow], None],
        *,
        max_bytes: int = OUTBOX_BYTES,
        max_frames: int = OUTBOX_FRAMES,
    ) -> None:
        self._write = write
        self._on_overflow = on_overflow
        self._max_bytes = max_bytes
        self._max_frames = max_frames
        self._phase = _Phase.OPEN
        self._paused = False
        self._waiting = _NOTHING
        self._waiting_bytes = 0
        self._transport_bytes = 0
        self._when_sent: Callable[[], None] | None = None

    @property
    def idle(self) -> bool:
        """
        Whether a byte written now would leave at once.
        """
        return self._phase is _Phase.OPEN and not self._paused

    @property
    def unsent_bytes(self) -> int:
        """
        Bytes that wait here, and an upper bound of those in a transport that paused us.
        """
        return self._waiting_bytes + self._transport_bytes

    def put(self, frame: bytes) -> None:
        """
        Send one whole frame, now or later. Does nothing once a finish has begun.
        """
        if self._phase is not _Phase.OPEN:
            return
        full = self._paused and len(self._waiting) >= self._max_frames
        if full or self.unsent_bytes + len(frame) > self._max_bytes:
            lost = Overflow(len(self._waiting) + 1, self._waiting_bytes + len(frame))
            self._forget()
            self._phase = _Phase.FINISHING
            self._on_overflow(lost)
        elif self._paused:
            self._queue(frame)
        else:
            self._send(frame)

    def finish(self, last: bytes, when_sent: Callable[[], None]) -> None:
        """
        Send what waits, then ``last``, then call ``when_sent``; nothing else is taken any more.

        ``when_sent`` means handed to the transport; it is never called if the peer goes before.
        """
        if self._phase is not _Phase.OPEN:
            return
        self._phase = _Phase.FINISHING
        self._queue(last)
        self._when_sent = when_sent
        self._flush()

    def finish_now(self, last: bytes, when_sent: Callable[[], None]) -> None:
        """
        As ``finish``, but without what waits and without waiting for the transport.
        """
        if self._phase is not _Phase.CLOSED:
            self._forget()
            self._phase = _Phase.CLOSED
            self._write(last)
            when_sent()

    def close(self) -> None:
        """
        The peer is gone: free everything and take nothing more. May be called twice.
        """
        self._phase = _Phase.CLOSED
        self._when_sent = None
        self._forget()

    def pauseProducing(self) -> None:
        """
        The transport's buffer is full.
        """
        self._paused = True

    def resumeProducing(self) -> None:
        """
        The transport's buffer is empty again.
        """
        self._paused = False
        self._transport_bytes = 0
        self._flush()

    def stopProducing(self) -> None:
        """
        The transport is gone.
        """
        self.close()

    def _send(self, chunk: bytes) -> None:
        self._write(chunk)
        if self._paused:
            self._transport_bytes = len(chunk)

    def _queue(self, frame: bytes) -> None:
        if self._waiting is _NOTHING:
            self._waiting = deque()
        self._waiting.append(frame)
        self._waiting_bytes += len(frame)

    def _flush(self) -> None:
        while self._waiting and not self._paused:
            batch = [self._waiting.popleft()]
            size = len(batch[0])
            while self._waiting and size + len(self._waiting[0]) <= BATCH_BYTES:
                batch.append(self._waiting.popleft())
                size += len(batch[-1])
            self._waiting_bytes -= size
            self._send(b"".join(batch))
        if not self._waiting:
            self._waiting = _NOTHING
        if self._phase is _Phase.FINISHING and self._when_sent is not None and not self._waiting:
            when_sent, self._when_sent = self._when_sent, None
            self._phase = _Phase.CLOSED
            when_sent()

    def _forget(self) -> None:
        self._waiting = _NOTHING
        self._waiting_bytes = 0
