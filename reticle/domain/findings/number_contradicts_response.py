"""
The page shows a number behind its name and a colon, and the answer that it came with has another one there.

Claim: the answer's field (``pointsLeft``, ``openTasks``). Counter-evidence: a text that came up since it was
asked for, as "Points left: 12", with a number that the field does not explain. Sums of money have a detector
of their own, ``screen-contradicts-response``.
Tier: a doubt; a page may count something else under the same words.
Guards: names that say little, a field that several things of the answer have (rows), several numbers under
the name, several answers with the field, numbers that are being counted up; a rounded one or one in another
unit (a tenth to a thousandth, minutes for hours, kibibytes), one that is off by one, or that two others of
the answer explain; short forms and percentages; a later text that puts it right.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Final

from reticle.domain.channels import of_types
from reticle.domain.echoes import body_of, objects, scalars
from reticle.domain.facts import quoted
from reticle.domain.findings.screen_contradicts_response import (
    SUMS,
    number_of,
    outer_things,
    renders,
)
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.domain.voices import SHOWING
from reticle.model.finding_limits import ANSWERS_COMPARED, NUMBERS_COMPARED
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "number-contradicts-response"

_SHOWN: Final = re.compile(
    r"(?:^|[^\w\s]\s*|\d\s+)([a-z]+(?: [a-z]+){0,2}):\s?"
    r"(-?\d[\d.,'\u00a0\u202f]*+)(?!\s?(?:[%a-z*:/\u00d7-]|\d))"
)
"""Words, at the start or behind a mark, a colon, and a number that stands alone behind it."""

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LEAST_LETTERS: Final = 5
_SAYS_LITTLE: Final = frozenset(
    {"count", "hours", "index", "items", "level", "limit", "minute", "minutes", "month", "number", "offset",
     "order", "pages", "position", "result", "results", "score", "second", "seconds", "status", "total",
     "version"}
)  # fmt: skip
"""Names of one word under which a page and an answer easily mean two things."""

_UNITS: Final = (1, 10, 60, 100, 1_000, 1_024, 3_600, 60_000, 86_400, 1_000_000, 1_048_576)
_TEXTS: Final = frozenset({"dom", "visible"})

Shown = tuple[PageEvent, str]


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per name under which an answer has one number and the page shows another.
    """
    shown = _shown(window)
    if not shown:
        return ()
    told: dict[str, list[tuple[str, float, Request]]] = {}
    for label, field, value, one in _told(window):
        told.setdefault(label, []).append((field, value, one))
    found = []
    for label, fields in told.items():
        field, value, one = fields[-1]
        later = {written for event, written in shown.get(label, ()) if _comes_of(event, one)}
        if len({value for _, value, _ in fields}) > 1 or len(later) != 1:
            continue
        (written,) = later
        if any(renders(written, number) for number in _meant(value, one)):
            continue
        detail = {"method": one.method, "url": one.url, "field": field, "answered": value, "shown": written}
        counter = f"the page shows {quoted(f'{label}: {written}', 80)}"
        found.append(Finding(KIND, FindingTier.ABSENCE, f"{one} has {field} {value:g}", counter, detail))
    return tuple(found)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide such a text.
    """
    return _TEXTS if next(_told(window), None) is not None else frozenset()


@once_per_window
def _shown(window: Window) -> Mapping[str, list[Shown]]:
    """
    Each name with the numbers that came up behind it, oldest first.
    """
    shown: dict[str, list[Shown]] = {}
    for event in of_types(window, *SHOWING):
        for text in (event.data.get("text"), event.data.get("name")):
            if isinstance(text, str) and ":" in text:
                for label, written in _SHOWN.findall(text.casefold()):
                    shown.setdefault(label, []).append((event, written.rstrip(".,'")))
    return shown


def _told(window: Window) -> Iterator[tuple[str, str, float, Request]]:
    """
    The numbers of the newest answers that succeeded, by what a page would call them.
    """
    answered = [one for one in own_requests(window) if one.ok and not one.answer.get("bodyTruncated")]
    for one in answered[-ANSWERS_COMPARED:]:
        body = body_of(one.answer, "responseBody")
        names = [name for name, _ in scalars(body)]
        for thing in outer_things(body):
            for field, value in thing.items():
                label = _label(str(field))
                counts = isinstance(value, int | float) and not isinstance(value, bool)
                if label and counts and names.count(str(field)) == 1:
                    yield label, str(field), float(value), one  # type: ignore[arg-type]  # a number


def _comes_of(event: PageEvent, one: Request) -> bool:
    """
    Whether a text came up since the request was on its way: what is foreseen is put right by the answer, and
    an answer that draws nothing leaves it wrong, however late it is.
    """
    return one.ended is not None and event.seq > one.seq


@functools.lru_cache(1_024)
def _label(field: str) -> str:
    """
    What a page would call a field; "" for one that says too little, or is a sum.
    """
    words = [word.lower() for word in _WORDS.findall(field)]
    if not words or words[-1] in SUMS or max(map(len, words)) < _LEAST_LETTERS:
        return ""
    return "" if len(words) == 1 and words[0] in _SAYS_LITTLE else " ".join(words)


def _meant(value: float, one: Request) -> Iterator[float]:
    """
    What a page may rightly make of a number.
    """
    for unit in _UNITS:
        yield value / unit
        yield value * unit
    yield from (value - 1, value + 1, 100 - value, 1 - value)
    body = body_of(one.answer, "responseBody")
    others = (number_of(each) for thing in objects(body, 3) for each in thing.values())
    lengths = (
        float(len(each)) for thing in objects(body, 3) for each in thing.values() if isinstance(each, list)
    )
    numbers = list(
        itertools.islice((*(each for each in others if each is not None), *lengths), NUMBERS_COMPARED)
    )
    for first, second in itertools.combinations([value, *numbers], 2):
        yield from (first + second, abs(first - second), first * second)
        if first and second:
            yield from (first / second, second / first)
    yield from numbers
