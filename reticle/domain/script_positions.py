"""
Places in a script as offsets of its text, and as the lines and columns of what is served.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from reticle.model.runs import Position, RunScript

_LINE: Final = re.compile("\n")


def line_ends(text: str) -> Sequence[int]:
    """
    Where all lines but the first begin; asked for once where many places are told.
    """
    return [found.end() for found in _LINE.finditer(text)]


def position_of(script: RunScript, offset: int) -> Position:
    """
    Where an offset of a script's text stands in what is served.
    """
    return position_in(script, line_ends(script.text), offset)


def position_in(script: RunScript, lines: Sequence[int], offset: int) -> Position:
    """
    The same; ``lines`` are its ``line_ends``.
    """
    line = bisect_right(lines, offset)
    column = offset - (lines[line - 1] if line else 0)
    if line == 0:
        column += script.first_column
    number = line + script.first_line + 1
    return Position(script.address, number, column + 1, script.size_bytes, script.is_inline)


def offset_of(script: RunScript, line: int, column: int) -> int:
    """
    Where a position stands in the text; beyond its end where there is none such.
    """
    at = 0
    for _ in range(line - 1 - script.first_line):
        at = script.text.find("\n", at) + 1
        if at == 0:
            return len(script.text)
    return at + max(column - 1, 0)
