"""
What of a request and of an answer changes beside the tag.

The app is asked for an answer that is neither compressed nor "not modified"; an answer that got a tag is
nobody's to keep, and says nothing of itself that is true only without the tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from reticle.probe.insertion.candidates import JUDGED, Header
from reticle.probe.insertion.policy import NAMES as RULING
from reticle.probe.words import TIMING_NAME

TIMING_HEADER: Final = "Server-Timing"
"""By which every answer tells its page which request of the server it was."""

CONDITIONS: Final = ("if-none-match", "if-modified-since")
"""Request headers that the app does not get to see for a document: a 304 would show a copy without tag."""

_UNTRUE: Final = frozenset({
    "etag", "last-modified", "content-md5", "digest", "content-digest", "repr-digest",
    "expires", "surrogate-control", "cdn-cache-control", "cache-control",
})  # fmt: skip


_TELLING: Final = _UNTRUE | JUDGED | RULING
_NOWHERE: Final = -1


class Shape(NamedTuple):
    """
    What the names of an answer's headers say: where the (last) ``Content-Type`` stands and where the only
    ``Content-Length``, or -1, and whether nothing else among them matters here.
    """

    type_at: int
    length_at: int
    is_plain: bool


@lru_cache(maxsize=256)
def shape_of(names: tuple[str, ...]) -> Shape:
    """
    Of names as the app writes them. An app's answers have few shapes, and every page asks.
    """
    lowered = [name.lower() for name in names]
    lengths = lowered.count("content-length")
    return Shape(
        len(lowered) - 1 - lowered[::-1].index("content-type") if "content-type" in lowered else _NOWHERE,
        lowered.index("content-length") if lengths == 1 else _NOWHERE,
        is_plain=lengths <= 1 and _TELLING.isdisjoint(lowered),
    )


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
    kept.append(_UNKEPT)
    return kept


def plain_with_tag(headers: list[Header], length_at: int, tag_bytes: int) -> list[Header]:
    """
    The same of headers of a plain shape, whose ``Content-Length`` stands at ``length_at``.
    """
    kept = [*headers, _UNKEPT]
    if length_at >= 0:
        name, value = headers[length_at]
        if not value.strip().isdigit():
            return with_tag(headers, tag_bytes)
        kept[length_at] = (name, str(int(value) + tag_bytes))
    return kept


_UNKEPT: Final = ("Cache-Control", "private, no-store")


def server_timing(rid: str) -> Header:
    """
    How every answer tells its page which request of the server it was.
    """
    return (TIMING_HEADER, f'{TIMING_NAME};desc="{rid}"')
