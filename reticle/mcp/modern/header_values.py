"""
A routing header's value as its client meant it.

A value that a header cannot carry as it is comes as ``=?base64?…?=`` (MCP 2026-07-28 "Value encoding").
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

_PREFIX: Final = "=?base64?"
_SUFFIX: Final = "?="


def header_text(value: str) -> str | None:
    """
    The text that a header's value stands for; None when it is none: broken base64, or characters that must
    come encoded.

    Args:
        value: As it was sent, decoded as latin-1. White space around it is not part of it (RFC 9110 §5.5).
    """
    value = value.strip(" \t")
    whole = len(value) >= len(_PREFIX) + len(_SUFFIX)
    if whole and value.startswith(_PREFIX) and value.endswith(_SUFFIX):
        return _decoded(value[len(_PREFIX) : -len(_SUFFIX)])
    return value if value.isascii() and value.isprintable() else None


def _decoded(encoded: str) -> str | None:
    """
    Canonical base64 of UTF-8 only: two spellings of one name would be two routes to one tool.
    """
    try:
        octets = base64.b64decode(encoded, validate=True)
        text = octets.decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return text if base64.b64encode(octets).decode() == encoded else None
