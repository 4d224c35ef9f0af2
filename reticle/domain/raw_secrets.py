"""
Credentials in the raw JSON of a page's message, before anything of it is kept.

A page script redacts what it sends (page-wire, "Values are redacted"); this is the second look, for a page
whose script does not, or not all. It knows shapes, not names: the text is not decoded. Nearly every message
has none, and is asked a few questions that cost a search for one byte each; only where that byte stands are
the characters around it looked at. What is replaced never reaches over the end of a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

import attrs

from reticle.domain.secrets import REDACTED
from reticle.model.trust import Secret

# Where a word begins: behind what is none, or behind an escape, whose last letter is none of the word. It
# also keeps the search linear: a run without end is looked at from its beginning alone.
_BEGIN: Final = rb"(?:(?<![\w-])|(?<=\\[bfnrt]))"
_LIKE_A_KEY: Final = rb"(?=[\w.~+/=-]*[0-9=])[\w.~+/=-]{12,}"
"""What stands behind an authorization scheme; "Basic configuration" is none."""


@attrs.frozen
class _Family:
    """
    Shapes that have one byte in common, rare where they are not.

    Attributes:
        mark: The byte.
        hint: Finds it where it stands in one of them.
        whole: The credential, from its beginning; a first group is kept.
        back: How far before the byte it may begin.
    """

    mark: int
    hint: re.Pattern[bytes]
    whole: re.Pattern[bytes]
    back: Sequence[int]


def _family(mark: bytes, hint: bytes, whole: bytes, *back: int) -> _Family:
    return _Family(mark[0], re.compile(hint), re.compile(whole), back)


_FAMILIES: Final = (
    _family(
        b"_",
        rb"_(?<=[keotpusr]_)(?:(?<=dtok_)[\w.~+/=%-]|(?<=[srp]k_live_)\w{8}|(?<=[srp]k_test_)\w{8}|(?<=gh[pousr]_)\w{20}"
        rb"|(?<=github_pat_)\w{20})",
        rb"dtok_[\w.~+/=%-]+|[srp]k_(?:live|test)_\w{8,}|(?:gh[pousr]_|github_pat_)\w{20,}",
        4, 7, 3, 10,
    ),
    _family(
        b"-",
        rb"-(?:(?<=sk-)(?:(?<=[^\w-]sk-)|(?<=\\[bfnrt]sk-))[\w-]{20}|(?<=glpat-)[\w-]{16}"
        rb"|(?<=xox[abeoprs]-)[\w-]{8}|----BEGIN )",
        _BEGIN + rb"sk-[\w-]{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{8,}"
        rb"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-\"]*(?:-(?!----END)[^-\"]*)*",
        2, 5, 4, 0,
    ),
    _family(
        b"J",
        rb"J(?:(?<=[^\w-]eyJ)|(?<=\\[bfnrt]eyJ))[\w-]{8,}\.[\w-]{8}",
        rb"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",
        2,
    ),
    _family(b"K", rb"K(?<=AK)IA[0-9A-Z]{16}", _BEGIN + rb"AKIA[0-9A-Z]{16}(?!\w)", 1),
    _family(b"S", rb"S(?<=AS)IA[0-9A-Z]{16}", _BEGIN + rb"ASIA[0-9A-Z]{16}(?!\w)", 1),
    _family(b"9", rb"9(?<=ya29)\.[\w.-]{8}", rb"ya29\.[\w.-]{8,}", 3),
    _family(b"B", rb"B(?:earer|asic) +" + _LIKE_A_KEY, rb"((?:Bearer|Basic) +)" + _LIKE_A_KEY, 0),
    _family(b"D", rb"Digest +" + _LIKE_A_KEY, rb"(Digest +)" + _LIKE_A_KEY, 0),
)  # fmt: skip

# As numbers: a look for ``b"_"`` first tries to take it for one, which costs four times the search.
_UNDERSCORE, _HYPHEN, _J, _K, _S, _9, _B, _D = (each.mark for each in _FAMILIES)
(
    _AT_UNDERSCORE, _AT_HYPHEN, _AT_J, _AT_K, _AT_S, _AT_9, _AT_B, _AT_D,
) = (each.hint.search for each in _FAMILIES)  # fmt: skip


_REPLACEMENT: Final = REDACTED.encode()


@attrs.frozen
class RawSecrets:
    """
    What must not be kept of a page's messages. Provides ``bridge.link.Redaction``.

    Attributes:
        pairing: The daemon's own pairing token as JSON has it, if there is one.
    """

    pairing: bytes | None = None

    @classmethod
    def of(cls, pairing: Secret | None) -> RawSecrets:
        """
        For a daemon with that pairing token.
        """
        return cls(None if pairing is None else json.dumps(pairing.reveal())[1:-1].encode())

    def holds(self, payload: bytes) -> bool:
        """
        Whether there may be one.
        """
        return bool(
            (_UNDERSCORE in payload and _AT_UNDERSCORE(payload))
            or (_HYPHEN in payload and _AT_HYPHEN(payload))
            or (_J in payload and _AT_J(payload))
            or (_K in payload and _AT_K(payload))
            or (_S in payload and _AT_S(payload))
            or (_9 in payload and _AT_9(payload))
            or (_B in payload and _AT_B(payload))
            or (_D in payload and _AT_D(payload))
            or (self.pairing is not None and self.pairing in payload)
        )

    def replaced(self, payload: bytes, at_most: int) -> tuple[bytes, int]:
        """
        The payload with each replaced, and their number; when that is over ``at_most``, some are still there.
        """
        number = 0
        for family in _FAMILIES:
            if family.mark in payload:
                payload, found = _without(family, payload, at_most)
                number += found
        if self.pairing is not None:
            number += payload.count(self.pairing)
            payload = payload.replace(self.pairing, _REPLACEMENT)
        return payload, number


def _without(family: _Family, payload: bytes, at_most: int) -> tuple[bytes, int]:
    hint, whole = family.hint.search, family.whole.match
    pieces: list[bytes] = []
    done = at = number = missed = 0
    while number <= at_most and (hit := hint(payload, at)):
        mark = hit.start()
        starts = (mark - back for back in family.back if mark - back >= done)
        found = next((match for start in starts if (match := whole(payload, start))), None)
        if found is None or found.end() <= mark:
            at, missed = mark + 1, missed + 1
            if missed > at_most:  # made to cost time: not all were looked at
                number = at_most + 1
            continue
        pieces += [payload[done : found.start()], found[1] if found.re.groups else b"", _REPLACEMENT]
        done = at = found.end()
        number += 1
    return b"".join([*pieces, payload[done:]]) if number else payload, number
