"""
What of a request and of an answer changes beside the tag.

The app is asked for an answer that is neither compressed nor "not modified"; an answer that got a tag is
nobody's to keep, and says nothing of itself that is true only without the tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reticle.probe.insertion.candidates import Header
from reticle.probe.words import TIMING_NAME

TIMING_HEADER: Final = "Server-Timing"
"""By which every answer tells its page which request of the server it was."""

CONDITIONS: Final = ("if-none-match", "if-modified-since")
"""Request headers that the app does not get to see for a document: a 304 would show a copy without tag."""

_UNTRUE: Final = frozenset({
    "etag", "last-modified", "content-md5", "digest", "content-digest", "repr-digest",
    "expires", "surrogate-control", "cdn-cache-control", "cache-control",
})  # fmt: skip


def with_tag(headers: Sequence[Header], tag_bytes: int | None) -> list[Header]:
    """
    The head of an answer with the tag in it.

    Args:
        headers: As the app set them.
        tag_bytes: Length of the tag; None where it is not known whether there will be one (HEAD), which
            leaves the length of the body unsaid.
    """
    kept = []
    for name, value in headers:
        lowered = name.lower()
        if lowered in _UNTRUE:
            continue
        if lowered == "content-length":
            if tag_bytes is not None and value.strip().isdigit():
                kept.append((name, str(int(value) + tag_bytes)))
            continue
        kept.append((name, value))
    kept.append(("Cache-Control", "private, no-store"))
    return kept


def server_timing(rid: str) -> Header:
    """
    How every answer tells its page which request of the server it was.
    """
    return (TIMING_HEADER, f'{TIMING_NAME};desc="{rid}"')
