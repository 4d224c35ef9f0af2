"""
What an ``Accept`` header says about event streams (RFC 9110 §12.5.1).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

EVENT_STREAM = "text/event-stream"


class Wish(enum.Enum):
    """
    How much a client wants an event stream.
    """

    NAMED = "named"
    ANY = "any"
    REFUSED = "refused"


def event_stream_wish(accepts: Sequence[str]) -> Wish:
    """
    ``NAMED`` when the type is listed, ``ANY`` when the header is absent or a wildcard covers it, else
    ``REFUSED``. An entry with ``q=0`` lists nothing.
    """
    if not accepts:
        return Wish.ANY
    wished = {media for media, weight in map(_entry, ",".join(accepts).split(",")) if weight > 0}
    if EVENT_STREAM in wished:
        return Wish.NAMED
    return Wish.ANY if wished & {"*/*", "text/*"} else Wish.REFUSED


def _entry(text: str) -> tuple[str, float]:
    media, *parameters = (part.strip().lower() for part in text.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return media, float(value)
            except ValueError:
                return media, 0.0
    return media, 1.0
