"""
The event stream format, both ways (HTML Living Standard §9.2.5 and §9.2.6).

The writer makes the strictest form there is: LF only and one ``data`` line, so that a client that merely
splits at blank lines reads the same as a full parser. The parser takes everything the format allows, in
any chunking, and is what tests and our own client read with.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Final

import attrs

from reticle.errors import LocalMisuse, PeerFault
from reticle.model.codes import FaultCode
from reticle.model.limits import OUTBOX_BYTES

KEEPALIVE: Final = b": keepalive\n"
"""A comment with a single line end: a blank line after it would be a frame of its own for clients that
split at blank lines, and they would parse its empty text as JSON (issue #2)."""

_LINE_END: Final = re.compile("\r\n|\r|\n")


def frame(event: str, data: bytes) -> bytes:
    """
    One event.

    Raises:
        LocalMisuse: The name or the data holds a line end or NUL; a line of JSON never does.
    """
    name = event.encode()
    for text in (name, data):
        if b"\n" in text or b"\r" in text or b"\0" in text:
            raise LocalMisuse("a frame's name and data are one line each")
    return b"event: %b\ndata: %b\n\n" % (name, data)


@attrs.frozen
class ServerSentEvent:
    """
    One event as a reader gets it. ``event_id`` is the last id seen on the stream, empty when none was.
    """

    event: str
    data: str
    event_id: str = ""


class FrameParser:
    """
    Reads an event stream that comes in any pieces.

    Comments, unknown fields and events without data are passed over, as the format says. An event that
    was not ended by a blank line when the stream ends never happened.

    Args:
        limit_chars: What one event may hold.
    """

    def __init__(self, *, limit_chars: int = OUTBOX_BYTES) -> None:
        self._limit = limit_chars
        self._text = codecs.getincrementaldecoder("utf-8-sig")()
        self._rest = ""
        self._after_cr = False
        self._held = 0
        self._event = ""
        self._data: list[str] = []
        self._event_id = ""
        self.retry_ms: int | None = None

    def feed(self, chunk: bytes) -> Sequence[ServerSentEvent]:
        """
        The events that this chunk completed.

        Raises:
            PeerFault: ``malformed_body``: not UTF-8, or an event over the limit. The stream is of no
                more use.
        """
        try:
            decoded = self._text.decode(chunk)
        except UnicodeDecodeError:
            raise PeerFault(FaultCode.MALFORMED_BODY, "an event stream is UTF-8") from None
        if not decoded:
            return []
        if self._after_cr:  # an LF here is the second half of a CRLF whose line has ended already
            decoded = decoded.removeprefix("\n")
        text = self._rest + decoded
        self._after_cr = text.endswith("\r")
        events: list[ServerSentEvent] = []
        start = 0
        for end in _LINE_END.finditer(text):
            self._line(text[start : end.start()], events)
            start = end.end()
        self._rest = text[start:]
        if self._held + len(self._rest) > self._limit:
            raise PeerFault(FaultCode.MALFORMED_BODY, f"an event holds more than {self._limit} characters")
        return events

    def _line(self, line: str, events: list[ServerSentEvent]) -> None:
        if not line:
            if self._data:
                events.append(
                    ServerSentEvent(self._event or "message", "\n".join(self._data), self._event_id)
                )
            self._event, self._data, self._held = "", [], 0
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
                self._held += len(value) + 1
            case "id" if "\0" not in value:
                self._event_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry_ms = int(value)
            case _:
                pass
