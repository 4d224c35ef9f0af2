"""
The last line of defence against secrets in a log: every line passes here before it is written.

Code that logs does not log secrets in the first place; this catches the mistake (DESIGN §2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from reticle.model.log_marks import CUT
from reticle.model.percent import decoded

REDACTED: Final = "[REDACTED]"
_LEAST_SECRET_CHARS: Final = 4
"""Shorter configured secrets would blank out ordinary words."""

_SHAPES: Final = (
    (re.compile(r"(?i:dtok_)(?![A-Za-z0-9_-]{16}(?![\w.~+/=%-]))[\w.~+/=%-]+"), REDACTED),
    (re.compile(r"(?i)\b(bearer|basic)(\s+|%20)[^\s\"',;\\]+"), rf"\1 {REDACTED}"),
    (re.compile(r"(?i)(token(?:=|%3d))[^&\s\"'#\\]+"), rf"\1{REDACTED}"),
    (re.compile(r"(?i)(token\\?[\"']\s*:\s*\\?[\"'])[^\"'\\]+"), rf"\1{REDACTED}"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s\"'@]+@"), rf"\1{REDACTED}@"),
)
"""
Credentials by their shape: capability tokens, Authorization values, ``token=``, URL user names. The public
half of a capability token stays: it says whose line it is.
"""

_WORD: Final = re.compile(r"[^\s\"'\\<>]+")
_PART: Final = re.compile(r"[^/?&=#;,:@]+")
"""What may hide a secret by percent-encoding, and the parts of it that are tried one by one."""

_HALF_CODE: Final = re.compile(r"%[0-9A-Fa-f]?\Z")
"""What a cut leaves of a percent-encoded character."""

_MARKS: Final = ("tok", "bearer", "basic", "://")
"""No shape matches a text that has none of these in lower case; a word is found faster than a shape."""


class Redaction:
    """
    Replaces known secrets, in every spelling a log may have them in, and whatever looks like one, also where
    it was percent-encoded, in part or more than once, and what is left of a secret where a text was cut.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spellings = {
            spelling
            for secret in secrets
            if len(secret) >= _LEAST_SECRET_CHARS
            for spelling in (
                secret,
                json.dumps(secret)[1:-1],
                quote(secret, safe=""),
                repr(secret)[1:-1],
                decoded(secret),
            )
            if len(spelling) >= _LEAST_SECRET_CHARS
        }
        longest_first = sorted(spellings, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if spellings else None
        self._spellings = longest_first

    def leaves(self, text: str) -> bool:
        """
        Whether every part of a text surely has nothing to be taken out; found sooner than by ``clean``.
        """
        if "%" in text or CUT in text or (self._known is not None and self._known.search(text)):
            return False
        lowered = text.lower()
        return not any(mark in lowered for mark in _MARKS)

    def clean(self, text: str) -> str:
        """
        The text without secrets; other text comes back as it was.
        """
        text = self._plainly_clean(text)
        if "%" not in text:
            return text
        text = _WORD.sub(self._uncover, text)
        if self._known is not None and self._known.search(decoded(text)):
            # It has characters that are between words: nothing encoded is left then.
            text = _WORD.sub(lambda word: REDACTED if "%" in word[0] else word[0], text)
        return text

    def _uncover(self, word: re.Match[str]) -> str:
        """
        The word without what hides a secret, or nothing of it.
        """
        if "%" not in word[0] or not self._hides(word[0]):
            return word[0]
        shown = _PART.sub(lambda part: REDACTED if self._hides(part[0]) else part[0], word[0])
        return REDACTED if self._hides(shown) else shown

    def _hides(self, text: str) -> bool:
        plain = decoded(text)
        return plain != text and self._plainly_clean(plain) != plain

    def _plainly_clean(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
            if CUT in text:
                text = self._without_stumps(text)
        lowered = text.lower()
        if not any(mark in lowered for mark in _MARKS):
            return text
        for shape, replacement in _SHAPES:
            text = shape.sub(replacement, text)
        return text

    def _without_stumps(self, text: str) -> str:
        """
        The text without beginnings of known secrets that a cut left standing before its mark.
        """
        *before, last = text.split(CUT)
        return CUT.join([*map(self._without_stump, before), last])

    def _without_stump(self, part: str) -> str:
        part = _HALF_CODE.sub("", part)
        left = max((_overlap(part, spelling) for spelling in self._spellings), default=0)
        return part[:-left] + REDACTED if left >= _LEAST_SECRET_CHARS else part


def _overlap(text: str, secret: str) -> int:
    """
    How many of the secret's first characters the text ends with.
    """
    return next((size for size in range(len(secret) - 1, 0, -1) if text.endswith(secret[:size])), 0)
