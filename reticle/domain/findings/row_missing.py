"""
A list was drawn anew from an answer, and a row of the answer is not in it.

Claim: the answer's rows. Counter-evidence: an element that came up after it and has all of the rows, word for
word by one of their fields, but one or a tenth of them from their midst, which came up nowhere else either.
Tier: a doubt; what an app leaves out on purpose it rarely leaves out of the middle, but it may.
Guards: what ends early or begins late (pages, a list that is only built where it is seen, "the first ten"), a
filter or a limit that explains it (a field that is the same in all that are shown and in no missing one, or
that parts them by size), fewer than four rows, names that are not unique or longer than all that are shown,
text that was cut, another answer or a write after it, a row that came up elsewhere on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from reticle.domain.channels import of_types
from reticle.domain.echoes import body_of
from reticle.domain.facts import brief, spoken_text
from reticle.domain.memo import once_per_window
from reticle.domain.own_traffic import own_requests
from reticle.domain.predicate import Predicate
from reticle.domain.requests import Request
from reticle.domain.voices import SHOWING
from reticle.model.finding_limits import ANSWERS_COMPARED, ROWS_COMPARED
from reticle.model.page import PageEvent
from reticle.model.verdict import Finding, FindingTier
from reticle.model.window import Window

KIND: Final = "row-missing"

_LEAST: Final = 4
_SHORT: Final = 3
"""Names of fewer characters stand in a text by chance."""

_ONE_IN: Final = 10
_CUT: Final = "…"
_TEXTS: Final = frozenset({"dom", "visible"})

Row = Mapping[str, object]


@attrs.frozen
class _List:
    """
    The rows of an answer, and the field by which each is told from the others.
    """

    one: Request
    rows: Sequence[Row]
    name: str

    def called(self, row: Row) -> str:
        """
        A row's own words.
        """
        return _folded(str(row[self.name]))


def find(window: Window, predicate: Predicate | None) -> tuple[Finding, ...]:  # noqa: ARG001 -- every detector has this shape
    """
    One finding at most: the newest list that lacks a row.
    """
    for each in _lists(window):
        missing = _missing(each, window)
        if missing:
            names = [brief(str(row[each.name]), 40) for row in missing]
            claim = f"{each.one} has {len(each.rows)} rows, one with {each.name} {names[0]!r}"
            detail = {"method": each.one.method, "url": each.one.url, "field": each.name, "missing": names}
            counter = "the list that came up has the others and not that one"
            return (Finding(KIND, FindingTier.ABSENCE, claim, counter, detail),)
    return ()


def blinded(window: Window, predicate: Predicate | None) -> frozenset[str]:  # noqa: ARG001 -- as ``find``
    """
    The channels whose loss may hide such a list.
    """
    return _TEXTS if next(_lists(window), None) is not None else frozenset()


def _lists(window: Window) -> Iterator[_List]:
    """
    The lists in the last answers to reads, by each field that names their rows; none after which was written.
    """
    answered = own_requests(window)
    reads = [
        one for one in answered if one.method == "GET" and one.ok and not one.answer.get("bodyTruncated")
    ]
    for one in reversed(reads[-ANSWERS_COMPARED:]):
        if any(other.mutating and other.seq > one.seq for other in answered):
            return
        if any(other is not one and other.seq > one.seq and _path(other) == _path(one) for other in answered):
            continue
        for rows in _arrays(body_of(one.answer, "responseBody")):
            for name in _names(rows):
                yield _List(one, rows, name)


def _arrays(body: object) -> Iterator[Sequence[Row]]:
    listed = body if isinstance(body, list) else [*body.values()] if isinstance(body, Mapping) else []
    for rows in [listed] if isinstance(body, list) else listed:
        if not isinstance(rows, list) or not _LEAST <= len(rows) <= ROWS_COMPARED:
            continue
        if all(isinstance(row, Mapping) for row in rows):
            yield rows


def _names(rows: Sequence[Row]) -> Iterator[str]:
    """
    The fields that hold another text in each row, none of them part of another's.
    """
    for name in rows[0]:
        values = [row.get(name) for row in rows]
        texts = [_folded(value) for value in values if isinstance(value, str) and len(value) >= _SHORT]
        if len(texts) != len(rows):
            continue
        whole = "\n".join(texts)
        if all(whole.count(text) == 1 for text in texts):
            yield name


def _missing(listed: _List, window: Window) -> Sequence[Row]:
    for event, text in reversed(_texts(window)):
        if event.seq <= listed.one.seq or _CUT in text:
            continue
        shown = [row for row in listed.rows if listed.called(row) in text]
        missing = [row for row in listed.rows if row not in shown]
        if not missing or len(missing) > max(1, len(listed.rows) // _ONE_IN):
            continue
        if _is_in_the_midst(listed, shown, missing) and not _explained(shown, missing):
            everything = "\n".join(other for _, other in _texts(window))
            if not any(listed.called(row) in everything for row in missing):
                return missing
    return ()


def _is_in_the_midst(listed: _List, shown: Sequence[Row], missing: Sequence[Row]) -> bool:
    """
    Whether rows before and after each missing one are shown, and longer names too.
    """
    places = [place for place, row in enumerate(listed.rows) if row in shown]
    lost = [place for place, row in enumerate(listed.rows) if row in missing]
    if not places or min(lost) < places[0] or max(lost) > places[-1]:
        return False
    longest = max(len(listed.called(row)) for row in shown)
    return all(len(listed.called(row)) <= longest for row in missing)


def _explained(shown: Sequence[Row], missing: Sequence[Row]) -> bool:
    """
    Whether a filter may have left the missing rows out.
    """
    return any(_parts(name, shown, missing) for name in {key for row in [*shown, *missing] for key in row})


def _parts(name: str, shown: Sequence[Row], missing: Sequence[Row]) -> bool:
    """
    Whether one field tells the missing rows from the shown ones: by a value, by being set, or by size.
    """
    kept, left = [row.get(name) for row in shown], [row.get(name) for row in missing]
    if any(value in kept for value in left):
        return False
    if all(value == kept[0] for value in kept) or any(_is_state(value) for value in left):
        return True
    sizes = [_size(value) for value in kept], [_size(value) for value in left]
    low, high = ([size for size in part if size is not None] for part in sizes)
    if len(low) == len(kept) and len(high) == len(left):
        return max(high) < min(low) or min(high) > max(low)
    return len(set(map(str, kept))) < len(kept)


def _is_state(value: object) -> bool:
    return value is None or isinstance(value, bool | list | Mapping)


def _size(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


@once_per_window
def _texts(window: Window) -> tuple[tuple[PageEvent, str], ...]:
    """
    All that came up, with its words.
    """
    told = ((event, _folded(spoken_text(event))) for event in of_types(window, *SHOWING))
    return tuple((event, text) for event, text in told if text)


def _path(one: Request) -> str:
    return one.url.split("?")[0]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
