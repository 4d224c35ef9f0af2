"""
The event stream format, as we write it (HTML Living Standard §9.2.5).

The strictest form there is: LF only and one ``data`` line, so that a client that merely splits at blank
lines reads the same as a full parser such as ``reticle.client.event_stream``.
"""

from __future__ import annotations

from typing import Final

from reticle.errors import LocalMisuse

KEEPALIVE: Final = b": keepalive\n"
"""A comment with a single line end: a blank line after it would be a frame of its own for clients that
split at blank lines, and they would parse its empty text as JSON (issue #2)."""


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
