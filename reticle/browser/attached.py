"""
A browser that somebody else started, driven over its debugging WebSocket. We close what we opened in it, and
never the browser.

The frames are the ``websockets`` library's sans-I/O client.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import attrs
from twisted.internet import defer
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import HostnameEndpoint, connectProtocol
from twisted.internet.interfaces import IDelayedCall
from twisted.internet.protocol import Protocol, connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import SEND_EOF
from websockets.uri import parse_uri

from reticle.browser.chromium import Chromium
from reticle.browser.conversation import Conversation, InThread
from reticle.browser.debugging_address import debugging_address
from reticle.browser.failures import failed, no_browser
from reticle.errors import Refusal
from reticle.model.limits import BROWSER_COMMAND_SECONDS, BROWSER_STOP_SECONDS, CDP_MESSAGE_BYTES

_log = Logger()

_NEXT: Final = (
    "Start it with --remote-debugging-port=9222 and a --user-data-dir of its own, or unset RETICLE_CDP_URL to"
    " have one started."
)


class DebuggingSocket(Protocol):
    """
    The client's end of a browser's debugging WebSocket.

    Args:
        url: Its ``ws://`` address.
        clock: For the closing deadline.
    """

    transport: Any

    def __init__(self, url: str, clock: Any) -> None:
        self._clock = clock
        self._frames = ClientProtocol(parse_uri(url), max_size=CDP_MESSAGE_BYTES)
        self._partial: list[bytes] = []
        self._deadline: IDelayedCall | None = None
        self._is_over = False
        self._on_message: Callable[[bytes], object] = lambda _: None
        self._on_end: Callable[[str], object] | None = None
        self._closed: list[Deferred[None]] = []
        self.opened: Deferred[None] = Deferred()

    def listen(self, on_message: Callable[[bytes], object], on_end: Callable[[str], object]) -> None:
        """
        As ``pipe.PipedBrowser.listen``.
        """
        self._on_message, self._on_end = on_message, on_end

    def send(self, message: bytes) -> None:
        """
        One command; nothing when the socket is gone.
        """
        if not self._is_over:
            self._frames.send_text(message)
            self._flush()

    def close(self) -> Deferred[None]:
        """
        Hang up. Ready when the connection is gone; may be called twice.
        """
        closed: Deferred[None] = Deferred()
        if not self.transport.connected:
            closed.callback(None)
            return closed
        self._closed.append(closed)
        if self._deadline is None:
            self._deadline = self._clock.callLater(BROWSER_STOP_SECONDS, self.transport.abortConnection)
            if not self._is_over:
                self._frames.send_close()
                self._flush()
            self._over("it was left")
        return closed

    # --- Protocol ----------------------------------------------------------------------------

    def connectionMade(self) -> None:
        """
        Shake hands.
        """
        self._frames.send_request(self._frames.connect())
        self._flush()

    def dataReceived(self, data: bytes) -> None:
        """
        Bytes from the browser.
        """
        self._frames.receive_data(data)
        for event in self._frames.events_received():
            if isinstance(event, Frame):
                self._take(event)
            elif self._frames.handshake_exc is None and not self.opened.called:
                self.opened.callback(None)
        self._flush()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """
        The connection is gone.
        """
        del reason
        self._frames.receive_eof()
        self._over("its debugging connection closed")
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        if not self.opened.called:
            fault = self._frames.handshake_exc
            self.opened.errback(no_browser(f"The browser did not shake hands: {fault}", _NEXT))
        closed, self._closed = self._closed, []
        for waiter in closed:
            waiter.callback(None)

    def _take(self, frame: Frame) -> None:
        if frame.opcode not in (Opcode.TEXT, Opcode.CONT):
            return
        self._partial.append(bytes(frame.data))
        if frame.fin:
            message, self._partial = b"".join(self._partial), []
            self._on_message(message)

    def _flush(self) -> None:
        for chunk in self._frames.data_to_send():
            if chunk == SEND_EOF:
                self.transport.loseConnection()
            else:
                self.transport.write(chunk)

    def _over(self, why: str) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._on_end is not None:
            self._on_end(why)


@attrs.frozen
class Attacher:
    """
    Reaches a browser that runs. ``url`` is the setting ``cdp_url``.
    """

    reactor: Any
    in_thread: InThread
    url: str
    shows: bool = False

    async def start(self, *, headed: bool, on_end: Callable[[Chromium, Refusal], object]) -> Chromium:
        """
        That browser. Whether anybody can look on is not ours to say.

        Raises:
            Refusal: ``no_browser`` where none answers there.
        """
        del headed
        try:
            address = (
                self.url if self.url.startswith("ws") else await debugging_address(self.reactor, self.url)
            )
            parts = urlsplit(address)
            endpoint = HostnameEndpoint(self.reactor, parts.hostname or "", parts.port or 80)
            socket = DebuggingSocket(address, self.reactor)
            await connectProtocol(endpoint, socket)
            socket.opened.addTimeout(BROWSER_COMMAND_SECONDS, self.reactor)
            try:
                await socket.opened
            except BaseException:
                socket.transport.abortConnection()
                raise
        except Refusal:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever keeps us from it, there is none for us
            why = "it does not answer in time" if isinstance(fault, defer.TimeoutError) else str(fault)
            raise no_browser(f"No browser can be driven at {self.url}: {why}", _NEXT) from None
        conversation = Conversation(socket.send, self.reactor, self.in_thread)
        chromium = Chromium(conversation, socket.close, None, on_end)
        socket.listen(
            conversation.received, lambda why: chromium.ended(failed(f"The browser is gone: {why}."))
        )
        try:
            await chromium.begin()
        except Refusal:
            await chromium.stop()
            raise
        _log.info("driving {product} at {url}", product=chromium.product, url=self.url)
        return chromium
