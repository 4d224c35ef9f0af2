"""
Computed style against patterns: how a browser writes a value, and how people do.

Browsers write a colour as ``rgb(22, 27, 38)`` and a length with its unit. A colour in hexadecimal is the same
colour, and a number is compared with the number in a value of pixels or without a unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from reticle.domain.predicate.kinds import UNSET
from reticle.domain.predicate.patterns import conjunction, fits
from reticle.model.verdict import Held

_HEX: Final = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(-?\d+(?:\.\d+)?)(?:px)?")
_COMPARING: Final = frozenset({"$gte", "$lte", "$gt", "$lt"})


def fits_style(patterns: Mapping[str, object], told: Mapping[str, object]) -> Held:
    """
    Whether the computed values of an element fit all patterns; a property that was not told is UNKNOWN.
    """
    return conjunction(
        [_fits(pattern, told[name]) if name in told else Held.UNKNOWN for name, pattern in patterns.items()]
    )


def misfits(patterns: Mapping[str, object], told: Mapping[str, object]) -> list[str]:
    """
    The properties that do not fit, each with the value that the element has.
    """
    wrong = [name for name, pattern in patterns.items() if fits_style({name: pattern}, told) is Held.NO]
    return [f"{name} is {told[name] or 'not set'}" for name in wrong]


def _fits(pattern: object, value: object) -> Held:
    if not isinstance(value, str):
        return Held.UNKNOWN
    if value == "":
        return fits(pattern, UNSET)
    if _is_numeric(pattern):
        number = _NUMBER.fullmatch(value)
        if number is None:
            return Held.NO
        return fits(pattern, float(number[1]))
    return fits(_as_written(pattern), value)


def _is_numeric(pattern: object) -> bool:
    if isinstance(pattern, Mapping):
        return bool(pattern) and pattern.keys() <= _COMPARING
    return isinstance(pattern, int | float) and not isinstance(pattern, bool)


def _as_written(pattern: object) -> object:
    """
    The pattern with colours as a browser writes them.
    """
    if isinstance(pattern, Mapping):
        return {name: _as_written(operand) for name, operand in pattern.items() if name != "$matches"} | {
            name: operand for name, operand in pattern.items() if name == "$matches"
        }
    if isinstance(pattern, list | tuple):
        return [_as_written(one) for one in pattern]
    if not isinstance(pattern, str) or not _HEX.fullmatch(pattern):
        return pattern
    digits = pattern[1:] if len(pattern) == 7 else "".join(letter * 2 for letter in pattern[1:])
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return f"rgb({red}, {green}, {blue})"
