"""
Facts as lines, whatever the app put into their texts.
"""

from __future__ import annotations

import json

import pytest

from reticle.probe.fact_lines import encoded, in_bytes, joined


def test_a_line_is_the_fact_and_its_number() -> None:
    """
    The daemon reads the fields as they were told.
    """
    line = joined("sql", 7, 1.5, encoded({"rows": 2, "file": None}))
    assert json.loads(line) == {"kind": "sql", "seq": 7, "mono": 1.5, "rows": 2, "file": None}
    assert json.loads(joined("sql", 1, 2.0, encoded({}))) == {"kind": "sql", "seq": 1, "mono": 2.0}


@pytest.mark.parametrize(("text", "told"), [("ä", "ä"), ("x\ud83d", "x?")])
def test_half_of_a_character_spoils_no_line(text: str, told: str) -> None:
    """
    A text that was cut in the midst of a character arrives, with a mark in its place.
    """
    assert in_bytes(text).decode() == told
