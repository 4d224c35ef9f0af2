"""
Numbers as pages write them: "$1,234.50", "1.234,50 €", "1 234", "-3".

What a separator means depends on who wrote it: "1,234" is one thousand or one and a bit. Such a text stands
for each of its readings, and whoever compares must say so where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, Literal

import attrs

DecimalMark = Literal[".", ","]

_MINUS: Final = "\\-\u2212\u2010\u2011\u2012\u2013"
_BLANKS: Final = " \u00a0\u202f\u2009"
_APOSTROPHES: Final = "'\u2019"
_ARABIC: Final = str.maketrans({"\u066b": ".", "\u066c": "'"})

_NUMERAL: Final = re.compile(
    rf"(?P<sign>[{_MINUS}]\s?)?(?P<money>[$€£¥₹₩₽₪]\s?)?(?P<late>[{_MINUS}])?"
    rf"(?P<digits>(?:\d{{1,3}}(?:[{_BLANKS}]\d{{3}})+(?!\d)|\d)(?:[.,{_APOSTROPHES}]?\d)*|[.,]\d+)(?P<word>[A-Za-z]*)"
)
_ABBREVIATED: Final = frozenset({"k", "m", "b", "bn", "mn", "mio", "mrd", "tsd", "t", "e"})
_MACHINE: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_GROUP: Final = 3
_CHARS: Final = 1_100
"""Of a text that is looked through: a little more than pages send of one."""


@attrs.frozen
class Numeral:
    """
    One number in a text: as it stands there, and every value that it may have; none where it is abbreviated.
    """

    written: str
    values: tuple[Decimal, ...]


def numerals(text: str, mark: DecimalMark | None = None) -> Sequence[Numeral]:
    """
    Every number in a text that a person reads.

    Args:
        text: The text.
        mark: What parts the whole from the fraction, where that is known.
    """
    told = text[:_CHARS].translate(_ARABIC)
    return [_numeral(told, found, mark) for found in _NUMERAL.finditer(told)]


def machine_number(text: str) -> Decimal | None:
    """
    The number of a text that programs wrote, such as "12.50" in JSON; None where it is none.
    """
    bare = text.strip()
    return Decimal(bare) if len(bare) <= _CHARS and _MACHINE.fullmatch(bare) else None


def _numeral(text: str, found: re.Match[str], mark: DecimalMark | None) -> Numeral:
    digits, word = found["digits"], found["word"].lower()
    if word in _ABBREVIATED:
        return Numeral(found[0], ())
    values = _values(digits, mark)
    if _is_negative(text, found):
        values = tuple(-value for value in values)
    elif text[found.start() - 1 : found.start()] == "(" and text[found.end() : found.end() + 1] == ")":
        # the books' way of writing what is owed, or a number in brackets
        fraction = any(value != value.to_integral_value() for value in values) or found["money"]
        values = (*values, *(-value for value in values)) if fraction else values
    return Numeral(found[0].strip(), values)


def _is_negative(text: str, found: re.Match[str]) -> bool:
    """
    Whether a dash before it is a minus: not one that stands between two words, as in "A-12".
    """
    if found["late"]:
        return True
    before = text[found.start() - 1 : found.start()]
    return found["sign"] is not None and not before.isalnum()


def _values(digits: str, mark: DecimalMark | None) -> tuple[Decimal, ...]:
    plain = re.sub(rf"[{_APOSTROPHES}{_BLANKS}]", "", digits)
    points = [character for character in plain if character in ".,"]
    if not points:
        return (Decimal(plain),)
    if mark is not None:
        only = _read(plain, mark)
        return () if only is None else (only,)
    if len(set(points)) > 1:
        both = _read(plain, points[-1])
        return () if both is None else (both,)
    read = [_read(plain, points[0]), _read(plain, "," if points[0] == "." else ".")]
    return tuple(dict.fromkeys(value for value in read if value is not None))


def _read(plain: str, mark: str) -> Decimal | None:
    """
    The value with this mark before the fraction, the other one between groups of three; None where it cannot
    be read so.
    """
    other = "," if mark == "." else "."
    if plain.count(mark) > 1:
        return None
    whole, _, fraction = plain.partition(mark)
    if other in fraction:
        return None
    groups = whole.split(other)
    if len(groups) > 1 and (
        not 1 <= len(groups[0]) <= _GROUP
        or groups[0].startswith("0")
        or any(len(group) != _GROUP for group in groups[1:])
    ):
        return None
    return Decimal(f"{''.join(groups) or '0'}.{fraction or '0'}")
