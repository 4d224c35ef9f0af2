"""
Texts that were percent-encoded, once or again and again (RFC 3986 §2.1).
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

_AGAIN: Final = re.compile(r"%(?:25)+(?=[0-9A-Fa-f]{2})")
"""A percent sign that was encoded itself, however often: one step undoes it."""

_ROUNDS: Final = 8
"""Other towers of encodings than the above are nobody's accident; what is left of one stays encoded."""


def decoded(text: str) -> str:
    """
    The text without any percent-encoding, for looking into it and not for showing it.
    """
    for _ in range(_ROUNDS):
        if "%" not in text:
            break
        plain = unquote(_AGAIN.sub("%", text), errors="replace")
        if plain == text:
            break
        text = plain
    return text
