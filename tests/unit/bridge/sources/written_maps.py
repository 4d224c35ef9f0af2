"""
Source maps for tests: a writer of them, the opposite of what the daemon has.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

Segment = tuple[int, tuple[int, int, int] | None]
"""A column in the script, and source, line and column from 0 that it was made from, None for nothing."""


def encode_number(number: int) -> str:
    """
    One number as base64 VLQ.
    """
    rest, text = abs(number) << 1 | (number < 0), ""
    while True:
        digit, rest = rest & 31, rest >> 5
        text += DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text


def encode(lines: Sequence[Sequence[Segment]]) -> str:
    """
    The ``mappings`` of a map.
    """
    last = (0, 0, 0)
    texts = []
    for line in lines:
        before, segments = 0, []
        for column, original in line:
            numbers = [column - before]
            before = column
            if original is not None:
                numbers += [now - then for now, then in zip(original, last, strict=True)]
                last = original
            segments.append("".join(map(encode_number, numbers)))
        texts.append(",".join(segments))
    return ";".join(texts)


def written_map(lines: Sequence[Sequence[Segment]], sources: Sequence[str | None], **more: object) -> bytes:
    """
    A whole map as bytes.
    """
    whole = {"version": 3, "sources": list(sources), "names": [], "mappings": encode(lines), **more}
    return json.dumps(whole).encode()


def inline(raw: bytes) -> str:
    """
    The comment that holds a map in its script.
    """
    return f"//# sourceMappingURL=data:application/json;base64,{base64.b64encode(raw).decode()}"
