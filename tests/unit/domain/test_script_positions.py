"""
A place is told by the line and column of what is served, also in a document.
"""

from __future__ import annotations

import attrs
import pytest

from reticle.domain.script_positions import line_ends, offset_of, position_in, position_of
from reticle.model.runs import Position, RunScript

ADDRESS = "http://app.test/shop"
SCRIPT = RunScript(ADDRESS, "one();\ntwo();\n", [])


@pytest.mark.parametrize(("offset", "line", "column"), [(0, 1, 1), (6, 1, 7), (7, 2, 1), (9, 2, 3)])
def test_an_offset_and_its_place_are_the_same(offset: int, line: int, column: int) -> None:
    """
    Both count from what is served, lines and columns from 1.
    """
    assert position_of(SCRIPT, offset) == Position(ADDRESS, line, column)
    assert position_in(SCRIPT, line_ends(SCRIPT.text), offset) == Position(ADDRESS, line, column)
    assert offset_of(SCRIPT, line, column) == offset


def test_a_script_in_a_document_begins_where_it_stands() -> None:
    """
    The first line has columns before it, the others have not.
    """
    inside = attrs.evolve(SCRIPT, first_line=10, first_column=8, is_inline=True)
    told = [position_of(inside, 0), position_of(inside, 7)]
    assert [(one.line, one.column, one.is_inline) for one in told] == [(11, 9, True), (12, 1, True)]


def test_a_place_behind_the_end_is_the_end() -> None:
    """
    A stack may be of another version of the script.
    """
    assert offset_of(SCRIPT, 40, 1) == len(SCRIPT.text)
