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

REDACTED: Final = "[REDACTED]"
_LEAST_SECRET_CHARS: Final = 4
"""Shorter configured secrets would blank out ordinary words."""

_SHAPES: Final = (
    (re.compile(r"dtok_(?![A-Za-z0-9_-]{16}(?![\w.~+/=%-]))[\w.~+/=%-]+"), REDACTED),
    (re.compile(r"(?i)\b(bearer|basic)(\s+|%20)[^\s\"',;\\]+"), rf"\1 {REDACTED}"),
    (re.compile(r"(?i)(token(?:=|%3d))[^&\s\"'#\\]+"), rf"\1{REDACTED}"),
    (re.compile(r"(?i)(token\\?[\"']\s*:\s*\\?[\"'])[^\"'\\]+"), rf"\1{REDACTED}"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s\"'@]+@"), rf"\1{REDACTED}@"),
)
"""
Credentials by their shape: capability tokens, Authorization values, ``token=``, URL user names. The public
half of a capability token stays: it says whose line it is.
"""

_MARKS: Final = ("tok", "bearer", "basic", "://")
"""No shape matches a text that has none of these in lower case; a word is found faster than a shape."""


class Redaction:
    """
    Replaces known secrets, in every spelling a log may have them in, and whatever looks like one.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spellings = {
            spelling
            for secret in secrets
            if len(secret) >= _LEAST_SECRET_CHARS
            for spelling in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""), repr(secret)[1:-1])
        }
        longest_first = sorted(spellings, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if spellings else None

    def clean(self, text: str) -> str:
        """
        The text without secrets; other text comes back as it was.
        """
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        lowered = text.lower()
        if not any(mark in lowered for mark in _MARKS):
            return text
        for shape, replacement in _SHAPES:
            text = shape.sub(replacement, text)
        return text
