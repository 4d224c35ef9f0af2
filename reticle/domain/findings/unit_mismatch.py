"""
A sum of money was sent that is exactly a hundred or a thousand times off what the same thing was read as.

Euros for cents: every channel is green and the refund is off by a factor of 100 (field report VD-06).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from reticle.domain.echoes import Scalar, body_of, identity_of, ids_in, ids_of, objects
from reticle.domain.facts import text_of, url_parts
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests, own_writes
from reticle.domain.predicate import Predicate
from reticle.domain.requests import MUTATING, Request, answer_of
from reticle.model.limits import BODIES_JUDGED
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND = "unit-mismatch"

_SCALES = (100, 1_000)
_MONEY = frozenset({"amount", "value", "price", "total", "fee", "cost", "balance"})
_VAGUE = frozenset({"value", "total"})
"""Names that are money only among other signs of money: a slider has a value, a list a total."""

_MINOR = frozenset({"cents", "minor", "pence", "mills"})
_TRADE = re.compile(
    r"order|cart|basket|invoice|payment|checkout|refund|charge|payout|transfer", re.IGNORECASE
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = 2
"""Digits that are not zeros at the end: fewer agree by chance, as one paid of a hundred owed."""


class _Sum(msgspec.Struct, frozen=True, gc=False):
    """
    One money field: its name without a word for the unit, and that word where there is one.
    """

    field: str
    name: str
    minor: bool
    amount: float


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding per write of a sum that contradicts what was read of the same id, here or before the window.

    Observed where at least two digits agree exactly; else only a doubt, and only under the same name.
    """
    found = []
    for one in own_writes(window):
        if _may_hold_money(one.answer.get("requestBody")):
            finding = _mismatch(one, window)
            if finding is not None:
                found.append(finding)
    return tuple(found)


def _mismatch(one: Request, window: Window) -> Finding | None:
    sent = list(_sums(body_of(one.answer, "requestBody"), one.url))
    ids = ids_of(one) if sent else frozenset()
    if not ids:
        return None
    read = _known(window)
    known = [each for id_ in ids for seq, each in read.get(id_, ()) if seq < one.seq]
    for each in sent:
        if any(other.amount == each.amount for other in known):
            continue
        for other in known:
            scale, exact = _scale(each.amount, other.amount)
            if not scale or each.minor != other.minor:
                continue
            telling = exact and _digits(each.amount) >= _DIGITS
            if telling or each.name == other.name:
                return _finding(one, each, other, scale, telling=telling)
    return None


def _finding(one: Request, sent: _Sum, known: _Sum, scale: int, *, telling: bool) -> Finding:
    tier = FindingTier.OBSERVED if telling else FindingTier.ABSENCE
    detail: Mapping[str, object] = {
        "method": one.method, "url": one.url, "field": sent.field, "sent": sent.amount,
        "knownField": known.field, "known": known.amount, "factor": scale,
    }  # fmt: skip
    claim = f"{one} was sent {sent.field} {sent.amount:g}"
    counter = f"the same thing was read with {known.field} {known.amount:g}, {scale} times off"
    return Finding(KIND, tier, claim, counter, detail)


@once_per_window
def _known(window: Window) -> Mapping[str, Sequence[tuple[int, _Sum]]]:
    """
    The sums that the app had read of each id, with the number of the answer they came in.
    """
    found: dict[str, list[tuple[int, _Sum]]] = {}
    for event in _money_reads(window):
        for named, each in _told(event):
            for id_ in named:
                found.setdefault(id_, []).append((event.seq, each))
    return found


def _money_reads(window: Window) -> Iterator[PageEvent]:
    """
    The newest answers to reads that may hold sums of money.
    """
    ended = [one.ended for one in own_requests(window) if one.ended is not None and not one.mutating]
    newest_first = filter(_is_read, reversed([*window.answers_before, *ended]))
    return itertools.islice(newest_first, BODIES_JUDGED)


def _is_read(event: PageEvent) -> bool:
    """
    Whether an end is that of a read that succeeded and may hold sums of money.
    """
    if (text_of(event.data, "method") or "GET").upper() in MUTATING:
        return False
    return bool(answer_of(event)[1]) and _may_hold_money(event.data.get("responseBody"))


def _may_hold_money(body: object) -> bool:
    if not isinstance(body, str):
        return body is not None
    folded = body.lower()
    return any(name in folded for name in _MONEY)


def _told(event: PageEvent) -> Iterator[tuple[frozenset[str], _Sum]]:
    """
    Each sum in an answer, with the ids of the object that it stands in.
    """
    url = text_of(event.data, "url") or ""
    body = body_of(event.data, "responseBody")
    for each in objects(body):
        sums = list(_sums(each, url, deep=False))
        if not sums:
            continue
        identity = identity_of(each)
        if identity is not None:
            named = frozenset({identity})
        else:
            named = ids_in(url) if each is body else frozenset()
        for sum_ in sums:
            yield named, sum_


def _sums(body: object, url: str, *, deep: bool = True) -> Iterator[_Sum]:
    for each in objects(body, 3 if deep else 1):
        for field, value in each.items():
            money = _money_name(str(field))
            amount = None if money is None else _amount(value)
            if money is None or amount is None:
                continue
            if money[0] not in _VAGUE or amount != int(amount) or _is_of_trade(each, url):
                yield _Sum(str(field), *money, amount)


def _is_of_trade(thing: Mapping[str, object], url: str) -> bool:
    return _is_trade_url(url) or any("currency" in str(field).lower() for field in thing)


@functools.lru_cache(1_024)
def _is_trade_url(url: str) -> bool:
    return _TRADE.search(url_parts(url).path) is not None


@functools.lru_cache(1_024)
def _money_name(field: str) -> tuple[str, bool] | None:
    """
    The name of a money field without a word for its unit, and whether it has such a word; else None.
    """
    words = [word.lower() for word in _WORDS.findall(field)] or [""]
    minor = words[-1] in _MINOR
    name = words[-2] if minor and len(words) > 1 else words[-1]
    return (name, minor) if name in _MONEY else None


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, Scalar):
        return None
    try:
        amount = abs(float(value))
    except (ValueError, OverflowError):
        return None
    return amount if 0 < amount < 1e12 else None


def _scale(sent: float, known: float) -> tuple[int, bool]:
    """
    By which factor the two are off, and whether exactly; 0 when by none.
    """
    small, large = min(sent, known), max(sent, known)
    for scale in _SCALES:
        off = abs(small * scale - large)
        if off <= scale / 2 and large >= scale:
            return scale, off < 1e-6 * large
    return 0, False


def _digits(amount: float) -> int:
    return len(f"{amount:.3f}".replace(".", "").strip("0"))
