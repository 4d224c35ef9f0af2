"""
JSON that an app sent as text, and that a page may have made up.
"""

from __future__ import annotations

import json
from typing import Final

LEVELS: Final = 100
"""
Values in values. No API comes near it, and whatever goes through a value part by part may count on it.
"""


class TooDeepError(ValueError):
    """
    It is JSON, with more levels than are looked at. No retry makes sense.
    """


def read_json(text: str) -> object:
    """
    The value.

    Raises:
        ValueError: for what is no JSON.
        TooDeepError: for values in more than ``LEVELS`` others.
    """
    try:
        value: object = json.loads(text)
    except RecursionError as fault:
        raise TooDeepError("too many levels") from fault
    if text.count("[") + text.count("{") > LEVELS and _is_deep(value):
        raise TooDeepError(f"more than {LEVELS} levels")
    return value


def _is_deep(value: object) -> bool:
    layer = [value]
    for _ in range(LEVELS + 1):
        inner = [_parts_of(each) for each in layer]
        layer = [part for parts in inner for part in parts if isinstance(part, dict | list)]
        if not layer:
            return False
    return True


def _parts_of(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
