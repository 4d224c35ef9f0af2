"""
A fact as one line of JSON.

What every request tells is written by forms of its own (``reticle.probe.small_facts``); the encoder here
takes everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), default=str, check_circular=False
)
_make: Any = getattr(json.encoder, "c_make_encoder", None)
# What ``encode`` makes anew at each call; other Pythons than C's have none of it.
_parts: Final[Callable[[Any, int], Iterable[str]]] = (
    _make(None, str, json.encoder.encode_basestring, None, ":", ",", False, False, True)
    if _make
    else lambda fields, _level: (_ENCODER.encode(fields),)
)


def encoded(fields: dict[str, Any]) -> bytes:
    """
    Fields as JSON; raises where they hold a circle.
    """
    return in_bytes("".join(_parts(fields, 0)))


def joined(kind: str, seq: int, mono: float, body: bytes) -> bytes:
    """
    The line of a fact whose fields are written already.
    """
    head = f'{{"kind":"{kind}","seq":{seq},"mono":{mono:.6f}'.encode()
    return head + b"," + body[1:] if len(body) > 2 else head + b"}"


def in_bytes(text: str) -> bytes:
    """
    A line's text in UTF-8, whatever the app put into it.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a character, as a cut in the midst of one leaves it
        return text.encode("utf-8", "replace")
