"""
Which line of the app may have chosen the status of an answer: one that is a success, and another one than
was claimed, is written down somewhere, beside the address or where the answer was returned.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator
from typing import Any, Final

from reticle.probe.limits import ANSWERED_LINES, CALLS_KNOWN

_SUCCESS: Final = re.compile(r"(?<![\w.])2\d\d(?![\w.])")
_WORD: Final = re.compile(r"[A-Za-z][\w-]*$")
_lines: Final[dict[str, list[tuple[int, str]]]] = {}
"""Of files the lines with a number that may be a success."""


def lines_answering(path: str, status: int, left_at: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """
    The places that have the status of a success beside the last word of the address in quotes, or where a
    function was left; empty for another status.

    Args:
        path: Of the request.
        status: Of its answer.
        left_at: The files of what ran, each with the line that a function was left from last.
    """
    if not 200 <= status < 300:
        return []
    left = set(left_at)
    words = [part for part in path.split("/") if _WORD.match(part)]
    quoted = re.compile(rf"[\"'][^\"']*\b{re.escape(words[-1])}[\"']") if words else None
    found = [
        {"file": file, "line": line}
        for file in dict(left_at)
        for line, text in _known(file)
        if _has(status, text) and ((file, line) in left or (quoted is not None and quoted.search(text)))
    ]
    return found[:ANSWERED_LINES]


def _has(status: int, text: str) -> bool:
    return any(each[0] == str(status) for each in _SUCCESS.finditer(text))


def _known(file: str) -> list[tuple[int, str]]:
    known = _lines.get(file)
    if known is None:
        known = list(_read(file))
        if len(_lines) < CALLS_KNOWN:
            _lines[file] = known
    return known


def _read(file: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(linecache.getlines(file), 1):
        if _SUCCESS.search(line):
            yield number, line
