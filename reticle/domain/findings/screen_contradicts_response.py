"""
The page shows a sum under its name, and the answer that it came with has another one under the same name.

Claim: the answer's field (``total``, ``shippingFee``). Counter-evidence: a text that came up since it was
asked for, with the same words right before a number that is not that sum in any unit, rounding or spelling: a
wrong number, a wrong unit, or the number of an older answer.
Tier: observed; where it is not certain that both are about the same thing there is no finding. A doubt where
the text came up before the answer, as what a page foresees does, and the answer put nothing right.
Guards: rows of a list, several answers with the field, a sum that two other numbers of the answer explain
(with tax, by quantity), another currency, whole numbers that may be counts, numbers that are being counted
up, percentages and short forms ("1.2k"), a later text that puts it right.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from reticle.domain.channels import of_types
from reticle.domain.echoes import body_of, objects
from reticle.domain.facts import quoted
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request, answer_of
from reticle.domain.voices import SHOWING
from reticle.model.finding_limits import ANSWERS_COMPARED, NUMBERS_COMPARED
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "screen-contradicts-response"

SUMS = frozenset({"amount", "price", "total", "subtotal", "fee", "cost", "balance"})
_MINOR = frozenset({"cents", "minor", "pence", "mills"})
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CURRENCIES = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy"}
_CODES = "eur|usd|gbp|jpy|chf|cad|aud|sek|nok|dkk|pln|czk|huf|inr|brl|cny|try"
_SHOWN = re.compile(
    rf"(?:^|[^\w\s]\s*|\d\s+)([a-z]+(?: [a-z]+){{0,2}}?)\s?[:=]?\s?((?:{_CODES})\b|[€$£¥])?\s?"
    rf"(-?\d[\d.,'\u00a0\u202f]*+)(?!\s?(?:[%kmx*:/\u00d7]|\d))\s?((?:{_CODES})\b|[€$£¥])?"
)
"""Words, at the start or behind a mark, and right behind them a number, with a currency on either side."""

_TEXTS = frozenset({"dom", "visible"})

_COUNTING_UP = 3
"""So many different numbers under one name are an animation, whose last one may not be there yet."""

EARLY_MS = 100
"""A page may show an answer before we hear of it: the body is read beside the app."""


@attrs.frozen
class _Sum:
    """
    A sum of money in an answer: what it is called, and the numbers beside it in the same thing.
    """

    label: str
    field: str
    value: float
    minor: bool
    currency: str
    beside: frozenset[float]
    one: Request


@attrs.frozen
class _Text:
    """
    A number that was shown behind a name; ``written`` with its separators.
    """

    seq: int
    t_ms: int
    written: str
    currency: str
    text: str


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per name under which an answer has one sum and the page last showed another.
    """
    shown = _shown(window)
    if not shown:
        return ()
    told: dict[str, list[_Sum]] = {}
    for each in _told(window):
        if each.label in shown:
            told.setdefault(each.label, []).append(each)
    found = []
    for label, sums in told.items():
        finding = _compare(sums, shown[label], window)
        if finding is not None:
            found.append(finding)
    return tuple(found)


def _compare(sums: Sequence[_Sum], texts: Sequence[_Text], window: Window) -> Finding | None:
    last = texts[-1]
    if len({each.value for each in sums}) > 1:
        return None
    each = sums[-1]
    ended = each.one.ended
    if ended is None or last.seq < each.one.seq:
        return None
    since = {text.written for text in texts if text.seq > each.one.seq}
    if len(since) >= _COUNTING_UP:
        return None
    if each.currency and last.currency and each.currency != last.currency:
        return None
    known = {number for other in sums for number in (other.value, *other.beside)}
    if any(renders(last.written, value) for value in _renderings(each, last, known)):
        return None
    detail: Mapping[str, object] = {
        "method": each.one.method, "url": each.one.url, "field": each.field, "answered": each.value,
        "shown": last.written,
    }  # fmt: skip
    claim = f"{each.one} has {each.field} {each.value:g}"
    stale = ", as an earlier answer had it" if _is_older(each, last, window) else ""
    counter = f"the page shows {quoted(last.text, 80)}{stale}"
    early = last.t_ms < ended.t_ms - EARLY_MS
    return Finding(KIND, FindingTier.ABSENCE if early else FindingTier.OBSERVED, claim, counter, detail)


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide such a text.
    """
    return _TEXTS if next(_told(window), None) is not None else frozenset()


@once_per_window
def _shown(window: Window) -> Mapping[str, Sequence[_Text]]:
    """
    Each name of a sum, with the numbers that came up behind it, oldest first.
    """
    shown: dict[str, list[_Text]] = {}
    for event in of_types(window, *SHOWING):
        for text in (event.data.get("text"), event.data.get("name")):
            if not isinstance(text, str) or not text:
                continue
            for label, written, currency in _labelled(text):
                shown.setdefault(label, []).append(_Text(event.seq, event.t_ms, written, currency, text))
    return shown


@functools.lru_cache(4_096)
def _labelled(text: str) -> tuple[tuple[str, str, str], ...]:
    folded = text.casefold()
    if not any(name in folded for name in SUMS):
        return ()
    found = []
    for match in _SHOWN.finditer(folded):
        label, before, written, behind = match.groups()
        if label.rsplit(" ", 1)[-1] in SUMS:
            mark = before or behind or ""
            found.append((label, written.rstrip(".,'"), _CURRENCIES.get(mark, mark)))
    return tuple(found)


def _told(window: Window) -> Iterator[_Sum]:
    """
    The sums in the newest answers that succeeded.
    """
    answered = [one for one in own_requests(window) if one.ok and not one.answer.get("bodyTruncated")]
    for one in answered[-ANSWERS_COMPARED:]:
        body = body_of(one.answer, "responseBody")
        for thing in outer_things(body):
            yield from _sums_of(thing, one)


def outer_things(body: object) -> Iterator[Mapping[str, object]]:
    """
    What an answer is about: itself, or what stands in it under a name; not the rows of its lists.
    """
    if isinstance(body, Mapping):
        yield body
        yield from (part for part in body.values() if isinstance(part, Mapping))


def _sums_of(thing: Mapping[str, object], one: Request) -> Iterator[_Sum]:
    named = [(str(field), number_of(value)) for field, value in thing.items()]
    numbers = frozenset(value for _, value in named[:NUMBERS_COMPARED] if value is not None)
    currency = next((str(thing[field]).lower() for field, _ in named if "currency" in field.lower()), "")
    for field, value in named:
        label, minor = _label(field)
        if value is not None and label and (minor or currency or value != int(value)):
            yield _Sum(label, field, value, minor, currency, numbers | _parts_of(thing), one)


def _parts_of(thing: Mapping[str, object]) -> frozenset[float]:
    """
    The numbers in what lies in a thing, as the lines of an order.
    """
    inner = (
        each
        for part in thing.values()
        if isinstance(part, list | tuple | Mapping)
        for each in objects(part, 2)
    )
    numbers = (
        number for each in inner for value in each.values() if (number := number_of(value)) is not None
    )
    return frozenset(itertools.islice(numbers, NUMBERS_COMPARED))


@functools.lru_cache(1_024)
def _label(field: str) -> tuple[str, bool]:
    """
    What a page would call a field, without a word for its unit, and whether it has one; empty for no sum.
    """
    words = [word.lower() for word in _WORDS.findall(field)]
    minor = bool(words) and words[-1] in _MINOR
    words = words[:-1] if minor else words
    return (" ".join(words), minor) if words and words[-1] in SUMS else ("", False)


def _renderings(each: _Sum, shown: _Text, known: Iterable[float]) -> Iterator[float]:
    """
    The numbers that the page may show for a sum: itself, in the larger unit, or what others make of it.
    """
    numbers = sorted({*known, each.value})[:NUMBERS_COMPARED]
    made = [each.value]
    for one, other in itertools.combinations(numbers, 2):
        if each.value in (one, other):
            made += [one + other, abs(one - other), one * other, each.value * (1 + min(one, other) / 100)]
    made += [one for one in numbers if one != each.value and each.value in _explained_by(one, numbers)]
    for number in made:
        if not each.minor:
            yield number
        if each.minor or number == int(number):
            yield number / 100
    if each.minor and not shown.currency:
        yield each.value


def _explained_by(number: float, numbers: Iterable[float]) -> set[float]:
    """
    What a number is with one of the others taken off or put on.
    """
    return {number - other for other in numbers} | {number + other for other in numbers}


def renders(written: str, value: float) -> bool:
    """
    Whether a number as it is written, by the habits of any country, is this value, rounded or cut.
    """
    return any(abs(number - abs(value)) < unit + 1e-9 for number, unit in _readings(written))


@functools.lru_cache(4_096)
def _readings(written: str) -> tuple[tuple[float, float], ...]:
    """
    What a written number may be, each with the worth of its last place.
    """
    digits = re.sub(r"['\u00a0\u202f-]", "", written)
    found = []
    whole = re.sub(r"[.,]", "", digits)
    marks = [place for place, sign in enumerate(digits) if sign in ".,"]
    if not marks or len(digits) - marks[-1] == 4:
        found.append((float(whole), 0.5 if not marks else 0.005))
    if marks:
        places = len(digits) - marks[-1] - 1
        found.append((float(whole) / 10**places, 0.5 / 10**places if places else 0.5))
    return tuple(found)


def number_of(value: object) -> float | None:
    """
    A value as a number, also where it is written as a text.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e12 else None


def _is_older(each: _Sum, shown: _Text, window: Window) -> bool:
    """
    Whether an answer from before the window, to the same call, had the number that is shown.
    """
    for event in window.answers_before:
        if event.data.get("url") != each.one.url or not answer_of(event)[1]:
            continue
        for thing in objects(body_of(event.data, "responseBody"), 3):
            number = number_of(thing.get(each.field))
            if number is not None and renders(shown.written, number / 100 if each.minor else number):
                return True
    return False
