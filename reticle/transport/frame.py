"""
The frames of both HTTP transports: which events there are, and how a message becomes one line.

Contract: ``docs/protocol/http-sse.md`` rows F1 to F6 and ``docs/protocol/streamable-http.md`` rows F1 to F4.
The format itself is ``reticle.mcp.sse_frames``. Every event of the old transport but ``endpoint`` carries
JSON, because documented clients parse whatever comes.
"""

from __future__ import annotations

from typing import Final

import msgspec

from reticle.errors import LocalMisuse
from reticle.mcp.sse_frames import frame
from reticle.model.limits import RETRY_MS

MESSAGE_EVENT: Final = "message"
ENDPOINT_EVENT: Final = "endpoint"
SHUTDOWN_EVENT: Final = "reticle-shutdown"
"""The farewell of a planned stop, by the name that existing clients know."""

ENDED_EVENT: Final = "reticle-stream-ended"
"""This stream ends and the daemon does not; the data says why."""

_MESSAGE: Final = b"event: %b\ndata: %%b\n\n" % MESSAGE_EVENT.encode()

_LINE_SEPARATORS: Final = (
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
    (b"\xc2\x85", b"\\u0085"),
)
"""What Unicode-aware line readers take for a line's end; in JSON they only stand inside strings."""


def message_frame(message: bytes) -> bytes:
    """
    The frame of one JSON-RPC message.

    Args:
        message: JSON in UTF-8. Raw line breaks can only be white space between tokens and become
            blanks.
    """
    line = _one_line(message)
    if b"\0" in line:
        raise LocalMisuse("no JSON has a NUL in it")
    return _MESSAGE % line


def numbered_frame(event_id: bytes, message: bytes) -> bytes:
    """
    As ``message_frame``, with an id that a client can resume after.
    """
    return b"id: %b\n%b" % (event_id, message_frame(message))


def priming_frame(event_id: bytes) -> bytes:
    """
    An event without data, which gives the client an id before anything has happened, and how long to wait
    before it comes back (SEP-1699).
    """
    return b"id: %b\nretry: %d\ndata: \n\n" % (event_id, RETRY_MS)


def _one_line(message: bytes) -> bytes:
    if not message.isascii():
        for raw, escaped in _LINE_SEPARATORS:
            message = message.replace(raw, escaped)
    if b"\n" in message or b"\r" in message:
        message = message.replace(b"\r", b" ").replace(b"\n", b" ")
    return message


def endpoint_frame(path: str) -> bytes:
    """
    The first frame of a stream: where to POST.
    """
    return frame(ENDPOINT_EVENT, path.encode("ascii"))


def end_frame(event: str, reason: str) -> bytes:
    """
    The last frame of a stream, with the reason as ``{"reason": …}``.
    """
    return frame(event, msgspec.json.encode({"reason": reason}))
