"""
The pattern language of ``$matches`` agrees with the usual one, and never hangs.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticle.domain.predicate.text_pattern import PatternFault, compile_pattern

PIECES = ["a", "b", "-", ".", "[ab]", "[^a]", "[a-c]", "\\d", "\\w", "\\S", "\\.", "(?:a|b)", "(ab|a)", "\\b"]
REPEATS = ["", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{1,}"]


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """
    Small patterns of the language.
    """
    parts = draw(
        st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(REPEATS)), min_size=1, max_size=4)
    )
    body = "".join(piece + ("" if piece == "\\b" else repeat) for piece, repeat in parts)
    return draw(st.sampled_from(["", "^"])) + body + draw(st.sampled_from(["", "$"]))


@given(patterns(), st.text("abc1-. ", max_size=8))
def test_it_finds_what_the_usual_matcher_finds(pattern: str, text: str) -> None:
    """
    A pattern an agent knows from elsewhere means the same here.
    """
    usual = re.compile(pattern, re.DOTALL | re.ASCII).search(text)
    assert compile_pattern(pattern).found_in(text) is (usual is not None)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", "a*a*a*a*a*b", "(x?){50}x{50}z"])
def test_patterns_that_hang_other_matchers_do_not_hang_this_one(pattern: str) -> None:
    """
    A malicious pattern costs its length times the text's, not more.
    """
    assert compile_pattern(pattern).found_in("a" * 300 + "!") is False


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a)",
        "*a",
        "[a",
        "a{",
        "a{x}",
        "a{2,1}",
        "a{101}",
        "\\q",
        "\\",
        "(?=a)",
        "(?i)a",
        "[b-a]",
        "(a{100}){100}",
        "a" * 201,
    ],
)
def test_what_is_not_in_the_language_is_a_fault(pattern: str) -> None:
    """
    A pattern that would not do what it looks like is refused.
    """
    with pytest.raises(PatternFault):
        compile_pattern(pattern)


def test_classes_and_escapes_inside_brackets() -> None:
    """
    A bracket with classes, ranges, escapes and a leading bracket works.
    """
    assert compile_pattern("^[\\d\\-a-c]+$").found_in("1-b")
    assert not compile_pattern("^[\\d\\-a-c]+$").found_in("d")
    assert compile_pattern("^[]x]$").found_in("]")
    assert compile_pattern("a\\nb").found_in("a\nb")
