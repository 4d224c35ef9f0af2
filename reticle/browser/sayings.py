"""
What the browser knows of a page and the page cannot say itself, as the page wire's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec

from reticle.model.codes import EventType

Tell = Callable[[bytes], object]
"""Takes a message as if the page had sent it."""

SHOWN_CHARS: Final = 1_000


def event_message(type_: EventType, data: Mapping[str, object]) -> bytes:
    """
    One event. It has no number of the page's own count: nothing is missing before it.
    """
    return msgspec.json.encode({"kind": "event", "event": {"type": type_.value, "data": data}})


def shown_url(url: str) -> str:
    """
    An address without what may be secret in it: no user, no password, no query, no fragment; of one that is
    its own content only what kind it is.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme == "about":
        return f"about:{parts.path}"[:SHOWN_CHARS]
    if parts.scheme not in {"http", "https", "ftp", "file"}:
        kind = parts.path.partition(",")[0].partition(";")[0] if parts.scheme == "data" else ""
        return f"{parts.scheme}:{kind}"[:SHOWN_CHARS] if parts.scheme else ""
    name = f"[{host}]" if ":" in host else host
    place = f"{name}:{port}" if port is not None else name
    return f"{parts.scheme}://{place}{parts.path}{'?…' if parts.query else ''}"[:SHOWN_CHARS]
