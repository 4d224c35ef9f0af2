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
from typing import Final

import attrs

from reticle.domain.secrets import REDACTED
from reticle.model.trust import Secret

# Where a word begins: behind what is none, or behind an escape, whose last letter is none of the word.
_BEGIN: Final = rb"(?:(?<![\w-])|(?<=\\[bfnrt]))"
_LIKE_A_KEY: Final = rb"(?=[\w.~+/=-]*[0-9=])[\w.~+/=-]{12,}"
"""What stands behind an authorization scheme; "Basic configuration" is none."""

_AT_UNDERSCORE: Final = re.compile(
    rb"_(?:(?<=dtok_)[\w.~+/=%-]|(?<=[srp]k_live_)\w{8}|(?<=[srp]k_test_)\w{8}|(?<=gh[pousr]_)\w{20}"
    rb"|(?<=github_pat_)\w{20})"
).search
_AT_HYPHEN: Final = re.compile(
    rb"-(?:(?<=sk-)[\w-]{20}|(?<=glpat-)[\w-]{16}|(?<=xox[abeoprs]-)[\w-]{8}|----BEGIN )"
).search
_AT_J: Final = re.compile(rb"J(?<=eyJ)[\w-]{8,}\.[\w-]{8}").search
_AT_K: Final = re.compile(rb"K(?<=AK)IA[0-9A-Z]{16}").search
_AT_S: Final = re.compile(rb"S(?<=AS)IA[0-9A-Z]{16}").search
_AT_9: Final = re.compile(rb"9(?<=ya29)\.[\w.-]{8}").search
_AT_B: Final = re.compile(rb"B(?:earer|asic) +" + _LIKE_A_KEY).search
_AT_D: Final = re.compile(rb"Digest +" + _LIKE_A_KEY).search

# As numbers: a look for ``b"_"`` first tries to take it for one, which costs four times the search.
_UNDERSCORE, _HYPHEN, _J, _K, _S, _9, _B, _D = b"_-JKS9BD"

_SHAPES: Final = tuple(
    (re.compile(pattern), replacement.encode())
    for pattern, replacement in (
        (rb"dtok_[\w.~+/=%-]+", REDACTED),
        (rb"[srp]k_(?:live|test)_\w{8,}", REDACTED),
        (rb"(?:gh[pousr]_|github_pat_)\w{20,}|glpat-[\w-]{16,}", REDACTED),
        (_BEGIN + rb"sk-[\w-]{20,}", REDACTED),
        (rb"xox[abeoprs]-[\w-]{8,}", REDACTED),
        (rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-\"]|-(?!----END))*", REDACTED),
        (rb"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?", REDACTED),
        (_BEGIN + rb"A[KS]IA[0-9A-Z]{16}(?!\w)", REDACTED),
        (rb"ya29\.[\w.-]{8,}", REDACTED),
        (rb"((?:Bearer|Basic|Digest) +)" + _LIKE_A_KEY, rf"\g<1>{REDACTED}"),
    )
)


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
        for pattern, replacement in _SHAPES:
            payload, found = pattern.subn(replacement, payload, count=at_most + 1)
            number += found
        if self.pairing is not None:
            number += payload.count(self.pairing)
            payload = payload.replace(self.pairing, REDACTED.encode())
        return payload, number
