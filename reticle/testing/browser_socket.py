"""
A browser's end of a WebSocket, in memory: the ``websockets`` library's client core against our server end.
"""

from __future__ import annotations

from twisted.internet.testing import StringTransport
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, SEND_EOF, State
from websockets.protocol import Protocol as Framing


class BrowserSocket:
    """
    Speaks frames to whatever writes to ``transport``.

    Args:
        transport: The server's transport; an HTTP response that stands there is skipped.
    """

    def __init__(self, transport: StringTransport) -> None:
        self._transport = transport
        response, blank, _ = transport.value().rpartition(b"\r\n\r\n")
        self._read = len(response) + len(blank)
        self._framing = Framing(CLIENT, state=State.OPEN, max_size=None)
        self.texts: list[bytes] = []
        self.pings: list[bytes] = []
        self.closed: tuple[int, str] | None = None

    def text(self, payload: bytes) -> bytes:
        """
        The bytes of one text message.
        """
        self._framing.send_text(payload)
        return self._written()

    def binary(self, payload: bytes) -> bytes:
        """
        The bytes of one binary message.
        """
        self._framing.send_binary(payload)
        return self._written()

    def pieces(self, *payloads: bytes) -> bytes:
        """
        The bytes of one text message in fragments.
        """
        for number, payload in enumerate(payloads, start=1):
            last = number == len(payloads)
            if number == 1:
                self._framing.send_text(payload, fin=last)
            else:
                self._framing.send_continuation(payload, fin=last)
        return self._written()

    def ping(self, payload: bytes) -> bytes:
        """
        The bytes of a ping.
        """
        self._framing.send_ping(payload)
        return self._written()

    def pong(self, payload: bytes = b"") -> bytes:
        """
        The bytes of a pong.
        """
        self._framing.send_pong(payload)
        return self._written()

    def close(self, code: int | None = None, reason: str = "") -> bytes:
        """
        The bytes of a close frame.
        """
        self._framing.send_close(code, reason)
        return self._written()

    def look(self) -> bytes:
        """
        Read what the server has written; the bytes that a browser sends back by itself (pong, close).
        """
        written = self._transport.value()
        fresh, self._read = written[self._read :], len(written)
        if fresh:
            self._framing.receive_data(fresh)
        for frame in self._framing.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode is Opcode.TEXT:
                self.texts.append(bytes(frame.data))
            elif frame.opcode is Opcode.PING:
                self.pings.append(bytes(frame.data))
            elif frame.opcode is Opcode.CLOSE and self._framing.close_rcvd is not None:
                self.closed = (int(self._framing.close_rcvd.code), self._framing.close_rcvd.reason)
        return self._written()

    def _written(self) -> bytes:
        return b"".join(chunk for chunk in self._framing.data_to_send() if chunk != SEND_EOF)
