"""
Small answers that lose nothing in silence.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reticle.tools.fields import cut, lines_that_fit, newest_that_fit, one_line, told, without_defaults


def test_what_says_nothing_is_left_out_and_zero_is_not() -> None:
    """
    A count of 0 is told; an empty list, text or object and false are not.
    """
    assert told(a=0, b=False, c=None, d="", e=[], f={}, g="x", h=True, i=[0]) == {
        "a": 0, "g": "x", "h": True, "i": [0],
    }  # fmt: skip


def test_a_field_at_its_expected_value_is_left_out() -> None:
    """
    Only what differs from the expected is told; 1 is not True, and false is told where true is expected.
    """
    expected = {"visible": True, "occluded": False}
    given_fields = {"visible": False, "occluded": False, "extra": 0, "empty": ""}
    assert without_defaults(given_fields, expected) == {"visible": False, "extra": 0}
    assert without_defaults({"visible": 1}, expected) == {"visible": 1}


@given(st.text(max_size=50), st.integers(0, 40))
def test_a_cut_text_counts_what_is_missing(text: str, chars: int) -> None:
    """
    A cut is always visible, with the number of characters that are gone.
    """
    shown = cut(text, chars)
    if len(text) <= chars:
        assert shown == text
    else:
        assert shown == text[:chars] + f"…(+{len(text) - chars} chars)"


@given(st.lists(st.text(max_size=20).map(one_line), max_size=20), st.integers(0, 200))
def test_lines_are_kept_from_the_top_and_the_rest_is_counted(lines: list[str], chars: int) -> None:
    """
    No line is cut in half, none is skipped in the middle, and the number left out is right.
    """
    kept, left = lines_that_fit(lines, chars)
    assert kept == lines[: len(kept)]
    assert left == len(lines) - len(kept)
    assert sum(len(line) + 1 for line in kept) <= chars


def test_the_newest_entries_fit_and_one_always_does() -> None:
    """
    An answer never grows beyond its bound, and a single large entry is still seen.
    """
    entries = [{"n": number} for number in range(5)]
    assert newest_that_fit(entries, 3) == entries[2:]
    assert newest_that_fit(entries, 5, chars=16) == entries[3:]
    assert newest_that_fit([{"n": "x" * 100}], 5, chars=10) == [{"n": "x" * 100}]
    assert newest_that_fit([], 5) == []
