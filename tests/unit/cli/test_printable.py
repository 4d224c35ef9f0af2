"""
What others wrote does nothing to a person's terminal.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.cli.printable import printable, printable_lines


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    """
    Whatever a text holds, only visible characters reach the terminal.
    """
    assert printable(text).isprintable()
    assert all(line.isprintable() for line in printable_lines(text).split("\n"))


@pytest.mark.parametrize("text", ["plain", "", "Straße 5 €", "a / b: 中文"])
def test_what_can_be_seen_stays(text: str) -> None:
    """
    Words of any language are shown as they are.
    """
    assert printable(text) == text


def test_lines_stay_lines() -> None:
    """
    A failure of several lines is read as such.
    """
    assert printable_lines("one\ntwo\x1b[1m") == "one\ntwo\\u001b[1m"
