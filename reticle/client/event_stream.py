"""
Server-sent events out of bytes, without I/O (WHATWG HTML, "Interpreting an event stream").
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reticle.client.errors import ProtocolBroken

FRAME_BYTES = 64 * 1024 * 1024
"""One event's data; the daemon's largest answers are near 20 MB. Over it ``ProtocolBroken``."""

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ServerEvent(NamedTuple):
    """
    One dispatched event: its name (``message`` when the server gave none) and its data.
    """

    name: str
    data: str


class EventStream:
    """
    Feeds on bytes in any split and gives whole events; comments and unknown fields are skipped.

    The three line ends of the standard are all understood, also when a CR LF pair is split.
    """

    def __init__(self, frame_bytes: int = FRAME_BYTES) -> None:
        self._frame_bytes = frame_bytes
        self._line: list[bytes] = []
        self._held_bytes = 0
        self._after_carriage_return = False
        self._first_line = True
        self._name = ""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """
        Take the next bytes; give the events that they complete, in order.

        Raises:
            ProtocolBroken: an event is larger than ``frame_bytes``. The parser is then of no more use.
        """
        if self._after_carriage_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_carriage_return = False
        events: list[ServerEvent] = []
        *ends, rest = _LINE_END.split(chunk)
        for end in ends:
            self._hold(end)
            event = self._finish_line(b"".join(self._line))
            if event is not None:
                events.append(event)
            self._line.clear()
        if rest:
            self._hold(rest)
        elif chunk.endswith(b"\r"):
            self._after_carriage_return = True
        return events

    def _hold(self, piece: bytes) -> None:
        self._line.append(piece)
        self._held_bytes += len(piece)
        if self._held_bytes > self._frame_bytes:
            raise ProtocolBroken(f"an event is larger than {self._frame_bytes} bytes")

    def _finish_line(self, line: bytes) -> ServerEvent | None:
        if self._first_line:
            line = line.removeprefix(_BYTE_ORDER_MARK)
            self._first_line = False
        if not line:
            return self._dispatch()
        field, colon, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        else:
            self._held_bytes -= len(line)
            if field == b"event" and colon:
                self._name = value.decode("utf-8", "replace")
        return None

    def _dispatch(self) -> ServerEvent | None:
        name, data = self._name or "message", self._data
        self._name, self._data, self._held_bytes = "", [], 0
        return ServerEvent(name, b"\n".join(data).decode("utf-8", "replace")) if data else None
