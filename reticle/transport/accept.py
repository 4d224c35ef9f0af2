"""
What an ``Accept`` header says about event streams and JSON (RFC 9110 §12.5.1).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from functools import lru_cache

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


class Form(enum.Enum):
    """
    In which form a POST may be answered.
    """

    EITHER = "either"
    JSON = "json"
    STREAM = "stream"
    NEITHER = "neither"


@lru_cache(maxsize=128)
def answer_form(accepts: tuple[str, ...]) -> Form:
    """
    What the ``Accept`` headers of a POST allow (field report ST-03).

    A stream is only offered where ``text/event-stream`` is named, or where JSON is not acceptable: who sends
    ``*/*`` or nothing reads one JSON body. The most specific entry for a type decides; ``q=0`` excludes it.
    """
    weights = dict(map(_entry, ",".join(accepts).split(","))) if accepts else {"*/*": 1.0}
    json = _weight(weights, "application/json", "application/*")
    stream = _weight(weights, EVENT_STREAM, "text/*")
    if json > 0:
        return Form.EITHER if weights.get(EVENT_STREAM, 0.0) > 0 else Form.JSON
    return Form.STREAM if stream > 0 else Form.NEITHER


def _weight(weights: Mapping[str, float], *ranges: str) -> float:
    """
    The weight of the first of the ranges that is listed, most specific first, else that of ``*/*``.
    """
    return next((weights[each] for each in ranges if each in weights), weights.get("*/*", 0.0))
