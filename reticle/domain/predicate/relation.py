"""
The ``same`` leaf: what several channels say about one thing, compared.

Texts are compared with white space folded, numbers as numbers however they are written, everything else as
JSON. A side that cannot be read, or can be read in two ways that differ, keeps the answer open; one that is
not there does not hold, and is no evidence for the opposite either (``evaluate``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from reticle.domain.facts import brief
from reticle.domain.predicate.kinds import Same, Side
from reticle.domain.predicate.numerals import DecimalMark, Numeral, machine_number, numerals
from reticle.domain.predicate.patterns import conjunction, equal, invert
from reticle.domain.predicate.relation_values import Missing, Told, Untold, read_side, side_words
from reticle.model.verdict import Held, Outcome
from reticle.model.window import Reading, Window

MISSING: Final = "same.missing"
"""The assertion of a relation one of whose sides is not there."""

_EQUAL: Final = "same.equals"
_HAIR: Final = Decimal("1e-9")
"""By what part sums of fractions are off, such as 0.1 + 0.2."""

_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

_Compared = tuple[Held, str | None]
"""Whether it fits, and why that cannot be told or does not."""


def evaluate_relation(leaf: Same, window: Window, readings: Sequence[Reading]) -> Outcome:
    """
    Whether the sides are the same by the given readings and the window's requests.
    """
    expected = _expected(leaf)
    reached = [(side, read_side(side, window, readings)) for side in leaf.sides]
    shown = [f"{side_words(side)} is {_shown(one)}" for side, one in reached]
    gone = next((f"{side_words(side)} {one.why}" for side, one in reached if isinstance(one, Missing)), None)
    unread = next((f"{side_words(side)} {one.why}" for side, one in reached if isinstance(one, Untold)), None)
    if unread is not None:
        return Outcome(Held.UNKNOWN, "same.unreadable", (), unread, shown, expected)
    if gone is not None:
        return Outcome(Held.NO, MISSING, (), gone, shown, expected)
    told = [(side, one) for side, one in reached if isinstance(one, Told)]
    held, why = _all(leaf, told)
    if held is Held.YES:
        return Outcome(held, _EQUAL, ({"same": brief("; ".join(shown), 160)},), None, shown, expected)
    return Outcome(held, _EQUAL, (), f"{'; '.join(shown)}" + (f": {why}" if why else ""), shown, expected)


def _all(leaf: Same, told: Sequence[tuple[Side, Told]]) -> _Compared:
    """
    Every side with the first one.
    """
    first, *others = told
    numeric = leaf.tolerance is not None or any(_is_number(side, one) for side, one in told)
    compared = [_pair(leaf, first, other, numeric=numeric) for other in others]
    held = conjunction([one for one, _ in compared])
    return held, next((why for one, why in compared if one is held and why), None)


def _pair(  # noqa: PLR0911 -- one per kind of value
    leaf: Same, one: tuple[Side, Told], other: tuple[Side, Told], *, numeric: bool
) -> _Compared:
    mine, theirs = one[1].value, other[1].value
    if leaf.operator == "contains" and isinstance(mine, list | tuple):
        return invert(conjunction([invert(equal(theirs, member)) for member in mine])), None
    if isinstance(mine, list | tuple | dict) or isinstance(theirs, list | tuple | dict):
        return _structures(mine, theirs)
    if mine is None or theirs is None:
        return (Held.YES if mine is theirs else Held.UNKNOWN if "" in (mine, theirs) else Held.NO), None
    if isinstance(mine, bool) or isinstance(theirs, bool):
        alike = isinstance(mine, bool) and isinstance(theirs, bool)
        return (
            (equal(mine, theirs), None)
            if alike
            else (Held.UNKNOWN, "a truth value is compared with another kind")
        )
    if numeric:
        return _numbers(leaf, one, other)
    mine, theirs = folded(str(mine)), folded(str(theirs))
    if leaf.operator == "contains":
        return (Held.UNKNOWN, "an empty text is in any") if not theirs else _told(theirs in mine)
    return _told(mine == theirs)


def _structures(mine: object, theirs: object) -> _Compared:
    if type(mine) is type(theirs):
        return equal(mine, theirs), None
    return (
        Held.UNKNOWN,
        "a list or an object is compared with one value; name a path in it, such as items.length",
    )


def _numbers(leaf: Same, one: tuple[Side, Told], other: tuple[Side, Told]) -> _Compared:
    """
    Whether two numbers are as near as they must be, in every way in which they can be read.
    """
    any_of = leaf.operator == "contains"
    mine, theirs = _read(one), _read(other)
    for (side, _), read in ((one, mine), (other, theirs)):
        if not read:
            return Held.NO, f"there is no number in {side_words(side)}"
        if len(read) > 1 and not (any_of and read is mine):
            return Held.UNKNOWN, f"there are several numbers in {side_words(side)}; name an element with one"
    slack = None if leaf.tolerance is None else Decimal(repr(leaf.tolerance))
    fits = [_near(a, theirs[0], slack) for a in mine]
    held = invert(conjunction([invert(each) for each in fits]))
    if held is not Held.UNKNOWN:
        return held, None
    return held, 'a number can be read in two ways, or is abbreviated; say decimal: "." or ","'


def _near(mine: Numeral, theirs: Numeral, slack: Decimal | None) -> Held:
    outcomes = {_is_near(a, b, slack) for a in mine.values for b in theirs.values}
    if len(outcomes) != 1:
        return Held.UNKNOWN
    return Held.YES if outcomes.pop() else Held.NO


def _is_near(mine: Decimal, theirs: Decimal, slack: Decimal | None) -> bool:
    hair = _HAIR * max(abs(mine), abs(theirs), Decimal(1))
    return abs(mine - theirs) <= (hair if slack is None else slack + hair)


def _read(of: tuple[Side, Told]) -> Sequence[Numeral]:
    """
    The numbers of a side, multiplied by its scale.
    """
    side, told = of
    scale = Decimal(1) if side.scale is None else Decimal(repr(side.scale))
    return [
        Numeral(one.written, tuple(value * scale for value in one.values))
        for one in _numerals(told, side.decimal)
    ]


def _numerals(told: Told, mark: DecimalMark | None) -> Sequence[Numeral]:
    value = told.value
    if isinstance(value, int | float):
        return [Numeral(str(value), (Decimal(repr(value)),))]
    text = str(value)
    plain = machine_number(text) if told.machine and mark is None else None
    return numerals(folded(text), mark) if plain is None else [Numeral(text, (plain,))]


def _is_number(side: Side, told: Told) -> bool:
    if side.channel in ("number", "count") or side.scale is not None or side.decimal is not None:
        return True
    return isinstance(told.value, int | float) and not isinstance(told.value, bool)


def folded(text: str) -> str:
    """
    A text as the page folds it: blanks of all kinds as one, nothing invisible, canonical Unicode form.
    """
    return " ".join(unicodedata.normalize("NFC", _INVISIBLE.sub("", text)).split())


def _shown(reached: Told | Missing | Untold) -> str:
    return brief(repr(reached.value), 80) if isinstance(reached, Told) else "?"


def _expected(leaf: Same) -> str:
    sides = [side_words(side) for side in leaf.sides]
    if leaf.operator == "contains":
        return f"{sides[0]} has {sides[1]} in it"
    near = "" if leaf.tolerance is None else f" within {leaf.tolerance:g}"
    return " = ".join(sides) + near


def _told(truth: bool) -> _Compared:  # noqa: FBT001 -- the one thing it is about
    return (Held.YES if truth else Held.NO), None
