"""
Whether a claimed text is met for certain, or stands in a longer one that may say another thing.

A part of a text is enough, so "saved" is in "Unsaved changes" and in "Not saved", "$5.00" in "-$5.00",
"500 €" and "Cost 2" in "Cost 2 500 €". Who reads the page would say that it is not what was claimed; but a
discount is written as "-$5.00" too, and a word may be one of a compound. So nothing can be told until the
claim says more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from reticle.domain.predicate.whole_numbers import goes_on, places

_MINUS: Final = frozenset("-\u2212\ufe63\uff0d\u2013")
_AMOUNT: Final = re.compile(r"\D?\s?\d")
_BEFORE_SIGN: Final = frozenset("(:=,;/|")

_GROUP: Final = re.compile(r"\d{3}(?!\d)")
_GROUPS_BEFORE: Final = re.compile(r"(?:^|[^\w.,'\u2019])\d{1,3}(?: \d{3})* $")
"""What makes three digits the end of a larger number where a blank parts its groups: "2 500 €"."""

_PLAIN_END: Final = re.compile(r"(?:^|[^\w.,])\d+$")
_GOES_ON: Final = re.compile(
    r"[.,\u066b](?!0+(?!\d))\d+(?![\d]|[.,]\d)"  # the tenths of "4.5", the cents of "2.50"
    r"|e[+-]?\d+(?!\w)"  # "1e21"
    r"|[kKM](?![^\W_])"  # "5K followers"
    r"|\s(?i:thousand|million|billion|mio|mln|mrd|mill|tsd|bn)\b"  # "2 million"
    r"|\s?[\u00bc-\u00be\u2150-\u215e]"  # "1½"
)
"""What makes a number the beginning of another one, or of a version: "Rating 4.5", "$1.5M"."""

_OF_PARTS: Final = re.compile(
    r"(?i)(?:version|release|build|section|chapter|figure|table|kapitel|abschnitt|abbildung|tabelle|[\u00a7])"
    r"\s?\d+$"
)
"""What is numbered in parts: "Version 3.12" is one of version 3."""

_GROUPS_AFTER: Final = re.compile(r"\s\d{3}(?!\d)")
_FIRST_GROUPS: Final = re.compile(r"(?<![\w.,:/'\u2019])(?<!\d-)[1-9]\d{0,2}(?: \d{3})*$")
"""What makes a number the first groups of a larger one, where a blank of any kind parts them: "2 500"."""

_DIALLED: Final = re.compile(r"(?:\+|(?<![\d.,])0)[\d ]*$")
"""A telephone's number is in groups too, and no amount."""

_DENIED: Final = re.compile(
    r"(?i)(?:^|[^\w])(?:not|never|nicht|kein|keine|keinen|keiner|pas|sin|não|nem|ikke|inte|ei|niet|geen|"
    r"не|нет|nie|\w+n['\u2019]t)\s$"
    r"|(?:^|[.!?:\u2013\u2014]\s)no\s$"
)
"""A word right before the claimed ones that says the opposite of them; "no" is also a word for "in the"."""


def met_doubtfully(claimed: str, texts: Sequence[str]) -> str | None:
    """
    The text in which a claimed one may say another thing; None where one of them has it for certain, or none
    has it at all.

    Args:
        claimed: What was claimed to be there.
        texts: All that the page found it in, with their white space folded.
    """
    wanted = " ".join(claimed.split())
    doubtful = None
    for text in texts:
        found = list(places(wanted, text))
        if any(not _is_doubtful(wanted, text[:begin], text[end:]) for begin, end in found):
            return None
        if found and doubtful is None:
            doubtful = text
    return doubtful


def _is_doubtful(wanted: str, before: str, after: str) -> bool:
    return (
        goes_on(wanted, before, after)
        or is_another_amount(wanted, before, after)
        or _is_denied(wanted, before)
    )


def is_another_amount(wanted: str, before: str, after: str) -> bool:
    """
    Whether what stands before or behind a claimed text may make another amount of it.
    """
    if _AMOUNT.match(wanted) is not None and _ends_with_minus(before):
        return True
    if _GROUP.match(wanted) is not None and _GROUPS_BEFORE.search(before) is not None:
        return True
    if not wanted[-1].isdecimal():
        return False
    if _GROUPS_AFTER.match(after) is not None and _FIRST_GROUPS.search(before + wanted) is not None:
        return _DIALLED.search(before + wanted) is None
    if _PLAIN_END.search(f"{before[-1:]}{wanted}") is None or _GOES_ON.match(after) is None:
        return False
    return _OF_PARTS.search(before + wanted) is None


def _ends_with_minus(before: str) -> bool:
    """
    Whether a number begins behind a minus, not the end of a range or of a date behind its dash.
    """
    bare = before[:-1] if before and unicodedata.category(before[-1]) == "Sc" else before
    if not bare or bare[-1] not in _MINUS:
        return False
    other = bare[-2:-1]
    return not other or other.isspace() or other in _BEFORE_SIGN or unicodedata.category(other) == "Sc"


def _is_denied(wanted: str, before: str) -> bool:
    """
    Whether the claimed words are the end of a longer word, or stand right behind a word that denies them.
    """
    if not wanted[0].isalpha():
        return False
    return _is_inside_word(wanted[0], before[-1:]) or _DENIED.search(before) is not None


def _is_inside_word(first: str, last: str) -> bool:
    """
    Whether a word goes on, in a script that has capitals; "itemSaved" is two parts that stand side by side.
    """
    if not last.isalpha() or first.lower() == first.upper() or last.lower() == last.upper():
        return False
    return not (first.isupper() and last.islower())
