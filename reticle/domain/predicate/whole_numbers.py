"""
Whether a claimed text with a number at its end is met as that number, or only as a part of another.

A part of a text is enough, so "2 items" is in "12 items", and "1 product" in "1 products". The first is
another number and the second a plural of one: neither is what was claimed, and nobody who reads the page
would say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_THOUSANDS: Final = re.compile(r"\d[.,'\u2019]$")
_OF_THOUSANDS: Final = re.compile(r"\d{3}(?!\d)")
"""What makes three digits the end of a larger number, where both are there: "1,234" is no "234"."""

_ONE: Final = re.compile(r"(?:^|[^\d.,])1 [^\W\d_]+$")
"""One of something."""

_ENDING: Final = re.compile(r"[^\W\d_]{1,2}(?![^\W\d_])")
"""What makes a word that is longer by so little a plural: "s", "es", "en", "n"."""


def met_as_part(claimed: str, texts: Sequence[str]) -> str | None:
    """
    The text in which a claimed one is only a part of another number, or of a plural; None where it is met as
    it was claimed in one of them, or is not in one of them at all.

    Args:
        claimed: What was claimed to be there.
        texts: All that the page found it in, with their white space folded.
    """
    wanted = " ".join(claimed.split())
    if not texts or not any(sign.isdigit() for sign in wanted):
        return None
    for text in texts:
        places = list(_places(wanted, text))
        if not places or not all(_goes_on(wanted, text[:begin], text[end:]) for begin, end in places):
            return None
    return texts[0]


def _places(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    begin = text.find(wanted)
    while begin >= 0:
        yield begin, begin + len(wanted)
        begin = text.find(wanted, begin + 1)


def _goes_on(wanted: str, before: str, after: str) -> bool:
    if wanted[0].isdigit() and (before[-1:].isdigit() or _is_end_of_thousands(wanted, before)):
        return True
    if wanted[-1].isdigit() and after[:1].isdigit():
        return True
    return _ONE.search(wanted) is not None and _ENDING.match(after) is not None


def _is_end_of_thousands(wanted: str, before: str) -> bool:
    return _THOUSANDS.search(before) is not None and _OF_THOUSANDS.match(wanted) is not None
