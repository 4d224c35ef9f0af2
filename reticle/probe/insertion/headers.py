"""
What of a request and of an answer changes beside the tag.

The app is asked for an answer that is neither compressed nor "not modified"; an answer that got a tag is
nobody's to keep, and says nothing of itself that is true only without the tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from reticle.probe.insertion.candidates import JUDGED, Header
from reticle.probe.insertion.policy import NAMES as RULING
from reticle.probe.limits import NAMES_KNOWN
from reticle.probe.words import TIMING_NAME

TIMING_HEADER: Final = "Server-Timing"
"""By which every answer tells its page which request of the server it was."""

CONDITIONS: Final = ("if-none-match", "if-modified-since")
"""Request headers that the app does not get to see for a document: a 304 would show a copy without tag."""

_UNTRUE: Final = frozenset({
    "etag", "last-modified", "content-md5", "digest", "content-digest", "repr-digest",
    "expires", "surrogate-control", "cdn-cache-control", "cache-control",
})  # fmt: skip


_TELLING: Final = _UNTRUE | JUDGED | RULING | {"content-type", "content-length"}

known: Final[dict[str, str]] = {}
"""Names of headers as apps write them, each with its lower-case form where it says something here, and with
nothing where not: an app has few, and every page asks for all of them. Of one that is not there ``learnt``
tells; a dictionary that does so itself costs three times as much for those that are."""


def learnt(name: str) -> str:
    """
    As ``known`` has it from now on.
    """
    lowered = name.lower()
    telling = lowered if lowered in _TELLING else ""
    if len(known) < NAMES_KNOWN:
        known[name] = telling
    return telling


def with_tag(headers: Sequence[Header], tag_bytes: int | None) -> list[Header]:
    """
    The head of an answer with the tag in it.

    Args:
        headers: As the app set them.
        tag_bytes: Length of the tag; None where it is not known whether there will be one (HEAD), which
            leaves the length of the body unsaid.
    """
    kept = []
    for header in headers:
        name = known.get(header[0])
        if name is None:
            name = learnt(header[0])
        if not name:
            kept.append(header)
        elif name == "content-length":
            value = header[1].strip()
            if tag_bytes is not None and value.isdigit():
                kept.append((header[0], str(int(value) + tag_bytes)))
        elif name not in _UNTRUE:
            kept.append(header)
    kept.append(("Cache-Control", "private, no-store"))
    return kept


def server_timing(rid: str) -> Header:
    """
    How every answer tells its page which request of the server it was.
    """
    return (TIMING_HEADER, f'{TIMING_NAME};desc="{rid}"')
