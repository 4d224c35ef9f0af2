"""
Whether what a program wrote (a body, a message, a line of a log) has a claimed part with its numbers whole.

"Cost 2" is in "Cost 2,500", in "Cost 2 500" and in "Cost 2.50", and '"qty":1' in '"qty":1.5'. A comma between
the values of JSON parts two numbers, and in its strings a person is spoken to: so it matters where it stands.
"""

from __future__ import annotations

import re
from typing import Final

from reticle.domain.predicate.whole_claims import is_another_amount
from reticle.domain.predicate.whole_numbers import is_another_number, places

_NEAR: Final = 64
"""How many signs before and behind a part are looked at: no number is longer."""

_GOES_ON: Final = re.compile(r"\.\d|[eE][+-]?\d")
_FRACTION: Final = re.compile(r"\d\.$")
_MOST_PLACES: Final = 2_000


def is_whole_in_message(part: str, text: str, *, cut: bool = False) -> bool:
    """
    Whether a part stands in a text at least once so that no number at its ends goes on.

    Args:
        part: What was claimed to be in it.
        text: What was written.
        cut: Whether more followed that was not sent: what would follow a number at its end is not known.
    """
    if part not in text:
        return False
    if not part[0].isdecimal() and not part[-1].isdecimal() and not any(sign.isdecimal() for sign in part):
        return True
    json, quotes, seen = text.lstrip()[:1] in {"{", "["}, 0, 0
    for count, (begin, end) in enumerate(places(part, text)):
        if count >= _MOST_PLACES:
            return False
        quotes += _quotes(text, seen, begin)
        seen = begin
        before, after = text[max(begin - _NEAR, 0) : begin], text[end : end + _NEAR]
        if cut and part[-1].isdecimal() and after in {"", "…"}:
            continue
        spoken = not json or (quotes + _quotes(text, begin, end)) % 2 == 1
        if not (_is_other_prose(part, before, after) if spoken else _is_other_value(part, before, after)):
            return True
    return False


def _quotes(text: str, begin: int, end: int) -> int:
    """
    How many quotation marks of JSON are in a stretch, without those inside of a string.
    """
    return text.count('"', begin, end) - text.count('\\"', max(begin - 1, 0), end)


def _is_other_prose(part: str, before: str, after: str) -> bool:
    return is_another_number(part, before, after) or is_another_amount(part, before, after)


def _is_other_value(part: str, before: str, after: str) -> bool:
    if part[0].isdecimal() and (before[-1:].isdecimal() or before[-1:] == "-" or _FRACTION.search(before)):
        return True
    return part[-1].isdecimal() and (after[:1].isdecimal() or _GOES_ON.match(after) is not None)
