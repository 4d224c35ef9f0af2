"""
The client's side of a WebSocket to the daemon, without I/O (RFC 6455): as much as the page's messages need.

Text messages both ways, pings answered, a close passed on; no extensions.
"""

from __future__ import annotations

import base64
import hashlib
import os
import struct
from typing import Final, NamedTuple

from reticle.probe.limits import RELAY_MESSAGE_BYTES

_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HEAD_BYTES: Final = 16_384
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10


class Text(NamedTuple):
    """
    A whole message of the daemon.
    """

    text: str


class Closed(NamedTuple):
    """
    The daemon closed, or what it sent is no WebSocket.
    """

    code: int
    reason: str


class RelayFrames:
    """
    One connection. Send ``opening``, feed what arrives, send what ``outgoing`` has after every call.
    """

    def __init__(self, host: str, path: str) -> None:
        self._key = base64.b64encode(os.urandom(16))
        self.opening = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {self._key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode("ascii")
        self._got = bytearray()
        self._parts = bytearray()
        self._is_open = False
        self._outgoing = bytearray()

    @property
    def is_open(self) -> bool:
        """
        Whether the daemon accepted the connection.
        """
        return self._is_open

    def outgoing(self) -> bytes:
        """
        What has to be sent now.
        """
        out, self._outgoing = bytes(self._outgoing), bytearray()
        return out

    def say(self, text: str) -> None:
        """
        Send a message.
        """
        self._put(_TEXT, text.encode("utf-8", "replace"))

    def close(self, code: int = 1000, reason: str = "") -> None:
        """
        Say farewell.
        """
        self._put(_CLOSE, struct.pack(">H", code) + reason.encode()[:120])

    def feed(self, data: bytes) -> list[Text | Closed]:
        """
        The next bytes of the daemon; nothing comes after a ``Closed``.
        """
        self._got += data
        if not self._is_open:
            refused = self._accept()
            if refused is not None:
                return [refused]
        events: list[Text | Closed] = []
        while self._is_open and (frame := self._frame()) is not None:
            event = frame if isinstance(frame, Closed) else self._take(*frame)
            if event is not None:
                events.append(event)
            if isinstance(event, Closed):
                self._is_open = False
        return events

    def _accept(self) -> Closed | None:
        head, end, rest = bytes(self._got).partition(b"\r\n\r\n")
        if not end:
            return Closed(1002, "no answer in HTTP") if len(self._got) > _HEAD_BYTES else None
        first, *rows = head.split(b"\r\n")
        parted = (row.partition(b":") for row in rows)
        fields = {name.strip().lower(): value.strip() for name, _, value in parted}
        expected = base64.b64encode(hashlib.sha1(self._key + _GUID).digest())  # noqa: S324 - the protocol's own
        if first.split(b" ")[1:2] != [b"101"] or fields.get(b"sec-websocket-accept") != expected:
            return Closed(1013, "the daemon refused the connection")
        self._is_open, self._got = True, bytearray(rest)
        return None

    def _frame(self) -> tuple[int, bool, bytes] | Closed | None:
        """
        The next whole frame: opcode, whether it ends its message, payload.
        """
        got = self._got
        if len(got) < 2:
            return None
        size, at = got[1] & 0x7F, 2
        if got[1] & 0x80 or got[0] & 0x70:
            return Closed(1002, "a masked or extended frame")
        if size == 126:
            size, at = (int.from_bytes(got[2:4], "big") if len(got) >= 4 else 0), 4
        elif size == 127:
            size, at = (int.from_bytes(got[2:10], "big") if len(got) >= 10 else 0), 10
        if size + len(self._parts) > RELAY_MESSAGE_BYTES:
            return Closed(1009, "a message beyond the limit")
        if len(got) < at + size:
            return None
        frame = (got[0] & 0x0F, bool(got[0] & 0x80), bytes(got[at : at + size]))
        del got[: at + size]
        return frame

    def _take(self, opcode: int, is_last: bool, payload: bytes) -> Text | Closed | None:  # noqa: FBT001 - a frame
        if opcode == _CLOSE:
            code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
            self._put(_CLOSE, payload[:2])
            return Closed(code, payload[2:].decode("utf-8", "replace"))
        if opcode == _PING:
            self._put(_PONG, payload)
            return None
        if opcode == _PONG:
            return None
        self._parts += payload
        if not is_last:
            return None
        whole, self._parts = bytes(self._parts), bytearray()
        return Text(whole.decode("utf-8", "replace"))

    def _put(self, opcode: int, payload: bytes) -> None:
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        elif size < 65_536:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, size)
        # one exclusive or of two long numbers: a loop over bytes would take the app's time
        stream = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(stream, "big")).to_bytes(size, "big")
        self._outgoing += head + mask + masked
