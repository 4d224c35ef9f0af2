"""
The frames of the old transport: which events there are, and how a message becomes one line.

Contract: ``docs/protocol/http-sse.md`` rows F1 to F6. The format itself is ``reticle.mcp.sse_frames``.
Every event but ``endpoint`` carries JSON, because documented clients parse whatever comes.
"""

from __future__ import annotations

from typing import Final

import msgspec

from reticle.mcp.sse_frames import frame

MESSAGE_EVENT: Final = "message"
ENDPOINT_EVENT: Final = "endpoint"
SHUTDOWN_EVENT: Final = "reticle-shutdown"
"""The farewell of a planned stop, by the name that existing clients know."""

ENDED_EVENT: Final = "reticle-stream-ended"
"""This stream ends and the daemon does not; the data says why."""

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
    for raw, escaped in _LINE_SEPARATORS:
        if raw in message:
            message = message.replace(raw, escaped)
    if b"\n" in message or b"\r" in message:
        message = message.replace(b"\r", b" ").replace(b"\n", b" ")
    return frame(MESSAGE_EVENT, message)


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
