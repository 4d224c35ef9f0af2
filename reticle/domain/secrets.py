"""
Secrets in a text that is about to be kept, by their shape and by the name before them.

The page does the same to what it sends (page-wire, "Values are redacted"); this is for what agents write
themselves. Every pattern runs in linear time over any text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

REDACTED: Final = "[REDACTED]"

_SHAPES: Final = (
    ("JSON Web Token", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    ("payment key", r"\b[srp]k_(?:live|test)_\w{8,}"),
    ("model provider key", r"\bsk-[\w-]{20,}"),
    ("cloud key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("forge token", r"\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"),
    ("chat token", r"\bxox[abeoprs]-[\w-]{8,}"),
    ("cloud token", r"\bya29\.[\w.-]{8,}"),
    ("capability token", r"\bdtok_[\w.~+/=%-]+"),
    ("private key", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END))*"),
)
_KEPT_BEFORE: Final = (
    ("Authorization value", r"\b(?:bearer|basic|digest)\s+(?=[\w.~+/=-]{12})", r"[\w.~+/=-]+"),
    ("URL user name", r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}://", r"[^\s/?#@]{1,200}(?=@)"),
    ("header", r"\b(?:set-cookie|cookie|authorization|x-api-key)\s?:\s?", r"[^\n\r]+"),
    (
        "named value",
        (
            r"(?:passw(?:or)?d|passcode|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key"
            r"|(?:access|refresh|auth|bearer|session|csrf|xsrf)[_-]?token|\btoken|\bpwd|\bjwt)"
            r"[\"']?\s?[=:]\s?[\"']?"
        ),
        r"(?!\[REDACTED\])[^\s&;,\"'<>)}]{3,}",
    ),
)
_PATTERNS: Final = (
    *((kind, re.compile(pattern), REDACTED) for kind, pattern in _SHAPES),
    *(
        (kind, re.compile(f"({before})(?:{value})", re.IGNORECASE), rf"\g<1>{REDACTED}")
        for kind, before, value in _KEPT_BEFORE
    ),
)


@attrs.frozen
class Cleaned:
    """
    A text without secrets, and which kinds of secrets were in it.
    """

    text: str
    found: Sequence[str]


def without_secrets(text: str) -> Cleaned:
    """
    The text with every known kind of secret replaced; other text comes back as it was.
    """
    found: list[str] = []
    for kind, pattern, replacement in _PATTERNS:
        text, number = pattern.subn(replacement, text)
        if number:
            found.append(kind)
    return Cleaned(text, tuple(found))
