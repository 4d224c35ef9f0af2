"""
Which functions of the app's server are most likely at fault, of those that ran for the action's requests.

As with the page's functions nobody knows it. What speaks for one is that it, or a constant that it uses,
speaks of what the failed part of the claim speaks of and few others do, and that it ran for few requests
before. The view that a router chose comes first of all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.claim_words import ClaimWords, stems
from reticle.domain.facts import list_of, mapping_of, text_of, whole_of
from reticle.domain.served import Served, place_of
from reticle.model.runs import Place, Why
from reticle.model.server_facts import FactKind, ServerFact

_OWN_NAME: Final = 1.5
"""What a word of the claim is worth in a function's own name; it is the same for the page's functions."""

_CONSTANT: Final = 1.5
_USER: Final = 0.2
"""What a constant's own words are worth, and the share of what speaks for a function that uses it."""

_ALONE: Final = 1.6
_OFTEN: Final = 0.15
"""What words are worth in a function that ran for no request before, and how much less with each before."""

_BASE: Final = 0.5
_THREW: Final = 10.0
"""What it is worth that a function threw which uses a constant: the line itself is named already."""

_LONG_LINES: Final = 20
"""A longer function is named by the line that it was left from last."""

_LENGTH: Final = 0.5
_HOLDS_MUCH: Final = 0.4
"""A function that is run later is named in place of the one around it where it has that share of what speaks
for both."""


@attrs.frozen
class _Constant:
    where: str
    terms: Mapping[str, float]


@attrs.frozen
class _Function:
    file: str
    line: int
    last: int
    left: int
    before: int
    terms: Mapping[str, float]
    uses: Sequence[_Constant] = ()
    ran: bool = True

    @property
    def where(self) -> str:
        """
        Where to look.
        """
        is_long = self.last - self.line >= _LONG_LINES and self.line <= self.left <= self.last
        return f"{self.file}:{self.left if is_long else self.line}"

    def is_in(self, other: _Function) -> bool:
        """
        Whether it is written inside of another.
        """
        return self.file == other.file and other.line < self.line and self.last <= other.last

    def has(self, place: str | None) -> bool:
        """
        Whether a ``file:line`` lies in it.
        """
        file, _, line = (place or "").rpartition(":")
        return file == self.file and line.isdigit() and self.line <= int(line) <= self.last


def server_suspects(
    words: ClaimWords, asked: Sequence[Served], *, by_status: bool = False
) -> Sequence[Place]:
    """
    The likeliest places first; none where no probe told what ran.

    Args:
        words: What the claim speaks of.
        asked: The requests that what failed may come from.
        by_status: One was answered with another success than was claimed: the lines come first that may have
            chosen it, such as one of a table of routes.
    """
    functions = _functions(asked, words)
    if not functions:
        return ()
    terms = [each for one in functions for each in (one.terms, *(use.terms for use in one.uses))]
    holders = Counter(term for each in terms for term in each)
    rarity = {term: math.log(1 + len(terms) / count) for term, count in holders.items()}
    views = [one.view for one in asked if one.view]
    threw = [place_of(fact) for one in asked for fact in one.of(FactKind.EXCEPTION)]
    scored: list[tuple[float, int, str]] = []
    for one in (one for one in functions if one.ran or not _is_inside(one, functions)):
        is_view = f"{one.file}:{one.line}" in views  # named already, but not what its module sets for it
        seldom = _ALONE if one.before == 0 else 1 / (1 + _OFTEN * one.before)
        own = _spoken(one.terms, rarity) / _length(one)
        has_thrown = any(map(one.has, threw))
        if not has_thrown and not is_view:
            inner = _deferred(one, functions, rarity)
            scored.append((-(own + _BASE) * seldom, len(scored), one.where if inner is None else inner.where))
        for use in one.uses:
            if is_view and not use.where.startswith(f"{one.file}:"):
                continue
            score = _CONSTANT * _spoken(use.terms, rarity) + _USER * own + (_THREW if has_thrown else 0.0)
            scored.append((-score * seldom, len(scored), use.where))
    routed = dict.fromkeys(one.view for one in asked if one.view and one.text("route"))
    chosen = [where for one in asked for where in _placed(one, "answered")] if by_status else []
    likely = dict.fromkeys((*chosen, *(where for _, _, where in sorted(scored))))
    return (*(Place(view, Why.HANDLED) for view in routed), *(Place(where, Why.RAN_FOR) for where in likely))


def _deferred(
    one: _Function, functions: Sequence[_Function], rarity: Mapping[str, float]
) -> _Function | None:
    """
    A function inside of one that ran, which did not run with it, and which has much of what speaks for it: it
    is run later, as by a timer.
    """
    spoken = _spoken(one.terms, rarity)
    inside = [each for each in functions if not each.ran and each.is_in(one)]
    most = max(inside, key=lambda each: _spoken(each.terms, rarity), default=None)
    return most if most is not None and _spoken(most.terms, rarity) >= _HOLDS_MUCH * spoken > 0 else None


def _is_inside(one: _Function, functions: Sequence[_Function]) -> bool:
    return any(one.is_in(other) for other in functions if other.ran)


def _placed(one: Served, name: str) -> Iterator[str]:
    for fact in one.of(FactKind.CALLS):
        for told in map(mapping_of, list_of(fact.data, name)):
            yield f"{text_of(told, 'file')}:{whole_of(told, 'line')}"


def _length(one: _Function) -> float:
    return 1 + _LENGTH * math.log2(max((one.last - one.line) / _LONG_LINES, 1))


def _spoken(terms: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    return sum(weight * rarity[term] for term, weight in terms.items())


def _functions(asked: Sequence[Served], words: ClaimWords) -> Sequence[_Function]:
    """
    Each function once, as the first request told it.
    """
    found: dict[tuple[str, int], _Function] = {}
    for fact in (fact for one in asked for fact in one.of(FactKind.CALLS)):
        for function in _told(fact, words):
            found.setdefault((function.file, function.line), function)
    return list(found.values())


def _told(fact: ServerFact, words: ClaimWords) -> Iterator[_Function]:
    constants = {
        text_of(told, "name"): _constant(told, words)
        for told in map(mapping_of, list_of(fact.data, "constants"))
    }
    for told in map(mapping_of, list_of(fact.data, "functions")):
        file, line = text_of(told, "file"), whole_of(told, "line")
        if file is not None and line is not None:
            name = text_of(told, "function") or ""
            yield _Function(
                file,
                line,
                whole_of(told, "last") or line,
                whole_of(told, "left") or line,
                whole_of(told, "before") or 0,
                _terms(name, _words(told), words),
                [constants[used] for used in list_of(told, "uses") if used in constants],
            )
    for told in map(mapping_of, list_of(fact.data, "unrun")):
        file, line = text_of(told, "file"), whole_of(told, "line")
        if file is not None and line is not None:
            last, name = whole_of(told, "last") or line, text_of(told, "function") or ""
            terms = _terms(name, _words(told), words)
            yield _Function(file, line, last, line, 0, terms, ran=False)


def _constant(told: Mapping[str, object], words: ClaimWords) -> _Constant:
    """
    A constant, by its line that speaks most of the claim, as in a table of texts; else by its first.
    """
    spoken, lines = _words(told), list_of(told, "lines")
    by_line: dict[object, list[str]] = {}
    for word, line in zip(spoken, lines, strict=False):
        by_line.setdefault(line, []).append(word)
    weights = {line: sum(_terms("", here, words).values()) for line, here in by_line.items()}
    best = max(weights, key=lambda line: weights[line], default=None)
    line = best if best is not None and weights[best] > 0 else whole_of(told, "line")
    terms = _terms(text_of(told, "name") or "", spoken, words)
    return _Constant(f"{text_of(told, 'file')}:{line}", terms)


def _words(told: Mapping[str, object]) -> Sequence[str]:
    return [each for each in list_of(told, "words") if isinstance(each, str)]


def _terms(name: str, spoken: Sequence[str], words: ClaimWords) -> Mapping[str, float]:
    terms: dict[str, float] = {}
    wanted, phrases = words.words, words.phrases
    for word in spoken:
        for stem in stems(word):
            if stem in wanted:
                terms[stem] = max(terms.get(stem, 0.0), wanted[stem] / 2)
        if word in phrases:
            terms[word] = phrases[word]
    for stem in stems(name):
        if stem in wanted:
            terms[stem] = max(terms.get(stem, 0.0), wanted[stem] * _OWN_NAME)
    return terms
