"""
A page's WebSocket, from the first frame to the end of the TCP connection (RFC 6455).

Whole text messages in one frame, which is what pages send, are cut out by ``reticle.transport.text_frames``.
Every other frame is the ``websockets`` library's sans-I/O ``Protocol``'s; what it leaves to its user is here:
whole text messages of valid UTF-8 (§8.1), the keepalive, the closing deadline, back-pressure.
The upgrade is ``reticle.transport.page_socket``; what messages mean is the bridge's business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from twisted.internet.interfaces import IDelayedCall, IPushProducer, IReactorTime, ITCPTransport
from twisted.internet.protocol import Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from websockets.frames import Frame, Opcode
from websockets.protocol import SEND_EOF, SERVER, State
from websockets.protocol import Protocol as Framing
from zope.interface import implementer

from reticle.model.codes import CloseCode
from reticle.model.limits import (
    CLOSE_REASON_BYTES,
    CLOSE_SECONDS,
    PAGE_MESSAGE_BYTES,
    PAGE_UNSENT_BYTES,
    PING_SECONDS,
)
from reticle.ports import PageLink, SocketWriter
from reticle.transport.text_frames import TextFrames

_log = Logger()

UNANSWERED_PINGS = 2
"""Intervals without a single byte from the peer after which it is gone."""

ABNORMAL = 1006
"""What stands for a connection that ended without a close frame (RFC 6455 §7.1.5)."""


@implementer(IPushProducer)
class PageWebSocket(Protocol):
    """
    Provides ``SocketWriter`` to the bridge.

    Args:
        open_link: Asked once, when the connection stands; None when the bridge closed it at once.
        clock: For the keepalive and the closing deadline.
        on_gone: Called once, when the TCP connection is gone.
    """

    transport: Any  # an ITCPTransport, or what stands for one in tests

    def __init__(
        self,
        open_link: Callable[[SocketWriter], PageLink | None],
        clock: IReactorTime,
        on_gone: Callable[[PageWebSocket], None],
    ) -> None:
        self._open_link = open_link
        self._clock = clock
        self._on_gone = on_gone
        self._framing = Framing(SERVER, state=State.OPEN, max_size=PAGE_MESSAGE_BYTES)
        self._link: PageLink | None = None
        self._partial: bytearray | None = None
        self._frames = TextFrames(self._texts, self._other, PAGE_MESSAGE_BYTES)
        self._unsent: deque[bytes] = deque()
        self._unsent_bytes = 0
        self._paused = False
        self._deaf = False
        self._finish: Callable[[], None] | None = None
        self._unanswered = 0
        self._ping: IDelayedCall | None = None
        self._deadline: IDelayedCall | None = None
        self.binary_ignored = 0

    # --- SocketWriter ------------------------------------------------------------------------

    def send_text(self, payload: bytes) -> None:
        """
        See ``ports.SocketWriter``. A page that does not read is cut off at ``PAGE_UNSENT_BYTES``.
        """
        if self._framing.state is not State.OPEN:
            return
        self._framing.send_text(payload)
        self._flush()

    def close(self, code: int, reason: str) -> None:
        """
        See ``ports.SocketWriter``.
        """
        if self._framing.state is not State.OPEN:
            return
        self._deaf = True
        self._framing.send_close(code, cut_reason(reason))
        self._flush()
        self._start_deadline()

    def unsent_bytes(self) -> int:
        """
        See ``ports.SocketWriter``. What the kernel and the transport's own buffer hold is not counted.
        """
        return self._unsent_bytes

    # --- Protocol ----------------------------------------------------------------------------

    def connectionMade(self) -> None:
        """
        The upgrade is answered; frames follow.
        """
        self.transport.registerProducer(self, True)
        self._ping = self._clock.callLater(PING_SECONDS, self._keep_alive)
        self._link = self._open_link(self)

    def dataReceived(self, data: bytes) -> None:
        """
        Bytes from the page.
        """
        self._unanswered = 0
        self._frames.feed(data)
        self._flush()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        The TCP connection is gone.
        """
        del reason
        self._framing.receive_eof()
        for timer in (self._ping, self._deadline):
            if timer is not None and timer.active():
                timer.cancel()
        self._unsent.clear()
        self._unsent_bytes = 0
        link, self._link = self._link, None
        if link is not None:
            link.socket_closed(*self._ending())
        self._on_gone(self)

    # --- IPushProducer -----------------------------------------------------------------------

    def pauseProducing(self) -> None:
        """
        The transport's buffer is full: keep what follows here, where it is counted.
        """
        self._paused = True

    def resumeProducing(self) -> None:
        """
        The page has read: go on.
        """
        self._paused = False
        while self._unsent and not self._paused:
            chunk = self._unsent.popleft()
            self._unsent_bytes -= len(chunk)
            self.transport.write(chunk)
        if self._finish is not None and not self._unsent:
            self._finish()

    def stopProducing(self) -> None:
        """
        The transport is gone; ``connectionLost`` follows.
        """

    # --- frames ------------------------------------------------------------------------------

    def _texts(self, payloads: list[bytes]) -> bool:
        """
        Whole text messages came, each in one frame. Whether the next ones may come this way too.
        """
        self._deliver(payloads)
        return self._framing.close_sent is None

    def _other(self, data: bytes) -> bool:
        """
        Bytes that are not a whole text message's. Whether the next text message may come by ``_texts``: not
        within a fragmented message and not once a close frame is under way, where it would be against the
        standard or behind the end.
        """
        framing = self._framing
        framing.receive_data(data)
        for frame in framing.events_received():
            assert isinstance(frame, Frame)
            self._take(frame)
        return framing.state is State.OPEN and framing.current_size is None

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.TEXT:
            if frame.fin:
                self._deliver([bytes(frame.data)])
            else:
                self._partial = bytearray(frame.data)
        elif frame.opcode is Opcode.BINARY:
            if not self.binary_ignored:
                _log.info("a page sends binary messages; they are ignored")
            self.binary_ignored += 1  # its continuations find no partial text and are ignored too
        elif frame.opcode is Opcode.CONT:
            self._continue(frame)

    def _continue(self, frame: Frame) -> None:
        if self._partial is not None:
            self._partial += frame.data
            if frame.fin:
                whole, self._partial = bytes(self._partial), None
                self._deliver([whole])

    def _deliver(self, payloads: list[bytes]) -> None:
        # What came before a fault or a goodbye of the page is still heard, also in the same segment.
        if self._link is None or self._deaf:
            return
        readable = payloads
        for at, payload in enumerate(payloads):
            if not payload.isascii():
                try:
                    payload.decode()
                except UnicodeDecodeError:
                    readable = payloads[:at]
                    break
        if readable:
            self._link.texts_received(readable)
        if readable is not payloads and not self._deaf:
            self._deaf = True
            self._framing.fail(CloseCode.INVALID_DATA, "a text message must be UTF-8")

    def _flush(self) -> None:
        for chunk in self._framing.data_to_send():
            if chunk == SEND_EOF:
                self._finish_with(self._half_close if self._failed() else self._lose)
            elif not self._paused:
                self.transport.write(chunk)
            elif self._deadline is None or self._unsent_bytes <= PAGE_UNSENT_BYTES:
                self._unsent.append(chunk)
                self._unsent_bytes += len(chunk)
        if self._unsent_bytes > PAGE_UNSENT_BYTES:
            self.close(CloseCode.INTERNAL, "the page does not read")

    # --- time --------------------------------------------------------------------------------

    def _keep_alive(self) -> None:
        if self._framing.state is not State.OPEN:
            return
        if self._unanswered >= UNANSWERED_PINGS:
            self._abort()
            return
        self._unanswered += 1
        self._framing.send_ping(b"")
        self._flush()
        self._ping = self._clock.callLater(PING_SECONDS, self._keep_alive)

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self._clock.callLater(CLOSE_SECONDS, self._abort)

    # --- the end -----------------------------------------------------------------------------

    def _failed(self) -> bool:
        received = self._framing.close_rcvd
        return received is None or self._framing.parser_exc is not None

    def _finish_with(self, finish: Callable[[], None]) -> None:
        self._start_deadline()
        self._finish = finish
        if not self._unsent:
            finish()

    def _lose(self) -> None:
        """
        Both sides have said goodbye: the server closes first (RFC 6455 §7.1.1).
        """
        self._finish = None
        self.transport.unregisterProducer()
        self.transport.loseConnection()

    def _half_close(self) -> None:
        """
        The page broke the protocol and may still be sending. Closing with unread bytes would make the
        kernel send a reset, which destroys our close frame on its way; so we only stop writing.
        """
        self._finish = None
        self.transport.unregisterProducer()
        if ITCPTransport.providedBy(self.transport):
            self.transport.loseWriteConnection()

    def _abort(self) -> None:
        self.transport.abortConnection()

    def _ending(self) -> tuple[int, str]:
        """
        The close code and reason that count: of whoever closed first.
        """
        sent, received = self._framing.close_sent, self._framing.close_rcvd
        if sent is not None and not self._framing.close_rcvd_then_sent:
            return int(sent.code), sent.reason
        if received is not None:
            return int(received.code), received.reason
        return ABNORMAL, ""


def cut_reason(reason: str) -> str:
    """
    A close reason within what a control frame holds, cut between characters (RFC 6455 §5.5).
    """
    return reason.encode("utf-8", "replace")[:CLOSE_REASON_BYTES].decode("utf-8", "ignore")
