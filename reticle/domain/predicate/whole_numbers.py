"""
Whether a claimed text or address with a number at its end is met as that number, or as a part of another.

A part of a text is enough, so "2 items" is in "12 items", and "1 product" in "1 products". The first is
another number and the second a plural of one: neither is what was claimed, and nobody who reads the page
would say so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

_GROUPED: Final = re.compile(r"\d[.,'\u2019\u066c]$")
_GROUP: Final = re.compile(r"\d{3}(?!\d)")
"""What makes three digits the end of a larger number, where both are there: "1,234" is no "234"."""

_FRACTION: Final = re.compile(r"\d{1,2}(?![\d]|[.,]\d)")
_WHOLE_PART: Final = re.compile(r"(?:^|[^\w.,])\d+[.,]$")
"""What makes one or two digits the end of a fraction: "1.5 kg" is no "5 kg"; "v1.5" has none."""

_PLAIN_END: Final = re.compile(r"(?:^|[^\w.,])\d{1,3}$")
_MORE_GROUPS: Final = re.compile(r"(?:,\d\d)*[.,'\u2019\u066c]\d{3}(?!\d)")
"""What makes a number the beginning of a larger one: "1,234" and "1,23,456" are no "1"."""

_SOME_CENTS: Final = re.compile(r"[.,](?!00)\d{2}(?![\d]|[.,]\d)\s?(.?)")
_OF_MONEY: Final = re.compile(r"(\S?)\s?\d+$")
"""What makes an amount another one: "\u20ac4.50" is no "\u20ac4", where "Python 3.12" is Python 3."""

_ZEROS: Final = re.compile(r"(?:^|[^\w.,'\u2019])0+$")
"""What changes no number before it: "05 min" are "5 min"."""

_ONE: Final = re.compile(r"(?:^|[^\d.,])1 [^\W\d_]+$")
"""One of something."""

_ENDING: Final = re.compile(r"(?!e?d\b)[a-z\u00df-\u024f\u0370-\u052f]{1,2}(?![^\W\d_])")
"""
What makes a word that is longer by so little a plural: "s", "es", "en", "n". "Task 1 completed" has none, and
what is written without blanks, or with particles, says nothing by two signs more.
"""


def met_as_part(claimed: str, texts: Sequence[str]) -> str | None:
    """
    The text in which a claimed one is only a part of another number, or of a plural; None where it is met as
    it was claimed in one of them, or is not in one of them at all.

    Args:
        claimed: What was claimed to be there.
        texts: All that the page found it in, with their white space folded.
    """
    wanted = " ".join(claimed.split())
    if not texts or not any(sign.isdecimal() for sign in wanted):
        return None
    for text in texts:
        found = list(places(wanted, text))
        if not found or not all(goes_on(wanted, text[:begin], text[end:]) for begin, end in found):
            return None
    return texts[0]


def is_whole_part(part: str, text: str) -> bool:
    """
    Whether an address, or what a program wrote, has a part in it, with numbers at its ends as they are:
    "/orders/1" is no part of "/orders/12", nor '"qty":1' of '"qty":12'.
    """
    return part in text and any(
        not (part[0].isdecimal() and text[begin - 1 : begin].isdecimal())
        and not (part[-1].isdecimal() and text[end : end + 1].isdecimal())
        for begin, end in places(part, text)
    )


def places(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """
    Where a text begins and ends in another one, as often as it is in it.
    """
    begin = text.find(wanted)
    while begin >= 0:
        yield begin, begin + len(wanted)
        begin = text.find(wanted, begin + 1)


def goes_on(wanted: str, before: str, after: str) -> bool:
    """
    Whether what stands before or behind a claimed text makes another number of it, or a plural.
    """
    if is_another_number(wanted, before, after):
        return True
    return _ONE.search(wanted) is not None and _ENDING.match(after) is not None


def is_another_number(wanted: str, before: str, after: str) -> bool:
    """
    Whether what stands before or behind a claimed text makes another number of it.
    """
    if wanted[0].isdecimal() and _ends_another(wanted, before):
        return True
    return wanted[-1].isdecimal() and _begins_another(f"{before[-1:]}{wanted}", after)


def _ends_another(wanted: str, before: str) -> bool:
    if before[-1:].isdecimal():
        return _ZEROS.search(before) is None
    if _GROUPED.search(before) is not None and _GROUP.match(wanted) is not None:
        return True
    return _WHOLE_PART.search(before) is not None and _FRACTION.match(wanted) is not None


def _begins_another(told: str, after: str) -> bool:
    """
    Args:
        told: What was claimed, with the sign before it.
        after: What follows it.
    """
    if after[:1].isdecimal():
        return True
    if _PLAIN_END.search(told) is not None and _MORE_GROUPS.match(after) is not None:
        return True
    cents, amount = _SOME_CENTS.match(after), _OF_MONEY.search(told)
    signs = (cents[1] if cents else "") + (amount[1] if amount else "")
    return cents is not None and any(unicodedata.category(sign) == "Sc" for sign in signs)
