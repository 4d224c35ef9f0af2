"""
URI templates of RFC 6570, level 1: ``{name}`` stands for one percent-encoded value without a slash.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_VARIABLE: Final = re.compile(r"\{(\w+)\}", re.ASCII)
_VALUE: Final = r"((?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)"
"""Unreserved characters and percent-encoded octets (RFC 6570 §3.2.1)."""


def variables(template: str) -> tuple[str, ...]:
    """
    The names in a template, in its order.
    """
    return tuple(_VARIABLE.findall(template))


def expand(template: str, values: Mapping[str, str]) -> str:
    """
    The address for these values.
    """
    return _VARIABLE.sub(lambda found: quote(values[found[1]], safe="", errors="replace"), template)


def match(template: str, uri: str) -> dict[str, str] | None:
    """
    The values that an address has; None when the template cannot have made it.
    """
    found = _pattern(template).fullmatch(uri)
    if found is None:
        return None
    try:
        values = [unquote_to_bytes(value).decode() for value in found.groups()]
    except UnicodeDecodeError:
        return None
    return dict(zip(variables(template), values, strict=True))


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    literals = _VARIABLE.split(template)[::2]
    return re.compile(_VALUE.join(re.escape(literal) for literal in literals))
